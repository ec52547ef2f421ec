"""What the tests of this folder share: a watched table, known decks, and the way through a round."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.ledger.meters import prove
from firmware.ledger.verification import verify_journal
from firmware.rules.cards import DECK, Card, parse_cards
from host_tools.proofs.watched_table import SECOND, TABLE, WatchedTable, hire

P1 = "4c 5c 6c 9d Jd 2h Qs"
P3 = "6s 7s 8s 9s Ts Js 4h"
DEALERS = "Kh Th 8h 6h 3h 7c 2d"
TWO_SEATS = (P1, P3, DEALERS)
"""Seat 1 a three-card straight flush, seat 3 one of six cards, and the dealer."""


def stacked(*hands: str) -> list[Card]:
    """A deck that deals these hands, one card at a time."""
    held = [parse_cards(hand.split()) for hand in hands]
    order = [hand[number] for number in range(7) for hand in held]
    return [*order, *(card for card in DECK if card not in order)]


@contextmanager
def watched(
    state: Path, *, table_file: Path = TABLE, program: tuple[str, ...] = ("-m", "firmware.controller")
) -> Iterator[WatchedTable]:
    """A table with its people, the floorperson's key turned, powered on."""
    if not (state / "people.json").exists():
        hire(state)
    table = WatchedTable(state, table_file=table_file, program=program)
    try:
        table.bench.turn_key(True)
        table.bench.advance(1800 * SECOND if table.journal.exists() else SECOND)  # later than what is recorded
        table.start()
        table.wait()
        yield table
    finally:
        table.close()


def open_bets(table: WatchedTable, *seats: int, hands: tuple[str, ...] = TWO_SEATS) -> None:
    """Signed on, deck open, shoe loaded, Antes of $10 at these seats."""
    if table.status["dealer"] is None:
        table.keys("sign on dealer-1 4711")
    if table.status["state"] == "no deck":
        table.keys("deck red-1")
    table.bench.shoe.load(stacked(*hands))
    table.wait()
    table.keys("confirm")
    for seat in seats:
        table.keys(f"seat {seat} ante 10")


def deal(table: WatchedTable, *seats: int) -> None:
    """From open bets to the stub: chips of these seats are accepted and counted."""
    table.lock_out(*seats)
    table.lift(*seats)
    if seats:
        table.keys(f"count {len(seats)}")
    while table.status["state"] == "dealing":
        table.draw()


def finish(table: WatchedTable) -> None:
    """Whatever is left of the round, with everybody agreeing."""
    while table.status["state"] not in ("loading", "no deck"):
        seat, state = table.status["seat"], table.status["state"]
        if state == "decisions":
            table.keys(f"raise {seat} 10")
        elif state == "hit pending":
            table.by_floorperson(f"validate {seat}")
        else:
            assert table.status["confirm"], table.step
            table.keys("confirm")


def play_round(table: WatchedTable) -> None:
    """Seats 1 and 3, both in the progressive, both winners of it."""
    open_bets(table, 1, 3)
    deal(table, 1, 3)
    finish(table)


def assert_whole(table: WatchedTable) -> None:
    assert verify_journal(table.journal) == []
    proof = prove(table.records())
    assert proof.problem is None
    assert sum(proof.sums.values()) == 0
