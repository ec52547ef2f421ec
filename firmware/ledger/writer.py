"""The ledger's own thread: a slow disk delays what waits for it, and nothing else."""

from collections.abc import Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.records import Draft, NewRecord, Record, draft
from firmware.ledger.witness import Witness


class Job(NamedTuple):
    """What one submit asked for: one transaction, one answer."""

    future: Future[tuple[Record, ...]]
    drafts: list[Draft]
    utc: str
    checkpoint: bool


class _Reset(NamedTuple):
    """A marker in the queue, so that what was submitted before a reset cannot profit from it."""


class LedgerWriter:
    """Takes the journal over and closes it at the end.

    Submits are written one by one in the order they came. After a failure every later one fails too until
    `reset`: nothing may become true after something that did not.
    """

    def __init__(self, journal: Journal, witness: Witness | None = None) -> None:
        journal.self_test()
        self.journal = journal
        self._witness = witness
        self._failure: JournalFault | None = None
        self._closed = False
        self._queue: SimpleQueue[Job | _Reset | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="ledger writer", daemon=True)
        self._thread.start()

    def submit(self, records: Sequence[NewRecord], utc: str, checkpoint: bool = False) -> Future[tuple[Record, ...]]:
        """The answer comes when the records are on the disk. A record that no journal may hold is refused here."""
        if self._closed:
            raise RuntimeError("the ledger is closed")
        future: Future[tuple[Record, ...]] = Future()
        self._queue.put(Job(future, [draft(record) for record in records], utc, checkpoint))
        return future

    def reset(self) -> None:
        """The fault is cleared: what is submitted from now on is written again."""
        self._queue.put(_Reset())

    def close(self) -> None:
        """Write what is waiting, then let the journal go."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def carry_out(self, job: Job) -> None:
        """First the disk, then the answer, then the witness: a witness that fails cannot undo what is written."""
        records = self.journal.append_drafts(job.drafts, job.utc, job.checkpoint)
        job.future.set_result(records)
        if job.checkpoint and self._witness is not None:
            self._witness.write(records[-1].seq, records[-1].hash)

    def _run(self) -> None:
        self.journal.adopt()
        while (job := self._queue.get()) is not None:
            if isinstance(job, _Reset):
                self._failure = None
            elif not job.future.set_running_or_notify_cancel():
                continue
            elif self._failure is not None:
                message = f"not recorded, because of an earlier fault: {self._failure.message}"
                job.future.set_exception(JournalFault(self._failure.code, message))
            else:
                self._try(job)
        self.journal.close()

    def _try(self, job: Job) -> None:
        try:
            self.carry_out(job)
        except Exception as error:
            if isinstance(error, JournalFault):
                self._failure = error
            else:
                self._failure = JournalFault("internal", f"journal {self.journal.path}: {error}: restart the unit")
            if not job.future.done():
                job.future.set_exception(error)
