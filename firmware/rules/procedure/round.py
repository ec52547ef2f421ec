"""What is known about the round being played: wagers, cards, decisions taken so far.

A script works on one `Round`. Everything in it follows from the facts the round was opened with and the events
fed to the script since, so running the script again over the same events gives the same `Round`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware.rules.cards import Card, card_text, cards_text
from firmware.rules.games.high_card_flush import BASE, HighCardFlush, SeatPlayed
from firmware.rules.hands import FlushHand, evaluate
from firmware.rules.money import dollars
from firmware.rules.postings import Posting
from firmware.rules.procedure.events import WagerKeyed
from firmware.rules.verdicts import Refusal, Stake

DEALER_HAND = 0
"""The dealer's place among the hands."""


class Decision(NamedTuple):
    """What the table decided: kept in the journal beside the event that led to it."""

    kind: str
    facts: dict[str, Any]
    postings: tuple[Posting, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind} | self.facts


@dataclass(frozen=True)
class RoundFacts:
    """What a round takes over from the table when it opens."""

    number: int
    meter_units: int
    stub_count_due: bool
    shoe_reads: bool
    next_permit: int


@dataclass
class Round:
    game: HighCardFlush
    facts: RoundFacts
    wagers: dict[int, dict[str, Stake]] = field(default_factory=dict)
    players: dict[int, str] = field(default_factory=dict)
    readings: dict[int, str] = field(default_factory=dict)
    locked_out: bool = False
    accepted: list[int] = field(default_factory=list)
    contributions: dict[int, tuple[Posting, ...]] = field(default_factory=dict)
    hands: dict[int, list[Card | None]] = field(default_factory=dict)
    face_up: set[int] = field(default_factory=set)
    folded: set[int] = field(default_factory=set)
    differences: dict[int, str] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    meter_units: int = 0
    permits: int = 0
    attempts: dict[int, int] = field(default_factory=dict)
    """How often each seat's hit was presented, refusals included."""
    pending: Decision | None = None
    void_clause: str | None = None
    stub_counted: bool = False
    readings_used: set[str] = field(default_factory=set)
    """Notes on the rulebook that the round rests on, kept in its last record."""
    recorded: bool = False
    """The event being fed was accepted once and is only run again, after a correction of another one."""

    def __post_init__(self) -> None:
        self.meter_units = self.facts.meter_units

    # --- saying what was decided ----------------------------------------------------------------------------

    def clause(self, tail: str) -> str:
        return self.game.rulebook.clause(tail)

    def decide(self, kind: str, postings: tuple[Posting, ...] = (), **facts: Any) -> Decision:
        decision = Decision(kind, facts, postings)
        self.decisions.append(decision)
        self.meter_units += sum(posting.units for posting in postings if posting.account == "meter")
        return decision

    def rests_on(self, *readings: str) -> None:
        self.readings_used.update(readings)

    # --- seats ----------------------------------------------------------------------------------------------

    @property
    def in_play(self) -> list[int]:
        """Seats with an Ante, in the order they are dealt: clockwise from the dealer's far left."""
        return sorted(seat for seat, wagers in self.wagers.items() if "ante" in wagers)

    def stays(self, seat: int) -> bool:
        """Whether the seat's cards are still on the table at settlement."""
        return self.game.hand_stays(self.played(seat))

    def played(self, seat: int) -> SeatPlayed:
        hand = self.hand(seat) if seat in self.face_up else None
        return SeatPlayed(seat, hand, seat in self.folded, self.wagers[seat], self.players.get(seat))

    # --- wagers ---------------------------------------------------------------------------------------------

    def verify_seat(self, seat: int) -> Refusal | None:
        most = self.game.submission.seats
        if 1 <= seat <= most:
            return None
        return Refusal(f"there is no seat {seat}: this table has seats 1 to {most}", self.clause("02.A"))

    def verify_wager(self, event: WagerKeyed, *, new: bool) -> Refusal | None:
        """A wager as the dealer keys it: offered here, within the posted limits, and not changed by the way."""
        refusal = self.verify_seat(event.seat)
        if refusal is not None:
            return refusal
        wager = event.wager
        placed = self.wagers.get(event.seat, {})
        if wager not in self.game.rulebook.wagers or not self.game.submission.offers(wager):
            return Refusal(f"{spoken(wager)!r} is not offered at this table", self.clause("07.F"))
        if wager == "progressive":
            return Refusal("the progressive is taken by its sensor alone, never keyed", self.clause("07.F.4.a"))
        if wager not in placed:
            if wager == "raise":
                return Refusal("a raise is keyed when its seat is asked", self.clause("11.B"))
            if not new:
                message = (
                    f"seat {event.seat} has no {spoken(wager)} on record; if it lay there before lock-out, correct that"
                )
                return Refusal(message, self.clause("07.E"))
            if wager != "ante" and "ante" not in placed:
                return Refusal(f"seat {event.seat} has no Ante: touch it first", self.clause("07.F.1"))
        elif placed[wager] is not None:
            known = dollars(placed[wager] or 0)
            way = "change it as a correction" if self.locked_out else f"clear {event.seat} {wager} first"
            return Refusal(f"seat {event.seat}'s {spoken(wager)} is on record as {known}: {way}")
        elif event.cents is None:
            return Refusal(f"seat {event.seat}'s {spoken(wager)} is on record already")
        return self.verify_amount(event.seat, wager, event.cents) or self.verify_base(event, placed)

    def verify_base(self, event: WagerKeyed, placed: Mapping[str, Stake]) -> Refusal | None:
        """An Ante or Raise whose amount is keyed after the decision must leave a legal raise."""
        if event.wager not in BASE or "raise" not in placed:
            return None
        both = {**placed, event.wager: event.cents}
        return self.verify_raise(event.seat, both["ante"], both["raise"])

    def verify_raise(self, seat: int, ante: Stake, cents: Stake) -> Refusal | None:
        """Hold a raise to its cap where the shoe has read the hand, without a word about what the hand is.

        Only a raise below the Ante is refused once the hand is up, or where the raise was taken before a card was
        corrected: an excess is cut (note X-03).
        """
        if seat in self.face_up or self.recorded:
            legal = ante is None or cents is None or cents >= ante
        else:
            length = self.hand(seat).length if self.known(seat) else self.game.hand_cards
            legal = self.game.verify_raise(length, ante, cents) is None
        if legal:
            return None
        return Refusal(f"seat {seat}: this raise is not one that its hand and Ante allow", self.clause("11.B"))

    def verify_amount(self, seat: int, wager: str, cents: int | None) -> Refusal | None:
        limits = self.game.submission.limits.get(wager)
        if cents is not None and cents <= 0:
            return Refusal(f"seat {seat}: {spoken(wager)} of {dollars(cents)} is no wager: key an amount above $0.00")
        if cents is None or limits is None or limits.minimum <= cents <= limits.maximum:
            return None
        span = f"{dollars(limits.minimum)} to {dollars(limits.maximum)}"
        return Refusal(f"seat {seat}: {spoken(wager)} of {dollars(cents)} is outside the posted {span}")

    def key_wager(self, event: WagerKeyed) -> None:
        self.wagers.setdefault(event.seat, {})[event.wager] = event.cents

    # --- cards ----------------------------------------------------------------------------------------------

    def hand(self, place: int) -> FlushHand:
        cards = [card for card in self.hands[place] if card is not None]
        return evaluate(cards, self.game.submission.ace_low)

    def known(self, place: int) -> bool:
        cards = self.hands.get(place, [])
        return len(cards) == self.game.hand_cards and None not in cards

    def cards_dealt(self) -> int:
        return sum(len(cards) for cards in self.hands.values())

    def holder_of(self, card: Card) -> int | None:
        return next((place for place, cards in self.hands.items() if card in cards), None)

    def verify_shown(self, place: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Cards keyed when a hand is turned up must be seven, new to the round, and hold what the reader saw.

        A refusal names no card that lies face down, nor where: keying a guess must not find one out.
        """
        name = "the dealer's hand" if place == DEALER_HAND else f"seat {place}"
        if not cards:
            if self.known(place):
                return None
            return Refusal(f"{name}: no reader knows all these cards: key the seven cards", self.clause("08.E"))
        if len(cards) != self.game.hand_cards or len(set(cards)) != len(cards):
            message = f"{name}: {cards_text(cards)} are not {self.game.hand_cards} different cards"
            return Refusal(message, self.clause("08.E"))
        elsewhere = {card: holder for card in cards if (holder := self.holder_of(card)) not in (None, place)}
        for card, holder in elsewhere.items():
            if holder in self.face_up:
                other = "the dealer" if holder == DEALER_HAND else f"seat {holder}"
                return Refusal(f"{name}: {card_text(card)} was dealt to {other} already", self.clause("03.A"))
        if elsewhere or any(card is not None and card not in cards for card in self.hands[place]):
            message = f"{name}: these are not the cards that the shoe dealt there: look again, or correct the reading"
            return Refusal(message, self.clause("08.E"))
        return None

    def show(self, place: int, cards: tuple[Card, ...]) -> None:
        if cards:
            self.hands[place] = list(cards)
        self.face_up.add(place)


def spoken(wager: str) -> str:
    return wager.replace("_", " ")


def seats_text(seats: Iterable[int]) -> str:
    """`seat 3`, `seats 1, 3 and 5`."""
    listed = [str(seat) for seat in seats]
    if len(listed) == 1:
        return f"seat {listed[0]}"
    return f"seats {', '.join(listed[:-1])} and {listed[-1]}"
