"""Chapters 6, 7, 11 and 12 as the rule core reads them, with the readings of the notes, clause by clause."""

import pytest
from hcf_rounds import BOOK, clause, hand, make_game, seat_played

from firmware.rules.games.high_card_flush import settle_round
from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.paytable import MeterShare
from firmware.rules.progressive import lock_award

GAME = make_game()
NO_LIMIT = make_game(payout_limit=None)
NINE_HIGH_THREE = "9d 4d 2d Kc Qh Js 3c"
EIGHT_HIGH_THREE = "8d 7d 6d Kc Qh As Jc"
PLAIN = "2c 4c Ac 3d 6d 7h 9s"  # a three-card flush, ace high, and nothing in a row


def settle(*seats, dealer=NINE_HIGH_THREE, game=GAME, main=1_000_000, reset=500_000, irregularity=None):
    meters = {"main": main}
    return settle_round(game, hand(dealer), seats, meters, {"main": reset}, irregularity)


def outcome(verdict, wager):
    found = {item.wager: item for item in verdict.wagers}[wager]
    return found.result, found.profit, found.clause.removeprefix("MD-HCF-")


# --- Chapter 6: ranking -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "length"),
    [
        pytest.param("2c 5c 7c 9c Jc Kc Ac", 7, id="MD-HCF-06.C.1"),
        pytest.param("2c 5c 7c 9c Jc Kc Ad", 6, id="MD-HCF-06.C.2"),
        pytest.param("2c 5c 7c 9c Jc Kd Ad", 5, id="MD-HCF-06.C.3"),
        pytest.param("2c 5c 7c 9c Jd Kd Ad", 4, id="MD-HCF-06.C.4"),
        pytest.param("2c 5c 7c 9d Jd Kd Ah", 3, id="MD-HCF-06.C.5"),
        pytest.param("2c 5c 7d 9d Jh Kh As", 2, id="MD-HCF-06.C.6"),
    ],
)
def test_MD_HCF_06_C_the_longest_flush_is_the_class_of_the_hand(cards, length):
    assert hand(cards).length == length


def test_MD_HCF_06_C_a_longer_flush_of_small_cards_beats_a_shorter_one_of_big_cards():
    ladder = ["2c 3c 4c 5c 6c 7c 8c", "Ad Kd Qd Jd Td 8d 9c", "Ah Kh Qh Jh 9h 2c 2d", "As Ks Qs Js 2c 2d 2h"]
    strengths = [hand(cards).strength for cards in ladder]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(ladder)


def test_MD_HCF_06_A_an_ace_is_the_highest_card_of_a_flush():
    assert hand("Ac 3c 2c Kd Qh Js 9h").strength > hand("Kc Qc Jc Ad 9h 8s 7h").strength


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Kc 7c 2c Ad Qh Js 9h", "Qc Jc Tc Ad Kh 9s 8h"),  # the top card decides
        ("Kc 9c 2c Ad Qh Js 9h", "Kd 8d 7d Ac Qs Jh 9s"),  # then the second
        ("Kc 9c 3c Ad Qh Js 8h", "Kd 9d 2d Ac Qs Jh 8s"),  # then the third
        ("Kh Th 8h 6h 3h 7c 2d", "Kd Td 8d 5d 3d 2s Ah"),  # the worked round: 6 over 5 in fourth place
    ],
)
def test_MD_HCF_06_D_1_the_highest_card_that_the_other_lacks_decides(better, worse):
    assert hand(better).strength > hand(worse).strength


def test_MD_HCF_06_D_1_cards_outside_the_flush_never_break_a_tie():
    """Note MD-11: flush cards only."""
    assert hand("Kc 9c 3c Ad Ah As 8h").strength == hand("Kd 9d 3d 2c 2h 2s 4s").strength


def test_MD_HCF_06_B_and_06_D_2_equal_flushes_in_different_suits_tie():
    flushes = [hand(f"K{suit} 9{suit} 3{suit} " + rest).strength for suit, rest in (
        ("c", "Ad Qh Js 8h"), ("d", "Ac Qh Js 8h"), ("h", "Ac Qd Js 8d"), ("s", "Ac Qd Jh 8d"),
    )]  # fmt: skip
    assert len(set(flushes)) == 1


def test_MD_HCF_06_D_the_better_of_two_equally_long_flushes_in_one_hand_counts():
    assert hand("Kc 9c 3c Ad 4d 2d 5h").name == "three-card flush, ace high"


@pytest.mark.parametrize("length", range(3, 8))
def test_MD_HCF_06_E_a_straight_flush_is_counted_at_either_end_of_the_ranks(length):
    ranks = "23456789TJQKA"
    odd = ["3d", "8h", "Ts", "5h", "Jd"][: 7 - length]
    low = [f"{rank}c" for rank in ranks[:length]]
    high = [f"{rank}c" for rank in ranks[-length:]]
    assert hand(" ".join(low + odd)).straight == length
    assert hand(" ".join(high + odd)).straight == length


def test_MD_HCF_06_E_a_run_across_suits_or_with_a_gap_is_none():
    assert hand("4c 5d 6c 7d 8c 9d Tc").straight == 1
    assert hand("4c 5c 7c 8c Tc Jc Kd").straight == 2


def test_MD_10_an_ace_is_low_only_with_an_approval_and_never_goes_round_the_corner():
    low = "Ac 2c 3c 9d Jh Ks 7h"
    assert (hand(low).straight, hand(low, ace_low=True).straight) == (2, 3)
    corner = "Kc Ac 2c 9d Jh 4s 7h"
    assert (hand(corner).straight, hand(corner, ace_low=True).straight) == (2, 2)
    high = "Qc Kc Ac 9d Jh 4s 7h"
    assert (hand(high).straight, hand(high, ace_low=True).straight) == (3, 3)
    wheel = "Ac 2c 3c 4c 5c 6c 7c"
    assert (hand(wheel).straight, hand(wheel, ace_low=True).straight) == (6, 7)


def test_MD_10_the_approval_changes_what_the_straight_flush_bonus_and_the_progressive_pay_and_no_flush():
    low = "Ac 2c 3c 9d Jh Ks 7h"
    for ace_low, result in ((False, "lose"), (True, "win")):
        held = hand(low, ace_low)
        assert GAME.bonus_verdict("straight_flush_bonus", held, 500).result == result
        assert (GAME.progressive_line(held) is not None) == ace_low
        assert held.name == "three-card flush, ace high"


# --- Chapter 11: does the dealer qualify, who wins ------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "qualifies"),
    [
        pytest.param(NINE_HIGH_THREE, True, id="nine-high three-card flush"),
        pytest.param("9d 3d 2d Kc Qh Js 4c", True, id="the lowest that qualifies"),
        pytest.param(EIGHT_HIGH_THREE, False, id="the highest that does not"),
        pytest.param("Ac Kc Qd Jd Th 9h 7s", False, id="two-card flush, ace high"),
        pytest.param("8c 6c 4c 2c Ad Kh Qs", True, id="X-01: 8-6-4-2 suited"),
        pytest.param("5c 4c 3c 2c Ad Kh Qs", True, id="X-01: the lowest four-card flush"),
    ],
)
def test_MD_HCF_11_B_5_c_the_dealer_needs_a_nine_high_three_card_flush_or_a_longer_one(cards, qualifies):
    assert GAME.dealer_qualifies(hand(cards)) is qualifies


def test_MD_HCF_11_B_5_c_without_a_qualifying_dealer_the_ante_wins_and_the_raise_comes_back_even_for_a_worse_hand():
    seat = seat_played(2, "7c 4c 2c Ad Qd Jh 8h", ante=1_000, **{"raise": 1_000})
    verdict = settle(seat, dealer=EIGHT_HIGH_THREE).seats[0]
    assert outcome(verdict, "ante") == ("win", 1_000, "11.B.5.c")
    assert outcome(verdict, "raise") == ("push", 0, "11.B.5.c")
    assert verdict.net == 1_000


@pytest.mark.parametrize(
    ("cards", "result", "profits", "tail"),
    [
        ("9c 3c 2c Ad Kh Qs Jh", "lose", (-1_000, -1_500), "11.B.5.d.i"),
        ("9c 5c 2c Ad Kh Qs Jh", "win", (1_000, 1_500), "11.B.5.d.ii"),
        ("9c 4c 2c Ad Kh Qs Jh", "push", (0, 0), "11.B.5.d.iii"),
    ],
)
def test_MD_HCF_11_B_5_d_against_a_qualifying_dealer_the_ranking_decides_ante_and_raise(cards, result, profits, tail):
    seat = seat_played(2, cards, ante=1_000, **{"raise": 1_500})
    verdict = settle(seat).seats[0]
    assert outcome(verdict, "ante") == (result, profits[0], tail)
    assert outcome(verdict, "raise") == (result, profits[1], tail)


def test_MD_HCF_12_A_winning_antes_and_raises_pay_1_to_1():
    seat = seat_played(2, "Ac Kc Qc 2d 3h 4s 5h", ante=1_700, **{"raise": 1_700})
    assert [(item.profit, item.pays) for item in settle(seat).seats[0].wagers] == [(1_700, "1 to 1")] * 2


def test_MD_HCF_11_B_a_fold_loses_the_ante_whatever_the_dealer_has():
    seat = seat_played(2, "Ac Kc Qc Jc Tc 9c 8c", folded=True, ante=1_000)
    for dealer in (NINE_HIGH_THREE, EIGHT_HIGH_THREE):
        verdict = settle(seat, dealer=dealer).seats[0]
        assert [(item.wager, item.result, item.profit) for item in verdict.wagers] == [("ante", "lose", -1_000)]
        assert outcome(verdict, "ante")[2] == "11.B"


# --- the raise ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "cap", "tail"),
    [(2, 1, "11.B.1"), (3, 1, "11.B.1"), (4, 1, "11.B.1"), (5, 2, "11.B.2"), (6, 3, "11.B.3"), (7, 3, "11.B.3")],
)
def test_MD_HCF_11_B_1_to_3_a_raise_lies_between_the_ante_and_its_cap(length, cap, tail):
    for legal in {1_000, cap * 1_000}:
        assert GAME.verify_raise(length, 1_000, legal) is None
    for illegal in (0, 999, cap * 1_000 + 1):
        refusal = GAME.verify_raise(length, 1_000, illegal)
        assert refusal is not None
        assert refusal.clause == clause(tail)


def test_X_02_a_raise_need_not_be_a_whole_multiple_of_the_ante():
    assert GAME.verify_raise(5, 1_000, 1_333) is None
    assert GAME.verify_raise(7, 1_000, 2_999) is None
    assert GAME.verify_raise(4, 1_000, 1_333) is not None


def test_an_unknown_ante_or_raise_sets_no_limit():
    assert GAME.verify_raise(2, None, 900_000) is None
    assert GAME.verify_raise(2, 1_000, None) is None


# --- optional wagers ------------------------------------------------------------------------------------------


def test_X_04_optional_wagers_see_all_seven_cards_not_only_the_flush_that_plays():
    cards = "Kd Td 8d 3d 5c 6c 7c"
    held = hand(cards)
    assert held.name == "four-card flush, king high"
    won = GAME.bonus_verdict("straight_flush_bonus", held, 500)
    assert (won.profit, won.hand) == (3_500, "three-card straight flush")


def test_MD_12_optional_wagers_of_a_folded_hand_stay_live_and_only_the_ante_is_lost():
    seat = seat_played(
        3, "3c 4c 5c 6c 7c Kd 9h", folded=True,
        ante=1_000, flush_bonus=500, straight_flush_bonus=500, progressive=100,
    )  # fmt: skip
    verdict = settle(seat).seats[0]
    assert outcome(verdict, "ante")[:2] == ("lose", -1_000)
    assert outcome(verdict, "flush_bonus")[:2] == ("win", 5_000)
    assert outcome(verdict, "straight_flush_bonus")[:2] == ("win", 50_000)
    assert outcome(verdict, "progressive")[:2] == ("win", 20_000 - 100)


def test_MD_12_a_folded_seat_in_the_progressive_receives_envy():
    holder = seat_played(5, "3c 4c 5c 6c 7c 8c Kd", ante=1_000, **{"raise": 1_000})
    folded = seat_played(2, "2d 5d 9d Jh Qh 4s Ts", folded=True, ante=1_000, progressive=100)
    verdict = settle(folded, holder).seats[0]
    assert [(award.from_seat, award.profit) for award in verdict.awards] == [(5, 20_000)]
    assert verdict.net == -1_000 - 100 + 20_000


def test_MD_09_only_the_highest_line_of_each_table_pays():
    seat = seat_played(
        1, "3c 4c 5c 6c 7c 8c 9c", ante=1_000,
        flush_bonus=500, straight_flush_bonus=500, progressive=100, **{"raise": 1_000},
    )  # fmt: skip
    verdict = settle(seat, game=NO_LIMIT).seats[0]
    assert outcome(verdict, "flush_bonus") == ("win", 300 * 500, "12.B.1.a")
    assert outcome(verdict, "straight_flush_bonus") == ("win", 8_000 * 500, "12.C.1.a")
    assert outcome(verdict, "progressive") == ("win", 1_000_000 - 100, "12.E.1.c.i")


def test_X_10_and_MD_14_the_one_dollar_stake_is_not_returned_with_a_progressive_win():
    assert (BOOK.wagers["progressive"].stake.value, BOOK.wagers["progressive"].stake.clause) == (100, clause("12.E.5"))
    verdict = settle(seat_played(1, "3c 4c 5c Kd 9h Js 7d", folded=True, ante=1_000, progressive=100)).seats[0]
    assert outcome(verdict, "progressive") == ("win", 300 - 100, "12.E.1.c.v")


# --- the payout limit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "flush", "straight", "clauses"),
    [
        pytest.param(4_150_000, 150_000, 4_000_000, ("12.B.1.a", "12.C.1.a"), id="exactly enough"),
        pytest.param(4_149_999, 150_000, 3_999_999, ("12.B.1.a", "12.D"), id="one cent short"),
        pytest.param(150_000, 150_000, 0, ("12.B.1.a", "12.D"), id="the Flush Bonus takes it all"),
        pytest.param(149_999, 149_999, 0, ("12.D", "12.D"), id="not even the Flush Bonus"),
    ],
)
def test_MD_02_the_limit_pays_the_flush_bonus_first_and_the_straight_flush_bonus_the_rest(
    limit, flush, straight, clauses
):
    seat = seat_played(
        1, "3c 4c 5c 6c 7c 8c 9c", ante=1_000,
        flush_bonus=500, straight_flush_bonus=500, progressive=100, **{"raise": 3_000},
    )  # fmt: skip
    verdict = settle(seat, game=make_game(payout_limit=limit)).seats[0]
    assert outcome(verdict, "flush_bonus") == ("win", flush, clauses[0])
    assert outcome(verdict, "straight_flush_bonus") == ("win", straight, clauses[1])
    assert outcome(verdict, "ante")[1] == 1_000
    assert outcome(verdict, "raise")[1] == 3_000
    assert outcome(verdict, "progressive")[1] == 999_900


def test_MD_02_a_lost_flush_bonus_leaves_the_limit_whole_and_each_hand_has_its_own():
    game = make_game(payout_limit=3_000)
    wagers = {"ante": 1_000, "flush_bonus": 500, "straight_flush_bonus": 500, "raise": 1_000}
    three, other = "3c 4c 5c Kd 9h Js 7d", "3d 4d 5d Kc 9s Jh 7h"
    verdicts = settle(seat_played(1, three, **wagers), seat_played(2, other, **wagers), game=game).seats
    for verdict in verdicts:
        assert outcome(verdict, "flush_bonus")[:2] == ("lose", -500)
        assert outcome(verdict, "straight_flush_bonus") == ("win", 3_000, "12.D")


# --- the progressive ------------------------------------------------------------------------------------------


def test_MD_07_a_suited_nine_to_ace_pays_the_whole_meter_once_and_brings_no_envy_under_D_and_E():
    for letter, tail in (("D", "12.E.1.d.ii"), ("E", "12.E.1.e.ii")):
        game = make_game({"progressive": letter})
        holder = seat_played(5, "9s Ts Js Qs Ks As 2h", ante=1_000, progressive=100, **{"raise": 3_000})
        other = seat_played(2, PLAIN, ante=1_000, progressive=100, **{"raise": 1_000})
        verdict = settle(other, holder, game=game, main=4_000_000, reset=3_000_000)
        assert outcome(verdict.seats[1], "progressive") == ("win", 3_999_900, tail)
        assert verdict.meters == {"main": 3_000_000}
        assert verdict.seats[0].awards == ()


def test_MD_07_under_C_a_suited_nine_to_ace_is_a_plain_six_card_straight_flush_and_brings_envy():
    holder = seat_played(5, "9s Ts Js Qs Ks As 2h", ante=1_000, progressive=100, **{"raise": 3_000})
    other = seat_played(2, PLAIN, ante=1_000, progressive=100, **{"raise": 1_000})
    verdict = settle(other, holder)
    assert outcome(verdict.seats[1], "progressive") == ("win", 999_900, "12.E.1.c.ii")
    assert [award.clause for award in verdict.seats[0].awards] == [clause("12.E.5.a.ii")]


def test_X_06_a_share_is_cut_to_whole_cents_and_the_fraction_stays_on_the_meter():
    line = BOOK.wagers["progressive"].paytable("A").lines["six-card straight flush"]
    units = 1_120_525 * UNITS_PER_CENT + 9_999
    award = lock_award(line, units, 3_000_000, "main")
    assert award.cents == 112_052
    assert sum(posting.units for posting in award.postings if posting.account == "meter") == -112_052 * UNITS_PER_CENT


def test_MD_15_a_tenth_leaves_the_meter_even_below_the_reset_and_does_not_reset_it():
    seat = seat_played(1, "3c 4c 5c 6c 7c 8c Kd", folded=True, ante=1_000, progressive=100)
    verdict = settle(seat, game=make_game({"progressive": "A"}), main=3_000_000, reset=3_000_000)
    assert outcome(verdict.seats[0], "progressive")[1] == 300_000 - 100
    assert verdict.meters == {"main": 2_700_000}


def test_MD_HCF_12_E_3_each_winner_is_paid_from_the_meter_left_by_the_one_before_from_the_dealers_right():
    game = make_game({"progressive": "A"})
    first = seat_played(6, "3c 4c 5c 6c 7c 8c Kd", folded=True, ante=1_000, progressive=100)
    second = seat_played(4, "3d 4d 5d 6d 7d 8d 9d", folded=True, ante=1_000, progressive=100)
    third = seat_played(1, "3h 4h 5h 6h 7h 8h Ks", folded=True, ante=1_000, progressive=100)
    verdict = settle(third, first, second, game=game, main=4_000_000, reset=3_000_000, dealer="9s Js Qs 2c Tc Jd Qd")
    assert [seat.seat for seat in verdict.seats] == [1, 4, 6]
    assert outcome(verdict.seats[2], "progressive")[1] == 400_000 - 100
    assert outcome(verdict.seats[1], "progressive")[1] == 3_600_000 - 100
    assert outcome(verdict.seats[0], "progressive")[1] == 300_000 - 100
    assert verdict.meters == {"main": 2_700_000}


def test_MD_HCF_12_E_2_b_taking_the_whole_meter_brings_the_reset_and_keeps_the_fraction():
    line = BOOK.wagers["progressive"].paytable("C").lines["six-card straight flush"]
    assert isinstance(line.award, MeterShare)
    units = 1_234_627 * UNITS_PER_CENT + 1_234
    award = lock_award(line, units, 500_000, "main")
    moved = sum(posting.units for posting in award.postings if posting.account == "meter")
    assert (award.cents, units + moved) == (1_234_627, 500_000 * UNITS_PER_CENT + 1_234)


# --- envy -----------------------------------------------------------------------------------------------------


def envy_of(*seats):
    return {seat.seat: [(award.from_seat, award.profit) for award in seat.awards] for seat in settle(*seats).seats}


HIT = "3c 4c 5c 6c 7c 8c Kd"
OTHER_HIT = "3d 4d 5d 6d 7d 8d Kc"
IN = {"ante": 1_000, "raise": 1_000, "progressive": 100}


def test_MD_HCF_11_B_9_e_ii_several_qualifying_hands_bring_several_envy_bonuses():
    verdict = envy_of(seat_played(1, PLAIN, **IN), seat_played(3, HIT, **IN), seat_played(5, OTHER_HIT, **IN))
    assert verdict == {1: [(3, 20_000), (5, 20_000)], 3: [(5, 20_000)], 5: [(3, 20_000)]}


def test_MD_13_boxes_of_one_player_bring_each_other_nothing_but_each_receives_its_own_envy_from_others():
    verdict = envy_of(
        seat_played(1, PLAIN, player="north", **IN),
        seat_played(2, HIT, player="north", **IN),
        seat_played(3, OTHER_HIT, player="south", **IN),
    )
    assert verdict == {1: [(3, 20_000)], 2: [(3, 20_000)], 3: [(2, 20_000)]}


def test_MD_13_seats_without_a_named_player_are_different_players():
    assert envy_of(seat_played(1, PLAIN, **IN), seat_played(2, HIT, **IN)) == {1: [(2, 20_000)], 2: []}


def test_MD_13_the_dealers_hand_brings_no_envy():
    verdict = settle(seat_played(1, PLAIN, **IN), dealer=HIT)
    assert verdict.seats[0].awards == ()


def test_MD_13_a_holder_outside_the_progressive_still_brings_the_others_envy():
    assert envy_of(seat_played(1, PLAIN, **IN), seat_played(2, HIT, ante=1_000, **{"raise": 3_000})) == {
        1: [(2, 20_000)],
        2: [],
    }


def test_MD_HCF_11_B_4_a_a_folded_hand_that_was_racked_unseen_brings_no_envy():
    folded = seat_played(2, HIT, folded=True, ante=1_000)
    kept = seat_played(2, HIT, folded=True, ante=1_000, flush_bonus=500)
    assert envy_of(seat_played(1, PLAIN, **IN), folded)[1] == []
    assert envy_of(seat_played(1, PLAIN, **IN), kept)[1] == [(2, 20_000)]


# --- unknown amounts ------------------------------------------------------------------------------------------


def test_an_unknown_stake_gives_odds_and_clause_and_no_profit():
    seat = seat_played(1, HIT, ante=None, flush_bonus=None, progressive=100, **{"raise": None})
    verdict = settle(seat).seats[0]
    assert [(item.wager, item.result, item.profit, item.pays) for item in verdict.wagers] == [
        ("ante", "win", None, "1 to 1"),
        ("raise", "win", None, "1 to 1"),
        ("flush_bonus", "win", None, "100 to 1"),
        ("progressive", "win", 999_900, "100% of main"),
    ]
    assert verdict.net is None


def test_an_unknown_stake_that_is_pushed_has_a_known_profit_of_nothing():
    seat = seat_played(1, "9c 4c 2c Ad Kh Qs Jh", ante=None, **{"raise": None})
    assert settle(seat).seats[0].net == 0


# --- irregularities -------------------------------------------------------------------------------------------


def test_MD_HCF_13_E_and_F_an_exposed_dealer_card_returns_ante_and_raise_and_settles_the_rest():
    seat = seat_played(1, HIT, ante=1_000, flush_bonus=500, progressive=100, **{"raise": 3_000})
    folded = seat_played(2, PLAIN, folded=True, ante=1_000, progressive=100)
    verdict = settle(seat, folded, irregularity=clause("13.E"))
    assert outcome(verdict.seats[0], "ante") == ("void", 0, "13.E")
    assert outcome(verdict.seats[0], "raise") == ("void", 0, "13.E")
    assert outcome(verdict.seats[0], "flush_bonus")[:2] == ("win", 50_000)
    assert outcome(verdict.seats[0], "progressive")[:2] == ("win", 999_900)
    assert outcome(verdict.seats[1], "ante") == ("void", 0, "13.E")
    assert verdict.seats[1].net == -100 + 20_000


@pytest.mark.parametrize("tail", ["08.J.1", "08.J.2", "13.B", "13.D", "13.H"])
def test_MD_HCF_13_a_void_round_returns_every_wager_and_leaves_the_meter(tail):
    seat = seat_played(
        1, HIT, ante=1_000, flush_bonus=500, straight_flush_bonus=500, progressive=100, **{"raise": 3_000}
    )
    verdict = settle(seat, irregularity=clause(tail))
    assert {(item.result, item.profit, item.clause) for item in verdict.seats[0].wagers} == {("void", 0, clause(tail))}
    assert (len(verdict.seats[0].wagers), verdict.meters) == (5, {"main": 1_000_000})
