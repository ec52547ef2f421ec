"""What holds for every round, tried on many: money is conserved, re-runs agree, refusals change nothing."""

import json
from fractions import Fraction
from itertools import permutations

import pytest
from hcf_rounds import ALL_TABLES, BOOK, make_game
from hypothesis import given, settings
from hypothesis import strategies as st
from random_dealer import RandomDealer, void

from firmware.rules.cards import DECK, Card, rank_of, suit_of
from firmware.rules.games.high_card_flush import SeatPlayed, settle_round
from firmware.rules.hands import evaluate
from firmware.rules.money import UNITS_PER_CENT, share_of_cents, whole_cents
from firmware.rules.postings import balanced, reverse
from firmware.rules.procedure.events import KINDS, event_from_json, event_json
from firmware.rules.procedure.run import rerun
from firmware.rules.progressive import contribute, lock_award
from firmware.rules.submission import MeterTerms
from firmware.rules.verdicts import RuleError

# The same examples every time: a build that fails must fail again when somebody looks.
few = settings(max_examples=60, deadline=None, derandomize=True)
many = settings(max_examples=200, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32)
games = st.builds(
    lambda flush, straight, progressive, limit, ace_low, rate: make_game(
        {"flush_bonus": flush, "straight_flush_bonus": straight, "progressive": progressive},
        payout_limit=limit, ace_low=ace_low, rate=rate, reset=3_000_000, limits={},
    ),
    st.sampled_from("ABCDEFGHIJKLMNO"), st.sampled_from("ABCDEFG"), st.sampled_from("ABCDE"),
    st.sampled_from((None, 5_000, 5_000_000)), st.booleans(),
    st.sampled_from((Fraction(20, 100), Fraction(1, 3 * 10**0) * Fraction(3, 10), Fraction(12_345, 10**6))),
)  # fmt: skip


# --- rounds at the table ----------------------------------------------------------------------------------------


@many
@given(games, seeds)
def test_a_random_dealer_is_never_stuck_and_never_meets_anything_but_a_rule_error(game, seed):
    run = RandomDealer(game, seed).play(wrong_moves=0.4)
    assert run.finished
    assert run.table.pending is None
    assert all(balanced(decision.postings) for decision in run.table.decisions)
    assert run.postings()["pending", "main"] == 0


def test_the_random_rounds_reach_every_state_of_the_procedure():
    """Otherwise the properties of this file would say less than they seem to."""
    states = set()
    kinds = set()
    for seed in range(250):
        dealer = RandomDealer(make_game({"progressive": "C", "flush_bonus": "A"}, limits={}), seed)
        while not dealer.run.finished:
            states.add(dealer.run.step.state)
            dealer.try_anything() if dealer.rng.random() < 0.3 else dealer.feed(dealer.right_move())
        kinds |= {decision.kind for decision in dealer.run.table.decisions}
    assert states == {
        "loading", "betting", "locked out", "counting", "dealing", "stub", "decisions", "forfeits", "reveal",
        "settling", "hit recognised", "hit pending", "hit validated", "hit refused", "envy", "difference", "racking",
        "void",
    }  # fmt: skip
    assert kinds == {
        "accepted", "refused", "contribution", "contribution_reversed", "chips_in_tray", "permit", "misread",
        "stub_counted", "dealer_hand", "raise_cut", "settled", "hit_locked", "hit_reversed", "hit_paid", "hit_denied",
        "envy_paid", "difference_resolved", "voided", "closed",
    }  # fmt: skip


@few
@given(games, seeds)
def test_money_is_conserved_and_the_round_at_the_table_comes_to_what_settle_says(game, seed):
    dealer = RandomDealer(game, seed, smooth=True)
    run = dealer.play()
    table = run.table
    if table.void_clause is not None:
        raise AssertionError("a smooth round is never void")
    contributed = sum(
        posting.units for postings in table.contributions.values() for posting in postings if posting.account == "meter"
    )
    locked_out_cents = whole_cents(table.facts.meter_units + contributed)
    seats = [
        SeatPlayed(seat, table.hand(seat), seat in table.folded, table.wagers[seat], table.players.get(seat))
        for seat in table.in_play
    ]
    told = settle_round(game, table.hand(0), seats, {"main": locked_out_cents}, {"main": 3_000_000})

    at_the_table = dict.fromkeys(table.in_play, 0)
    for decision in table.decisions:
        if decision.kind == "settled":
            at_the_table[decision.facts["seat"]] += sum(verdict["profit"] for verdict in decision.facts["verdicts"])
        elif decision.kind == "envy_paid":
            at_the_table[decision.facts["seat"]] += decision.facts["amount"]
    assert at_the_table == {seat.seat: seat.net for seat in told.seats}
    assert whole_cents(table.meter_units) == told.meters["main"]

    moved = run.postings()
    assert sum(moved.values()) == 0
    players = moved["paid", "main"] + moved["player", "main"]
    progressive = sum(
        item.profit for seat in told.seats for item in (*seat.wagers, *seat.awards)
        if getattr(item, "wager", "progressive") == "progressive"
    )  # fmt: skip
    assert players == progressive * UNITS_PER_CENT
    house = sum(moved[account, "main"] for account in ("meter", "inventory", "seed", "overflow", "reserve"))
    assert players + house == 0


@few
@given(games, seeds)
def test_a_round_run_again_over_its_entries_decides_the_same(game, seed):
    run = RandomDealer(game, seed).play(wrong_moves=0.2)
    again = rerun(game, run.table.facts, run.entries)
    assert again.digest() == run.digest()
    assert again.table == run.table
    journal = [event_from_json(json.loads(json.dumps(event_json(entry.event)))) for entry in run.entries]
    assert journal == [entry.event for entry in run.entries]


@few
@given(seeds, st.integers(0, 80))
def test_a_round_stopped_anywhere_and_run_again_stands_at_the_same_step(seed, moves):
    game = make_game()
    dealer = RandomDealer(game, seed)
    for _ in range(moves):
        if dealer.run.finished:
            break
        dealer.feed(dealer.right_move())
    again = rerun(game, dealer.run.table.facts, dealer.run.entries)
    assert (again.step, again.digest()) == (dealer.run.step, dealer.run.digest())


@few
@given(seeds, st.integers(0, 80))
def test_a_round_can_be_voided_until_a_seat_is_settled_and_then_moves_no_money(seed, moves):
    """Note X-08: whatever was contributed goes back exactly."""
    dealer = RandomDealer(make_game(), seed)
    for _ in range(moves):
        if not dealer.run.finished:
            dealer.feed(dealer.right_move())
    run = dealer.run
    event = void(run)
    settled = any(decision.kind in ("settled", "hit_paid", "envy_paid") for decision in run.table.decisions)
    if run.finished or settled or run.table.void_clause is not None:
        digest = run.digest()
        with pytest.raises(RuleError):
            dealer.feed(event)
        assert run.digest() == digest
        return
    dealer.feed(event)
    assert not any(run.postings().values())
    assert run.table.meter_units == run.table.facts.meter_units
    dealer.play()
    assert run.table.void_clause == "MD-HCF-13.B"


@few
@given(seeds)
def test_verify_never_changes_anything(seed):
    dealer = RandomDealer(make_game(), seed)
    while not dealer.run.finished:
        before = repr(dealer.run.table), dealer.run.step, list(dealer.run.entries)
        for _ in range(4):
            dealer.run.verify(dealer.anything())
        assert (repr(dealer.run.table), dealer.run.step, dealer.run.entries) == before
        dealer.feed(dealer.right_move())


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_event_goes_to_json_and_comes_back_the_same(kind):
    dealer = RandomDealer(make_game(), 5)
    seen = set()
    for _ in range(2_000):
        event = dealer.anything()
        if type(event) is kind:
            seen.add(event)
            assert event_from_json(json.loads(json.dumps(event_json(event)))) == event
    assert seen


# --- settlement -------------------------------------------------------------------------------------------------

WAGER_SETS = st.fixed_dictionaries(
    {"ante": st.sampled_from((500, 1_000, 2_500)), "raise": st.sampled_from((500, 1_000, 7_500))},
    optional={
        "flush_bonus": st.integers(100, 10_000),
        "straight_flush_bonus": st.integers(100, 10_000),
        "progressive": st.just(100),
    },
)


@st.composite
def dealt_rounds(draw):
    """Seats with cards and wagers, and the dealer's cards."""
    places = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    deck = draw(st.permutations(DECK)) if draw(st.booleans()) else rising_suits(draw)
    seats = []
    for number, seat in enumerate(places):
        folded = draw(st.booleans())
        wagers = draw(WAGER_SETS)
        if folded:
            del wagers["raise"]
        seats.append((seat, deck[7 * number : 7 * number + 7], folded, wagers))
    return seats, deck[42:49]


def rising_suits(draw):
    """A deck of long runs: the suits in order, started somewhere."""
    deck = sorted(DECK, key=lambda card: (suit_of(card), rank_of(card)))
    start = draw(st.integers(0, 51))
    return deck[start:] + deck[:start]


def settled(game, seats, dealer, meter=4_000_000):
    ace_low = game.submission.ace_low
    played = [SeatPlayed(seat, evaluate(cards, ace_low), folded, wagers) for seat, cards, folded, wagers in seats]
    return settle_round(game, evaluate(dealer, ace_low), played, {"main": meter}, {"main": 3_000_000})


@many
@given(games, dealt_rounds())
def test_MD_HCF_12_D_the_payout_limit_is_never_exceeded_and_is_paid_in_full_when_it_bites(game, dealt):
    limit = game.submission.payout_limit
    free = make_game(
        {wager: table.letter for wager, table in game.submission.paytables.items()},
        payout_limit=None, ace_low=game.submission.ace_low,
    )  # fmt: skip
    for bound, unbound in zip(settled(game, *dealt).seats, settled(free, *dealt).seats, strict=True):
        won, due = (
            sum(item.profit for item in verdict.wagers if "bonus" in item.wager and item.result == "win")
            for verdict in (bound, unbound)
        )
        assert won == (due if limit is None else min(due, limit))


@few
@given(games, dealt_rounds(), st.sampled_from(list(permutations(range(4)))))
def test_MD_HCF_06_B_suits_exchanged_give_the_same_verdicts(game, dealt, suits):
    def exchange(cards):
        return [Card(4 * rank_of(card) + suits[suit_of(card)]) for card in cards]

    seats, dealer = dealt
    exchanged = [(seat, exchange(cards), folded, wagers) for seat, cards, folded, wagers in seats]
    assert settled(game, seats, dealer) == settled(game, exchanged, exchange(dealer))


@few
@given(games, dealt_rounds(), st.randoms(use_true_random=False))
def test_the_order_in_which_seats_and_cards_are_listed_does_not_matter(game, dealt, rng):
    seats, dealer = dealt
    mixed = [(seat, rng.sample(cards, 7), folded, wagers) for seat, cards, folded, wagers in seats]
    rng.shuffle(mixed)
    assert settled(game, seats, dealer) == settled(game, mixed, rng.sample(dealer, 7))


@many
@given(
    st.integers(0, 10**16),
    st.sampled_from([line for table in BOOK.wagers["progressive"].paytables.values() for line in table.lines.values()]),
)
def test_X_06_a_share_never_loses_a_fraction(units, line):
    """Meter before and reset put in = award + meter after, to the unit."""
    award = lock_award(line, units, 3_000_000, "main")
    meter = sum(posting.units for posting in award.postings if posting.account == "meter")
    seed = sum(posting.units for posting in award.postings if posting.account == "seed")
    tray = sum(posting.units for posting in award.postings if posting.account == "inventory")
    assert balanced(award.postings)
    assert units - seed - tray == award.cents * UNITS_PER_CENT + units + meter
    assert units + meter >= 0
    assert balanced(award.postings + reverse(award.postings))


@many
@given(st.integers(0, 10**12), st.fractions(0, 1, max_denominator=100))
def test_X_06_a_share_is_the_exact_one_cut_to_the_cent(cents, share):
    assert 0 <= cents * share - share_of_cents(cents, share) < 1


@many
@given(st.integers(1, 100), st.integers(0, 5_000_100 * UNITS_PER_CENT))
def test_what_a_wager_adds_goes_to_the_meter_up_to_its_limit_and_to_overflow_above(percent, units_now):
    terms = MeterTerms("progressive", 100, Fraction(percent, 100), 500_000, 500_000, 5_000_000)
    postings = contribute("main", terms, units_now)
    net = {account: sum(p.units for p in postings if p.account == account) for account in ("meter", "overflow")}
    assert balanced(postings)
    assert net["meter"] + net["overflow"] == percent * UNITS_PER_CENT
    assert units_now + net["meter"] <= max(units_now, terms.limit * UNITS_PER_CENT)
    assert net["overflow"] == 0 or units_now + net["meter"] >= terms.limit * UNITS_PER_CENT


def test_the_tables_used_here_are_all_offered():
    assert set(ALL_TABLES) == {name for name, rules in BOOK.wagers.items() if rules.paytables}
