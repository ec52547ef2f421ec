"""The journal: the one place where something that happened at the table becomes true."""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import get_ident

from firmware.ledger.converters import CONVERTERS, Converters
from firmware.ledger.faults import SQLITE_ERRORS, JournalFault, fault_from_sqlite
from firmware.ledger.keys import UnitKey
from firmware.ledger.layout import (
    INSERT_POSTING,
    INSERT_RECORD,
    LAYOUT_VERSION,
    WRITER_SETTINGS,
    connect_writer,
    create_file,
    require_file,
)
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import (
    CHECKPOINT,
    FIRST_PREVIOUS,
    GENESIS,
    SCHEMA_VERSION,
    Body,
    Draft,
    NewRecord,
    Record,
    checkpoint_data,
    draft,
    record_hash,
)
from firmware.ledger.verification import Expected, examine
from firmware.ledger.witness import Head, Witness

_FULL = 2  # what SQLite answers for synchronous = FULL


class Journal(JournalReader):
    """The writing side. One unit holds it, one thread uses it, one transaction per append."""

    settings = WRITER_SETTINGS

    def __init__(
        self, path: Path, connection: sqlite3.Connection, key: UnitKey, lock: int, converters: Converters
    ) -> None:
        super().__init__(path, connection, converters)
        self._key = key
        self._lock = lock
        self._head: Head | None = None
        self._header: tuple[str, str] | None = None

    @classmethod
    def create(
        cls,
        path: Path,
        table_id: str,
        key: UnitKey,
        *,
        utc: str,
        boot: str,
        fingerprint: str,
        person: str = "unit",
        converters: Converters = CONVERTERS,
    ) -> "Journal":
        """A new table's journal; its first record says whose it is. Never over an existing one."""
        body: Body = {"layout": LAYOUT_VERSION, "public_key": key.public_hex, "table": table_id}
        _, row = _seal(
            draft(NewRecord(GENESIS, person, body)),
            Head(0, FIRST_PREVIOUS),
            utc,
            boot,
            fingerprint,
            SCHEMA_VERSION,
        )
        lock = _lock_writer(path)
        try:
            if path.exists():
                raise JournalFault("exists", f"journal {path} already exists: open it, or name another folder")
            create_file(path, row)
        except SQLITE_ERRORS as error:
            raise fault_from_sqlite(error, path) from error
        except OSError as error:
            raise JournalFault("disk-error", f"journal {path}: {error.strerror}: check the folder") from error
        finally:
            os.close(lock)
        journal = cls.open(path, table_id, key, converters=converters)
        journal.begin_boot(boot, fingerprint)
        return journal

    @classmethod
    def open(
        cls,
        path: Path,
        table_id: str,
        key: UnitKey,
        witness: Witness | None = None,
        *,
        quick: bool = False,
        converters: Converters = CONVERTERS,
    ) -> "Journal":
        """Refuses a journal that is not whole, not this table's or not this unit's: the table must not play on it."""
        require_file(path)
        lock = _lock_writer(path)
        try:
            journal = cls(path, connect_writer(path, cls.settings), key, lock, converters)
        except SQLITE_ERRORS as error:
            os.close(lock)
            raise fault_from_sqlite(error, path) from error
        try:
            journal.self_test()
            expected = Expected(table_id, key.public_hex, witness)
            for finding in examine(journal._connection, path, expected, converters, quick=quick):
                raise finding.fault()
        except BaseException:
            journal.close()
            raise
        return journal

    def self_test(self) -> None:
        """Read back from SQLite itself that a commit waits for the disk: a setting that did not take is silent."""
        try:
            mode = self._connection.execute("PRAGMA journal_mode").fetchone()[0]
            synchronous = self._connection.execute("PRAGMA synchronous").fetchone()[0]
        except SQLITE_ERRORS as error:
            raise fault_from_sqlite(error, self.path) from error
        if (mode, synchronous) != ("wal", _FULL):
            raise JournalFault(
                "not-durable",
                f"journal {self.path}: a commit would not survive a power cut (journal_mode {mode}, synchronous "
                f"{synchronous}): use a local disk and this software's own SQLite settings",
            )

    def begin_boot(self, boot_id: str, fingerprint: str) -> None:
        """What every following record says about the run and the software that wrote it."""
        self._header = (boot_id, fingerprint)

    def adopt(self) -> None:
        """From now on the journal belongs to the calling thread."""
        self._thread = get_ident()

    def append(self, records: Sequence[NewRecord], utc: str, checkpoint: bool = False) -> tuple[Record, ...]:
        """All of them or none, on the disk when this returns; with a checkpoint, signed as the last record."""
        return self.append_drafts([draft(record) for record in records], utc, checkpoint)

    def append_drafts(self, drafts: Sequence[Draft], utc: str, checkpoint: bool = False) -> tuple[Record, ...]:
        self._only_one_thread()
        if self._header is None:
            raise RuntimeError("begin_boot comes before the first record of a run")
        if not drafts:
            raise ValueError("there is nothing to append")
        if any(each.type in (GENESIS, CHECKPOINT) for each in drafts):
            raise ValueError("the first record and checkpoints are written by the journal itself")
        if self._head is None:
            self._head = self.head()
        boot, fingerprint = self._header
        head, records, rows, postings = self._head, [], [], []
        for each in drafts:
            record, row = _seal(each, head, utc, boot, fingerprint, self._converters.newest(each.type))
            head = Head(record.seq, record.hash)
            records.append(record)
            rows.append(row)
            postings += [(head.seq, place, *posting) for place, posting in enumerate(each.postings)]
        if checkpoint:
            signature = self._key.sign(checkpoint_data(*head))
            signed = draft(NewRecord(CHECKPOINT, drafts[-1].person, {"signature": signature}, drafts[-1].round))
            version = self._converters.newest(CHECKPOINT)
            record, row = _seal(signed, head, utc, boot, fingerprint, version)
            head = Head(record.seq, record.hash)
            records.append(record)
            rows.append(row)
        self._commit(rows, postings)
        self._head = head
        return tuple(records)

    def close(self) -> None:
        super().close()
        os.close(self._lock)

    def _commit(self, rows: Sequence[tuple[object, ...]], postings: Sequence[tuple[object, ...]]) -> None:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(INSERT_RECORD, rows)
            if postings:
                connection.executemany(INSERT_POSTING, postings)
            connection.execute("COMMIT")
        except BaseException as error:
            self._head = None  # whatever happened, the next append asks the disk where the journal ends
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, SQLITE_ERRORS):
                raise fault_from_sqlite(error, self.path) from error
            raise


def _seal(
    draft: Draft, head: Head, utc: str, boot: str, fingerprint: str, version: int
) -> tuple[Record, tuple[object, ...]]:
    """The record that follows this head, and the row that holds it."""
    type, person, round, body, body_text, postings, postings_text = draft
    seq, previous = head.seq + 1, head.hash
    hash = record_hash(previous, seq, utc, boot, type, version, fingerprint, person, round, body_text, postings_text)
    return (
        Record(seq, utc, boot, type, version, fingerprint, person, round, body, postings, previous, hash),
        (seq, utc, boot, type, version, fingerprint, person, round, body_text, previous, hash),
    )


def _lock_writer(path: Path) -> int:
    """Two writers would each continue the chain their own way. The lock falls with the process, however it ends."""
    try:
        lock = os.open(path.with_name(path.name + "-lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalFault("disk-error", f"journal {path}: {error.strerror}: check the folder") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise JournalFault("in-use", f"journal {path} is held by a running controller: stop that one first") from None
    return lock
