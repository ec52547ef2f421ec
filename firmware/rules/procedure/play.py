"""Decisions, forfeits and the dealer's hand: Chapter 11 §§A-B(4)."""

from functools import partial

from firmware.rules.procedure.events import DealerShown, Event, Folded, ForfeitsTaken, Raised, WagerKeyed
from firmware.rules.procedure.round import DEALER_HAND, Round, seats_text
from firmware.rules.procedure.steps import Script, Step
from firmware.rules.verdicts import Refusal


def ask_decisions(table: Round) -> Script:
    """11.B: from the far left clockwise, raise or fold."""
    for seat in table.in_play:
        while True:
            event = yield Step(
                "decisions", "dealer", f"Seat {seat}: raise or fold?",
                table.clause("11.B"), (Raised, Folded, WagerKeyed), seat=seat,
                keys=(f"raise {seat} [$]", f"fold {seat}"),
                check=partial(verify_decision, table, seat),
            )  # fmt: skip
            if isinstance(event, WagerKeyed):
                table.key_wager(event)
                continue
            break
        if isinstance(event, Folded):
            table.folded.add(seat)
        else:
            assert isinstance(event, Raised)
            table.wagers[seat]["raise"] = event.cents
            table.rests_on("X-02")


def verify_decision(table: Round, seat: int, event: Event) -> Refusal | None:
    if isinstance(event, WagerKeyed):
        return table.verify_wager(event, new=False)
    assert isinstance(event, Raised | Folded)
    if event.seat != seat:
        return table.verify_seat(event.seat) or Refusal(
            f"seat {event.seat} is not asked now: it is seat {seat}'s turn", table.clause("11.B")
        )
    if isinstance(event, Folded):
        return None
    ante = table.wagers[seat]["ante"]
    return table.verify_amount(seat, "raise", event.cents) or table.verify_raise(seat, ante, event.cents)


def take_forfeits(table: Round) -> Script:
    """11.B(4)(a): folded Antes are taken; cards with an optional wager stay."""
    if not table.folded:
        return
    leaving = [seat for seat in sorted(table.folded) if not table.stays(seat)]
    staying = [seat for seat in sorted(table.folded) if table.stays(seat)]
    says = f"Take the Ante of {seats_text(sorted(table.folded))}."
    if leaving:
        says += f" Rack the cards of {seats_text(leaving)}."
    if staying:
        table.rests_on("MD-12")
        says += f" Leave the cards of {seats_text(staying)}."
    yield Step("forfeits", "dealer", says, table.clause("11.B.4.a"), (ForfeitsTaken,), confirm=ForfeitsTaken())


def reveal_dealer(table: Round) -> Script:
    """11.B(4)(b): the dealer's seven cards, set as their best hand."""
    known = table.known(DEALER_HAND)
    event = yield Step(
        "reveal", "dealer", "Turn up your seven cards and set them as their best hand",
        table.clause("11.B.4.b"), (DealerShown,), confirm=DealerShown() if known else None,
        keys=() if known else ("dealer CARD CARD CARD CARD CARD CARD CARD",),
        check=lambda event: table.verify_shown(DEALER_HAND, event.cards) if isinstance(event, DealerShown) else None,
    )  # fmt: skip
    assert isinstance(event, DealerShown)
    table.show(DEALER_HAND, event.cards)
    hand = table.hand(DEALER_HAND)
    if hand.length > table.game.rulebook.figures["dealer_flush"].value:
        table.rests_on("X-01")
    table.decide(
        "dealer_hand", hand=hand.name, qualifies=table.game.dealer_qualifies(hand), clause=table.clause("11.B.5.c")
    )
