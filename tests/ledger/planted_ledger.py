"""Faults put in on purpose, to prove that what should catch them does."""

from firmware.ledger.journal import Journal
from firmware.ledger.writer import Job, LedgerWriter


class UnsyncedJournal(Journal):
    """Says that a record is on the disk when it is only on its way there."""

    settings = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF")


class HastyWriter(LedgerWriter):
    """Gives the answer before the commit."""

    def carry_out(self, job: Job) -> None:
        job.future.set_result(())
        self.journal.append_drafts(job.drafts, job.utc, job.checkpoint)


class ForgetfulWriter(LedgerWriter):
    """Leaves out what it cannot write and carries on with what comes next."""

    def carry_out(self, job: Job) -> None:
        if job.checkpoint:
            job.future.set_result(())
        else:
            super().carry_out(job)
