"""The controller with a fault planted in it, or with a power cut staged at one of its commits.

    python -m host_tools.proofs.staged FAULT END_FILE [arguments of the controller]

END_FILE says at which commit the power goes: `before 7` or `after 7`; anything else: it stays. Production code has
no switch for any of this: what is changed is changed here, from outside, before the controller starts.
"""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from firmware.controller.__main__ import main
from firmware.controller.controller import UNIT, Controller
from firmware.controller.lockout import LockOut
from firmware.controller.open_round import event_record, rerun_records
from firmware.devices.edges import Edge
from firmware.ledger.journal import Journal
from firmware.ledger.records import NewRecord, Record
from firmware.ledger.writer import Job, LedgerWriter
from firmware.rules.procedure.events import Event
from firmware.rules.procedure.run import Correction, correct


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stage_end(text: str) -> None:
    """The power goes just before or just after a commit, counted from the start."""
    words = text.split()
    if len(words) != 2 or words[0] not in ("before", "after"):
        return
    left = int(words[1])
    carry_out = LedgerWriter.carry_out

    def counted(writer: LedgerWriter, job: Job) -> None:
        nonlocal left
        left -= 1
        if left == 0 and words[0] == "before":
            _die()
        if left == 0:
            writer.journal.append_drafts(job.drafts, job.utc, job.checkpoint)
            _die()
        carry_out(writer, job)

    _put(LedgerWriter, "carry_out", counted)


def _put(owner: object, name: str, value: object) -> None:
    setattr(owner, name, value)


# --- the faults ---------------------------------------------------------------------------------------------


def synchronous_off() -> None:
    _put(Journal, "settings", ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF"))


def effect_before_commit() -> None:
    """Lamps, words and permits go out while the record is still on its way."""

    async def play(table: Controller, event: Event, person: str, extra: dict[str, Any] | None = None) -> None:
        run = table.run
        if run is None or (refusal := table._verify(run, event)) is not None:
            if run is not None and refusal is not None:
                await table.refuse(refusal, person, event.kind)
            return
        decisions = run.feed(table.state.head + 1, event)
        body = dict(extra or {})
        if run.finished:
            body["must_clear"] = sorted(table.felt.never_cleared())
        record = event_record(event, decisions, run, person, body)
        await table._after(run, decisions)
        await table.commit([record], checkpoint=run.finished)

    _put(Controller, "play", play)


def contribution_again_at_recovery() -> None:
    """What the open round put on the meter is put there once more when the table comes back."""
    take_up = Controller._take_up_round

    async def again(table: Controller) -> None:
        records = list(table.state.open_round)
        await take_up(table)
        for record in records:
            decisions: Any = record.body.get("decisions", ())
            if any(decision["kind"] == "contribution" for decision in decisions):
                await table.commit([NewRecord("contributed", UNIT, {}, record.round, record.postings)])

    _put(Controller, "_take_up_round", again)


def contribution_in_its_own_transaction() -> None:
    """The wager is recorded and, a moment later, in a record of its own, its money."""
    commit = Controller.commit

    async def apart(table: Controller, records: Sequence[NewRecord], checkpoint: bool = False) -> tuple[Record, ...]:
        bare = [NewRecord(each.type, each.person, each.body, each.round) for each in records]
        money = [NewRecord("posted", each.person, {}, each.round, each.postings) for each in records if each.postings]
        written = await commit(table, bare, checkpoint)
        if money:
            await commit(table, money)
        return written

    _put(Controller, "commit", apart)


def lock_out_by_arrival() -> None:
    """An edge counts as having happened when Python got round to it."""
    feed = LockOut.feed
    _put(LockOut, "feed", lambda lockout, edge: feed(lockout, _arrived(edge)))


def _arrived(edge: Edge) -> Edge:
    return edge._replace(at_ns=edge.arrived_ns)


def lock_out_ahead_of_queued_edges() -> None:
    """Decides while edges that a slow disk held up still lie in the inbox."""

    async def nothing_waits(table: Controller) -> bool:
        return False

    _put(Controller, "_edges_wait", nothing_waits)


def correction_without_a_record() -> None:
    """The round stands corrected, and nothing says that it ever was otherwise."""

    async def silently(table: Controller, correction: Correction, person: str) -> None:
        if table.run is not None:
            table.run = correct(table.run, correction, table.state.head + 1)

    _put(Controller, "correct", silently)


def correction_over_the_old_record() -> None:
    """The old entry is overwritten where it stands."""

    async def overwrite(table: Controller, correction: Correction, person: str) -> None:
        if table.run is None:
            return
        table.run = correct(table.run, correction, table.state.head + 1)
        connection = sqlite3.connect(table._writer.journal.path)
        with connection:
            connection.execute(
                "UPDATE records SET body = replace(body, 'Folded', 'Raised') WHERE seq = ?", [correction.target]
            )
        connection.close()

    _put(Controller, "correct", overwrite)


def last_event_forgotten() -> None:
    """Recovery runs the open round again, all but its last event."""

    def stand(table: Controller) -> None:
        records = table.state.open_round
        table.run = rerun_records(table.game, records[:-1] if len(records) > 2 else records) if records else None

    _put(Controller, "_stand_on_records", stand)


FAULTS: dict[str, Callable[[], None]] = {
    "synchronous-off": synchronous_off,
    "effect-before-commit": effect_before_commit,
    "contribution-again-at-recovery": contribution_again_at_recovery,
    "contribution-in-its-own-transaction": contribution_in_its_own_transaction,
    "lock-out-by-arrival": lock_out_by_arrival,
    "lock-out-ahead-of-queued-edges": lock_out_ahead_of_queued_edges,
    "correction-without-a-record": correction_without_a_record,
    "correction-over-the-old-record": correction_over_the_old_record,
    "last-event-forgotten": last_event_forgotten,
}
NO_FAULT = "none"


if __name__ == "__main__":
    fault, end_file = sys.argv[1], Path(sys.argv[2])
    if fault != NO_FAULT:
        FAULTS[fault]()
    stage_end(end_file.read_text() if end_file.exists() else "")
    sys.exit(main(sys.argv[3:]))
