"""From open bets to chips in the tray: Chapters 7 and 8 §§B-C."""

from firmware.rules.postings import reverse
from firmware.rules.procedure.events import (
    AnteAnswered,
    BoxesShared,
    ChipsCounted,
    ChipStruck,
    Event,
    LockedOut,
    ShoeLoaded,
    WagerCleared,
    WagerKeyed,
)
from firmware.rules.procedure.round import Round, seats_text, spoken
from firmware.rules.procedure.steps import Script, Step
from firmware.rules.progressive import contribute
from firmware.rules.submission import Submission
from firmware.rules.verdicts import Refusal

METER = "main"
IN_TIME = "in time"
REFUSED = {
    "late": ("02.C.2", "came after lock-out: hand the chip back"),
    "lifted": ("07.E", "was lifted before lock-out"),
    "contradiction": ("02.C.1", "sensor contradicts itself: hand the chip back and call a technician"),
    "stuck": ("02.C.1", "sensor never cleared since the last round: not counted, call a technician"),
}


def load_shoe(table: Round) -> Script:
    """8.B: the stack goes into the shoe when Chapter 5 is done."""
    yield Step(
        "loading", "dealer",
        loading_words(table.game.submission),
        table.clause("08.B"), (ShoeLoaded,), confirm=ShoeLoaded(),
    )  # fmt: skip


def loading_words(submission: Submission) -> str:
    return f"Shuffle, cut at least {submission.cut_at_least} cards deep and load the shoe"


def take_bets(table: Round) -> Script:
    """7.D: everything is down before "no more bets", which the lock-out button says."""

    def open_bets() -> Step:
        known = f" Antes: {seats_text(table.in_play)}." if table.in_play else ""
        return Step(
            "betting", "dealer", f"Bets are open. Touch every seat with an Ante, then press lock-out.{known}",
            table.clause("07.D"), (WagerKeyed, WagerCleared, BoxesShared, LockedOut),
            keys=("seat N", "seat N WAGER [$]", "clear N WAGER", "same N M"),
            check=lambda event: verify_entry(table, event),
        )  # fmt: skip

    while True:
        event = yield open_bets()
        if isinstance(event, LockedOut):
            table.readings = dict(event.readings)
            table.locked_out = True
            table.rests_on("MD-27")
            return
        enter(table, event)


def verify_entry(table: Round, event: Event) -> Refusal | None:
    if isinstance(event, WagerKeyed):
        return table.verify_wager(event, new=True)
    if isinstance(event, WagerCleared):
        placed = table.wagers.get(event.seat, {})
        if event.wager not in placed:
            return Refusal(f"seat {event.seat} has no {spoken(event.wager)} on record")
        if event.wager == "ante" and len(placed) > 1:
            return Refusal(f"seat {event.seat} has other wagers on record: clear them first", table.clause("07.F.1"))
        return None
    if isinstance(event, BoxesShared):
        return verify_boxes(table, event.seats)
    return None


def shared_with(table: Round, seats: tuple[int, ...]) -> tuple[int, ...]:
    """All boxes that would be one player's: those named, and those already shared with one of them."""
    players = {table.players[seat] for seat in seats if seat in table.players}
    return tuple(sorted({*seats, *(seat for seat, player in table.players.items() if player in players)}))


def verify_boxes(table: Round, named: tuple[int, ...]) -> Refusal | None:
    most = table.game.submission.boxes_per_player
    clause = table.clause("07.G")
    seats = shared_with(table, named)
    for seat in seats:
        refusal = table.verify_seat(seat)
        if refusal is not None:
            return refusal
    if len(set(seats)) < 2:
        return Refusal("name at least two boxes of the same player", clause)
    if len(seats) > most:
        return Refusal(f"one player may bet on {most} boxes at this table, not {len(seats)}", clause)
    if sorted(seats) != list(range(min(seats), max(seats) + 1)):
        return Refusal(f"{seats_text(seats)} are not neighbours", clause)
    return None


def enter(table: Round, event: Event) -> None:
    if isinstance(event, WagerKeyed):
        table.key_wager(event)
    elif isinstance(event, WagerCleared):
        del table.wagers[event.seat][event.wager]
    elif isinstance(event, BoxesShared):
        seats = shared_with(table, event.seats)
        for seat in seats:
            table.players[seat] = f"player of seat {seats[0]}"


def lock_out(table: Round) -> Script:
    """8.C(1): decide every chip that the sensors saw, and feed the meter (note X-07)."""
    if "progressive" in table.game.submission.paytables:
        for seat, reading in sorted(table.readings.items()):
            if reading == IN_TIME:
                if "ante" in table.wagers.get(seat, {}):
                    accept(table, seat)
            elif reading in REFUSED:
                tail, why = REFUSED[reading]
                table.decide("refused", seat=seat, reading=reading, why=why, clause=table.clause(tail))
        for seat in [seat for seat, reading in sorted(table.readings.items()) if reading == IN_TIME]:
            if "ante" not in table.wagers.get(seat, {}):
                yield from ask_for_ante(table, seat)
    while not table.in_play:
        event = yield Step(
            "locked out", "dealer", "No Ante is on record. Touch the seats in play, or have the round voided",
            table.clause("07.F.1"), (WagerKeyed, BoxesShared), keys=("seat N", "by NAME PIN void CLAUSE REASON"),
            check=lambda event: verify_entry(table, event),
        )  # fmt: skip
        enter(table, event)


def accept(table: Round, seat: int) -> None:
    terms = table.game.submission.meters[METER]
    table.rests_on("X-07", "MD-14")
    table.accepted.append(seat)
    table.accepted.sort()
    table.wagers[seat]["progressive"] = terms.stake
    table.decide("accepted", seat=seat, clause=table.clause("08.C.1"))
    postings = contribute(METER, terms, table.meter_units)
    table.contributions[seat] = postings
    table.decide("contribution", postings, seat=seat, meter=METER, clause=table.clause("12.E.2.a"))


def ask_for_ante(table: Round, seat: int) -> Script:
    """7.F(4)(a): a progressive needs an Ante; the dealer says whether one lies there."""

    def check(event: Event) -> Refusal | None:
        assert isinstance(event, AnteAnswered)
        return None if event.seat == seat else Refusal(f"the question is about seat {seat}", table.clause("07.F.4.a"))

    event = yield Step(
        "locked out", "dealer",
        f"Seat {seat} has a progressive chip but no Ante on record. Does an Ante lie there? If not, hand the chip back",
        table.clause("07.F.4.a"), (AnteAnswered,), seat=seat, keys=(f"ante {seat}", f"no-ante {seat}"), check=check,
    )  # fmt: skip
    assert isinstance(event, AnteAnswered)
    if event.down:
        table.key_wager(WagerKeyed(seat, "ante"))
        accept(table, seat)
    else:
        table.decide(
            "refused", seat=seat, reading="no ante", why="has no Ante: hand the chip back",
            clause=table.clause("07.F.4.a"),
        )  # fmt: skip


def count_chips(table: Round) -> Script:
    """8.C(2): collect, compare with what the system accepted, put into the tray."""
    while table.accepted:
        expected = len(table.accepted)
        event = yield Step(
            "counting", "dealer",
            f"Collect the progressive chips of {seats_text(table.accepted)}, count them in front of the tray: "
            f"{expected} accepted. Then into the tray",
            table.clause("08.C.2.b"), (ChipsCounted, ChipStruck, WagerKeyed, BoxesShared),
            keys=("count N", "by NAME PIN strike N REASON"), check=lambda event: verify_count(table, event),
        )  # fmt: skip
        if isinstance(event, ChipsCounted):
            table.decide("chips_in_tray", count=event.count, clause=table.clause("08.C.2.c"))
            return
        if isinstance(event, ChipStruck):
            strike(table, event)
        else:
            enter(table, event)


def verify_count(table: Round, event: Event) -> Refusal | None:
    expected = len(table.accepted)
    if isinstance(event, ChipsCounted) and event.count != expected:
        listed = seats_text(table.accepted)
        message = f"{event.count} counted, but {expected} accepted ({listed}): count again or call a floorperson"
        return Refusal(message, table.clause("08.C.2.b"))
    if isinstance(event, ChipStruck) and event.seat not in table.accepted:
        return Refusal(f"seat {event.seat} is not in the progressive", table.clause("08.C.2.b"))
    return verify_entry(table, event)


def strike(table: Round, event: ChipStruck) -> None:
    """No chip, no wager: the contribution goes back exactly as it came."""
    seat = event.seat
    table.accepted.remove(seat)
    del table.wagers[seat]["progressive"]
    table.decide(
        "contribution_reversed", reverse(table.contributions.pop(seat)),
        seat=seat, meter=METER, why=event.reason, clause=table.clause("08.C.2.b"),
    )  # fmt: skip
