"""Settlement at the table: the Maryland worked round to the cent, the life of a hit, Envy, and what nobody keyed."""

from fractions import Fraction

import pytest
from hcf_rounds import (
    DEALER,
    DEALERS,
    P1,
    P2,
    P3,
    WORKED_DECISIONS,
    WORKED_HANDS,
    WORKED_WAGERS,
    Table,
    cards,
    clause,
    make_game,
    worked_round,
)

from firmware.rules.games.high_card_flush import settle_round
from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.postings import Posting, reverse
from firmware.rules.procedure.events import (
    BoxesShared,
    CardDealt,
    DealerShown,
    EnvyPaid,
    Folded,
    HandShown,
    HitDenied,
    HitPaid,
    HitPresented,
    HitRefused,
    HitValidated,
    HitVerified,
    RaiseCut,
    Raised,
    SeatSettled,
    WagerKeyed,
)

SIX_IN_CLUBS = "3c 4c 5c 6c 7c 8c Kd"
SIX_IN_DIAMONDS = "4d 5d 6d 7d 8d 9d Qs"


def cents(units):
    assert units % UNITS_PER_CENT == 0
    return units // UNITS_PER_CENT


def net(table, seat):
    profits = [profit for _, profit, _ in table.verdicts(seat).values()]
    return sum(profits) + sum(fact["amount"] for fact in table.decisions("envy_paid") if fact["seat"] == seat)


# --- the worked round of the notes, section 4.2 -------------------------------------------------------------------


def test_the_Maryland_worked_round_comes_out_to_the_cent_step_by_step():
    table = Table().bets(WORKED_WAGERS)
    assert cents(table.meter) == 1_234_567  # step 0
    table.lock(1, 3, 5)
    assert cents(table.meter) == 1_234_627  # step 1
    table.count().deal(WORKED_HANDS)
    assert 52 - table.run.table.cards_dealt() == 24  # step 2
    table.rack_stub().decide(WORKED_DECISIONS)
    assert ("seat 1" in table.step.says, table.step.state) == (True, "forfeits")  # step 3
    table.reveal()
    assert table.decisions("dealer_hand")[0]["qualifies"] is True  # step 4
    assert cents(table.meter) == 1_234_627

    table.show(5)
    assert table.step.confirm == SeatSettled(
        5, (("ante", 1_000), ("raise", 3_000), ("flush_bonus", 50_000), ("straight_flush_bonus", 500_000))
    )
    table.confirm()
    assert (table.step.state, table.step.clause) == ("hit recognised", clause("11.B.9.b"))
    assert "$12,346.27" in table.step.says
    assert cents(table.meter) == 500_000  # step 5: locked at the player's turn, the meter back to its reset
    table.feed(HitVerified(5), HitValidated(5), HitPaid(5))
    assert (
        table.decisions("hit_paid")[0] | {"amount": 1_234_627, "clause": clause("12.E.1.c.ii")}
        == table.decisions("hit_paid")[0]
    )
    assert (table.step.state, table.step.clause) == ("envy", clause("12.E.5.a.ii"))  # step 6
    table.feed(EnvyPaid(5))
    assert [(fact["seat"], fact["amount"]) for fact in table.decisions("envy_paid")] == [(3, 20_000), (1, 20_000)]

    table.show(3).confirm()  # step 7
    assert cents(table.meter) == 500_000
    table.show(1)  # step 8: the Ante was taken with the forfeits
    assert ("straight flush bonus" in table.step.says, "ante" in table.step.says) == (True, False)
    table.confirm()
    assert "$3.00" in table.step.says
    table.feed(HitVerified(1), HitValidated(1), HitPaid(1))
    assert table.step.state == "racking"
    table.confirm()  # step 9
    assert table.run.finished
    assert cents(table.meter) == 500_000

    assert table.verdicts(1) == {
        "ante": ("lose", -1_000, "11.B"),
        "flush_bonus": ("lose", -500, "07.F.2"),
        "straight_flush_bonus": ("win", 3_500, "12.C.1.e"),
        "progressive": ("win", 200, "12.E.1.c.v"),
    }
    assert table.verdicts(3) == {
        "ante": ("lose", -1_000, "11.B.5.d.i"),
        "raise": ("lose", -2_000, "11.B.5.d.i"),
        "flush_bonus": ("win", 5_000, "12.B.1.c"),
        "progressive": ("lose", -100, "07.F.4"),
    }
    assert table.verdicts(5) == {
        "ante": ("win", 1_000, "11.B.5.d.ii"),
        "raise": ("win", 3_000, "11.B.5.d.ii"),
        "flush_bonus": ("win", 50_000, "12.B.1.b"),
        "straight_flush_bonus": ("win", 500_000, "12.C.1.b"),
        "progressive": ("win", 1_234_527, "12.E.1.c.ii"),
    }
    assert {seat: net(table, seat) for seat in (1, 3, 5)} == {1: 22_200, 3: 21_900, 5: 1_788_527}
    check_who_paid(table, players=1_832_627, tray=-598_000, meter=-1_234_627)


def check_who_paid(table, *, players, tray, meter):
    """The notes' check: players = table inventory and meter.

    The tray pays everything but the awards off the meter. What it put onto the meter at lock-out is not counted as
    its loss there, so it is added back to the account.
    """
    assert sum(net(table, seat) for seat in table.run.table.in_play) == players
    contributed = sum(
        posting.units
        for postings in table.run.table.contributions.values()
        for posting in postings
        if posting.account == "meter"
    )
    base = sum(
        profit
        for seat in table.run.table.in_play
        for wager, (_, profit, _) in table.verdicts(seat).items()
        if wager != "progressive"
    )
    assert cents(table.account("inventory") + contributed) - base == tray
    assert cents(table.account("meter") + table.account("seed") - contributed) == meter
    assert players + tray + meter == 0
    assert cents(table.account("paid")) == 1_234_627 + 300 + 40_000
    assert cents(table.account("pending")) == 0


def test_the_worked_round_at_the_table_and_from_settle_are_the_same():
    table = worked_round()
    while not table.run.finished:
        table.feed(table.step.confirm or HitValidated(table.step.seat))
    played = [table.run.table.played(seat) for seat in (1, 3, 5)]
    verdict = settle_round(table.game, table.run.table.hand(DEALER), played, {"main": 1_234_627}, {"main": 500_000})
    assert {seat.seat: seat.net for seat in verdict.seats} == {1: 22_200, 3: 21_900, 5: 1_788_527}
    assert verdict.meters == {"main": 500_000}


def test_variant_b_of_the_worked_round_a_second_hit_takes_the_reset_meter_and_envy_crosses():
    """P1 holds a six-card straight flush too: paid last, 100% of the reset; P2 gets two Envy Bonuses, P1 and P3 one."""
    table = worked_round(p1="8c 9c Tc Jc Qc Kc Qs")
    meters = []
    while not table.run.finished:
        if table.step.state == "hit recognised":
            meters.append((table.step.seat, table.run.table.pending.facts["amount"], cents(table.meter)))
        table.feed(table.step.confirm or HitValidated(table.step.seat))
    assert meters == [(5, 1_234_627, 500_000), (1, 500_000, 500_000)]
    envy = [(fact["from_seat"], fact["seat"], fact["amount"]) for fact in table.decisions("envy_paid")]
    assert envy == [(5, 3, 20_000), (5, 1, 20_000), (1, 5, 20_000), (1, 3, 20_000)]
    assert cents(table.meter) == 500_000


# --- the life of a hit --------------------------------------------------------------------------------------------


def at_the_hit():
    """The worked round with seat 5's hit recognised."""
    table = worked_round().show(5)
    table.confirm()
    return table


def test_MD_HCF_11_B_9_a_hit_is_verified_validated_and_paid_in_that_order():
    table = at_the_hit()
    assert table.run.table.pending.facts["hit"] == "12/5/1"
    for event in (HitValidated(5), HitPaid(5), EnvyPaid(5), HandShown(3)):
        assert table.refused(event).clause == clause("11.B.9.b")
    table.feed(HitVerified(5))
    assert (table.step.who, table.step.clause) == ("floorperson", clause("11.B.9.c"))
    assert HitValidated.BY == HitRefused.BY == HitDenied.BY == "floorperson"
    for event in (HitPaid(5), HitVerified(5), HandShown(3)):
        assert table.refused(event).clause == clause("11.B.9.c")
    table.feed(HitValidated(5))
    assert (table.step.state, table.step.clause) == ("hit validated", clause("11.B.9.d"))
    assert table.account("pending") == 1_234_627 * UNITS_PER_CENT
    table.feed(HitPaid(5))
    assert (table.account("pending"), table.run.table.pending) == (0, None)


@pytest.mark.parametrize("event", [HitVerified, HitValidated, HitPaid])
def test_MD_HCF_11_B_9_a_hit_of_another_seat_is_not_moved_by_mistake(event):
    table = at_the_hit()
    for step in (HitVerified, HitValidated, HitPaid):
        if step is event:
            assert table.refused(step(3)).clause == clause("11.B.5")
        table.feed(step(5))
    assert table.refused(EnvyPaid(3)).clause == clause("11.B.5")


def test_MD_HCF_11_B_9_c_a_refusal_posts_the_exact_reverse():
    table = at_the_hit()
    locked = next(decision for decision in table.run.table.decisions if decision.kind == "hit_locked")
    assert locked.postings == (
        Posting("meter", "main", -1_234_627 * UNITS_PER_CENT),
        Posting("pending", "main", 1_234_627 * UNITS_PER_CENT),
        Posting("seed", "main", -500_000 * UNITS_PER_CENT),
        Posting("meter", "main", 500_000 * UNITS_PER_CENT),
    )
    table.feed(HitVerified(5))
    (reversed_hit,) = table.feed(HitRefused(5, "the light was off"))
    assert (reversed_hit.kind, reversed_hit.postings) == ("hit_reversed", reverse(locked.postings))
    assert reversed_hit.facts["hit"] == locked.facts["hit"]
    assert (cents(table.meter), table.account("pending"), table.run.table.pending) == (1_234_627, 0, None)
    assert "the light was off" in table.step.says


def test_MD_HCF_11_B_9_c_a_refused_hit_is_presented_again_under_a_new_number_and_paid():
    table = at_the_hit()
    table.feed(HitVerified(5), HitRefused(5, "look again"), HitPresented(5))
    assert table.run.table.pending.facts["hit"] == "12/5/2"
    assert cents(table.meter) == 500_000
    table.feed(HitVerified(5), HitValidated(5), HitPaid(5))
    assert table.verdicts(5)["progressive"] == ("win", 1_234_527, "12.E.1.c.ii")
    assert cents(table.account("paid")) == 1_234_627


def test_MD_HCF_11_B_9_c_a_denied_hit_pays_nothing_keeps_the_meter_and_brings_no_envy():
    table = at_the_hit()
    table.feed(HitVerified(5), HitRefused(5, "marked card"))
    for event in (HitVerified(5), HitPaid(5), HandShown(3), HitDenied(3, "wrong seat")):
        assert table.refused(event)
    table.feed(HitDenied(5, "marked card"))
    assert table.verdicts(5)["progressive"] == ("lose", -100, "11.B.9.c")
    assert cents(table.meter) == 1_234_627
    assert (table.step.state, table.step.seat) == ("settling", 3)
    assert table.decisions("envy_paid") == []


def test_MD_HCF_12_E_3_the_next_winner_waits_until_the_one_before_is_decided():
    table = worked_round(p1="8c 9c Tc Jc Qc Kc Qs").show(5)
    table.confirm()
    table.feed(HitVerified(5))
    assert table.refused(HandShown(3))
    table.feed(HitRefused(5, "wait"))
    assert table.refused(HandShown(3))
    assert len(table.decisions("hit_locked")) == 1


def test_MD_16_a_fixed_award_comes_out_of_the_tray_and_leaves_the_meter():
    table = Table().bets({1: {"ante": 1_000}}).lock(1).count().deal({1: P1, DEALER: DEALERS}).rack_stub()
    table.decide([Folded(1)]).reveal().show(1).confirm()
    assert cents(table.meter) == 1_234_587
    table.feed(HitVerified(1), HitValidated(1), HitPaid(1))
    assert cents(table.meter) == 1_234_587
    assert cents(table.account("paid")) == 300
    assert cents(table.account("inventory")) == 100 - 20 - 300


def test_X_06_a_tenth_of_the_meter_leaves_the_fraction_of_a_cent_on_it():
    game = make_game({"progressive": "A"}, rate=Fraction(123_456, 10**6), reset=3_000_000)
    table = Table(game, meter_cents=1_120_525).bets({1: {"ante": 1_000}}).lock(1).count()
    table.deal({1: SIX_IN_CLUBS, DEALER: DEALERS.replace("7c", "9c")}).rack_stub()
    table.decide([Raised(1, 3_000)]).reveal().show(1).confirm()
    before = 1_120_525 * UNITS_PER_CENT + 123_456
    assert table.meter == before - 112_053 * UNITS_PER_CENT  # a tenth of $11,205.37, cut to the cent
    assert table.run.table.pending.facts["amount"] == 112_053


# --- envy at the table --------------------------------------------------------------------------------------------


def play_hits(hands, *, shared=(), chips=(1, 2, 4), fold=()):
    """A round of antes with these hands; the boxes in `shared` belong to one player."""
    table = Table().bets({seat: {"ante": 1_000} for seat in hands})
    if shared:
        table.feed(BoxesShared(shared))
    table.lock(*chips).count().deal({**hands, DEALER: "Kh Th 8h 6h 3s 2s 2h"}).rack_stub()
    for seat in sorted(hands):
        table.feed(Folded(seat) if seat in fold else Raised(seat))
    table.reveal()
    while not table.run.finished:
        table.feed(table.step.confirm or HitValidated(table.step.seat))
    return {(fact["from_seat"], fact["seat"]) for fact in table.decisions("envy_paid")}


QUIET = "2c 9h Jd 4h Qd 5s 7s"


def test_MD_HCF_11_B_9_e_everyone_else_in_the_progressive_gets_envy():
    assert play_hits({1: QUIET, 2: SIX_IN_CLUBS, 4: SIX_IN_DIAMONDS}) == {(4, 1), (4, 2), (2, 1), (2, 4)}


def test_MD_HCF_11_B_9_e_iii_and_MD_13_shared_boxes_bring_each_other_no_envy():
    envy = play_hits({1: QUIET, 2: SIX_IN_CLUBS, 4: SIX_IN_DIAMONDS}, shared=(1, 2))
    assert envy == {(4, 1), (4, 2), (2, 4)}


def test_MD_13_a_hand_outside_the_progressive_brings_envy_and_receives_none():
    assert play_hits({1: QUIET, 2: SIX_IN_CLUBS, 4: SIX_IN_DIAMONDS}, chips=(1, 4)) == {(4, 1), (2, 1), (2, 4)}


def test_MD_12_a_folded_seat_in_the_progressive_brings_and_receives_envy():
    assert play_hits({1: QUIET, 2: SIX_IN_CLUBS, 4: SIX_IN_DIAMONDS}, fold=(1, 2)) == {(4, 1), (4, 2), (2, 1), (2, 4)}


def test_MD_HCF_11_B_4_a_a_folded_hand_racked_unseen_brings_no_envy():
    assert play_hits({1: QUIET, 2: SIX_IN_CLUBS}, chips=(1,), fold=(2,)) == set()


# --- what nobody keyed --------------------------------------------------------------------------------------------


def test_a_round_is_dealt_played_and_closed_with_every_base_amount_unknown():
    table = Table().bets({1: {"ante": None}, 3: {"ante": None, "flush_bonus": None}}).lock(3)
    table.count().deal({1: P1, 3: P2, DEALER: DEALERS}).rack_stub()
    table.decide([Raised(1), Raised(3)]).reveal().show(3)
    assert table.step.confirm == SeatSettled(3, (("ante", None), ("raise", None), ("flush_bonus", None)))
    assert "10 to 1" in table.step.says
    assert "$" not in table.step.says
    table.finish()
    assert table.verdicts(3) == {
        "ante": ("lose", None, "11.B.5.d.i"),
        "raise": ("lose", None, "11.B.5.d.i"),
        "flush_bonus": ("win", None, "12.B.1.c"),
        "progressive": ("lose", -100, "07.F.4"),
    }


def test_odds_become_dollars_when_the_stake_of_a_winner_is_keyed():
    table = Table().bets({3: {"ante": None, "flush_bonus": None}}).lock()
    table.deal({3: P2, DEALER: DEALERS}).rack_stub().decide([Raised(3)]).reveal().show(3)
    table.feed(WagerKeyed(3, "flush_bonus", 700))
    assert "$70.00" in table.step.says
    assert table.step.confirm == SeatSettled(3, (("ante", None), ("raise", None), ("flush_bonus", 7_000)))
    assert table.refused(WagerKeyed(3, "flush_bonus", 900))
    assert table.refused(WagerKeyed(3, "flush_bonus_", 900))
    table.finish()
    assert table.verdicts(3)["flush_bonus"] == ("win", 7_000, "12.B.1.c")


def test_an_amount_of_a_seat_that_is_settled_is_not_keyed_any_more():
    table = Table().bets({1: {"ante": None}, 5: {"ante": None}}).lock()
    table.deal({1: P1, 5: P3, DEALER: DEALERS}).rack_stub().decide([Raised(1), Raised(5)]).reveal().show(5)
    table.feed(WagerKeyed(1, "ante", 1_000))  # a seat still to come
    table.confirm()
    table.show(1)
    assert table.refused(WagerKeyed(5, "ante", 1_000)).clause == clause("11.B.5")


def test_a_played_round_with_unread_cards_has_them_keyed_at_the_reveal():
    table = Table(shoe_reads=False).bets({3: {"ante": 1_000}}).lock()
    table.confirm(2)
    table.feed(Raised(3, 2_000))
    assert table.step.confirm is None
    assert table.refused(DealerShown()).clause == clause("08.E")
    assert table.refused(DealerShown(cards(DEALERS)[:6])).clause == clause("08.E")
    assert table.refused(DealerShown((cards(DEALERS)[0], *cards(DEALERS)[:6]))).clause == clause("08.E")
    table.feed(DealerShown(cards(DEALERS)))
    assert table.refused(HandShown(3)).clause == clause("08.E")
    taken = table.refused(HandShown(3, cards(P2.replace("Ah", "Kh"))))
    assert (taken.clause, "Kh was dealt to the dealer" in taken.message) == (clause("03.A"), True)
    table.feed(HandShown(3, cards(P2)))
    assert table.step.confirm == SeatSettled(3, (("ante", -1_000), ("raise", -2_000)))


def test_cards_keyed_at_the_reveal_must_hold_what_the_shoe_read():
    table = Table().bets({3: {"ante": 1_000}}).lock()
    for number in range(7):
        table.feed(CardDealt(cards(P2)[number] if number != 4 else None), CardDealt(cards(DEALERS)[number]))
    table.rack_stub().decide([Raised(3, 1_000)]).reveal()
    wrong = table.refused(HandShown(3, cards(P2.replace("Kd", "Qd"))))
    assert (wrong.clause, "Kd" in wrong.message) == (clause("08.E"), False)  # it lies face down
    table.feed(HandShown(3, cards(P2)))
    assert table.run.table.hand(3).name == "five-card flush, king high"


def test_a_misread_card_is_settled_by_what_lies_there():
    table = Table().bets({3: {"ante": 1_000}}).lock()
    read = list(cards(P2))
    read[2] = cards(DEALERS)[0]  # the dealer's king of hearts once more
    for number in range(7):
        table.feed(CardDealt(read[number]), CardDealt(cards(DEALERS)[number]))
    assert len(table.decisions("misread")) == 1
    table.rack_stub().decide([Raised(3, 1_000)]).reveal()
    assert table.step.confirm is None
    table.feed(HandShown(3, cards(P2)))
    table.finish()


# --- a raise above its cap that only the turned-up hand shows -----------------------------------------------


def plain_round(ante, raised, text=P1):
    table = Table(shoe_reads=False).bets({1: {"ante": ante}}).lock()
    table.confirm(2)
    table.feed(Raised(1, raised), DealerShown(cards(DEALERS)), HandShown(1, cards(text)))
    return table


def test_X_03_the_excess_of_a_raise_is_returned_by_a_floorperson_and_the_rest_plays():
    table = plain_round(1_000, 3_000)
    assert (table.step.who, table.step.clause) == ("floorperson", clause("11.B.1"))
    assert RaiseCut.BY == "floorperson"
    assert table.refused(RaiseCut(3)).clause == clause("11.B.5")
    assert table.refused(SeatSettled(1, ()))
    table.feed(RaiseCut(1))
    assert [(fact["seat"], fact["returned"], fact["reading"]) for fact in table.decisions("raise_cut")] == [
        (1, 2_000, "X-03")
    ]
    assert table.step.confirm == SeatSettled(1, (("ante", -1_000), ("raise", -1_000)))


def test_X_03_a_raise_at_its_cap_is_left_alone():
    assert isinstance(plain_round(1_000, 2_000, P2).step.confirm, SeatSettled)
    assert isinstance(plain_round(1_000, 3_000, P3).step.confirm, SeatSettled)


def test_X_03_an_ante_keyed_at_settlement_brings_the_cap_with_it():
    table = plain_round(None, 3_000)
    assert table.step.confirm == SeatSettled(1, (("ante", None), ("raise", -3_000)))
    assert table.refused(WagerKeyed(1, "ante", 3_001)).clause == clause("11.B")  # a raise is never below the Ante
    table.feed(WagerKeyed(1, "ante", 1_000))
    assert table.step.who == "floorperson"
    table.feed(RaiseCut(1))
    assert table.step.confirm == SeatSettled(1, (("ante", -1_000), ("raise", -1_000)))


def test_X_03_a_raise_keyed_at_settlement_is_held_to_its_cap():
    table = plain_round(1_000, None)
    assert table.refused(WagerKeyed(1, "raise", 999)).clause == clause("11.B")
    table.feed(WagerKeyed(1, "raise", 2_500), RaiseCut(1))
    assert table.decisions("raise_cut")[0]["returned"] == 1_500
    assert table.step.confirm == SeatSettled(1, (("ante", -1_000), ("raise", -1_000)))


def test_an_ante_keyed_during_the_decisions_must_fit_the_raise_already_made():
    table = Table().bets({1: {"ante": None}, 3: {"ante": 1_000}}).lock()
    table.deal({1: P1, 3: P2, DEALER: DEALERS}).rack_stub()
    table.feed(Raised(1, 1_500))
    for ante in (1_000, 1_501):  # a three-card flush raises exactly its Ante
        refusal = table.refused(WagerKeyed(1, "ante", ante))
        assert (refusal.clause, "flush" in refusal.message) == (clause("11.B"), False)
    table.feed(WagerKeyed(1, "ante", 1_500))
    assert table.run.table.wagers[1] == {"ante": 1_500, "raise": 1_500}


def test_the_worked_round_lists_the_readings_it_rested_on_and_no_others():
    table = worked_round()
    while not table.run.finished:
        table.feed(table.step.confirm or HitValidated(table.step.seat))
    (closed,) = table.decisions("closed")
    assert closed["readings"] == [
        "MD-09", "MD-10", "MD-11", "MD-12", "MD-13", "MD-14", "MD-15", "MD-16", "MD-19", "MD-27", "MD-35",
        "X-01", "X-02", "X-04", "X-06", "X-07", "X-10", "X-12",
    ]  # fmt: skip
    assert set(closed["readings"]) <= set(table.run.table.game.rulebook.readings)
