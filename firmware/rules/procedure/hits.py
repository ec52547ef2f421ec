"""The life of a progressive hit: Chapter 11 §B(9) and Chapter 12 §E.

Recognised at the player's turn, its money is locked at once: off the meter, into *pending*, the meter back to its
reset. A floorperson validates or refuses; a refusal posts the exact reverse. Only then comes the next seat.
"""

from collections.abc import Generator
from functools import partial

from firmware.rules.games.high_card_flush import NINE_TO_ACE
from firmware.rules.money import dollars
from firmware.rules.paytable import Line, MeterShare
from firmware.rules.postings import Posting, move_cents, reverse
from firmware.rules.procedure.betting import METER
from firmware.rules.procedure.events import (
    EnvyPaid,
    Event,
    HitDenied,
    HitPaid,
    HitPresented,
    HitRefused,
    HitValidated,
    HitVerified,
)
from firmware.rules.procedure.round import Round
from firmware.rules.procedure.steps import Script, Step
from firmware.rules.progressive import lock_award, pay_award
from firmware.rules.verdicts import LOSE, Refusal, Verdict


def settle_progressive(table: Round, seat: int) -> Script:
    hand = table.hand(seat)
    line = table.game.progressive_line(hand)
    award: int | None = None
    if seat in table.accepted and line is not None:
        award = yield from settle_hit(table, seat, line)
    if seat in table.accepted:
        verdict = table.game.progressive_verdict(hand, table.wagers[seat]["progressive"], award)
        if line is not None and award is None:
            stake = verdict.stake or 0
            verdict = Verdict("progressive", LOSE, stake, -stake, None, line.hand, table.clause("11.B.9.c"))
        table.decide("settled", seat=seat, verdicts=[verdict._asdict()])
    if line is None or seat not in table.accepted or award is not None:
        yield from pay_envy(table, seat)


def _readings_of(table: Round, line: Line) -> set[str]:
    used = set() if table.game.submission.ace_low else {"MD-10"}
    used |= {"X-06", "MD-15"} if isinstance(line.award, MeterShare) else {"MD-16"}
    return used | ({"MD-07"} if line.hand == NINE_TO_ACE else set())


class _Locked:
    """One hit whose money is set aside."""

    def __init__(self, table: Round, seat: int, line: Line) -> None:
        terms = table.game.submission.meters[METER]
        award = lock_award(line, table.meter_units, terms.reset, METER)
        table.attempts[seat] = table.attempts.get(seat, 0) + 1
        self.cents = award.cents
        self.postings: tuple[Posting, ...] = award.postings
        self.facts = {
            "hit": f"{table.facts.number}/{seat}/{table.attempts[seat]}",
            "seat": seat, "meter": METER, "amount": award.cents, "hand": line.hand,
            "pays": str(line.award), "clause": line.clause,
        }  # fmt: skip
        table.rests_on("X-04", "X-10", "MD-09", "MD-35", *_readings_of(table, line))
        table.pending = table.decide("hit_locked", award.postings, **self.facts)

    def release(self, table: Round, reason: str) -> None:
        table.pending = None
        table.decide("hit_reversed", reverse(self.postings), why=reason, **self.facts)

    def pay(self, table: Round) -> None:
        table.pending = None
        table.decide("hit_paid", pay_award(METER, self.cents), **self.facts)


def settle_hit(table: Round, seat: int, line: Line) -> Generator[Step, Event, int | None]:
    """The award in cents, or None when a floorperson denied it."""
    while True:
        hit = _Locked(table, seat, line)
        amount = dollars(hit.cents)
        share = f" ({line.award})" if isinstance(line.award, MeterShare) else ""
        yield Step(
            "hit recognised", "dealer",
            f"Seat {seat}: {line.hand}, progressive {amount}{share}. Check the hand and the seat's light",
            table.clause("11.B.9.b"), (HitVerified,), seat=seat, confirm=HitVerified(seat),
            check=partial(same_seat, table, seat),
        )  # fmt: skip
        event = yield Step(
            "hit pending", "floorperson", f"Seat {seat}: validate the progressive payout of {amount}, or refuse it",
            table.clause("11.B.9.c"), (HitValidated, HitRefused), seat=seat, check=partial(same_seat, table, seat),
            keys=(f"by NAME PIN validate {seat}", f"by NAME PIN refuse {seat} REASON"),
        )  # fmt: skip
        if isinstance(event, HitValidated):
            yield Step(
                "hit validated", "dealer", f"Seat {seat}: pay {amount}",
                table.clause("11.B.9.d"), (HitPaid,), seat=seat, confirm=HitPaid(seat),
                check=partial(same_seat, table, seat),
            )  # fmt: skip
            hit.pay(table)
            return hit.cents
        assert isinstance(event, HitRefused)
        hit.release(table, event.reason)
        event = yield Step(
            "hit refused", "dealer",
            f"Seat {seat}: the payout of {amount} was refused ({event.reason}). Correct the entry, show it again, "
            "or have it denied",
            table.clause("11.B.9.c"), (HitPresented, HitDenied), seat=seat, confirm=HitPresented(seat),
            keys=("correct ...", f"by NAME PIN deny {seat} REASON"), check=partial(same_seat, table, seat),
        )  # fmt: skip
        if isinstance(event, HitDenied):
            table.decide("hit_denied", seat=seat, why=event.reason, clause=table.clause("11.B.9.c"))
            return None


def same_seat(table: Round, seat: int, event: Event) -> Refusal | None:
    named = event.from_seat if isinstance(event, EnvyPaid) else getattr(event, "seat", seat)
    if named == seat:
        return None
    return Refusal(f"seat {named} is not settled now: it is seat {seat}'s turn", table.clause("11.B.5"))


def pay_envy(table: Round, holder: int) -> Script:
    """11.B(9)(e): everyone else in the progressive, never the holder's own boxes; out of the tray (note MD-16)."""
    holders = [table.played(holder)]
    awards = [
        (seat, award)
        for seat in reversed(table.accepted)
        for award in table.game.envy_awards(table.played(seat), holders)
    ]
    if not awards:
        return
    table.rests_on("MD-13", "MD-16")
    listed = ", ".join(f"{dollars(award.profit)} to seat {seat}" for seat, award in awards)
    clause = awards[0][1].clause
    yield Step(
        "envy", "dealer", f"Seat {holder}'s hand brings Envy: pay {listed}",
        clause, (EnvyPaid,), seat=holder, confirm=EnvyPaid(holder), check=partial(same_seat, table, holder),
    )  # fmt: skip
    for seat, award in awards:
        postings = move_cents(METER, award.profit, "inventory", "paid")
        table.decide(
            "envy_paid", postings, seat=seat, meter=METER, from_seat=holder, amount=award.profit, clause=clause
        )
