"""Both sides of every legal range: the last legal value passes, the first illegal one is refused with its line."""

from pathlib import Path

import pytest
from config_variants import GOOD_TABLE, TABLE_NAME, Change, changed, line_of, write_files

from firmware.config.problems import ConfigError
from firmware.config.table_file import load_table

LEGAL: dict[str, list[Change]] = {
    "MD-HCF-02.A least seats": [("table.seats", "1"), ("table.boxes_per_player", "1")],
    "MD-HCF-02.A most seats": [("table.seats", "6")],
    "MD-HCF-07.G least boxes": [("table.boxes_per_player", "1")],
    "MD-HCF-07.G most boxes": [("table.boxes_per_player", "6")],
    "MD-HCF-07.G as many boxes as seats": [("table.seats", "4"), ("table.boxes_per_player", "4")],
    "least ante": [("limits.ante.min", '"$0.01"')],
    "ante max equals min": [("limits.ante.max", '"$10"')],
    "least flush bonus": [("limits.flush_bonus.min", '"$0.01"')],
    "flush bonus max equals min": [("limits.flush_bonus.max", '"$5"')],
    "least straight flush bonus": [("limits.straight_flush_bonus.min", '"$0.01"')],
    "straight flush bonus max equals min": [("limits.straight_flush_bonus.max", '"$5"')],
    "MD-HCF-12.B last letter": [("paytables.flush_bonus", '"O"')],
    "MD-HCF-12.C last letter": [("paytables.straight_flush_bonus", '"G"')],
    "MD-HCF-12.D minimum bets just below $50,000": [("limits.straight_flush_bonus.min", '"$6.06"')],
    "MD-HCF-12.D minimum bets win more than $50,000": [
        ("limits.straight_flush_bonus.min", '"$6.07"'),
        ("payout.limit_per_hand", '"$50,060"'),
    ],
    "MD-HCF-12.E.1 last letter": [
        ("paytables.progressive", '"E"'),
        ("meters.progressive.initial", '"$25,000"'),
        ("meters.progressive.reset", '"$25,000"'),
    ],
    "MD-HCF-12.E.2.a least rate": [("meters.progressive.rate", '"0.0001%"')],
    "MD-HCF-12.E.2.a most rate": [("meters.progressive.rate", '"100%"')],
    "COMAR 36.05.03.24.J ten digits": [("meters.progressive.limit", '"$99,999,999.99"')],
    "limit equals reset": [("meters.progressive.limit", '"$5,000"')],
    "MD-HCF-03.C.2 longest deck life": [("cards.deck_life", '"480 min"')],
    "shortest deck life": [("cards.deck_life", '"1 s"')],
    "MD-HCF-08.G every round": [("cards.stub_count_every", "1")],
    "MD-HCF-08.G every fifth round": [("cards.stub_count_every", "5")],
    "MD-HCF-08.G counting shuffler": [("cards.stub_count_every", "6"), ("cards.shuffler", '"counting"')],
    "MD-HCF-05.E least cut": [("cards.cut_at_least", "10")],
    "MD-HCF-03.A deepest cut": [("cards.cut_at_least", "51")],
    "MD-HCF-06.A ace low with approval": [
        ("game.ace_low_straight_flush", "true"),
        ("confirmed.MD-10", '"letter 12"'),
    ],
    "MD-HCF-06.A ace high": [("game.ace_low_straight_flush", "false")],
    "COMAR 36.05.03.23 surveillance": [("people.surveillance_from", '"$25,000"')],
    "COMAR 36.05.03.23 pit manager": [("people.pit_manager_from", '"$50,000"')],
    "every payout told": [("people.surveillance_from", '"$0"'), ("people.pit_manager_from", '"$0"')],
    "shortest sign-in": [("people.sign_in_timeout", '"1 min"')],
    "longest sign-in": [("people.sign_in_timeout", '"24 h"')],
} | {
    f"MD-HCF-12.E.2.b {letter} {key}": [
        ("paytables.progressive", f'"{letter}"'),
        ("meters.progressive.initial", f'"{least}"'),
        ("meters.progressive.reset", f'"{least}"'),
    ]
    for letter, least in (
        ("A", "$30,000"),
        ("B", "$30,000"),
        ("C", "$5,000"),
        ("D", "$30,000"),
        ("E", "$25,000"),
    )
    for key in ("initial", "reset")
}

TOP = "the greater of $50,000 and the most that minimum bets win"
SUM = "(Flush Bonus A 300 to 1 on $5 + Straight Flush Bonus A 8,000 to 1 on $5 = $41,500)"
NO_MORE_SEATS = "above the maximum of 6 betting positions (MD-HCF-02.A). Highest legal: 6."
RATES = 'Legal: over "0%" up to "100%".'

# id: changes, the last of which is the one complained of, and the complaint after the place
ILLEGAL: dict[str, tuple[list[Change], str]] = {
    "MD-HCF-02.A no seats": ([("table.seats", "0")], "must be at least 1 (MD-HCF-02.A). Lowest legal: 1."),
    "MD-HCF-02.A seven seats": ([("table.seats", "7")], NO_MORE_SEATS),
    "MD-HCF-07.G no boxes": (
        [("table.boxes_per_player", "0")],
        "must be at least 1 (MD-HCF-07.G). Lowest legal: 1.",
    ),
    "MD-HCF-07.G seven boxes": (
        [("table.boxes_per_player", "7")],
        "above the maximum of 6 adjacent boxes (MD-HCF-07.G). Highest legal: 6.",
    ),
    "MD-HCF-07.G more boxes than seats": (
        [("table.seats", "4"), ("table.boxes_per_player", "5")],
        "more boxes than this table has seats, 4 (MD-HCF-07.G). Highest legal: 4.",
    ),
    "free ante": ([("limits.ante.min", '"$0"')], 'must be above $0. Lowest legal: "$0.01".'),
    "ante max below min": (
        [("limits.ante.max", '"$9.99"')],
        'below the minimum of $10 that stands beside it. Lowest legal: "$10".',
    ),
    "free flush bonus": ([("limits.flush_bonus.min", '"$0"')], 'must be above $0. Lowest legal: "$0.01".'),
    "flush bonus max below min": (
        [("limits.flush_bonus.max", '"$4.99"')],
        'below the minimum of $5 that stands beside it. Lowest legal: "$5".',
    ),
    "free straight flush bonus": (
        [("limits.straight_flush_bonus.min", '"$0"')],
        'must be above $0. Lowest legal: "$0.01".',
    ),
    "straight flush bonus max below min": (
        [("limits.straight_flush_bonus.max", '"$4.99"')],
        'below the minimum of $5 that stands beside it. Lowest legal: "$5".',
    ),
    "MD-HCF-12.E.5 progressive min below stake": (
        [("limits.progressive.min", '"$0.99"')],
        'the Progressive wager is exactly $1 (MD-HCF-12.E.5). Legal: "$1".',
    ),
    "MD-HCF-12.E.5 progressive max above stake": (
        [("limits.progressive.max", '"$1.01"')],
        'the Progressive wager is exactly $1 (MD-HCF-12.E.5). Legal: "$1".',
    ),
    "MD-HCF-12.E.5 stake below": (
        [("meters.progressive.stake", '"$0.99"')],
        'the Progressive wager is exactly $1 (MD-HCF-12.E.5). Legal: "$1".',
    ),
    "MD-HCF-12.E.5 stake above": (
        [("meters.progressive.stake", '"$5"')],
        'the Progressive wager is exactly $1 (MD-HCF-12.E.5). Legal: "$1".',
    ),
    "MD-HCF-12.B no letter P": (
        [("paytables.flush_bonus", '"P"')],
        'Flush Bonus has no such paytable (MD-HCF-12.B). Legal: "A" to "O".',
    ),
    "MD-HCF-12.C no letter H": (
        [("paytables.straight_flush_bonus", '"H"')],
        'Straight Flush Bonus has no such paytable (MD-HCF-12.C). Legal: "A" to "G".',
    ),
    "MD-HCF-12.E.1 no letter F": (
        [("paytables.progressive", '"F"')],
        'Progressive has no such paytable (MD-HCF-12.E.1). Legal: "A" to "E".',
    ),
    "MD-HCF-12.D limit too low": (
        [("payout.limit_per_hand", '"$49,999.99"')],
        f'must be exactly $50,000, {TOP} {SUM} (MD-HCF-12.D). Legal: "$50,000".',
    ),
    "MD-HCF-12.D limit too high": (
        [("payout.limit_per_hand", '"$50,000.01"')],
        f'must be exactly $50,000, {TOP} {SUM} (MD-HCF-12.D). Legal: "$50,000".',
    ),
    "MD-HCF-12.D minimum bets win more": (
        [("limits.straight_flush_bonus.min", '"$6.07"'), ("payout.limit_per_hand", '"$50,000"')],
        (
            f"must be exactly $50,060, {TOP} (Flush Bonus A 300 to 1 on $5 + Straight Flush Bonus A 8,000 to 1 on $6.07"
            ' = $50,060) (MD-HCF-12.D). Legal: "$50,060".'
        ),
    ),
    "MD-HCF-12.D per round": (
        [("payout.limit_per_round", '"$50,000"')],
        "the limit is one for each hand (MD-HCF-12.D). Write limit_per_hand instead.",
    ),
    "MD-HCF-12.E.2.a no rate": (
        [("meters.progressive.rate", '"0%"')],
        f"a meter that does not grow is no progressive (MD-HCF-12.E.2.a). {RATES}",
    ),
    "MD-HCF-12.E.2.a above the whole stake": (
        [("meters.progressive.rate", '"100.0001%"')],
        f"above the maximum of 100% (MD-HCF-12.E.2.a). {RATES}",
    ),
    "rate finer than a meter unit": (
        [("meters.progressive.rate", '"20.00001%"')],
        '20.00001% of $1 is not a whole number of 1/10,000 cents. Nearest legal: "20%".',
    ),
    "rate below a meter unit": (
        [("meters.progressive.rate", '"0.00001%"')],
        '0.00001% of $1 is not a whole number of 1/10,000 cents. Nearest legal: "0.0001%".',
    ),
    "COMAR 36.05.03.24.J eleven digits": (
        [("meters.progressive.limit", '"$100,000,000"')],
        'above $99,999,999.99, the most that the display shows (COMAR 36.05.03.24.J). Highest legal: "$99,999,999.99".',
    ),
    "limit below reset": (
        [("meters.progressive.limit", '"$4,999.99"')],
        'below $5,000, which the meter starts or resets with. Lowest legal: "$5,000".',
    ),
    "MD-HCF-03.C.2 deck life": (
        [("cards.deck_life", '"28801 s"')],
        'above the maximum of 8 h for decks dealt from a shoe (MD-HCF-03.C.2). Highest legal: "8 h".',
    ),
    "MD-HCF-03.C.2 a millisecond over": (
        [("cards.deck_life", '"28800001 ms"')],
        'above the maximum of 8 h for decks dealt from a shoe (MD-HCF-03.C.2). Highest legal: "8 h".',
    ),
    "no deck life": (
        [("cards.deck_life", '"999 ms"')],
        'must be at least 1 s (MD-HCF-03.C.2). Lowest legal: "1 s".',
    ),
    "MD-HCF-08.G never": (
        [("cards.stub_count_every", "0")],
        "must be at least 1 (MD-HCF-08.G). Lowest legal: 1.",
    ),
    "MD-HCF-08.G every sixth round": (
        [("cards.stub_count_every", "6")],
        "above the maximum of 5 rounds, unless the shuffler counts the cards (MD-HCF-08.G). Highest legal: 5.",
    ),
    "MD-HCF-05.E cut": (
        [("cards.cut_at_least", "9")],
        "below the minimum of 10 cards from the top (MD-HCF-05.E). Lowest legal: 10.",
    ),
    "MD-HCF-03.A cut below the deck": (
        [("cards.cut_at_least", "52")],
        "no cut is that deep: the deck has 52 cards (MD-HCF-03.A). Highest legal: 51.",
    ),
    "MD-HCF-03.A no deck": ([("cards.decks", "0")], "must be at least 1 (MD-HCF-03.A). Lowest legal: 1."),
    "MD-HCF-03.B three decks": (
        [("cards.shuffler", '"plain"'), ("cards.decks", "3")],
        "above the maximum of 2 decks (MD-HCF-03.B). Highest legal: 2.",
    ),
    "MD-HCF-03.B two decks": (
        [("cards.decks", "2")],
        (
            "2 decks need an automated shuffler (MD-HCF-03.B)."
            ' Legal: 1, or 2 with [cards] shuffler = "plain" or "counting".'
        ),
    ),
    "two decks with a shuffler": (
        [("cards.shuffler", '"plain"'), ("cards.decks", "2")],
        "this version plays one deck. Write 1.",
    ),
    "MD-HCF-03.B two decks of one": (
        [("cards.two_decks", "true")],
        "contradicts [cards] decks = 1 (MD-HCF-03.B). Legal: false.",
    ),
    "MD-HCF-09.A.1 by hand": (
        [("cards.deck_life", '"4 h"'), ("cards.dealing_method", '"hand"')],
        (
            "dealing by hand needs an automated shuffler (MD-HCF-09.A.1)."
            ' Set [cards] shuffler to "plain" or "counting", or dealing_method to "manual shoe".'
        ),
    ),
    "by hand with a shuffler": (
        [("cards.deck_life", '"4 h"'), ("cards.shuffler", '"plain"'), ("cards.dealing_method", '"hand"')],
        'this version deals from the manual shoe only. Write "manual shoe".',
    ),
    "automated shoe": (
        [("cards.dealing_method", '"automated shoe"')],
        'this version deals from the manual shoe only. Write "manual shoe".',
    ),
    "MD-HCF-05.D.1 double shoe": (
        [("cards.dealing_method", '"double shoe"')],
        (
            "no dealing method of High Card Flush (Maryland) (MD-HCF-05.D.1)."
            ' Legal: "manual shoe", "hand", "automated shoe" or "continuous shuffler".'
        ),
    ),
    "MD-HCF-05.H continuous shuffler": (
        [("cards.dealing_method", '"continuous shuffler"')],
        (
            "a device that reshuffles by itself needs its approval (MD-HCF-05.H)."
            " Give its reference in [cards] device_approval."
        ),
    ),
    "continuous shuffler with approval": (
        [("cards.device_approval", '"letter 3"'), ("cards.dealing_method", '"continuous shuffler"')],
        'this version deals from the manual shoe only. Write "manual shoe".',
    ),
    "MD-HCF-10.B.2 dealer first": (
        [("cards.automated_order", '"dealer first"')],
        "the dealer's stack comes after the players' (MD-HCF-10.B.2). Legal: \"dealer last\".",
    ),
    "automated order of a manual shoe": (
        [("cards.automated_order", '"dealer last"')],
        "this version deals from the manual shoe only, which has no automated order. Remove the line.",
    ),
    "MD-HCF-06.A ace low": (
        [("game.ace_low_straight_flush", "true")],
        (
            "not provided for without an approval (note MD-10) (MD-HCF-06.A)."
            ' Legal: false, or true with [confirmed] "MD-10" = "reference of the approval".'
        ),
    ),
    "rule of another game": (
        [("game.surrender", "true")],
        "no rule of High Card Flush (Maryland). Remove the line.",
    ),
    "unknown reading": (
        [("confirmed.MD-99", '"letter 4"')],
        'no reading of High Card Flush (Maryland). To be confirmed in this rulebook: "MD-10".',
    ),
    "MD-HCF-12.E.2 secondary rate": (
        [("meters.progressive.secondary_rate", '"2%"')],
        "there is no second meter to feed (MD-HCF-12.E.2). Remove the line.",
    ),
    "MD-HCF-12.E.1 fixed prize": (
        [("meters.progressive.fixed_prize", '"$100"')],
        "the awards are those of the chosen paytable (MD-HCF-12.E.1). Remove the line.",
    ),
    "linked": (
        [("meters.progressive.linked", '"pit 4"')],
        "this version is stand-alone. Remove the line.",
    ),
    "COMAR 36.05.03.23 surveillance": (
        [("people.surveillance_from", '"$25,000.01"')],
        'surveillance is told of payouts from $25,000 at the latest (COMAR 36.05.03.23). Highest legal: "$25,000".',
    ),
    "COMAR 36.05.03.23 pit manager": (
        [("people.pit_manager_from", '"$50,000.01"')],
        'the pit manager signs for payouts from $50,000 at the latest (COMAR 36.05.03.23). Highest legal: "$50,000".',
    ),
    "sign-in too short": ([("people.sign_in_timeout", '"59 s"')], 'out of range. Legal: "1 min" to "24 h".'),
    "sign-in too long": ([("people.sign_in_timeout", '"86401 s"')], 'out of range. Legal: "1 min" to "24 h".'),
    "MD-HCF-12.A letter for the ante": (
        [("paytables.ante", '"A"')],
        "Ante has one printed table and needs no letter (MD-HCF-12.A). Remove the line.",
    ),
    "not a table id": (
        [("table.id", '"pit 4/07"')],
        'not a table id: letters, digits, dots, dashes and underscores, at most 40. Write it like "pit4-07".',
    ),
    "unknown rulebook": (
        [("table.rulebook", '"md-high-card-flash"')],
        'no such rulebook. Did you mean "md-high-card-flush"?',
    ),
} | {
    f"{clause} {letter} {key}": (
        [
            ("paytables.progressive", f'"{letter}"'),
            ("meters.progressive.initial", f'"{least}"'),
            ("meters.progressive.reset", f'"{least}"'),
            (f"meters.progressive.{key}", f'"{below}"'),
        ],
        f'below the minimum of {least} for paytable {letter} ({clause}). Lowest legal: "{least}".',
    )
    for letter, least, below, clause in (
        ("A", "$30,000", "$29,999.99", "MD-HCF-12.E.2.b.i"),
        ("B", "$30,000", "$29,999.99", "MD-HCF-12.E.2.b.i"),
        ("C", "$5,000", "$4,999.99", "MD-HCF-12.E.2.b.ii"),
        ("D", "$30,000", "$29,999.99", "MD-HCF-12.E.2.b.i"),
        ("E", "$25,000", "$24,999.99", "MD-HCF-12.E.2.b.iii"),
    )
    for key in ("initial", "reset")
}


@pytest.mark.parametrize("changes", LEGAL.values(), ids=LEGAL)
def test_last_legal_value_is_accepted(changes: list[Change], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, changed(GOOD_TABLE, *changes))
    table = load_table(TABLE_NAME)
    assert table.submission.rulebook.id == "md-high-card-flush"


@pytest.mark.parametrize(("changes", "complaint"), ILLEGAL.values(), ids=ILLEGAL)
def test_first_illegal_value_is_the_only_problem_and_has_its_line(
    changes: list[Change], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = changed(GOOD_TABLE, *changes)
    write_files(tmp_path, text)
    with pytest.raises(ConfigError) as refusal:
        load_table(TABLE_NAME)
    path, value = changes[-1]
    section, _, key = path.rpartition(".")
    place = f"{TABLE_NAME}:{line_of(text, key, section)}: [{section}] {key} = {value}"
    assert [str(problem) for problem in refusal.value.problems] == [f"{place}: {complaint}"]


@pytest.mark.parametrize("rate", ["10%", "25%", "40%"])
def test_a_usual_rate_brings_no_warning(rate: str, tmp_path: Path) -> None:
    write_files(tmp_path, changed(GOOD_TABLE, ("meters.progressive.rate", f'"{rate}"')))
    assert load_table(tmp_path / TABLE_NAME).warnings == ()


@pytest.mark.parametrize("rate", ["9.9999%", "40.0001%"])
def test_MD_32_an_unusual_rate_is_warned_of(rate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = changed(GOOD_TABLE, ("meters.progressive.rate", f'"{rate}"'))
    write_files(tmp_path, text)
    place = f"{TABLE_NAME}:{line_of(text, 'rate', 'meters.progressive')}: warning: [meters.progressive] rate"
    said = "legal, but outside the usual 10% to 40% of note MD-32 (MD-HCF-12.E.2.a). Check the submission."
    assert [str(warning) for warning in load_table(TABLE_NAME).warnings] == [f'{place} = "{rate}": {said}']
