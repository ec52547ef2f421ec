"""A table file as a whole: what it becomes, what contradicts itself, and that nothing but problems comes out."""

import hashlib
from fractions import Fraction
from pathlib import Path

import pytest
from config_variants import (
    GOOD_BOARD,
    GOOD_TABLE,
    ROOT,
    TABLE_NAME,
    Change,
    changed,
    line_of,
    without_section,
    write_files,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.config.problems import ConfigError, Problem
from firmware.config.table_file import PeopleTerms, load_table
from firmware.config.vocabulary import ANY, TABLE_WORDS, Key
from firmware.rules.submission import Limits, MeterTerms


def refusal_of(folder: Path, table: str) -> list[str]:
    write_files(folder, table)
    with pytest.raises(ConfigError) as refusal:
        load_table(TABLE_NAME)
    return [str(problem) for problem in refusal.value.problems]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_example_table_becomes_what_it_says(tmp_path: Path) -> None:
    write_files(tmp_path)
    table = load_table(TABLE_NAME)
    submission = table.submission
    assert (table.table_id, table.rulebook_id) == ("simulated-01", "md-high-card-flush")
    assert table.digest == hashlib.sha256(GOOD_TABLE.encode()).hexdigest()
    assert table.board.board_id == "simulated"
    assert table.people == PeopleTerms(25_000_00, 50_000_00, 3600)
    assert (table.layout_reference, table.felt_inscribed) == ("simulated layout", False)
    assert table.warnings == ()
    assert {wager: paytable.letter for wager, paytable in submission.paytables.items()} == {
        "flush_bonus": "A",
        "straight_flush_bonus": "A",
        "progressive": "C",
    }
    assert submission.limits == {
        "ante": Limits(10_00, 500_00),
        "flush_bonus": Limits(5_00, 100_00),
        "straight_flush_bonus": Limits(5_00, 100_00),
        "progressive": Limits(1_00, 1_00),
    }
    meter = MeterTerms("progressive", 1_00, Fraction(1, 5), 5_000_00, 5_000_00, 99_999_999_99)
    assert submission.meters == {"main": meter}
    assert submission.payout_limit == 50_000_00
    assert (submission.seats, submission.boxes_per_player, submission.ace_low) == (6, 3, False)
    assert (submission.stub_count_every, submission.cut_at_least, submission.deck_life_seconds) == (5, 10, 8 * 3600)


def test_the_example_table_ships_legal() -> None:
    table = load_table(ROOT / "host_tools/simulate/tables/md-high-card-flush.toml")
    assert table.board.path == ROOT / "board/simulated.toml"
    assert table.warnings == ()


def test_what_a_table_leaves_out_follows_the_rulebook(tmp_path: Path) -> None:
    names = ("cards.decks", "cards.shuffler", "cards.deck_life", "cards.stub_count_every", "cards.cut_at_least")
    text = without_section(changed(GOOD_TABLE, *((name, None) for name in names)), "people")
    write_files(tmp_path, text)
    table = load_table(TABLE_NAME)
    submission = table.submission
    assert (submission.stub_count_every, submission.cut_at_least, submission.deck_life_seconds) == (5, 10, 8 * 3600)
    assert submission.shuffler_counts is False
    assert table.people == PeopleTerms(25_000_00, 50_000_00, 3600)


def test_choices_reach_the_submission(tmp_path: Path) -> None:
    changes: list[Change] = [
        ("cards.shuffler", '"counting"'),
        ("cards.deck_life", '"90 min"'),
        ("cards.cut_at_least", "12"),
        ("cards.stub_count_every", "3"),
        ("cards.device_approval", '"letter 3"'),
        ("table.felt_inscribed", "true"),
        ("game.ace_low_straight_flush", "true"),
        ("confirmed.MD-10", '"letter 12"'),
        ("people.surveillance_from", '"$10,000"'),
        ("people.pit_manager_from", '"$0"'),
        ("people.sign_in_timeout", '"90 s"'),
    ]
    write_files(tmp_path, changed(GOOD_TABLE, *changes))
    table = load_table(TABLE_NAME)
    submission = table.submission
    assert (submission.shuffler_counts, submission.ace_low) == (True, True)
    assert (submission.deck_life_seconds, submission.cut_at_least, submission.stub_count_every) == (5400, 12, 3)
    assert submission.confirmed == {"MD-10": "letter 12"}
    assert (table.device_approval, table.felt_inscribed) == ("letter 3", True)
    assert table.people == PeopleTerms(10_000_00, 0, 90)


def test_a_table_may_offer_the_ante_alone(tmp_path: Path) -> None:
    text = GOOD_TABLE
    for section in ("limits.flush_bonus", "limits.straight_flush_bonus", "limits.progressive"):
        text = without_section(text, section)
    for section in ("paytables", "payout", "meters.progressive"):
        text = without_section(text, section)
    write_files(tmp_path, text)
    submission = load_table(TABLE_NAME).submission
    assert (submission.paytables, submission.meters, submission.payout_limit) == ({}, {}, None)


MISSING = {
    "table.id": "missing: give the table's name on the floor.",
    "table.rulebook": 'missing: choose "md-high-card-flush".',
    "table.board": "missing: name the board file, relative to this file.",
    "table.seats": "missing: say how many betting positions the table has (MD-HCF-02.A).",
    "table.boxes_per_player": "missing: say on how many adjacent boxes one player may bet (MD-HCF-07.G).",
    "table.layout_reference": "missing: give the reference of the layout's approval (MD-HCF-02.B).",
    "cards.dealing_method": "missing: say how the cards are dealt (MD-HCF-05.D.1).",
    "limits.ante.min": "missing: post both limits of the Ante.",
    "limits.progressive.max": "missing: post both limits of the Progressive.",
    "meters.progressive.rate": "missing: state the rate of progression (MD-HCF-12.E.2.a).",
    "meters.progressive.initial": "missing: state the amount the meter starts with (MD-HCF-12.E.2.b).",
    "meters.progressive.reset": "missing: state the amount after a full award (MD-HCF-12.E.2.b).",
    "meters.progressive.limit": "missing: state the most the meter may reach (COMAR 36.05.03.24.J).",
    "meters.progressive.stake": "missing: state the size of the wager (MD-HCF-12.E.5).",
}


@pytest.mark.parametrize(("path", "said"), MISSING.items(), ids=MISSING)
def test_a_missing_key_is_told_at_its_section(path: str, said: str, tmp_path: Path) -> None:
    section, _, key = path.rpartition(".")
    line = line_of(GOOD_TABLE, "", section)
    problems = refusal_of(tmp_path, changed(GOOD_TABLE, (path, None)))
    assert problems == [f"{TABLE_NAME}:{line}: [{section}] {key}: {said}"]


def test_MD_HCF_12_D_a_missing_payout_limit_is_told_with_its_sum(tmp_path: Path) -> None:
    (problem,) = refusal_of(tmp_path, changed(GOOD_TABLE, ("payout.limit_per_hand", None)))
    line = line_of(GOOD_TABLE, "", "payout")
    assert problem.startswith(f"{TABLE_NAME}:{line}: [payout] limit_per_hand: missing: it is $50,000, the greater of")
    assert problem.endswith('= $41,500) (MD-HCF-12.D). Legal: "$50,000".')


CONTRADICTIONS = {
    "limits.flush_bonus": '[paytables] flush_bonus = "A": offered without limits:'
    " write [limits.flush_bonus] with min and max.",
    "limits.ante": "[limits.ante]: missing: post the Ante's min and max.",
    "meters.progressive": '[paytables] progressive = "C": offered without a meter:'
    " write [meters.progressive] with rate, initial, reset, limit and stake (MD-HCF-12.E.2).",
}


@pytest.mark.parametrize(("section", "said"), CONTRADICTIONS.items(), ids=CONTRADICTIONS)
def test_a_wager_offered_has_its_sections(section: str, said: str, tmp_path: Path) -> None:
    (problem,) = refusal_of(tmp_path, without_section(GOOD_TABLE, section))
    assert problem.partition(": ")[2] == said


def test_a_wager_not_offered_has_no_sections(tmp_path: Path) -> None:
    problems = refusal_of(tmp_path, changed(GOOD_TABLE, ("paytables.progressive", None)))
    said = "Progressive is not offered: [paytables] does not name it. Name its paytable, or remove the section."
    assert [problem.partition(": ")[2] for problem in problems] == [
        f"[limits.progressive]: {said}",
        f"[meters.progressive]: {said}",
    ]


WHOLE_SECTIONS: dict[str, tuple[Change, str]] = {
    "MD-HCF-07.F wheel": (
        ("wheel.file", '"wheel.toml"'),
        "[wheel]: no wager of High Card Flush (Maryland) has a wheel (MD-HCF-07.F). Remove the section.",
    ),
    "link": (("link.broker", '"broker.example"'), "[link]: this version is stand-alone. Remove the section."),
    "MD-HCF-11.B.1 raise limits": (
        ("limits.raise.min", '"$10"'),
        "[limits.raise]: the Raise has no limits of its own: it follows the Ante (MD-HCF-11.B.1). Remove the section.",
    ),
    "MD-HCF-07.F unknown wager": (
        ("limits.flush_bonu.min", '"$5"'),
        '[limits.flush_bonu]: no wager of High Card Flush (Maryland) (MD-HCF-07.F). Did you mean "flush_bonus"?',
    ),
    "MD-HCF-07.F wager of another game": (
        ("meters.lucky_ladies.rate", '"5%"'),
        (
            "[meters.lucky_ladies]: no wager of High Card Flush (Maryland) (MD-HCF-07.F)."
            " Wagers: ante, raise, flush_bonus, straight_flush_bonus, progressive."
        ),
    ),
    "MD-HCF-07.F.2 meter of a wager without one": (
        ("meters.flush_bonus.rate", '"5%"'),
        "[meters.flush_bonus]: Flush Bonus has no meter (MD-HCF-07.F.2). Remove the section.",
    ),
    "MD-HCF-12.E.2 meter level": (
        ("meters.progressive.mega.rate", '"5%"'),
        "[meters.progressive.mega]: this game's progressive has one meter (MD-HCF-12.E.2). Remove the level.",
    ),
    "unknown section": (("tables.id", '"x"'), '[tables]: unknown section. Did you mean "table"?'),
}


@pytest.mark.parametrize(("change", "said"), WHOLE_SECTIONS.values(), ids=WHOLE_SECTIONS)
def test_a_section_that_does_not_belong_is_one_problem(change: Change, said: str, tmp_path: Path) -> None:
    text = changed(GOOD_TABLE, change)
    line = len(text.splitlines()) - 1
    assert refusal_of(tmp_path, text) == [f"{TABLE_NAME}:{line}: {said}"]


TYPES: dict[str, tuple[Change, str]] = {
    "bare amount": (("limits.ante.min", "10"), 'an amount needs its unit. Write: min = "$10".'),
    "bare amount with cents": (("limits.ante.min", "2.5"), 'an amount needs its unit. Write: min = "$2.50".'),
    "quoted bare amount": (
        ("meters.progressive.reset", '"5000"'),
        'an amount needs its unit. Write: reset = "$5,000".',
    ),
    "negative amount": (("limits.ante.min", '"-$5"'), 'must be an amount in quotes. Write it like "$5,000".'),
    "part of a cent": (("limits.ante.min", "0.001"), 'must be an amount in quotes. Write it like "$5,000".'),
    "amount as yes": (("limits.ante.min", "true"), 'must be an amount in quotes. Write it like "$5,000".'),
    "not a number at all": (("limits.ante.min", "nan"), 'must be an amount in quotes. Write it like "$5,000".'),
    "bare rate": (("meters.progressive.rate", "20"), 'a rate needs its unit. Write: rate = "20%".'),
    "rate as a fraction": (("meters.progressive.rate", "0.2"), 'must be a rate in quotes. Write it like "24%".'),
    "bare duration": (("cards.deck_life", "8"), 'a duration needs its unit. Write: deck_life = "8 h".'),
    "quoted bare duration": (
        ("people.sign_in_timeout", '"30"'),
        'a duration needs its unit. Write: sign_in_timeout = "30 min".',
    ),
    "unknown unit": (("cards.deck_life", '"8 hours"'), 'must be a duration in quotes. Write it like "8 h".'),
    "quoted number": (("table.seats", '"6"'), "must be a whole number, without quotes. Write: seats = 6."),
    "part of a seat": (("table.seats", "5.5"), "must be a whole number."),
    "seat as yes": (("table.seats", "true"), "must be a whole number."),
    "flag as text": (("table.felt_inscribed", '"yes"'), "must be true or false, without quotes."),
    "text as number": (("table.layout_reference", "7"), "must be text in quotes."),
    "empty text": (("table.layout_reference", '"  "'), "must not be empty."),
    "misspelt choice": (("cards.dealing_method", '"manual show"'), 'no such choice. Did you mean "manual shoe"?'),
    "no such choice": (("cards.shuffler", '"yes"'), 'no such choice. Legal: "none", "plain" or "counting".'),
    "misspelt key": (("cards.deck_lif", '"8 h"'), 'unknown key. Did you mean "deck_life"?'),
    "key without likeness": (
        ("payout.zzz", "1"),
        "unknown key. Known here: limit_per_hand, limit_per_round.",
    ),
    "key of another section": (("cards.seats", "6"), "unknown key here. It belongs in [table]."),
}


@pytest.mark.parametrize(("change", "said"), TYPES.values(), ids=TYPES)
def test_a_value_of_the_wrong_kind_is_the_only_problem(change: Change, said: str, tmp_path: Path) -> None:
    text = changed(GOOD_TABLE, change)
    section, _, key = change[0].rpartition(".")
    place = f"{TABLE_NAME}:{line_of(text, key, section)}: [{section}] {key} = {change[1]}"
    assert refusal_of(tmp_path, text) == [f"{place}: {said}"]


def test_problems_of_the_board_come_after_those_of_the_table(tmp_path: Path) -> None:
    board = changed(GOOD_BOARD, ("board.settle", "30"))
    write_files(tmp_path, changed(GOOD_TABLE, ("table.seats", "7")), board)
    with pytest.raises(ConfigError) as refusal:
        load_table(TABLE_NAME)
    assert [(problem.file, problem.line) for problem in refusal.value.problems] == [
        (TABLE_NAME, line_of(GOOD_TABLE, "seats", "table")),
        ("board/seven-seat.toml", line_of(GOOD_BOARD, "settle", "board")),
    ]


def test_a_board_that_is_not_there_is_told(tmp_path: Path) -> None:
    text = changed(GOOD_TABLE, ("table.board", '"../board/nine-seat.toml"'))
    assert refusal_of(tmp_path, text) == ["board/nine-seat.toml: cannot be read: no such file or directory."]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"[table]\nid = \xff\n", ":2: not UTF-8 text. Save the file as UTF-8."),
        (b"\xef\xbb\xbf[table]\n", ":1: begins with a byte-order mark. Save the file as UTF-8 without one."),
        (b"[table]\nid = \n", ":2: not TOML: invalid value."),
        (b'[table]\r\nid = "a"\r\nid = "b"\r\n', ":3: not TOML: this key stands twice in its section."),
        (b'[table]\nid = "a', ":2: not TOML: unterminated string."),
        (b"x = " + b"[" * 5000, ":1: nested too deeply to be a table or board file."),
        (b"#" * 1_000_001, ": larger than 1,000,000 bytes: not a table or board file."),
    ],
    ids=["bytes", "mark", "no value", "key twice", "open string", "nested", "huge"],
)
def test_what_is_no_toml_is_one_problem(raw: bytes, said: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    (tmp_path / TABLE_NAME).write_bytes(raw)
    with pytest.raises(ConfigError) as refusal:
        load_table(TABLE_NAME)
    assert str(refusal.value) == f"{TABLE_NAME}{said}"


def test_a_problem_reads_as_designed() -> None:
    problem = Problem(
        "tables/pit4-07.toml",
        31,
        '[meters.progressive] reset = "$3,000"',
        "below the minimum of $5,000 for paytable C",
        "MD-HCF-12.E.2.b.ii",
        'Lowest legal: "$5,000"',
    )
    assert str(problem) == (
        'tables/pit4-07.toml:31: [meters.progressive] reset = "$3,000": below the minimum of $5,000 for paytable C'
        ' (MD-HCF-12.E.2.b.ii). Lowest legal: "$5,000".'
    )


VALUES = st.sampled_from(
    [
        '""',
        '"A"',
        '"$5"',
        '"$0"',
        '"20%"',
        '"8 h"',
        "0",
        "-1",
        "6",
        "2.5",
        "true",
        "[]",
        "{}",
        "{ a = 1 }",
        "1979-05-27",
        '"../board/seven-seat.toml"',
        '"."',
        '"/"',
        '"\\u0000"',
        '"md-high-card-flush"',
        '"$' + "9" * 5000 + '"',
        "inf",
    ]
)
EDITS = st.lists(st.tuples(st.integers(0, 80), st.one_of(st.none(), VALUES)), min_size=1, max_size=6)


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(table_edits=EDITS, board_edits=EDITS)
def test_any_edited_file_is_accepted_or_refused_in_single_lines(
    tmp_path: Path, table_edits: list[tuple[int, str | None]], board_edits: list[tuple[int, str | None]]
) -> None:
    def edited(text: str, edits: list[tuple[int, str | None]]) -> str:
        lines = text.splitlines()
        for number, value in edits:
            place = number % len(lines)
            key = lines[place].partition("=")[0]
            lines[place] = "" if value is None or key.startswith(("#", "[")) else f"{key}= {value}"
        return "\n".join(lines)

    write_files(tmp_path, edited(GOOD_TABLE, table_edits), edited(GOOD_BOARD, board_edits))
    for text in outcome_of_loading():
        assert "\n" not in text
        assert text.startswith(("tables", "board", ".", "/"))
        assert text.endswith((".", "?"))


def outcome_of_loading() -> list[str]:
    try:
        return [str(warning) for warning in load_table(TABLE_NAME).warnings]
    except ConfigError as error:
        return [str(problem) for problem in error.problems]


def test_every_key_of_the_table_format_is_known() -> None:
    """The vocabulary of the published format page; its wagers, levels and readings are names of the file's own."""

    def words(section: object) -> set[str]:
        return {name for name in section if name != ANY} if isinstance(section, dict) else set()

    meters = TABLE_WORDS["meters"]
    assert not isinstance(meters, Key)
    assert {name: words(section) for name, section in TABLE_WORDS.items()} == {
        "table": {"id", "rulebook", "board", "seats", "boxes_per_player", "layout_reference", "felt_inscribed"},
        "cards": {
            *("decks", "dealing_method", "shuffler", "two_decks", "deck_life", "stub_count_every"),
            *("cut_at_least", "automated_order", "device_approval"),
        },
        "limits": set(),
        "paytables": set(),
        "payout": {"limit_per_hand", "limit_per_round"},
        "meters": set(),
        "wheel": {"file", "mode", "jackpot_symbol", "approval"},
        "game": {
            *("ace_low_straight_flush", "blackjack_pays", "dealer_hits_soft_17", "resplits"),
            *("surrender", "even_money", "declared_suit", "variant"),
        },
        "confirmed": set(),
        "people": {"surveillance_from", "pit_manager_from", "sign_in_timeout"},
        "link": {"broker", "site", "lock_after", "ca_certificate", "certificate", "key"},
    }
    assert words(meters[ANY]) == {
        *("rate", "secondary_rate", "initial", "reset", "limit", "stake", "linked", "fixed_prize")
    }
