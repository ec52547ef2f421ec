"""What the High Card Flush tests share: a game with chosen paytables, hands from text, and a table to play at."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from firmware.config.rulebooks import load_rulebook
from firmware.rules.cards import Card, parse_cards
from firmware.rules.games.high_card_flush import HighCardFlush, SeatPlayed
from firmware.rules.hands import FlushHand, evaluate
from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.postings import balanced
from firmware.rules.procedure.events import (
    CardDealt,
    ChipsCounted,
    DealerShown,
    Event,
    Folded,
    HandShown,
    LockedOut,
    Raised,
    ShoeLoaded,
    WagerKeyed,
)
from firmware.rules.procedure.round import Decision, RoundFacts
from firmware.rules.procedure.run import Correction, RoundRun, correct
from firmware.rules.procedure.steps import Step
from firmware.rules.submission import Limits, MeterTerms, Submission
from firmware.rules.verdicts import Refusal, RuleError, Stake

BOOK = load_rulebook("md-high-card-flush")
ALL_TABLES = {"flush_bonus": "A", "straight_flush_bonus": "A", "progressive": "C"}
DEALER = 0

# The worked round of the notes, section 4.2.
P1 = "4c 5c 6c 9d Jd 2h Qs"
P2 = "Kd Td 8d 5d 3d 2s Ah"
P3 = "6s 7s 8s 9s Ts Js 4h"
DEALERS = "Kh Th 8h 6h 3h 7c 2d"


def clause(tail: str) -> str:
    return f"MD-HCF-{tail}"


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


def hand(text: str, ace_low: bool = False) -> FlushHand:
    held = cards(text)
    assert len(set(held)) == 7, text
    return evaluate(held, ace_low)


def make_game(
    paytables: Mapping[str, str] = ALL_TABLES,
    *,
    rate: Fraction = Fraction(20, 100),
    reset: int = 500_000,
    meter_limit: int = 99_999_999_99,
    **changes: Any,
) -> HighCardFlush:
    settings: dict[str, Any] = {
        "rulebook": BOOK,
        "paytables": {wager: BOOK.wagers[wager].paytable(letter) for wager, letter in paytables.items()},
        "payout_limit": 5_000_000,
        "limits": {"ante": Limits(500, 50_000), "flush_bonus": Limits(500, 10_000)},
        "meters": {"main": MeterTerms("progressive", 100, rate, reset, reset, meter_limit)},
    }
    return HighCardFlush(Submission(**(settings | changes)))


def seat_played(
    seat: int, text: str, *, folded: bool = False, player: str | None = None, ace_low: bool = False, **wagers: Stake
) -> SeatPlayed:
    return SeatPlayed(seat, hand(text, ace_low), folded, wagers, player)


class Table:
    """A round being played, with the dealer's usual moves; every refusal is checked to change nothing."""

    def __init__(
        self,
        game: HighCardFlush | None = None,
        *,
        meter_cents: int = 1_234_567,
        stub_count_due: bool = False,
        shoe_reads: bool = True,
    ) -> None:
        self.game = game or make_game()
        facts = RoundFacts(12, meter_cents * UNITS_PER_CENT, stub_count_due, shoe_reads, 40)
        self.run = RoundRun(self.game, facts)
        self.seq = 100

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        assert self.run.step is not None, "the round is closed"
        return self.run.step

    @property
    def meter(self) -> int:
        """The meter in units."""
        return self.run.table.meter_units

    def decisions(self, kind: str) -> list[Mapping[str, Any]]:
        return [decision.facts for decision in self.run.table.decisions if decision.kind == kind]

    def verdicts(self, seat: int) -> dict[str, tuple[str, int | None, str]]:
        """Wager to (result, profit, clause tail) as settled."""
        found = {}
        for settled in self.decisions("settled"):
            if settled["seat"] == seat:
                for verdict in settled["verdicts"]:
                    tail = verdict["clause"].removeprefix("MD-HCF-")
                    found[verdict["wager"]] = (verdict["result"], verdict["profit"], tail)
        return found

    def account(self, name: str) -> int:
        """Net movement of an account in this round, in units."""
        return self.run.postings()[name, "main"]

    # --- doing -----------------------------------------------------------------------------------------------

    def feed(self, *events: Event) -> tuple[Decision, ...]:
        decided: tuple[Decision, ...] = ()
        for event in events:
            self.seq += 1
            decided = self.run.feed(self.seq, event)
            assert all(balanced(decision.postings) for decision in decided)
        return decided

    def confirm(self, times: int = 1) -> tuple[Decision, ...]:
        decided: tuple[Decision, ...] = ()
        for _ in range(times):
            assert self.step.confirm is not None, self.step
            decided = self.feed(self.step.confirm)
        return decided

    def refused(self, event: Event) -> Refusal:
        before, step, entries = self.run.digest(), self.run.step, list(self.run.entries)
        refusal = self.run.verify(event)
        assert refusal is not None, f"{event} should be refused"
        with pytest.raises(RuleError) as caught:
            self.run.feed(self.seq + 1, event)
        assert caught.value.refusal == refusal
        assert (self.run.digest(), self.run.step, self.run.entries) == (before, step, entries)
        return refusal

    def correct(self, target: int | None, event: Event | None) -> None:
        self.seq += 1
        self.run = correct(self.run, Correction(target, event, "the dealer keyed it wrong"), self.seq)

    def seq_of(self, kind: type[Event], number: int = 0) -> int:
        """Record number of the n-th entry of a kind."""
        return [entry.seq for entry in self.run.entries if type(entry.event) is kind][number]

    # --- the usual moves -------------------------------------------------------------------------------------

    def bets(self, wagers: Mapping[int, Mapping[str, Stake]]) -> "Table":
        self.feed(ShoeLoaded())
        for seat, placed in wagers.items():
            for wager, cents in placed.items():
                self.feed(WagerKeyed(seat, wager, cents))
        return self

    def lock(self, *in_time: int, **others: str) -> "Table":
        """Lock-out with chips in time at these seats; others as `seat5="late"`."""
        readings = [(seat, "in time") for seat in in_time]
        readings += [(int(name.removeprefix("seat")), reading) for name, reading in others.items()]
        self.feed(LockedOut(tuple(sorted(readings))))
        return self

    def count(self) -> "Table":
        if self.run.table.accepted:
            self.feed(ChipsCounted(len(self.run.table.accepted)))
        return self

    def deal(self, hands: Mapping[int, str]) -> "Table":
        """The hands by seat, the dealer's as 0, out of a reading shoe."""
        order = [*sorted(seat for seat in hands if seat), DEALER]
        held = {place: cards(hands[place]) for place in order}
        for number in range(7):
            for place in order:
                self.feed(CardDealt(held[place][number]))
        return self

    def rack_stub(self) -> "Table":
        self.confirm()
        return self

    def decide(self, decisions: Sequence[Event]) -> "Table":
        self.feed(*decisions)
        return self

    def reveal(self) -> "Table":
        """Forfeits if any, then the dealer's hand."""
        while self.step.state == "forfeits":
            self.confirm()
        self.feed(DealerShown())
        return self

    def show(self, seat: int) -> "Table":
        self.feed(HandShown(seat))
        return self

    def finish(self) -> "Table":
        """Confirm whatever is left."""
        while not self.run.finished:
            self.confirm()
        return self


WORKED_WAGERS: Mapping[int, Mapping[str, Stake]] = {
    1: {"ante": 1_000, "flush_bonus": 500, "straight_flush_bonus": 500},
    3: {"ante": 1_000, "flush_bonus": 500},
    5: {"ante": 1_000, "flush_bonus": 500, "straight_flush_bonus": 500},
}
WORKED_HANDS = {1: P1, 3: P2, 5: P3, DEALER: DEALERS}
WORKED_DECISIONS = (Folded(1), Raised(3, 2_000), Raised(5, 3_000))


def worked_round(*, until: str = "settling", game: HighCardFlush | None = None, p1: str = P1) -> Table:
    """The Maryland worked round of the notes, played up to the dealer's reveal."""
    table = Table(game).bets(WORKED_WAGERS).lock(1, 3, 5)
    if until == "counting":
        return table
    table.count()
    if until == "dealing":
        return table
    table.deal(WORKED_HANDS | {1: p1}).rack_stub()
    if until == "decisions":
        return table
    table.decide(WORKED_DECISIONS)
    return table if until == "forfeits" else table.reveal()
