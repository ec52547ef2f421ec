"""Every printed line of every Maryland paytable, from figures typed here: the hand that makes it, and one that misses.

The figures are those of Chapter 12 as the rule matrix gives them, not read from the rulebook file, so a slip in the
file shows.
"""

import pytest
from hcf_rounds import BOOK, clause, hand, make_game, seat_played

from firmware.rules.games.high_card_flush import settle_round

STAKE = 500

# Seven-, six-, five- and four-card flush, to 1.
FLUSH_BONUS = {
    "A": (300, 100, 10, 1),
    "B": (100, 20, 10, 2),
    "C": (200, 20, 10, 2),
    "D": (300, 75, 5, 2),
    "E": (200, 60, 12, 1),
    "F": (500, 50, 12, 1),
    "G": (400, 60, 12, 1),
    "H": (1_000, 50, 10, 1),
    "I": (150, 20, 10, 2),
    "J": (150, 25, 10, 2),
    "K": (400, 100, 10, 1),
    "L": (300, 80, 11, 1),
    "M": (500, 80, 11, 1),
    "N": (500, 100, 10, 1),
    "O": (250, 100, 10, 1),
}
FLUSHES = (  # the hand, and one suited card short of it
    ("2c 4c 6c 8c Tc Qc Kc", "2c 4c 6c 8c Tc Qc Kd"),
    ("2c 4c 6c 8c Tc Qc Kd", "2c 4c 6c 8c Tc Qd Kd"),
    ("2c 4c 6c 8c Tc Qd Kd", "2c 4c 6c 8c Th Qd Kd"),
    ("2c 4c 6c 8c Th Qd Kd", "2c 4c 6c 8h Th Qd Kd"),
)

# Seven-, six-, five- and four-card straight flush, [four of a kind,] three-card straight flush, to 1.
STRAIGHT_FLUSH_BONUS = {
    "A": (8_000, 1_000, 100, 60, 7),
    "B": (500, 200, 100, 50, 9),
    "C": (500, 200, 100, 75, 7),
    "D": (1_000, 500, 100, 75, 7),
    "E": (500, 200, 100, 60, 8),
    "F": (1_000, 500, 100, 60, 8),
    "G": (500, 200, 100, 50, 25, 8),
}
SEVEN = ("3c 4c 5c 6c 7c 8c 9c", "3c 4c 5c 6c 7c 8c Tc")  # the run, and one broken by a gap
SIX = ("3c 4c 5c 6c 7c 8c Kd", "3c 4c 5c 6c 7c 9c Kd")
FIVE = ("3c 4c 5c 6c 7c Kd 9h", "3c 4c 5c 6c 8c Kd 9h")
FOUR = ("3c 4c 5c 6c Kd 9h Js", "3c 4c 5c 7c Kd 9h Js")
THREE = ("3c 4c 5c Kd 9h Js 7d", "3c 4c 6c Kd 9h Js 7d")
FOUR_OF_A_KIND = ("8c 8d 8h 8s Kc Qd 2h", "8c 8d 8h 7s Kc Qd 2h")
NINE_TO_ACE = ("9s Ts Js Qs Ks As 2h", "8s 9s Ts Js Qs Ks 2h")

# Whole cents on the meter before: 34,567.89. "all" and "tenth" are shares of it; figures are dollars.
PROGRESSIVE = {
    "A": (("i", SEVEN, "all"), ("ii", SIX, "tenth"), ("iii", FIVE, 250), ("iv", FOUR, 40), ("v", THREE, 3)),
    "B": (("i", SEVEN, "all"), ("ii", SIX, "tenth"), ("iii", FIVE, 900), ("iv", FOUR, 50)),
    "C": (("i", SEVEN, "all"), ("ii", SIX, "all"), ("iii", FIVE, 200), ("iv", FOUR, 40), ("v", THREE, 3)),
    "D": (
        ("i", SEVEN, "all"),
        ("ii", NINE_TO_ACE, "all"),
        ("iii", SIX, "tenth"),
        ("iv", FIVE, 250),
        ("v", FOUR, 40),
        ("vi", THREE, 3),
    ),
    "E": (("i", SEVEN, "all"), ("ii", NINE_TO_ACE, "all"), ("iii", SIX, "tenth"), ("iv", FIVE, 800), ("v", FOUR, 50)),
}
METER, TENTH = 3_456_789, 345_678
MINIMUM_RESET = {
    "A": (3_000_000, "12.E.2.b.i"),
    "B": (3_000_000, "12.E.2.b.i"),
    "C": (500_000, "12.E.2.b.ii"),
    "D": (3_000_000, "12.E.2.b.i"),
    "E": (2_500_000, "12.E.2.b.iii"),
}

# Envy in dollars by paytable: the holder's hand and what every other player in the progressive gets.
ENVY = (
    ("C", SEVEN, 200, "12.E.5.a.i"),
    ("C", SIX, 200, "12.E.5.a.ii"),
    ("D", SEVEN, 250, "12.E.5.b.i"),
    ("E", SEVEN, 250, "12.E.5.c.i"),
)
NO_ENVY = (
    *(("A", cards) for cards in (SEVEN, NINE_TO_ACE, SIX, FIVE)),
    *(("B", cards) for cards in (SEVEN, NINE_TO_ACE, SIX, FIVE)),
    *(("C", cards) for cards in (FIVE, FOUR, THREE)),
    *(("D", cards) for cards in (NINE_TO_ACE, SIX, FIVE, FOUR, THREE)),
    *(("E", cards) for cards in (NINE_TO_ACE, SIX, FIVE, FOUR, THREE)),
)


def flush_lines():
    for number, (letter, odds) in enumerate(FLUSH_BONUS.items(), 1):
        for tail, (made, missed), pays in zip("abcd", FLUSHES, odds, strict=True):
            ident = clause(f"12.B.{number}.{tail}")
            yield pytest.param(letter, made, missed, pays, ident, id=ident)


def straight_lines():
    for number, (letter, odds) in enumerate(STRAIGHT_FLUSH_BONUS.items(), 1):
        hands = (SEVEN, SIX, FIVE, FOUR, FOUR_OF_A_KIND, THREE) if letter == "G" else (SEVEN, SIX, FIVE, FOUR, THREE)
        for tail, (made, missed), pays in zip("abcdef"[: len(odds)], hands, odds, strict=True):
            ident = clause(f"12.C.{number}.{tail}")
            yield pytest.param(letter, made, missed, pays, ident, id=ident)


def progressive_lines():
    for letter, lines in PROGRESSIVE.items():
        for tail, (made, missed), award in lines:
            ident = clause(f"12.E.1.{letter.lower()}.{tail}")
            yield pytest.param(letter, made, missed, award, ident, id=ident)


def bonus(wager, letter, cards):
    return make_game({wager: letter}).bonus_verdict(wager, hand(cards), STAKE)


@pytest.mark.parametrize(("letter", "made", "missed", "odds", "ident"), list(flush_lines()))
def test_MD_HCF_12_B_a_flush_bonus_line_pays_its_odds_and_its_near_miss_does_not(letter, made, missed, odds, ident):
    won = bonus("flush_bonus", letter, made)
    assert (won.result, won.profit, won.pays, won.clause) == ("win", odds * STAKE, f"{odds:,} to 1", ident)
    assert bonus("flush_bonus", letter, missed).clause != ident


@pytest.mark.parametrize("letter", FLUSH_BONUS)
def test_MD_HCF_07_F_2_a_three_card_flush_loses_the_flush_bonus_under_every_letter(letter):
    lost = bonus("flush_bonus", letter, FLUSHES[-1][1])
    assert (lost.result, lost.profit, lost.pays, lost.clause) == ("lose", -STAKE, None, clause("07.F.2"))


@pytest.mark.parametrize(("letter", "made", "missed", "odds", "ident"), list(straight_lines()))
def test_MD_HCF_12_C_a_straight_flush_line_pays_its_odds_and_its_near_miss_does_not(letter, made, missed, odds, ident):
    won = bonus("straight_flush_bonus", letter, made)
    assert (won.result, won.profit, won.pays, won.clause) == ("win", odds * STAKE, f"{odds:,} to 1", ident)
    assert bonus("straight_flush_bonus", letter, missed).clause != ident


@pytest.mark.parametrize("letter", STRAIGHT_FLUSH_BONUS)
def test_MD_HCF_07_F_3_two_cards_in_a_row_lose_the_straight_flush_bonus_under_every_letter(letter):
    lost = bonus("straight_flush_bonus", letter, THREE[1])
    assert (lost.result, lost.profit, lost.clause) == ("lose", -STAKE, clause("07.F.3"))


@pytest.mark.parametrize("letter", [letter for letter in STRAIGHT_FLUSH_BONUS if letter != "G"])
def test_MD_HCF_12_C_four_of_a_kind_pays_nothing_outside_table_G(letter):
    assert bonus("straight_flush_bonus", letter, FOUR_OF_A_KIND[0]).result == "lose"


@pytest.mark.parametrize(
    ("cards", "odds", "tail"),
    [
        pytest.param("8c 8d 8h 8s 9c Tc 2d", 25, "12.C.7.e", id="over a three-card straight flush"),
        pytest.param("8c 8d 8h 8s 9c Tc Jc", 50, "12.C.7.d", id="under a four-card straight flush"),
        pytest.param("8c 8d 8h 8s 7c 6c 2d", 25, "12.C.7.e", id="whichever way the run goes"),
    ],
)
def test_MD_HCF_12_C_7_e_four_of_a_kind_stands_between_four_and_three_cards_in_a_row(cards, odds, tail):
    won = bonus("straight_flush_bonus", "G", cards)
    assert (won.profit, won.clause) == (odds * STAKE, clause(tail))


def settle_alone(letter, cards, reset):
    seat = seat_played(2, cards, folded=True, ante=1_000, progressive=100)
    dealer = hand("2d 2h 3d 3h 5s 5d 7h")
    return settle_round(make_game({"progressive": letter}), dealer, [seat], {"main": METER}, {"main": reset})


@pytest.mark.parametrize(("letter", "made", "missed", "award", "ident"), list(progressive_lines()))
def test_MD_HCF_12_E_1_a_progressive_line_pays_and_moves_the_meter(letter, made, missed, award, ident):
    reset = MINIMUM_RESET[letter][0]
    round_verdict = settle_alone(letter, made, reset)
    _, won = round_verdict.seats[0].wagers
    cents, left = {"all": (METER, reset), "tenth": (TENTH, METER - TENTH)}.get(award) or (award * 100, METER)
    assert (won.result, won.profit, won.clause) == ("win", cents - 100, ident)
    assert round_verdict.meters == {"main": left}
    _, missing = settle_alone(letter, missed, reset).seats[0].wagers
    assert missing.clause != ident


@pytest.mark.parametrize("letter", ["B", "E"])
def test_MD_HCF_07_F_4_three_cards_in_a_row_lose_a_progressive_that_starts_at_four(letter):
    round_verdict = settle_alone(letter, THREE[0], MINIMUM_RESET[letter][0])
    _, lost = round_verdict.seats[0].wagers
    assert (lost.result, lost.profit, lost.clause) == ("lose", -100, clause("07.F.4"))
    assert round_verdict.meters == {"main": METER}


@pytest.mark.parametrize("letter", PROGRESSIVE)
def test_MD_HCF_12_E_2_b_the_minimum_reset_is_the_printed_one(letter):
    least = BOOK.wagers["progressive"].minimum_reset[letter]
    assert (least.value, least.clause) == (MINIMUM_RESET[letter][0], clause(MINIMUM_RESET[letter][1]))


@pytest.mark.parametrize(
    ("letter", "made", "missed", "amount", "ident"),
    [pytest.param(letter, *hands, amount, clause(tail), id=clause(tail)) for letter, hands, amount, tail in ENVY],
)
def test_MD_HCF_12_E_5_an_envy_line_pays_every_other_player_in_the_progressive(letter, made, missed, amount, ident):
    game = make_game({"progressive": letter})
    others = [
        seat_played(1, "2d 4h 9s Jd Qh Kd 8h", ante=1_000, progressive=100),
        seat_played(4, "2h 4d 9d Jh Qd Kh 8d", ante=1_000, progressive=100),
        seat_played(6, "2s 4s 9h Js Qs Ks Ah", ante=1_000),
    ]
    holder = seat_played(5, made, ante=1_000, progressive=100)
    seats = [*others, holder]
    for seat in others[:2]:
        assert game.envy_awards(seat, seats) == (("envy", 5, amount * 100, ident),)
    assert game.envy_awards(others[2], seats) == ()  # not in the progressive
    assert game.envy_awards(holder, seats) == ()
    near = seat_played(5, missed, ante=1_000, progressive=100)
    assert all(award.clause != ident for award in game.envy_awards(others[0], [near]))


@pytest.mark.parametrize(("letter", "cards"), [pytest.param(letter, cards[0]) for letter, cards in NO_ENVY])
def test_MD_HCF_12_E_5_hands_without_an_envy_line_bring_nobody_anything(letter, cards):
    receiver = seat_played(1, "2d 4h 9h Jd Qh Kd 8h", ante=1_000, progressive=100)
    holder = seat_played(5, cards, ante=1_000, progressive=100)
    assert make_game({"progressive": letter}).envy_awards(receiver, [receiver, holder]) == ()


def test_MD_HCF_12_no_paytable_has_a_letter_or_a_line_that_is_not_printed():
    def lines(wager):
        return {letter: len(table.lines) for letter, table in BOOK.wagers[wager].paytables.items()}

    assert lines("flush_bonus") == {letter: len(odds) for letter, odds in FLUSH_BONUS.items()}
    assert lines("straight_flush_bonus") == {letter: len(odds) for letter, odds in STRAIGHT_FLUSH_BONUS.items()}
    assert lines("progressive") == {letter: len(printed) for letter, printed in PROGRESSIVE.items()}
    envy = {letter: len(printed) for letter, printed in BOOK.wagers["progressive"].envy.items()}
    assert envy == {"C": 2, "D": 1, "E": 1}
    assert set(BOOK.wagers["progressive"].minimum_reset) == set(MINIMUM_RESET)
