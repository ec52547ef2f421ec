"""Chapters 7, 8 and 11 at the table, from open bets to the dealer's reveal: what is asked when, taken and refused."""

import re

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

from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.procedure.events import (
    AnteAnswered,
    BoxesShared,
    CardDealt,
    CardsRacked,
    ChipsCounted,
    ChipStruck,
    DealConfirmed,
    DealerShown,
    FeltStated,
    Folded,
    ForfeitsTaken,
    HandsCounted,
    HandShown,
    LockedOut,
    Raised,
    SeatSettled,
    ShoeLoaded,
    StubCounted,
    StubRacked,
    WagerCleared,
    WagerKeyed,
)

ANTE = {"ante": 1_000}


def open_table(**kwargs):
    return Table(**kwargs).bets({})


# --- Chapter 7: wagers ------------------------------------------------------------------------------------------


def test_MD_HCF_08_B_nothing_is_bet_before_the_shoe_is_loaded():
    table = Table()
    assert (table.step.state, table.step.clause) == ("loading", clause("08.B"))
    assert "10" in table.step.says  # the cut, at least ten deep
    assert table.refused(WagerKeyed(1, "ante", 1_000)).clause == clause("08.B")
    table.feed(ShoeLoaded())
    assert table.step.state == "betting"


def test_MD_HCF_07_D_wagers_are_keyed_changed_their_mind_and_cleared_until_lock_out():
    table = open_table()
    table.feed(WagerKeyed(2, "ante"), WagerKeyed(2, "flush_bonus", 500), WagerKeyed(2, "ante", 2_000))
    table.feed(WagerKeyed(4, "ante", 1_000), WagerCleared(4, "ante"), WagerCleared(2, "flush_bonus"))
    assert table.run.table.in_play == [2]
    assert table.run.table.wagers[2] == {"ante": 2_000}


def test_MD_HCF_07_F_only_the_wagers_of_the_game_that_this_table_offers_are_taken():
    table = open_table(game=make_game({"flush_bonus": "A"}))
    table.feed(WagerKeyed(1, "ante", 1_000))
    for wager in ("super_bonus", "straight_flush_bonus", "progressive"):
        refusal = table.refused(WagerKeyed(1, wager, 500))
        assert (refusal.clause, wager.replace("_", " ") in refusal.message) == (clause("07.F"), True)


def test_MD_HCF_07_F_1_a_bonus_needs_an_ante_and_an_ante_with_a_bonus_cannot_be_cleared():
    table = open_table()
    assert table.refused(WagerKeyed(3, "flush_bonus", 500)).clause == clause("07.F.1")
    table.feed(WagerKeyed(3, "ante", 1_000), WagerKeyed(3, "flush_bonus", 500))
    assert table.refused(WagerCleared(3, "ante")).clause == clause("07.F.1")
    assert table.refused(WagerCleared(3, "straight_flush_bonus")).clause is None


def test_MD_HCF_07_F_1_a_raise_is_not_keyed_before_the_decisions():
    table = open_table()
    table.feed(WagerKeyed(3, "ante", 1_000))
    assert table.refused(WagerKeyed(3, "raise", 1_000)).clause == clause("11.B")


def test_MD_HCF_07_F_4_a_the_progressive_is_never_keyed():
    table = open_table()
    table.feed(WagerKeyed(3, "ante", 1_000))
    assert table.refused(WagerKeyed(3, "progressive", 100)).clause == clause("07.F.4.a")


@pytest.mark.parametrize("seat", [-1, 0, 7])
def test_MD_HCF_02_A_there_are_seats_1_to_6_and_no_others(seat):
    refusal = open_table().refused(WagerKeyed(seat, "ante", 1_000))
    assert (refusal.clause, "1 to 6" in refusal.message) == (clause("02.A"), True)


def test_the_posted_limits_hold_on_both_sides_and_an_amount_is_above_nothing():
    table = open_table()
    for cents in (499, 50_001):
        assert "$5.00 to $500.00" in table.refused(WagerKeyed(1, "ante", cents)).message
    table.feed(WagerKeyed(1, "ante", 500), WagerKeyed(2, "ante", 50_000))
    for cents in (0, -500):
        assert table.refused(WagerKeyed(1, "straight_flush_bonus", cents))


def test_an_amount_on_record_changes_as_a_correction_only():
    table = open_table()
    table.feed(WagerKeyed(1, "ante", 1_000), WagerKeyed(2, "ante"))
    assert "$10.00" in table.refused(WagerKeyed(1, "ante", 2_000)).message
    assert table.refused(WagerKeyed(2, "ante"))
    table.feed(WagerKeyed(2, "ante", 1_500))
    assert table.run.table.wagers == {1: {"ante": 1_000}, 2: {"ante": 1_500}}


@pytest.mark.parametrize(
    ("seats", "legal"),
    [((1, 2), True), ((3, 2), True), ((2, 3, 4), True), ((1, 3), False), ((1, 1), False), ((1,), False), ((), False),
     ((1, 2, 3, 4), False), ((6, 7), False)],
)  # fmt: skip
def test_MD_HCF_07_G_one_player_bets_on_neighbouring_boxes_up_to_the_submitted_number(seats, legal):
    table = open_table(game=make_game(boxes_per_player=3))
    if not legal:
        assert table.refused(BoxesShared(seats)).clause in (clause("07.G"), clause("02.A"))
        return
    table.feed(BoxesShared(seats))
    assert len({table.run.table.players[seat] for seat in seats}) == 1


def test_MD_HCF_07_G_boxes_shared_in_two_steps_are_one_players_and_count_together():
    table = open_table(game=make_game(boxes_per_player=3))
    for seats in ((1, 2), (2, 3)):
        table.feed(BoxesShared(seats))
    assert len({table.run.table.players[seat] for seat in (1, 2, 3)}) == 1
    assert table.refused(BoxesShared((3, 4))).clause == clause("07.G")


# --- lock-out and chips -------------------------------------------------------------------------------------------


def test_MD_HCF_07_E_after_lock_out_nothing_is_bet_and_a_second_lock_out_is_refused():
    table = worked_round(until="decisions")
    assert table.refused(WagerKeyed(2, "ante", 1_000)).clause == clause("07.E")
    assert table.refused(WagerKeyed(3, "straight_flush_bonus", 500)).clause == clause("07.E")
    assert table.refused(WagerCleared(1, "flush_bonus"))
    assert table.refused(LockedOut(()))


def test_MD_HCF_08_C_1_and_X_07_lock_out_accepts_the_chips_in_time_and_feeds_the_meter():
    table = Table().bets(WORKED_WAGERS)
    assert not table.run.table.locked_out
    table.lock(1, 3, 5)
    assert table.run.table.locked_out
    assert table.run.table.accepted == [1, 3, 5]
    assert [fact["clause"] for fact in table.decisions("accepted")] == [clause("08.C.1")] * 3
    assert table.meter == (1_234_567 + 60) * UNITS_PER_CENT
    assert table.account("player") == -300 * UNITS_PER_CENT
    assert table.account("inventory") == (300 - 60) * UNITS_PER_CENT


@pytest.mark.parametrize(
    ("reading", "tail"),
    [("late", "02.C.2"), ("lifted", "07.E"), ("contradiction", "02.C.1"), ("stuck", "02.C.1")],
)
def test_MD_HCF_02_C_a_chip_that_was_not_in_time_is_refused_with_its_reason_and_feeds_nothing(reading, tail):
    table = Table().bets({1: ANTE, 4: ANTE}).lock(1, seat4=reading)
    assert table.run.table.accepted == [1]
    refused = table.decisions("refused")
    assert [(fact["seat"], fact["reading"], fact["clause"]) for fact in refused] == [(4, reading, clause(tail))]
    assert "progressive" not in table.run.table.wagers[4]
    assert table.meter == (1_234_567 + 20) * UNITS_PER_CENT


def test_MD_HCF_07_F_4_a_a_chip_without_an_ante_is_asked_about_and_counts_only_with_one():
    table = Table().bets({2: ANTE}).lock(1, 2, 5)
    assert (table.step.seat, table.step.clause) == (1, clause("07.F.4.a"))
    assert table.refused(AnteAnswered(5, True))
    assert table.refused(ChipsCounted(3))
    table.feed(AnteAnswered(1, False))
    assert table.step.seat == 5
    table.feed(AnteAnswered(5, True))
    assert table.run.table.accepted == [2, 5]
    assert table.run.table.wagers[5] == {"ante": None, "progressive": 100}
    assert [(fact["seat"], fact["reading"]) for fact in table.decisions("refused")] == [(1, "no ante")]
    assert table.step.state == "counting"


def test_MD_HCF_07_F_1_without_an_ante_nothing_is_dealt_until_one_is_touched():
    table = Table().bets({}).lock()
    assert (table.step.state, table.step.clause) == ("locked out", clause("07.F.1"))
    assert table.refused(CardDealt(cards("4c")[0]))
    table.feed(WagerKeyed(6, "ante"))
    assert table.step.state == "dealing"


def test_a_table_without_the_progressive_ignores_its_sensors():
    table = Table(make_game({"flush_bonus": "A"})).bets({1: ANTE}).lock(1, seat2="late")
    assert (table.run.table.accepted, table.decisions("refused"), table.step.state) == ([], [], "dealing")


def test_MD_HCF_08_C_2_b_the_chips_counted_must_be_the_wagers_accepted():
    table = worked_round(until="counting")
    assert "3 accepted" in table.step.says
    for count in (2, 4):
        assert table.refused(ChipsCounted(count)).clause == clause("08.C.2.b")
    table.feed(ChipsCounted(3))
    assert table.decisions("chips_in_tray") == [{"count": 3, "clause": clause("08.C.2.c")}]
    assert table.step.state == "dealing"


def test_MD_HCF_08_C_2_b_a_floorperson_strikes_a_chip_that_is_not_there_and_its_contribution_goes_back():
    table = worked_round(until="counting")
    assert ChipStruck.BY == "floorperson"
    assert table.refused(ChipStruck(2, "no chip")).clause == clause("08.C.2.b")
    table.feed(ChipStruck(3, "no chip at seat 3"))
    assert table.run.table.accepted == [1, 5]
    assert "progressive" not in table.run.table.wagers[3]
    assert table.meter == (1_234_567 + 40) * UNITS_PER_CENT
    assert table.account("player") == -200 * UNITS_PER_CENT
    assert table.refused(ChipsCounted(3))
    table.feed(ChipStruck(1, "none"), ChipStruck(5, "none"))
    assert table.step.state == "dealing"  # no chip left to count
    assert not any(table.run.postings().values())


# --- the deal -----------------------------------------------------------------------------------------------------


def test_MD_HCF_08_C_a_deal_permit_exists_only_after_lock_out_and_the_chip_count():
    table = worked_round(until="counting")
    assert table.decisions("permit") == []
    assert table.refused(CardDealt(None))
    table.count()
    assert [(fact["number"], fact["purpose"], fact["cards"]) for fact in table.decisions("permit")] == [
        (40, "deal", 28)
    ]


def test_MD_HCF_08_E_cards_go_clockwise_from_the_far_left_one_at_a_time_the_dealer_last():
    table = worked_round(until="dealing")
    places = []
    for number in range(28):
        places.append(table.step.seat)
        whom = "yourself" if table.step.seat is None else f"seat {table.step.seat}"
        assert (f"card {number + 1} of 28" in table.step.says, whom in table.step.says) == (True, True)
        table.feed(CardDealt(number))
    assert places == [1, 3, 5, None] * 7
    assert table.run.table.hands[3][:2] == [1, 5]
    assert table.step.state == "stub"


def test_MD_HCF_08_E_the_worked_round_deals_28_cards_to_the_right_hands():
    table = worked_round(until="decisions")
    for place, text in WORKED_HANDS.items():
        assert table.run.table.hands[place] == list(cards(text))


def test_MD_HCF_08_E_a_card_read_twice_is_a_misread_to_be_keyed_at_the_reveal():
    table = Table().bets({1: ANTE}).lock()
    table.feed(CardDealt(cards("4c")[0]), CardDealt(cards("4c")[0]))
    assert [(fact["place"], fact["clause"]) for fact in table.decisions("misread")] == [(DEALER, clause("08.E"))]
    assert table.run.table.hands[DEALER] == [None]


def test_after_an_unknown_permit_the_floorperson_states_the_felt_and_a_new_permit_deals_the_rest():
    table = worked_round(until="dealing")
    table.feed(*(CardDealt(card) for card in cards("4c Kd 6s Kh 5c")))
    assert FeltStated.BY == "floorperson"
    for stated in (4, 29):
        assert table.refused(FeltStated(stated)).clause == clause("08.E")
    table.feed(FeltStated(9))
    assert [(fact["number"], fact["cards"]) for fact in table.decisions("permit")] == [(40, 28), (41, 19)]
    assert [len(table.run.table.hands[place]) for place in (1, 3, 5, DEALER)] == [3, 2, 2, 2]
    assert table.run.table.hands[3] == [cards("Kd")[0], None]
    assert table.step.seat == 3


def test_a_felt_that_holds_every_card_needs_no_further_permit():
    table = worked_round(until="dealing")
    table.feed(FeltStated(28))
    assert len(table.decisions("permit")) == 1
    assert table.step.state == "stub"


def test_a_plain_shoe_is_dealt_in_one_confirmation():
    table = Table(shoe_reads=False).bets({1: ANTE, 2: ANTE}).lock()
    assert table.step.confirm == DealConfirmed()
    assert table.refused(CardDealt(None))
    table.confirm()
    assert table.run.table.hands == {place: [None] * 7 for place in (1, 2, DEALER)}
    assert table.decisions("permit") == []


# --- the stub -----------------------------------------------------------------------------------------------------


def dealt(stub_count_due):
    return Table(stub_count_due=stub_count_due).bets({1: ANTE, 3: ANTE}).lock().deal({1: P1, 3: P2, DEALER: DEALERS})


def test_MD_HCF_08_F_without_a_count_due_the_stub_is_racked_unseen():
    table = dealt(stub_count_due=False)
    assert (table.step.clause, table.step.confirm) == (clause("08.F"), StubRacked())
    table.confirm()
    assert table.step.state == "decisions"
    assert table.decisions("stub_counted") == []


def test_MD_HCF_08_G_a_due_count_cannot_be_passed_by():
    table = dealt(stub_count_due=True)
    assert (table.step.clause, table.step.confirm) == (clause("08.G"), None)
    assert table.refused(StubRacked()).clause == clause("08.G")
    assert table.refused(Folded(1))


@pytest.mark.parametrize("stub_count_due", [True, False])
def test_MD_HCF_08_I_a_count_that_makes_52_is_recorded(stub_count_due):
    table = dealt(stub_count_due)
    table.feed(StubCounted(52 - 21))
    assert table.decisions("stub_counted") == [{"cards": 31, "clause": clause("08.I")}]
    assert table.step.state == "decisions"


def test_MD_HCF_08_J_a_wrong_count_asks_for_every_hand_or_a_second_count():
    table = dealt(stub_count_due=True)
    table.feed(StubCounted(30))
    assert table.step.clause == clause("08.J")
    assert ("30" in table.step.says, "31" in table.step.says) == (True, True)
    for counts in (((1, 7), (3, 7)), ((1, 7), (3, 7), (5, 7)), ((1, 7), (1, 7), (3, 7), (DEALER, 7))):
        assert table.refused(HandsCounted(counts)).clause == clause("08.J")
    table.feed(StubCounted(29))
    assert "29" in table.step.says
    table.feed(StubCounted(31))
    assert table.step.state == "decisions"


def misdealt(stub, *counts):
    table = Table(stub_count_due=True).bets(WORKED_WAGERS).lock(1, 3, 5).count().deal(WORKED_HANDS)
    table.feed(StubCounted(stub), HandsCounted(tuple(zip((1, 3, 5, DEALER), counts, strict=True))))
    return table


@pytest.mark.parametrize(
    ("stub", "counts", "tail", "removes_deck"),
    [
        pytest.param(23, (7, 8, 7, 7), "08.J.1", False, id="misdeal, 52 cards"),
        pytest.param(25, (7, 7, 7, 6), "08.J.1", False, id="misdeal at the dealer, 52 cards"),
        pytest.param(23, (7, 7, 7, 7), "08.J.2", True, id="right hands, 51 cards"),
        pytest.param(23, (7, 6, 7, 7), "08.J.2", True, id="X-05: misdeal and 50 cards"),
    ],
)
def test_MD_HCF_08_J_a_wrong_count_voids_the_round_and_a_wrong_deck_leaves_the_table(stub, counts, tail, removes_deck):
    table = misdealt(stub, *counts)
    assert table.run.table.void_clause == clause(tail)
    voided = table.decisions("voided")[0]
    assert (voided["clause"], voided["removes_deck"]) == (clause(tail), removes_deck)
    assert ("deck leaves" in table.step.says) is removes_deck
    assert voided["returned"]["5"] == {
        "ante": 1_000,
        "flush_bonus": 500,
        "straight_flush_bonus": 500,
        "progressive": 100,
    }
    assert not any(table.run.postings().values())
    table.confirm()
    assert table.run.finished


# --- decisions ----------------------------------------------------------------------------------------------------


def test_MD_HCF_11_B_seats_decide_clockwise_and_out_of_turn_is_refused():
    table = worked_round(until="decisions")
    for seat, decision in zip((1, 3, 5), WORKED_DECISIONS, strict=True):
        assert (table.step.seat, table.step.clause) == (seat, clause("11.B"))
        for other in {1, 3, 5} - {seat}:
            assert table.refused(Folded(other)).clause == clause("11.B")
        assert table.refused(Raised(9, 1_000)).clause == clause("02.A")
        assert table.refused(DealerShown())
        table.feed(decision)
    assert table.step.state == "forfeits"


@pytest.mark.parametrize(
    ("text", "cap"),
    [
        pytest.param("Kd Td 8c 5c 3h 2s Ah", 1, id="two-card flush"),
        pytest.param("Kd Td 8d 5c 3h 2s Ah", 1, id="three-card flush"),
        pytest.param("Kd Td 8d 5d 3h 2s Ah", 1, id="MD-HCF-11.B.1"),
        pytest.param("Kd Td 8d 5d 3d 2s Ah", 2, id="MD-HCF-11.B.2"),
        pytest.param("Kd Td 8d 5d 3d 2d Ah", 3, id="MD-HCF-11.B.3 with six"),
        pytest.param("Kd Td 8d 5d 3d 2d Ad", 3, id="MD-HCF-11.B.3 with seven"),
    ],
)
def test_MD_HCF_11_B_1_to_3_a_raise_beyond_the_cap_is_refused_without_a_word_about_the_hand(text, cap):
    table = Table().bets({3: ANTE}).lock().deal({3: text, DEALER: "Kh Th 8h 6h 3s 7c 2c"}).rack_stub()
    for cents in (0, -1_000, 999, cap * 1_000 + 1, 100_000):
        refusal = table.refused(Raised(3, cents))
        told = f"{refusal.message} {refusal.clause}"
        assert not re.search(r"\b[2-9TJQKA][cdhs]\b", told), told
        assert not re.search(r"flush|two|three|four|five|six|seven|11\.B\.\d", told), told
    table.feed(Raised(3, cap * 1_000))
    assert table.run.table.wagers[3]["raise"] == cap * 1_000


def test_MD_HCF_11_B_a_hand_the_shoe_did_not_read_is_held_to_the_widest_cap():
    table = Table(shoe_reads=False).bets({3: ANTE}).lock()
    table.confirm(2)
    for cents in (999, 3_001):
        assert table.refused(Raised(3, cents))
    table.feed(Raised(3, 3_000))


def test_MD_HCF_11_B_4_a_forfeits_name_whose_ante_goes_and_whose_cards_stay():
    table = Table().bets({1: ANTE, 2: {"ante": 1_000, "flush_bonus": 500}, 3: ANTE}).lock(3)
    table.count().deal({1: P1, 2: P3, 3: P2, DEALER: DEALERS}).rack_stub()
    table.decide([Folded(1), Folded(2), Folded(3)])
    assert (table.step.clause, table.step.confirm) == (clause("11.B.4.a"), ForfeitsTaken())
    assert "Rack the cards of seat 1." in table.step.says
    assert "Leave the cards of seats 2 and 3." in table.step.says


def test_MD_HCF_11_B_4_a_without_a_fold_there_is_nothing_to_take():
    table = Table().bets({1: ANTE}).lock().deal({1: P1, DEALER: DEALERS}).rack_stub()
    table.feed(Raised(1, 1_000))
    assert table.step.state == "reveal"


def test_MD_HCF_11_B_4_b_the_dealer_shows_only_when_every_seat_has_decided():
    table = worked_round(until="forfeits")
    assert table.refused(DealerShown())
    table.confirm(2)
    assert table.decisions("dealer_hand") == [
        {"hand": "five-card flush, king high", "qualifies": True, "clause": clause("11.B.5.c")}
    ]


def test_MD_HCF_11_B_5_settlement_runs_counter_clockwise_and_passes_racked_hands():
    table = Table().bets({1: ANTE, 2: ANTE, 4: ANTE, 6: ANTE}).lock()
    hands = {1: P1, 2: P2, 4: P3, 6: "2c 3c 7d Qd 9h Jh As"}
    table.deal({**hands, DEALER: DEALERS}).rack_stub()
    table.decide([Raised(1, 1_000), Folded(2), Raised(4, 1_000), Raised(6, 1_000)]).reveal()
    order = []
    while table.step.state == "settling":
        order.append(table.step.seat)
        assert table.refused(HandShown(2))
        table.confirm(2)
    assert order == [6, 4, 1]
    assert table.verdicts(2) == {"ante": ("lose", -1_000, "11.B")}
    assert 2 not in table.run.table.face_up
    table.finish()


def test_MD_HCF_11_B_5_a_seat_out_of_turn_is_not_settled():
    table = worked_round().show(5)
    told = table.step.confirm.told
    assert table.refused(SeatSettled(3, told)).clause == clause("11.B.5")


def test_MD_HCF_11_C_the_round_closes_when_the_cards_are_racked():
    table = Table().bets({1: ANTE}).lock().deal({1: P1, DEALER: DEALERS}).rack_stub()
    table.decide([Folded(1)]).reveal()
    assert (table.step.state, table.step.clause) == ("racking", clause("11.C"))
    decided = table.feed(CardsRacked())
    assert [decision.kind for decision in decided] == ["closed"]
    assert table.run.finished
