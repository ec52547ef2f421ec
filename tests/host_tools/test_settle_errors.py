"""What `feltlock settle` refuses: every error in the place of its line, in one clear sentence, with its clause."""

import json

import pytest
from test_settle import DEALER, P1, P2, P3, settle, worked_case

from host_tools.settle import settle_line


def error(case):
    answer = settle(case)
    assert list(answer) == ["id", "error"]
    assert list(answer["error"]) == ["message", "clause"]
    message = answer["error"]["message"]
    assert message
    assert "\n" not in message
    assert len(message) < 300
    return message, answer["error"]["clause"]


def changed(*path, value=None, drop=False):
    """The worked round with one place changed."""
    case = worked_case()
    place = case
    for name in path[:-1]:
        place = place[name]
    if drop:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return case


SEAT, WAGERS = ("seats", 1), ("seats", 1, "wagers")  # seat 3, which holds a five-card flush


# --- each error class of the format, with its clause ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "words", "clause"),
    [
        pytest.param(
            changed(*WAGERS, "super_bonus", value=500), ("seat 3", "'super_bonus'"), "07.F", id="unknown wager"
        ),
        pytest.param(
            changed(*WAGERS, "insurance", value=500), ("seat 3", "'insurance'"), "07.F", id="another game's wager"
        ),
        pytest.param(changed(*SEAT, "cards", value=P2[:6]), ("seat 3", "6 cards", "7"), "13.D", id="six cards"),
        pytest.param(changed(*SEAT, "cards", value=[*P2, "9c"]), ("seat 3", "8 cards"), "13.D", id="eight cards"),
        pytest.param(changed(*SEAT, "cards", drop=True), ("seat 3", "0 cards"), "13.D", id="no cards"),
        pytest.param(changed("dealer", value=DEALER[:6]), ("the dealer", "6 cards"), "13.D", id="dealer's six cards"),
        pytest.param(changed("dealer", drop=True), ("the dealer", "0 cards"), "13.D", id="no dealer"),
        pytest.param(
            changed(*SEAT, "cards", value=[*P2[:6], P1[0]]),
            ("seat 3", "4c", "seat 1"),
            "03.A",
            id="two seats, one card",
        ),
        pytest.param(
            changed("dealer", value=[*DEALER[:6], P3[0]]), ("the dealer", "6s", "seat 5"), "03.A", id="dealer and seat"
        ),
        pytest.param(changed(*SEAT, "cards", value=[*P2[:6], P2[0]]), ("seat 3", "Kd"), "03.A", id="twice in one hand"),
        pytest.param(changed(*WAGERS, "raise", value=2_001), ("seat 3", "$20.00"), "11.B.2", id="over the cap"),
        pytest.param(changed(*WAGERS, "raise", value=999), ("seat 3", "$10.00"), "11.B.2", id="under the Ante"),
        pytest.param(
            changed("table", "paytables", "flush_bonus", value="P"),
            ("flush_bonus", "'P'", "A to O"),
            "12.B",
            id="table P",
        ),
        pytest.param(
            changed("table", "paytables", "straight_flush_bonus", value="H"), ("'H'", "A to G"), "12.C", id="table H"
        ),
        pytest.param(
            changed("table", "paytables", "progressive", value="F"), ("'F'", "A to E"), "12.E.1", id="progressive F"
        ),
        pytest.param(
            changed("table", "paytables", "progressive", value="c"), ("'c'", "A to E"), "12.E.1", id="a small letter"
        ),
        pytest.param(
            changed("table", "paytables", "flush_bonus", drop=True),
            ("seat 1", "A to O"),
            "12.B",
            id="no paytable named",
        ),
        pytest.param(changed(*SEAT, "seat", value=7), ("7", "1 to 6"), "02.A", id="seat 7"),
        pytest.param(changed(*SEAT, "seat", value=0), ("0", "1 to 6"), "02.A", id="seat 0"),
        pytest.param(changed(*SEAT, "seat", value=5), ("seat 5", "twice"), None, id="a seat twice"),
        pytest.param(changed(*WAGERS, "ante", drop=True), ("seat 3", "ante"), "07.F.1", id="raise without ante"),
        pytest.param(changed(*SEAT, "wagers", value={}), ("seat 3", "ante"), "07.F.1", id="no wagers"),
        pytest.param(changed(*SEAT, "wagers", drop=True), ("seat 3", "ante"), "07.F.1", id="wagers left out"),
        pytest.param(
            changed(*SEAT, "folded", value=True), ("seat 3", "folded", "raise"), "01.B.1", id="folded and raised"
        ),
        pytest.param(
            changed(*WAGERS, "raise", drop=True), ("seat 3", "neither"), "11.B", id="neither raised nor folded"
        ),
        pytest.param(changed(*WAGERS, "progressive", value=500), ("seat 3", "100"), "12.E.5", id="progressive of $5"),
        pytest.param(
            changed(*WAGERS, "progressive", value=99), ("seat 3", "100"), "12.E.5", id="progressive of 99 cents"
        ),
        pytest.param(
            changed("table", "meters", drop=True),
            ("seat 5", "100% of main", "meters.main"),
            "12.E.1.c.ii",
            id="no meter",
        ),
        pytest.param(
            changed("table", "meters", value={}), ("seat 5", "meters.main"), "12.E.1.c.ii", id="meters without main"
        ),
        pytest.param(
            changed("table", "reset", "main", value=499_999),
            ("499999", "500000"),
            "12.E.2.b.ii",
            id="reset below minimum",
        ),
    ],
)
def test_a_case_against_the_rules_is_refused_with_its_clause(case, words, clause):
    message, broken = error(case)
    assert broken == (clause and f"MD-HCF-{clause}")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("cards", "cap", "clause"),
    [
        pytest.param(["Kd", "Tc", "8c", "5d", "3s", "2s", "Ah"], 1, "11.B.1", id="two cards"),
        pytest.param(["Kd", "Td", "8d", "5s", "3s", "2c", "Ah"], 1, "11.B.1", id="three cards"),
        pytest.param(["Kd", "Td", "8d", "5d", "3s", "2s", "Ah"], 1, "11.B.1", id="four cards"),
        pytest.param(["Kd", "Td", "8d", "5d", "3d", "2s", "Ah"], 2, "11.B.2", id="five cards"),
        pytest.param(["Kd", "Td", "8d", "5d", "3d", "6d", "Ah"], 3, "11.B.3", id="six cards"),
        pytest.param(["Kd", "Td", "8d", "5d", "3d", "6d", "Ad"], 3, "11.B.3", id="seven cards"),
    ],
)
def test_a_raise_is_legal_up_to_its_cap_and_refused_one_cent_beyond_on_both_sides(cards, cap, clause):
    for legal in {1_000, cap * 1_000, None}:
        case = changed(*WAGERS, "raise", value=legal)
        case["seats"][1]["cards"] = cards
        assert "error" not in settle(case)
    for illegal in (999, cap * 1_000 + 1):
        case = changed(*WAGERS, "raise", value=illegal)
        case["seats"][1]["cards"] = cards
        assert error(case)[1] == f"MD-HCF-{clause}"


@pytest.mark.parametrize(
    ("letter", "least"),
    [("A", 3_000_000), ("B", 3_000_000), ("C", 500_000), ("D", 3_000_000), ("E", 2_500_000)],
)
def test_MD_HCF_12_E_2_b_the_lowest_reset_is_legal_and_a_cent_below_is_not(letter, least):
    case = changed("table", "paytables", "progressive", value=letter)
    case["table"]["reset"]["main"] = least
    assert "error" not in settle(case)
    case["table"]["reset"]["main"] = least - 1
    assert error(case)[1].startswith("MD-HCF-12.E.2.b.")


# --- names and types: nothing is guessed, no clause is broken -------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "words"),
    [
        pytest.param(changed("seets", value=[]), ("round", "'seets'", "'seats'"), id="round"),
        pytest.param(changed("tabel", value={}), ("'tabel'", "'table'"), id="round, table"),
        pytest.param(changed("table", "paytable", value={}), ("table", "'paytable'", "'paytables'"), id="table"),
        pytest.param(changed("table", "payout_limits", value=1), ("'payout_limit'",), id="table, limit"),
        pytest.param(
            changed("table", "paytables", "flush_bonuss", value="A"), ("paytables", "'flush_bonus'"), id="paytables"
        ),
        pytest.param(changed("table", "meters", "mian", value=1), ("meters", "'main'"), id="meters"),
        pytest.param(changed("table", "reset", "man", value=1), ("reset", "'main'"), id="reset"),
        pytest.param(
            changed("table", "options", value={"ace_low_straight": True}), ("'ace_low_straight_flush'",), id="options"
        ),
        pytest.param(changed(*SEAT, "fold", value=True), ("seat 3", "'fold'", "'folded'"), id="seat"),
    ],
)  # fmt: skip
def test_an_unknown_field_is_refused_with_the_nearest_known_one(case, words):
    message, clause = error(case)
    assert clause is None
    assert "did you mean" in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    "case",
    [
        changed("community", value=["2c"]),
        changed("table", "draws", value={"magic_card": "2c"}),
        changed("table", "paytables", "ante", value="A"),
        changed(*SEAT, "wheel", value="jackpot"),
        changed(*SEAT, "hands", value=[{}]),
        changed(*SEAT, "all_in_street", value="flop"),
        changed(*SEAT, "switched", value=True),
    ],
    ids=["community", "draws", "paytables.ante", "wheel", "hands", "all_in_street", "switched"],
)
def test_a_field_of_another_game_is_refused_rather_than_left_unread(case):
    message, clause = error(case)
    assert (clause, "has no meaning in this game" in message) == (None, True)


WRONG = (None, True, 5, -1, 1.5, "text", "", [], [[]], {}, {"a": 1}, 10**400)


@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize(
    ("path", "legal"),
    [
        (("id",), (None, "text", "")),
        (("rulebook",), ()),
        (("table",), ()),
        (("dealer",), ()),
        (("seats",), ()),
        (("irregularity",), (None,)),
        (("table", "paytables"), ()),
        (("table", "paytables", "flush_bonus"), ()),
        (("table", "payout_limit"), (None, 5)),
        (("table", "meters"), ()),
        (("table", "meters", "main"), (5,)),
        (("table", "reset"), ({},)),
        (("table", "reset", "main"), ()),
        (("table", "confirmed"), ([],)),
        (("table", "options"), ({},)),
        (("table", "options", "ace_low_straight_flush"), (True,)),
        (("seats", 1), ()),
        (("seats", 1, "seat"), ()),
        (("seats", 1, "cards"), ()),
        (("seats", 1, "cards", 0), ()),
        (("seats", 1, "folded"), ()),
        (("seats", 1, "player"), (None, "text", "")),
        (("seats", 1, "wagers"), ()),
        (("seats", 1, "wagers", "ante"), (None,)),
        (("seats", 1, "wagers", "raise"), (None,)),
        (("seats", 1, "wagers", "flush_bonus"), (None, 5)),
        (("seats", 1, "wagers", "progressive"), (None,)),
        (("community",), (None, [], {})),
    ],
    ids=lambda part: ".".join(map(str, part)) if part and isinstance(part[0], str) else None,
)
def test_a_value_of_the_wrong_type_is_refused_wherever_it_stands(path, legal, value):
    case = worked_case()
    case["table"] |= {"options": {"ace_low_straight_flush": False}}
    place = case
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    if any(value is item or (type(value) is type(item) and value == item) for item in legal):
        assert "error" not in settle(case)
    else:
        error(case)


@pytest.mark.parametrize(
    ("path", "least"),
    [
        (("table", "payout_limit"), 1),
        (("table", "meters", "main"), 0),
        ((*WAGERS, "flush_bonus"), 1),
        (("seats", 0, "wagers", "ante"), 1),
    ],
    ids=["payout_limit", "meters.main", "flush_bonus", "ante"],
)
def test_the_smallest_and_the_largest_amount_are_legal_and_a_cent_beyond_is_not(path, least):
    for legal in (least, 10**15):
        assert "error" not in settle(changed(*path, value=legal))
    for illegal in (least - 1, 10**15 + 1):
        assert error(changed(*path, value=illegal))[1] is None


def test_confirmed_names_readings_of_the_rulebook():
    assert "error" not in settle(changed("table", "confirmed", value=["MD-10"]))
    message, clause = error(changed("table", "confirmed", value=["MA-02"]))
    assert (clause, "md-high-card-flush" in message) == (None, True)


@pytest.mark.parametrize(
    "value", ["md-high-card-flushh", "MD-HIGH-CARD-FLUSH", "../md_high_card_flush", "md-blackjak", ""]
)
def test_an_unknown_rulebook_is_refused_with_the_known_ones(value):
    message, clause = error(changed("rulebook", value=value))
    assert (clause, "md-high-card-flush" in message) == (None, True)


@pytest.mark.parametrize("value", ["MD-HCF-99.Z", "13.B", "MA-HCF-13.a", "MD-HCF-11.B"])
def test_an_irregularity_is_one_of_the_rulebooks(value):
    message, clause = error(changed("irregularity", value=value))
    assert (clause, value in message) == (None, True)


@pytest.mark.parametrize("text", ["10d", "Xx", "kd", "KD", "", "??", "Kd "])
def test_a_card_is_a_rank_and_a_suit(text):
    message, clause = error(changed(*SEAT, "cards", 0, value=text))
    assert (clause, "23456789TJQKA" in message) == (None, True)


# --- lines that are no JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"nonsense", "JSON"),
        (b"{'id': 1}", "JSON"),
        (b'{"id": "a"} {"id": "b"}', "JSON"),
        (b'{"id": "a",}', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "JSON"),
        (b'{"seat": ' + b"9" * 5_000 + b"}", "JSON"),
        (b'{"table": {"payout_limit": NaN}}', "NaN"),
        (b'{"table": {"payout_limit": Infinity}}', "Infinity"),
        (b'{"table": {"payout_limit": -Infinity}}', "Infinity"),
        (b'{"id": "a", "id": "b"}', "'id' stands twice"),
        (b'{"seats": [{"wagers": {"ante": 500, "ante": 5000}}]}', "'ante' stands twice"),
        (b'\xff\xfe{"id": "a"}', "UTF-8"),
        (b'{"id": "\xc3"}', "UTF-8"),
        ('{"id": "a"}'.encode("utf-16"), "UTF-8"),
    ],
    ids=lambda part: repr(part)[:30],
)
def test_a_line_that_cannot_be_read_says_why(line, word):
    answer = settle_line(line)
    assert (answer["id"], answer["error"]["clause"]) == (None, None)
    assert word in answer["error"]["message"]


@pytest.mark.parametrize("line", [b"null", b"5", b'"text"', b"[]", b"true", b"1e999"])
def test_a_line_that_is_no_object_says_so(line):
    answer = settle_line(line)
    assert answer == {"id": None, "error": {"message": "round: not an object", "clause": None}}


def test_an_error_gives_the_id_back_when_it_is_a_string():
    assert settle({"id": "lab 7", "rulebook": "none"})["id"] == "lab 7"
    assert settle({"id": 7, "rulebook": "none"})["id"] is None


@pytest.mark.parametrize("depth", range(900, 1_000, 7))
def test_a_value_nested_to_the_readers_limit_is_an_error_like_any_other(depth):
    nested = "[" * depth + "]" * depth
    text = json.dumps(worked_case())
    for old in ('"folded": true', '"seat": 3', '"ante": 1000', '"id": "worked"', '"4c"'):
        name = old.split(":")[0] + ": " if ":" in old else ""
        answer = settle_line(text.replace(old, name + nested, 1).encode())
        assert len(json.dumps(answer["error"])) < 400
