"""Corrections of confirmed entries: the round re-run with the entry put right, or refused with nothing changed."""

import pytest
from hcf_rounds import DEALER, DEALERS, P1, P2, P3, Table, cards, clause, make_game, worked_round
from hypothesis import given, settings
from hypothesis import strategies as st
from random_dealer import RandomDealer

from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.postings import balanced
from firmware.rules.procedure.events import (
    BoxesShared,
    CardDealt,
    DifferenceResolved,
    Folded,
    HandShown,
    HitDenied,
    HitPaid,
    HitPresented,
    HitRefused,
    HitValidated,
    HitVerified,
    LockedOut,
    RaiseCut,
    Raised,
    SeatSettled,
    ShoeLoaded,
    WagerKeyed,
)
from firmware.rules.procedure.run import Correction, correct, rerun
from firmware.rules.verdicts import RuleError


def refused(table, target, event):
    """The correction's refusal; the round stands as it stood."""
    run, digest, entries = table.run, table.run.digest(), list(table.run.entries)
    with pytest.raises(RuleError) as caught:
        table.correct(target, event)
    assert table.run is run
    assert (run.digest(), run.entries) == (digest, entries)
    return caught.value.refusal


# --- what can be put right ----------------------------------------------------------------------------------------


def test_a_card_read_wrong_is_corrected_before_settlement():
    table = worked_round(until="decisions")
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("8d")[0]))
    step = table.step
    table.correct(target, CardDealt(cards("9c")[0]))
    assert cards("9c")[0] in table.run.table.hands[3]
    assert table.step == step
    assert table.refused(Raised(3, 2_000))  # no five-card flush any more; and seat 1 is asked first


def test_an_amount_is_corrected_and_the_raise_must_still_fit():
    table = worked_round()
    target = table.seq_of(WagerKeyed, 3)
    assert table.run.entries[4].event == WagerKeyed(3, "ante", 1_000)
    table.correct(target, WagerKeyed(3, "ante", 2_000))
    assert table.run.table.wagers[3]["ante"] == 2_000
    refusal = refused(table, target, WagerKeyed(3, "ante", 2_500))  # the raise of $20 is below it
    assert (refusal.clause, "voided" in refusal.message) == (clause("11.B"), True)


def test_a_fold_and_a_raise_can_change_places():
    table = worked_round(until="forfeits")
    table.correct(table.seq_of(Folded), Raised(1, 1_000))
    assert (table.run.table.folded, table.step.state) == (set(), "reveal")
    table.correct(table.seq_of(Raised, 0), Folded(1))
    assert (table.run.table.folded, table.step.state) == ({1}, "forfeits")


def test_a_wager_that_lay_there_is_added_as_if_keyed_before_lock_out():
    table = worked_round()
    table.correct(None, WagerKeyed(3, "straight_flush_bonus", 500))
    assert table.run.table.wagers[3]["straight_flush_bonus"] == 500
    added = next(place for place, entry in enumerate(table.run.entries) if entry.seq == table.seq)
    assert isinstance(table.run.entries[added + 1].event, LockedOut)


def test_an_entry_can_be_taken_away():
    table = Table().bets({1: {"ante": 1_000}, 2: {"ante": 1_000}})
    table.feed(BoxesShared((1, 2)))
    table.correct(table.seq_of(BoxesShared), None)
    assert table.run.table.players == {}
    table.correct(table.seq_of(WagerKeyed, 0), None)
    assert table.run.table.in_play == [2]


# --- differences --------------------------------------------------------------------------------------------------


def settled_seat_5():
    """Seat 5 of a round without the progressive is settled: it lost to the dealer's seven-card flush."""
    table = Table(make_game({"flush_bonus": "A"})).bets({1: {"ante": 1_000}, 5: {"ante": 1_000, "flush_bonus": 500}})
    table.lock().deal({1: P1, 5: P2, DEALER: "3h 4h 5h 7h 9h Jh Kh"}).rack_stub()
    table.decide([Raised(1, 1_000), Raised(5, 2_000)]).reveal().show(5).confirm()
    return table


def test_what_was_paid_before_a_correction_is_shown_to_the_floorperson_as_a_difference():
    table = settled_seat_5()
    assert table.verdicts(5)["flush_bonus"] == ("win", 5_000, "12.B.1.c")
    table.correct(table.seq_of(WagerKeyed, 2), WagerKeyed(5, "flush_bonus", 1_000))
    assert table.verdicts(5)["flush_bonus"] == ("win", 10_000, "12.B.1.c")
    table.show(1).confirm()
    assert (table.step.state, table.step.who, table.step.seat) == ("difference", "floorperson", 5)
    assert ("$50.00" in table.step.says, "$100.00" in table.step.says) == (True, True)
    assert DifferenceResolved.BY == "floorperson"
    assert table.refused(DifferenceResolved(1, "not this one")).clause == clause("11.B.5")
    table.feed(DifferenceResolved(5, "paid $50.00 more"))
    assert table.decisions("difference_resolved")[0]["note"] == "paid $50.00 more"
    table.finish()


def test_a_correction_of_a_correction_can_take_the_difference_away_again():
    table = settled_seat_5()
    target = table.seq_of(WagerKeyed, 2)
    table.correct(target, WagerKeyed(5, "flush_bonus", 1_000))
    assert set(table.run.table.differences) == {5}
    table.correct(target, WagerKeyed(5, "flush_bonus", 500))
    assert table.run.table.differences == {}


def test_a_wager_added_after_its_seat_was_settled_is_a_difference_too():
    table = worked_round().show(5)
    table.confirm()
    table.feed(HitVerified(5), HitValidated(5), HitPaid(5))
    table.confirm()
    table.show(3).confirm()
    table.correct(None, WagerKeyed(3, "straight_flush_bonus", 500))
    assert "straight flush bonus" in table.run.table.differences[3]


# --- hits ---------------------------------------------------------------------------------------------------------


def refused_hit():
    table = worked_round().show(5)
    table.confirm()
    table.feed(HitVerified(5), HitRefused(5, "that is the jack of clubs"))
    return table


def test_a_refused_hit_is_judged_afresh_when_its_card_is_corrected():
    table = refused_hit()
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("Js")[0]))
    table.correct(target, CardDealt(cards("Jc")[0]))
    assert (table.step.state, table.run.table.pending.facts["hand"]) == ("hit recognised", "five-card straight flush")
    assert table.run.table.pending.facts["hit"] == "12/5/2"
    assert table.run.table.pending.facts["amount"] == 20_000
    assert table.meter == 1_234_627 * UNITS_PER_CENT
    assert set(table.run.table.differences) == {5}  # six-card bonuses were told


def test_a_refused_hit_whose_hand_was_none_goes_on_without_one():
    table = refused_hit()
    for old, new in (("7s", "7d"), ("Ts", "Tc")):
        target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards(old)[0]))
        table.correct(target, CardDealt(cards(new)[0]))
    assert (table.step.state, table.step.seat) == ("settling", 3)
    assert table.verdicts(5)["progressive"] == ("lose", -100, "07.F.4")
    assert table.account("pending") == 0


def test_a_hit_refused_before_keeps_counting_its_presentations_after_a_correction():
    table = refused_hit()
    table.feed(HitPresented(5), HitVerified(5), HitRefused(5, "again"))
    table.correct(None, WagerKeyed(3, "straight_flush_bonus", 500))
    assert (table.step.state, table.run.table.pending.facts["hit"]) == ("hit recognised", "12/5/3")
    table.correct(table.seq_of(WagerKeyed, 3), WagerKeyed(3, "ante", 1_500))
    assert table.run.table.pending.facts["hit"] == "12/5/3"


def test_after_a_denied_hit_other_entries_can_still_be_corrected():
    table = refused_hit()
    table.feed(HitPresented(5), HitVerified(5), HitRefused(5, "again"), HitDenied(5, "marked card"))
    table.correct(table.seq_of(WagerKeyed, 3), WagerKeyed(3, "ante", 1_500))
    assert (table.step.state, table.step.seat) == ("settling", 3)
    assert [fact["hit"] for fact in table.decisions("hit_locked")] == ["12/5/2"]
    assert table.verdicts(5)["progressive"] == ("lose", -100, "11.B.9.c")
    assert table.meter == 1_234_627 * UNITS_PER_CENT


def test_a_correction_that_would_change_a_paid_award_is_left_to_a_floorperson():
    table = worked_round().show(5)
    table.confirm()
    table.feed(HitVerified(5), HitValidated(5), HitPaid(5))
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("Js")[0]))
    refused(table, target, CardDealt(cards("Jc")[0]))
    refused(table, table.seq_of(HitPaid), None)


def test_a_correction_moves_nothing_that_was_collected():
    """Without its Ante the chip of seat 3 would be refused; it lies in the tray already."""
    table = Table().bets({1: {"ante": 1_000}, 3: {"ante": 1_000}}).lock(1, 3).count()
    assert refused(table, table.seq_of(WagerKeyed, 1), None)
    assert table.account("player") == -200 * UNITS_PER_CENT


# --- raises that a corrected card outdates ------------------------------------------------------------------------


def test_X_03_a_raise_taken_on_a_misread_card_is_cut_at_the_reveal():
    table = worked_round(until="forfeits")
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("8d")[0]))
    table.correct(target, CardDealt(cards("8c")[0]))  # a four-card flush: $10 and no more
    table.reveal().show(5).confirm()
    table.feed(HitVerified(5), HitValidated(5), HitPaid(5))
    table.confirm()
    table.show(3)
    assert (table.step.who, table.step.clause) == ("floorperson", clause("11.B.1"))
    table.feed(RaiseCut(3))
    assert table.decisions("raise_cut")[0]["returned"] == 1_000


def test_X_03_the_excess_of_a_settled_raise_shows_as_a_difference():
    table = settled_seat_5()
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("8d")[0]))
    table.correct(target, CardDealt(cards("8c")[0]))
    assert table.decisions("raise_cut")[0]["returned"] == 1_000
    assert table.verdicts(5)["raise"] == ("lose", -1_000, "11.B.5.d.i")
    assert ("raise -$20.00" in table.run.table.differences[5], "raise -$10.00" in table.run.table.differences[5]) == (
        True,
        True,
    )


def test_X_03_a_raise_is_not_corrected_to_one_above_its_cap():
    table = worked_round(until="forfeits")
    assert refused(table, table.seq_of(Raised, 0), Raised(3, 2_001)).clause == clause("11.B")
    assert refused(table, table.seq_of(Folded), Raised(1, 2_000)).clause == clause("11.B")


# --- what cannot --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [LockedOut, SeatSettled, HitValidated])
def test_lock_out_settlement_and_a_floorpersons_word_are_no_entries_to_correct(kind):
    table = worked_round().show(5)
    table.confirm()
    table.feed(HitVerified(5), HitValidated(5))
    target = table.seq_of(kind)
    event = next(entry.event for entry in table.run.entries if entry.seq == target)
    for replacement in (event, None):
        assert kind.__name__ in refused(table, target, replacement).message


def test_an_entry_is_corrected_with_another_of_its_kind():
    table = worked_round(until="decisions")
    assert "WagerKeyed" in refused(table, table.seq_of(WagerKeyed), Folded(1)).message
    assert "CardDealt" in refused(table, table.seq_of(CardDealt), WagerKeyed(1, "ante", 500)).message
    assert "999" in refused(table, 999, WagerKeyed(1, "ante", 500)).message


def test_only_a_wager_can_be_added_and_only_after_lock_out():
    table = Table().bets({1: {"ante": 1_000}})
    assert refused(table, None, WagerKeyed(2, "ante", 1_000))
    table.lock()
    assert refused(table, None, Folded(1))
    assert refused(table, None, WagerKeyed(1, "progressive", 100)).clause == clause("07.F.4.a")
    assert refused(table, None, WagerKeyed(1, "raise", 1_000)).clause == clause("11.B")


def test_a_correction_that_breaks_what_came_after_is_refused_and_says_so():
    table = worked_round(until="decisions")
    refusal = refused(table, None, WagerKeyed(2, "ante", 1_000))  # one more hand would have been dealt
    assert "voided" in refusal.message
    assert "cannot be corrected" not in refusal.message
    assert "not an entry that can be corrected" in refused(table, table.seq_of(ShoeLoaded), None).message
    assert refused(table, table.seq_of(WagerKeyed), WagerKeyed(1, "ante", 1)).message.count("$5.00") == 1


def test_MD_HCF_08_E_once_the_shoe_has_its_permit_nobody_is_added_to_the_deal_or_taken_out_of_it():
    table = Table().bets({1: {"ante": 1_000}, 3: {"ante": 1_000}}).lock(1)
    table.correct(None, WagerKeyed(2, "ante", 1_000))  # before the deal a forgotten Ante still counts
    assert table.run.table.in_play == [1, 2, 3]
    table.count()
    assert "permit" in refused(table, None, WagerKeyed(5, "ante", 1_000)).message
    assert "permit" in refused(table, table.seq_of(WagerKeyed, 1), None).message
    table.feed(CardDealt(cards("4c")[0]))
    assert "permit" in refused(table, table.seq_of(CardDealt), None).message


def test_a_card_corrected_to_one_that_lies_elsewhere_counts_as_unread():
    table = Table().bets({1: {"ante": 1_000}, 3: {"ante": 1_000}}).lock()
    table.deal({1: P1, 3: P3, DEALER: DEALERS}).rack_stub()
    target = next(entry.seq for entry in table.run.entries if entry.event == CardDealt(cards("5c")[0]))
    table.correct(target, CardDealt(cards("4c")[0]))
    assert table.run.table.hands[1].count(None) == 1
    table.decide([Raised(1, 1_000), Raised(3, 1_000)]).reveal().show(3).confirm()
    assert table.refused(HandShown(1)).clause == clause("08.E")


# --- any correction at any time -----------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(5, 90), st.integers(0, 120), st.booleans())
def test_any_correction_either_stands_balanced_or_changes_nothing(seed, moves, target, taken_away):
    dealer = RandomDealer(make_game(limits={}), seed)
    for _ in range(moves):
        if not dealer.run.finished:
            dealer.feed(dealer.right_move())
    run = dealer.run
    replacement = None if taken_away else dealer.anything()
    old = next((entry.event for entry in run.entries if entry.seq == target), None)
    while replacement is not None and old is not None and type(replacement) is not type(old):
        replacement = dealer.anything()
    before = run.digest(), list(run.entries), run.step, run.postings()
    try:
        after = correct(run, Correction(target if old else None, replacement, "any"), 10_000)
    except RuleError:
        assert (run.digest(), run.entries, run.step, run.postings()) == before
        return
    assert all(balanced(decision.postings) for decision in after.table.decisions)
    for account in ("paid", "player"):
        assert after.postings()[account, "main"] == before[3][account, "main"]
    again = rerun(after.table.game, after.table.facts, after.entries, after.refused_before)
    assert (again.digest(), again.step) == (after.digest(), after.step)
