"""Reading a journal, also beside the unit that is writing it."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import Self

from firmware.ledger.converters import CONVERTERS, Converters
from firmware.ledger.faults import KEEP_AS_EVIDENCE, SQLITE_ERRORS, JournalFault, fault_from_sqlite
from firmware.ledger.layout import check_layout, connect_reader, require_file
from firmware.ledger.records import GENESIS, Record, read_body
from firmware.ledger.rows import StoredRecord, stored_records
from firmware.ledger.witness import Head


class JournalReader:
    """One connection, used by one thread at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection, converters: Converters) -> None:
        self.path = path
        self._connection = connection
        self._converters = converters
        self._thread = get_ident()

    @classmethod
    def open_readonly(cls, path: Path, *, converters: Converters = CONVERTERS) -> "JournalReader":
        """Does not check the chain: that is what `verify_journal` is for."""
        require_file(path)
        try:
            connection = connect_reader(path)
            try:
                check_layout(connection, path)
            except BaseException:
                connection.close()
                raise
        except SQLITE_ERRORS as error:
            raise fault_from_sqlite(error, path) from error
        return JournalReader(path, connection, converters)

    def head(self) -> Head:
        """The newest record's number and hash."""
        self._only_one_thread()
        try:
            row = self._connection.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
        except SQLITE_ERRORS as error:
            raise fault_from_sqlite(error, self.path) from error
        if row is None:
            raise JournalFault("chain-broken", f"journal {self.path} holds no record: {KEEP_AS_EVIDENCE}")
        return Head(*row)

    def read(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        types: Iterable[str] | None = None,
        round: int | None = None,
    ) -> Iterator[Record]:
        """Records in order, bodies in today's form however old they are."""
        where, values = ["r.seq >= ?"], list[object]([first])
        if last is not None:
            where.append("r.seq <= ?")
            values.append(last)
        if types is not None:
            wanted = list(types)
            where.append(f"r.type IN ({', '.join('?' * len(wanted))})")
            values.extend(wanted)
        if round is not None:
            where.append("r.round = ?")
            values.append(round)
        return self._records(" AND ".join(where), values)

    def last(self, type: str) -> Record | None:
        """The newest record of a type."""
        newest = "r.seq = (SELECT max(seq) FROM records WHERE type = ?)"
        return next(self._records(newest, [type]), None)

    def table_id(self) -> str:
        """Whose journal this is, as its first record says."""
        return str(self._genesis("table"))

    def public_key(self) -> str:
        """The key of the unit that began this journal, as its first record says."""
        return str(self._genesis("public_key"))

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _genesis(self, field: str) -> object:
        first = next(self.read(1, 1), None)
        if first is None or first.type != GENESIS or field not in first.body:
            raise JournalFault("chain-broken", f"journal {self.path} has no first record: {KEEP_AS_EVIDENCE}")
        return first.body[field]

    def _records(self, where: str, values: list[object]) -> Iterator[Record]:
        self._only_one_thread()
        try:
            for stored in stored_records(self._connection, where, values):
                yield self._trusted(stored)
        except SQLITE_ERRORS as error:
            raise fault_from_sqlite(error, self.path) from error

    def _trusted(self, stored: StoredRecord) -> Record:
        try:
            body = read_body(stored.body_text)
        except ValueError as error:
            message = f"journal {self.path}, record {stored.seq}: its body cannot be read: {KEEP_AS_EVIDENCE}"
            raise JournalFault("chain-broken", message, stored.seq) from error
        return Record(
            stored.seq,
            stored.utc,
            stored.boot,
            stored.type,
            stored.version,
            stored.fingerprint,
            stored.person,
            stored.round,
            self._converters.to_newest(stored.type, stored.version, body, stored.seq, stored.fingerprint),
            stored.postings,
            stored.previous,
            stored.hash,
        )

    def _only_one_thread(self) -> None:
        if get_ident() != self._thread:
            raise RuntimeError("a journal is used by one thread: open it read-only for another")
