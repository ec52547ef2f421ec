"""The proof that a journal is whole: nothing changed, nothing missing, nothing put back, signed by its unit."""

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from firmware.ledger.converters import CONVERTERS, Converters, newer_software
from firmware.ledger.faults import KEEP_AS_EVIDENCE, SQLITE_ERRORS, JournalFault, fault_from_sqlite, one_line
from firmware.ledger.keys import verify
from firmware.ledger.layout import check_layout, connect_reader, require_file
from firmware.ledger.records import CHECKPOINT, FIRST_PREVIOUS, GENESIS, checkpoint_data, read_body
from firmware.ledger.rows import StoredRecord, stored_records
from firmware.ledger.witness import Head, Witness
from firmware.rules.postings import balanced

MOST_FINDINGS = 100


class Finding(NamedTuple):
    """One thing wrong with a journal. `text` is a whole line for a person."""

    code: str
    record: int | None
    text: str

    def fault(self) -> JournalFault:
        return JournalFault(self.code, self.text, self.record)


class Expected(NamedTuple):
    """What the journal is held against; what is None is not known here."""

    table_id: str | None = None
    public_key: str | None = None
    witness: Witness | None = None


def verify_journal(
    path: Path,
    public_key: str | None = None,
    witness: Witness | None = None,
    *,
    converters: Converters = CONVERTERS,
) -> list[Finding]:
    """The full check, offline or beside the running unit. Without a key, the journal's own is believed."""
    try:
        require_file(path)
        connection = connect_reader(path)
        try:
            expected = Expected(public_key=public_key, witness=witness)
            findings = examine(connection, path, expected, converters)
            return list(islice(findings, MOST_FINDINGS))
        finally:
            connection.close()
    except SQLITE_ERRORS as error:
        return [_from_fault(fault_from_sqlite(error, path))]
    except JournalFault as fault:
        return [_from_fault(fault)]


def examine(
    connection: sqlite3.Connection,
    path: Path,
    expected: Expected,
    converters: Converters = CONVERTERS,
    *,
    quick: bool = False,
) -> Iterator[Finding]:
    """Everything wrong, the gravest kind first. Quick: only from the last signed checkpoint on."""
    try:
        check_layout(connection, path)
        connection.execute("BEGIN")  # one instant of the journal, whoever is writing to it
        try:
            yield from _Examination(connection, path, expected, converters).findings(quick)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    except SQLITE_ERRORS as error:
        yield _from_fault(fault_from_sqlite(error, path))
    except JournalFault as fault:
        yield _from_fault(fault)


def _from_fault(fault: JournalFault) -> Finding:
    return Finding(fault.code, fault.record, fault.message)


class _Examination:
    def __init__(self, connection: sqlite3.Connection, path: Path, expected: Expected, converters: Converters) -> None:
        self._connection = connection
        self._path = path
        self._expected = expected
        self._converters = converters
        self._public_key = expected.public_key

    def findings(self, quick: bool) -> Iterator[Finding]:
        if not quick:
            yield from self._file_check()
        yield from self._genesis()
        yield from self._chain(self._last_checkpoint() if quick else 1)
        yield from self._orphan_postings()
        yield from self._witnessed()

    def _found(self, code: str, record: int | None, problem: str, remedy: str = KEEP_AS_EVIDENCE) -> Finding:
        where = f"journal {self._path}" if record is None else f"journal {self._path}, record {record}"
        return Finding(code, record, one_line(f"{where}: {problem}: {remedy}"))

    def _file_check(self) -> Iterator[Finding]:
        for (line,) in self._connection.execute("PRAGMA integrity_check(1)"):
            if line != "ok":
                yield self._found("corrupt", None, f"the file is damaged ({' '.join(line.split())})")

    def _genesis(self) -> Iterator[Finding]:
        """Whose journal it is comes before everything: another table's may be whole and still be wrong."""
        first = next(stored_records(self._connection, "r.seq = 1"), None)
        if first is None:
            yield self._found("chain-broken", 1, "it is missing")
            return
        try:
            body = read_body(first.body_text)
            table, public_key = body["table"], body["public_key"]
        except (ValueError, KeyError):
            yield self._found("chain-broken", 1, "it does not say whose journal this is")
            return
        if self._expected.table_id is not None and table != self._expected.table_id:
            yield self._found(
                "another-table",
                None,
                f"it belongs to table {table}, this table is {self._expected.table_id}",
                f"put in the storage card of table {self._expected.table_id}",
            )
        if self._public_key is None:
            self._public_key = str(public_key)
        elif public_key != self._public_key:
            yield self._found(
                "another-key",
                1,
                f"the unit that began it has key {str(public_key)[:16]}..., not {self._public_key[:16]}...",
                "put in the storage card that belongs to this unit",
            )

    def _last_checkpoint(self) -> int:
        newest = "SELECT coalesce(max(seq), 1) FROM records WHERE type = ?"
        return int(self._connection.execute(newest, [CHECKPOINT]).fetchone()[0])

    def _chain(self, first: int) -> Iterator[Finding]:
        """One pass. After a break it goes on from what is there, so that one change is one finding."""
        number, previous = first, FIRST_PREVIOUS if first == 1 else None
        for stored in stored_records(self._connection, "r.seq >= ?", [first]):
            if stored.seq != number:
                missing = f"{number}" if stored.seq == number + 1 else f"{number} to {stored.seq - 1}"
                yield self._found("chain-broken", number, f"missing ({missing} not there)")
            elif previous is not None and stored.previous != previous:
                yield self._found("chain-broken", stored.seq, "it does not follow the record before it")
            yield from self._record(stored)
            number, previous = stored.seq + 1, stored.hash

    def _record(self, stored: StoredRecord) -> Iterator[Finding]:
        seq = stored.seq
        if stored.hash != stored.true_hash() or stored.positions != tuple(range(len(stored.postings))):
            yield self._found("chain-broken", seq, "it was changed after it was written")
            return
        if (stored.type == GENESIS) != (seq == 1):
            yield self._found("chain-broken", seq, "the first record, and only it, begins a journal")
        newest = self._converters.newest(stored.type)
        if stored.version > newest:
            fault = newer_software(seq, stored.type, stored.version, newest, stored.fingerprint)
            yield _from_fault(fault)
            return
        if not balanced(stored.postings):
            yield self._found("unbalanced", seq, "its postings do not sum to zero")
        try:
            body = read_body(stored.body_text)
        except ValueError:
            yield self._found("chain-broken", seq, "its body cannot be read")
            return
        if stored.type == CHECKPOINT:
            signature = str(body.get("signature"))
            if not verify(self._public_key or "", signature, checkpoint_data(seq - 1, stored.previous)):
                yield self._found("bad-signature", seq, "the checkpoint is not signed by this unit's key")

    def _orphan_postings(self) -> Iterator[Finding]:
        orphans = "SELECT DISTINCT seq FROM postings WHERE seq NOT IN (SELECT seq FROM records) LIMIT 1"
        for (seq,) in self._connection.execute(orphans):
            yield self._found("chain-broken", seq, "there are postings of it but no record")

    def _witnessed(self) -> Iterator[Finding]:
        """The only check that finds records cut off at the end, or a whole older journal put back."""
        seen = None if self._expected.witness is None else self._expected.witness.read()
        if seen is None:
            return
        newest = self._connection.execute("SELECT coalesce(max(seq), 0) FROM records").fetchone()[0]
        there = self._connection.execute("SELECT seq, hash FROM records WHERE seq = ?", [seen.seq]).fetchone()
        if newest < seen.seq:
            problem = f"it was rolled back: it ends at record {newest}, the witness saw record {seen.seq}"
            yield self._found("rolled-back", None, problem)
        elif there is None or Head(*there) != seen:
            problem = "it was rolled back: this is not the record that the witness saw"
            yield self._found("rolled-back", seen.seq, problem)
