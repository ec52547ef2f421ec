"""Settlement, seat by seat from the dealer's right: Chapter 11 §B(5)-(8)."""

from collections.abc import Generator, Sequence
from functools import partial

from firmware.rules.games.high_card_flush import BONUS
from firmware.rules.hands import LENGTH_NAMES
from firmware.rules.money import dollars
from firmware.rules.procedure.events import (
    CardsRacked,
    DifferenceResolved,
    Event,
    HandShown,
    RaiseCut,
    SeatSettled,
    WagerKeyed,
)
from firmware.rules.procedure.hits import same_seat, settle_progressive
from firmware.rules.procedure.round import DEALER_HAND, Round, spoken
from firmware.rules.procedure.steps import Script, Step
from firmware.rules.verdicts import LOSE, WIN, Refusal, Verdict

Told = Sequence[tuple[str, int | None]]


def settle_seats(table: Round) -> Script:
    """11.B(5): in turn from the far right, each seat finished before the next (note MD-19)."""
    for seat in reversed(table.in_play):
        if not table.stays(seat):
            verdicts = folded_verdict(table, seat)
            table.decide("settled", seat=seat, verdicts=[verdict._asdict() for verdict in verdicts])
            continue
        yield from show_hand(table, seat)
        yield from settle_seat(table, seat)
        yield from settle_progressive(table, seat)


def folded_verdict(table: Round, seat: int) -> list[Verdict]:
    """A hand that was racked unseen: the Ante is gone and nothing else was there."""
    stake = table.wagers[seat]["ante"]
    return [Verdict("ante", LOSE, stake, None if stake is None else -stake, None, "", table.clause("11.B"))]


def show_hand(table: Round, seat: int) -> Script:
    known = table.known(seat)
    event = yield Step(
        "settling", "dealer", f"Seat {seat}: turn up the cards and set the best hand",
        table.clause("11.B.5.a"), (HandShown,), seat=seat, confirm=HandShown(seat) if known else None,
        keys=() if known else (f"cards {seat} CARD CARD CARD CARD CARD CARD CARD",),
        check=partial(verify_hand, table, seat),
    )  # fmt: skip
    assert isinstance(event, HandShown)
    table.show(seat, event.cards)


def verify_hand(table: Round, seat: int, event: Event) -> Refusal | None:
    assert isinstance(event, HandShown)
    return same_seat(table, seat, event) or table.verify_shown(seat, event.cards)


def hold_raise_to_cap(table: Round, seat: int) -> Generator[Step, Event, Event | None]:
    """A raise above the cap that only the turned-up hand shows: the excess was never wagered (note X-03).

    Where a correction shows it, the seat may be settled already: its SeatSettled comes back, for the difference.
    """
    hand = table.hand(seat)
    ante, raised = table.wagers[seat]["ante"], table.wagers[seat].get("raise")
    refusal = table.game.verify_raise(hand.length, ante, raised)
    if refusal is None or ante is None or raised is None:
        return None
    cap, clause = table.game.raise_cap(hand.length)
    excess = raised - cap * ante
    event = yield Step(
        "settling", "floorperson",
        f"Seat {seat} raised {dollars(raised)} with a {LENGTH_NAMES[hand.length]}-card flush: "
        f"return {dollars(excess)}, the rest plays",
        clause, (RaiseCut, SeatSettled), seat=seat, keys=(f"by NAME PIN cut-raise {seat}",),
        check=partial(verify_cut, table, seat, clause),
    )  # fmt: skip
    table.wagers[seat]["raise"] = cap * ante
    table.rests_on("X-03")
    table.decide("raise_cut", seat=seat, returned=excess, reading="X-03", clause=clause)
    return None if isinstance(event, RaiseCut) else event


def verify_cut(table: Round, seat: int, clause: str, event: Event) -> Refusal | None:
    if isinstance(event, SeatSettled) and not table.recorded:
        return Refusal(f"seat {seat}: the excess of the raise goes back first", clause)
    return same_seat(table, seat, event)


def settle_seat(table: Round, seat: int) -> Script:
    """11.B(5)-(8): Ante and Raise, then the bonus wagers, as odds or dollars."""
    while True:
        event = yield from hold_raise_to_cap(table, seat)
        verdicts = seat_verdicts(table, seat)
        told = tuple((verdict.wager, verdict.profit) for verdict in verdicts)
        left = [verdict for verdict in verdicts if not (seat in table.folded and verdict.wager == "ante")]
        event = event or (yield Step(
            "settling", "dealer", f"Seat {seat}: {verdicts_text(left) or 'nothing to pay'}",
            verdicts[0].clause, (SeatSettled, WagerKeyed), seat=seat, confirm=SeatSettled(seat, told),
            keys=(f"seat {seat} WAGER $",), check=partial(verify_settlement, table, seat),
        ))  # fmt: skip
        if isinstance(event, WagerKeyed):
            table.key_wager(event)
            continue
        assert isinstance(event, SeatSettled)
        if event.told != told:
            table.differences[seat] = difference_text(event.told, told)
        table.rests_on(*readings_of(table, verdicts))
        table.decide("settled", seat=seat, verdicts=[verdict._asdict() for verdict in verdicts])
        return


def verify_settlement(table: Round, seat: int, event: Event) -> Refusal | None:
    """An amount can be keyed for this seat and those still to come; a settled one changes by correction alone."""
    if not isinstance(event, WagerKeyed):
        return same_seat(table, seat, event)
    if event.seat > seat and event.seat in table.in_play:
        return Refusal(f"seat {event.seat} is settled: change its amounts as a correction", table.clause("11.B.5"))
    return table.verify_wager(event, new=False)


def seat_verdicts(table: Round, seat: int) -> list[Verdict]:
    played = table.played(seat)
    return table.game.base_verdicts(played, table.hand(DEALER_HAND)) + table.game.bonus_verdicts(played)


def readings_of(table: Round, verdicts: Sequence[Verdict]) -> set[str]:
    """What a seat's verdicts rest on beyond the printed clauses."""
    used = {"MD-11", "MD-19"}
    bonus = [verdict for verdict in verdicts if verdict.wager in BONUS]
    if bonus:
        used |= {"X-04", "X-12", "MD-09"}
    if any(verdict.wager == "straight_flush_bonus" for verdict in bonus) and not table.game.submission.ace_low:
        used.add("MD-10")
    if any(verdict.clause == table.clause("12.D") for verdict in bonus):
        used |= {"MD-01", "MD-02"}
    return used


def verdicts_text(verdicts: Sequence[Verdict]) -> str:
    return "; ".join(verdict_text(verdict) for verdict in verdicts)


def verdict_text(verdict: Verdict) -> str:
    """`ante wins $10.00 (1 to 1)`, `flush bonus wins 10 to 1`, `raise is returned`."""
    name = spoken(verdict.wager)
    if verdict.result == WIN:
        if verdict.profit is None:
            return f"{name} wins {verdict.pays}"
        return f"{name} wins {dollars(verdict.profit)} ({verdict.pays})"
    if verdict.result == LOSE:
        return f"{name} loses" if verdict.stake is None else f"{name} loses {dollars(verdict.stake)}"
    return f"{name} is returned"


def told_text(told: Told) -> str:
    return ", ".join(f"{spoken(wager)} {'at odds' if profit is None else dollars(profit)}" for wager, profit in told)


def difference_text(paid: Told, due: Told) -> str:
    """What was paid and what was due, and the sum that puts it right where every amount is known."""
    text = f"paid {told_text(paid)}, due {told_text(due)}"
    amounts = [profit for _, profit in (*paid, *due)]
    if None in amounts:
        return text
    owed = sum(profit or 0 for _, profit in due) - sum(profit or 0 for _, profit in paid)
    return f"{text}: {'pay' if owed > 0 else 'take back'} {dollars(abs(owed))}"


def resolve_differences(table: Round) -> Script:
    """What was paid before an entry was corrected is never undone silently: a floorperson puts it right."""
    for seat, difference in sorted(table.differences.items()):
        event = yield Step(
            "difference", "floorperson", f"Seat {seat} was settled before a correction: {difference}. Put it right",
            table.clause("11.C"), (DifferenceResolved,), seat=seat, keys=(f"by NAME PIN resolve {seat} NOTE",),
            check=partial(same_seat, table, seat),
        )  # fmt: skip
        assert isinstance(event, DifferenceResolved)
        table.decide("difference_resolved", seat=seat, difference=difference, note=event.note)


def rack_cards(table: Round) -> Script:
    """11.C: so that each hand can be rebuilt in a dispute."""
    yield Step(
        "racking", "dealer", "Rack the remaining cards seat by seat, so that each hand can be rebuilt",
        table.clause("11.C"), (CardsRacked,), confirm=CardsRacked(),
    )  # fmt: skip
