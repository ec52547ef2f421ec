"""Dealing from the manual shoe and retiring the stub: Chapter 8 §§D-J."""

from collections.abc import Generator
from functools import partial

from firmware.rules.cards import card_text
from firmware.rules.procedure.events import (
    CardDealt,
    DealConfirmed,
    Event,
    FeltStated,
    HandsCounted,
    StubCounted,
    StubRacked,
)
from firmware.rules.procedure.round import DEALER_HAND, Round, seats_text
from firmware.rules.procedure.steps import Script, Step, VoidRound
from firmware.rules.verdicts import Refusal


def deal_one_at_a_time(table: Round) -> Script:
    """8.E: clockwise from the far left, one card apiece and then the dealer, until all have seven."""
    places = [*table.in_play, DEALER_HAND]
    table.hands = {place: [] for place in places}
    order = [place for _ in range(table.game.hand_cards) for place in places]
    if table.facts.shoe_reads:
        yield from _deal_read(table, order)
    else:
        yield Step(
            "dealing", "dealer",
            f"Deal face down, one at a time: {seats_text(table.in_play)}, then yourself under the cover card, "
            f"until all have {table.game.hand_cards}",
            table.clause("08.E"), (DealConfirmed,), confirm=DealConfirmed(),
        )  # fmt: skip
        for place in order:
            table.hands[place].append(None)


def _deal_read(table: Round, order: list[int]) -> Script:
    issue_permit(table, len(order))
    dealt = 0
    while dealt < len(order):
        place = order[dealt]
        whom = "yourself, under the cover card" if place == DEALER_HAND else f"seat {place}"
        event = yield Step(
            "dealing", "shoe", f"Draw card {dealt + 1} of {len(order)} for {whom}",
            table.clause("08.E"), (CardDealt, FeltStated), seat=place or None,
            check=partial(_verify_felt, table, dealt, len(order)),
        )  # fmt: skip
        if isinstance(event, FeltStated):
            for unread in order[dealt : event.cards]:
                table.hands[unread].append(None)
            dealt = event.cards
            if dealt < len(order):
                issue_permit(table, len(order) - dealt)
            continue
        assert isinstance(event, CardDealt)
        card = event.card
        if card is not None and table.holder_of(card) is not None:
            table.decide("misread", place=place, card=card_text(card), clause=table.clause("08.E"))
            card = None
        table.hands[place].append(card)
        dealt += 1


def issue_permit(table: Round, cards: int) -> None:
    number = table.facts.next_permit + table.permits
    table.permits += 1
    table.decide("permit", number=number, purpose="deal", cards=cards, clause=table.clause("08.C"))


def _verify_felt(table: Round, dealt: int, whole: int, event: Event) -> Refusal | None:
    if isinstance(event, FeltStated) and not dealt <= event.cards <= whole:
        message = f"{event.cards} cards on the felt cannot be: between {dealt} and {whole} were let out"
        return Refusal(message, table.clause("08.E"))
    return None


def retire_stub(table: Round) -> Script:
    """8.F-J: rack the stub unseen, or count it when a count is due and void the round when it is wrong."""
    expected = table.game.rulebook.figures["deck_cards"].value - table.cards_dealt()
    if table.facts.stub_count_due:
        event = yield Step(
            "stub", "dealer", "Take the stub out of the shoe and count it face down on the layout",
            table.clause("08.G"), (StubCounted,), keys=("stub N",),
        )  # fmt: skip
    else:
        event = yield Step(
            "stub", "dealer", "Take the stub out of the shoe and rack it unseen",
            table.clause("08.F"), (StubRacked, StubCounted), confirm=StubRacked(), keys=("stub N",),
        )  # fmt: skip
    while isinstance(event, StubCounted):
        if event.cards == expected:
            table.rests_on("X-09")
            table.stub_counted = True
            table.decide("stub_counted", cards=event.cards, clause=table.clause("08.I"))
            return
        event = yield from _count_hands(table, event.cards, expected)


def _count_hands(table: Round, stub: int, expected: int) -> Generator[Step, Event, Event]:
    """8.J: a wrong stub means a misdeal or a wrong deck; which of them, the hands tell."""

    def check(event: Event) -> Refusal | None:
        if isinstance(event, HandsCounted) and sorted(place for place, _ in event.counts) != sorted(table.hands):
            return Refusal(f"give the cards of {seats_text(table.in_play)} and of the dealer", table.clause("08.J"))
        return None

    event = yield Step(
        "stub", "dealer", f"The stub has {stub} cards and should have {expected}. Count every hand, or the stub again",
        table.clause("08.J"), (HandsCounted, StubCounted), keys=("hands SEAT=N ... dealer=N", "stub N"), check=check,
    )  # fmt: skip
    if isinstance(event, HandsCounted):
        counts = [count for _, count in event.counts]
        misdeal = any(count != table.game.hand_cards for count in counts)
        whole = stub + sum(counts) == table.game.rulebook.figures["deck_cards"].value
        if misdeal and not whole:
            table.rests_on("X-05")
        if misdeal and whole:
            raise VoidRound(table.clause("08.J.1"), "misdeal: a hand does not have seven cards")
        raise VoidRound(table.clause("08.J.2"), "the deck is not complete")
    return event
