"""A dealer who plays random rounds: right moves to get on, and wrong ones to be refused.

The cards are dealt from one shuffled deck, so what is keyed at the reveal is what the shoe would have read.
"""

import random
from collections.abc import Callable
from dataclasses import fields
from functools import cached_property

from firmware.rules.cards import DECK, Card
from firmware.rules.games.high_card_flush import WAGERS, HighCardFlush
from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.procedure.betting import REFUSED
from firmware.rules.procedure.events import (
    KINDS,
    AnteAnswered,
    BoxesShared,
    CardDealt,
    ChipsCounted,
    ChipStruck,
    DealerShown,
    DifferenceResolved,
    Event,
    FeltStated,
    Folded,
    HandsCounted,
    HandShown,
    HitDenied,
    HitRefused,
    HitValidated,
    LockedOut,
    RaiseCut,
    Raised,
    RoundVoided,
    StubCounted,
    WagerCleared,
    WagerKeyed,
)
from firmware.rules.procedure.round import RoundFacts
from firmware.rules.procedure.run import RoundRun
from firmware.rules.verdicts import RuleError

READINGS = (*["in time"] * 8, *REFUSED)


class RandomDealer:
    """`smooth` keeps to what ends in a full settlement with every amount known: no refusals, strikes or voids."""

    def __init__(self, game: HighCardFlush, seed: int, *, smooth: bool = False) -> None:
        self.rng = random.Random(seed)
        self.smooth = smooth
        meter_units = self.rng.randrange(500_000, 9_000_000) * UNITS_PER_CENT + self.rng.randrange(UNITS_PER_CENT)
        shoe_reads = smooth or self.rng.random() < 0.7
        facts = RoundFacts(7, meter_units, self.rng.random() < 0.4, shoe_reads, 3)
        self.game = game
        self.run = RoundRun(game, facts)
        self.seq = 0

    @cached_property
    def deck(self) -> list[Card]:
        """Stacked when the first card is drawn, because only then it is known who gets which."""
        return stacked_deck(self.rng, len(self._placed()) + 1)

    # --- right moves -----------------------------------------------------------------------------------------

    def play(self, wrong_moves: float = 0.0) -> RoundRun:
        """To the end of the round; a right move must exist at every step."""
        for _ in range(600):
            if self.run.finished:
                return self.run
            if self.rng.random() < wrong_moves:
                self.try_anything()
            else:
                self.feed(self.right_move())
        raise AssertionError(f"stuck at {self.run.step}")

    def feed(self, event: Event) -> None:
        self.seq += 1
        self.run.feed(self.seq, event)

    def right_move(self) -> Event:
        step = self.run.step
        assert step is not None
        if step.confirm is not None and not (self.rough and self.rng.random() < 0.3):
            return step.confirm
        for _ in range(200):
            event = self._move(self.rng.choice(step.takes))
            if event is not None and step.verify(event) is None:
                return event
        assert step.confirm is not None, f"no right move at {step}"
        return step.confirm

    @property
    def rough(self) -> bool:
        return not self.smooth

    def _move(self, kind: type[Event]) -> Event | None:
        make = MOVES.get(kind)
        return make(self) if make is not None else None

    def _placed(self) -> tuple[int, ...]:
        return tuple(self.run.table.in_play)

    def _lies_there(self, place: int) -> tuple[Card, ...]:
        """Seven cards that agree with what was read there and elsewhere: those of the deck, where nothing says no."""
        places = [*self._placed(), 0]
        dealt = [self.deck[places.index(place) + number * len(places)] for number in range(7)]
        read = [card for card in self.run.table.hands[place] if card is not None]
        taken = {card for hand in self.run.table.hands.values() for card in hand if card is not None}
        free = [card for card in (*dealt, *reversed(self.deck)) if card not in taken]
        return tuple([*read, *dict.fromkeys(free)][:7])

    def _amount(self, wager: str) -> int | None:
        if self.rough and self.rng.random() < 0.4:
            return None
        return self.rng.choice((500, 1_000, 2_500)) if wager == "ante" else self.rng.choice((500, 1_500))

    def key_wager(self) -> Event | None:
        """While bets are open, more of them; later the amount of one that nobody keyed."""
        table = self.run.table
        if not table.locked_out or not table.in_play:
            wager = self.rng.choice(("ante", "ante", "flush_bonus", "straight_flush_bonus"))
            return WagerKeyed(self.rng.randint(1, 6), wager, self._amount(wager))
        unknown = [(seat, wager) for seat, placed in table.wagers.items() for wager in placed if placed[wager] is None]
        if not unknown:
            return None
        return WagerKeyed(*self.rng.choice(unknown), self.rng.choice((500, 1_000, 3_000)))

    def lock_out(self) -> Event | None:
        if not self._placed() and (self.smooth or self.rng.random() < 0.9):
            return None
        if self.rng.random() < 0.8:  # let some more bets come in
            return None
        seats = self._placed() if self.smooth else range(1, 7)
        readings = ("in time",) if self.smooth else READINGS
        return LockedOut(tuple((seat, self.rng.choice(readings)) for seat in seats if self.rng.random() < 0.7))

    def deal_card(self) -> Event:
        dealt = self.run.table.cards_dealt()
        if self.rough and self.rng.random() < 0.03:
            return CardDealt(None)
        if self.rough and dealt and self.rng.random() < 0.03:
            return CardDealt(self.deck[self.rng.randrange(dealt)])  # a card that lies there already: a misread
        return CardDealt(self.deck[dealt])

    def state_felt(self) -> Event | None:
        if self.smooth or self.rng.random() < 0.95:
            return None
        dealt = self.run.table.cards_dealt()
        return FeltStated(self.rng.randint(dealt, 7 * (len(self._placed()) + 1)))

    def count_stub(self) -> Event:
        right = 52 - self.run.table.cards_dealt()
        return StubCounted(right if self.smooth or self.rng.random() < 0.8 else right - 1)

    def count_hands(self) -> Event:
        places = [*self._placed(), 0]
        return HandsCounted(tuple((place, self.rng.choice((7, 7, 7, 8))) for place in places))

    def make_raise(self) -> Event:
        assert self.run.step is not None
        seat = self.run.step.seat or 0
        ante = self.run.table.wagers[seat]["ante"]
        if ante is None or (self.rough and self.rng.random() < 0.3):
            return Raised(seat, None if self.rng.random() < 0.5 else self.rng.choice((500, 1_000, 7_500)))
        return Raised(seat, ante * self.rng.choice((1, 1, 1, 2, 3)))

    # --- wrong moves -----------------------------------------------------------------------------------------

    def try_anything(self) -> None:
        """Some event of any kind. If it is refused nothing has changed; if not, it happens. A RuleError, never more."""
        event = self.anything()
        before, entries = self.run.digest(), len(self.run.entries)
        refusal = self.run.verify(event)
        assert self.run.digest() == before
        try:
            self.feed(event)
        except RuleError as error:
            assert error.refusal == refusal  # noqa: PT017
            assert (self.run.digest(), len(self.run.entries)) == (before, entries)
            return
        assert refusal is None

    def anything(self) -> Event:
        kind = self.rng.choice(list(KINDS.values()))
        return kind(**{field.name: self._any_value(kind, field.name) for field in fields(kind)})

    def _any_value(self, kind: type[Event], name: str) -> object:
        rng = self.rng
        if name == "cards" and kind in (DealerShown, HandShown):
            return tuple(rng.sample(DECK, rng.choice((0, 6, 7))))
        values: dict[str, Callable[[], object]] = {
            "seat": lambda: rng.randint(-1, 8),
            "from_seat": lambda: rng.randint(-1, 8),
            "wager": lambda: rng.choice((*WAGERS, "super_bonus")),
            "cents": lambda: rng.choice((None, -500, 0, 1, 1_000, 10**9)),
            "seats": lambda: tuple(rng.sample(range(8), rng.randint(0, 3))),
            "readings": lambda: tuple((seat, rng.choice(READINGS)) for seat in rng.sample(range(1, 7), 3)),
            "down": lambda: rng.random() < 0.5,
            "count": lambda: rng.randint(-1, 8),
            "card": lambda: rng.choice((None, *DECK)),
            "cards": lambda: rng.randint(-1, 53),
            "counts": lambda: tuple((place, rng.randint(6, 8)) for place in rng.sample(range(7), 3)),
            "told": lambda: (("ante", rng.choice((None, 1_000))),),
            "reason": lambda: "because",
            "note": lambda: "put right",
            "clause": lambda: rng.choice(("MD-HCF-13.A", "MD-HCF-11.C", "13.B")),
        }
        return values[name]()


MOVES: dict[type[Event], Callable[[RandomDealer], Event | None]] = {
    WagerKeyed: RandomDealer.key_wager,
    WagerCleared: lambda dealer: WagerCleared(dealer.rng.randint(1, 6), "flush_bonus") if dealer.rough else None,
    BoxesShared: lambda dealer: BoxesShared(tuple(range(dealer.rng.randint(1, 3), dealer.rng.randint(4, 6)))),
    LockedOut: RandomDealer.lock_out,
    AnteAnswered: lambda dealer: AnteAnswered(dealer.run.step.seat, dealer.rng.random() < 0.5),
    ChipsCounted: lambda dealer: ChipsCounted(len(dealer.run.table.accepted)),
    ChipStruck: lambda dealer: (
        ChipStruck(dealer.rng.choice(dealer.run.table.accepted), "no chip")
        if dealer.rough and dealer.rng.random() < 0.2
        else None
    ),
    CardDealt: RandomDealer.deal_card,
    FeltStated: RandomDealer.state_felt,
    StubCounted: RandomDealer.count_stub,
    HandsCounted: RandomDealer.count_hands,
    Folded: lambda dealer: Folded(dealer.run.step.seat),
    Raised: RandomDealer.make_raise,
    DealerShown: lambda dealer: DealerShown(dealer._lies_there(0)),
    HandShown: lambda dealer: HandShown(dealer.run.step.seat, dealer._lies_there(dealer.run.step.seat)),
    RaiseCut: lambda dealer: RaiseCut(dealer.run.step.seat),
    HitValidated: lambda dealer: HitValidated(dealer.run.step.seat),
    HitRefused: lambda dealer: HitRefused(dealer.run.step.seat, "look again") if dealer.rough else None,
    HitDenied: lambda dealer: HitDenied(dealer.run.step.seat, "no"),
    DifferenceResolved: lambda dealer: DifferenceResolved(dealer.run.step.seat, "put right"),
}


def stacked_deck(rng: random.Random, places: int) -> list[Card]:
    """A shuffled deck in which one or two seats get a run, so that hits and Envy are not as rare as in life."""
    deck = rng.sample(DECK, len(DECK))
    players = range(places - 1)
    lucky = rng.sample(players, min(len(players), rng.choice((0, 1, 1, 2))))
    for place, suit in zip(lucky, rng.sample(range(4), 4), strict=False):
        length = rng.choice((3, 4, 5, 6, 6, 7))
        lowest = rng.randint(0, 13 - length)
        for number in range(length):
            card, at = Card(4 * (lowest + number) + suit), place + number * places
            other = deck.index(card)
            deck[at], deck[other] = deck[other], deck[at]
    return deck


def void(run: RoundRun) -> RoundVoided:
    return RoundVoided(run.table.clause("13.B"), "two cards face up")
