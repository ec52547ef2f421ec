"""Cards, amounts, rates and odds as people write them: read exactly or refused."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.cards import DECK, CardError, card_text, cards_text, parse_card, parse_cards, rank_of, suit_of
from firmware.rules.money import MoneyError, Odds, dollars, parse_dollars, parse_percent, percent, units_of
from firmware.rules.paytable import FixedAward, MeterShare, parse_award
from firmware.rules.postings import balanced, move, reverse


def test_a_deck_is_52_cards_that_read_back_as_written():
    assert len({card_text(card) for card in DECK}) == 52
    assert [parse_card(card_text(card)) for card in DECK] == list(DECK)
    assert {(rank_of(card), suit_of(card)) for card in DECK} == {
        (rank, suit) for rank in range(13) for suit in range(4)
    }


@pytest.mark.parametrize("text", ["", "10d", "1d", "dT", "tD", "TD", "Td ", "??", "Tdd", None, 5])
def test_what_is_not_a_card_is_refused_with_how_to_write_one(text):
    with pytest.raises(CardError, match="'Td'"):
        parse_card(text)


def test_a_card_nobody_has_seen_is_written_as_question_marks():
    assert cards_text([*parse_cards(["4c", "Kd"]), None]) == "4c Kd ??"


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("$5,000", 500_000),
        ("$0.50", 50),
        ("$2.05", 205),
        ("$1234567.89", 123_456_789),
        ("$99,999,999.99", 9_999_999_999),
    ],
)
def test_dollars_are_read_to_the_cent(text, cents):
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text", ["5000", "$", "$5,00", "$,500", "$1,2345", "$5.5", "$5.005", "-$5", "$ 5", "$5 ", "$1e3", "", "$\u0665"]
)
def test_an_amount_that_is_not_written_exactly_is_refused(text):
    with pytest.raises(MoneyError):
        parse_dollars(text)


@given(st.integers(0, 10**14))
def test_dollars_written_are_the_dollars_read(cents):
    assert parse_dollars(dollars(cents)) == cents
    assert dollars(-cents) == (f"-{dollars(cents)}" if cents else "$0.00")


@pytest.mark.parametrize(
    ("text", "rate"), [("24%", (24, 100)), ("7.5%", (75, 1000)), ("0.000001%", (1, 10**8)), ("100%", (1, 1))]
)
def test_a_rate_is_an_exact_fraction_and_writes_back(text, rate):
    assert parse_percent(text) == Fraction(*rate)
    assert percent(parse_percent(text)) == text


@pytest.mark.parametrize("text", ["24", "24 %", "%", ".5%", "1000%", "\u0665%", "0.0000001%", "-1%"])
def test_a_rate_that_is_not_written_exactly_is_refused(text):
    with pytest.raises(MoneyError):
        parse_percent(text)


def test_a_contribution_is_a_whole_number_of_units_or_refused():
    assert units_of(100, Fraction(24, 100)) == 240_000
    assert units_of(100, Fraction(1, 10**6)) == 1
    with pytest.raises(MoneyError, match=r"1/10,000"):
        units_of(100, Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "stake", "profit"),
    [
        ("300 to 1", 500, 150_000),
        ("5 to 2", 100, 250),
        ("3 to 2", 105, 158),
        ("5 for 1", 100, 400),
        ("8,000 to 1", 1, 8_000),
    ],
)
def test_odds_are_exact_and_round_up_to_the_payable_cent(text, stake, profit):
    assert Odds.parse(text).profit(stake) == profit
    assert str(Odds.parse(text)) == text


@pytest.mark.parametrize("text", ["300:1", "1 to 0", "to 1", "3 to", "3.5 to 1", "1 on 1", "\u0665 to 1", "-1 to 1"])
def test_odds_that_are_not_written_exactly_are_refused(text):
    with pytest.raises(MoneyError):
        Odds.parse(text)


def test_an_award_is_odds_an_amount_or_a_share_of_a_named_meter():
    assert parse_award("$250") == FixedAward(25_000)
    assert parse_award("10% of main") == MeterShare(Fraction(1, 10), "main")
    assert parse_award("100% of main").whole
    assert not parse_award("10% of main").whole
    assert [str(parse_award(text)) for text in ("$250", "10% of main", "25 to 1")] == [
        "$250.00",
        "10% of main",
        "25 to 1",
    ]
    with pytest.raises(MoneyError, match="no award"):
        parse_award("a free lunch")


def test_a_movement_and_its_reverse_sum_to_nothing():
    moved = move("main", 7, "inventory", "meter")
    assert balanced(moved)
    assert {posting.account: posting.units for posting in moved} == {"inventory": -7, "meter": 7}
    assert not balanced(moved[:1])
    assert [posting.units for posting in reverse(moved)] == [7, -7]
