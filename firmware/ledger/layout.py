"""The SQLite file that holds a journal: its tables, and how it is opened."""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from firmware.ledger.atomic import put_in_place
from firmware.ledger.faults import KEEP_AS_EVIDENCE, JournalFault

APPLICATION_ID = 0x46454C54  # "FELT", so that `file` and SQLite's own tools can tell what this is
LAYOUT_VERSION = 1

_TABLES = (
    """CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    utc TEXT NOT NULL,
    boot TEXT NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    person TEXT NOT NULL,
    round INTEGER,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT""",
    """CREATE TABLE postings (
    seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    account TEXT NOT NULL,
    meter TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (seq, position)
) STRICT, WITHOUT ROWID""",
    "CREATE INDEX records_by_round ON records (round) WHERE round IS NOT NULL",
    "CREATE INDEX records_by_type ON records (type)",
)

INSERT_RECORD = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_POSTING = "INSERT INTO postings VALUES (?, ?, ?, ?, ?)"

WRITER_SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")


def connect_writer(path: Path, settings: Iterable[str] = WRITER_SETTINGS) -> sqlite3.Connection:
    """May be handed to another thread: the journal itself watches that only one uses it."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        for setting in settings:
            connection.execute(setting)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True, isolation_level=None)


def require_file(path: Path) -> None:
    if not path.is_file():
        raise JournalFault(
            "missing", f"journal {path} is missing: put the table's storage card in, or name the journal.db"
        )


def create_file(path: Path, first_record: tuple[object, ...]) -> None:
    """The whole file is made under a passing name, so that no power cut leaves half a journal behind."""
    passing = path.with_name(path.name + ".new")
    for leftover in ("", "-wal", "-shm"):
        path.with_name(passing.name + leftover).unlink(missing_ok=True)
    os.close(os.open(passing, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection = connect_writer(passing)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {LAYOUT_VERSION}")
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(INSERT_RECORD, first_record)
        connection.execute("COMMIT")
    finally:
        connection.close()
    put_in_place(passing, path)


def check_layout(connection: sqlite3.Connection, path: Path) -> None:
    """Also finds a trigger or view that somebody added: nothing but these tables may be in the file."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalFault("layout", f"{path} is not a Feltlock journal: name the journal.db of a table")
    if version > LAYOUT_VERSION:
        raise JournalFault(
            "newer-version",
            f"journal written by newer software: {path} has layout {version}, this software reads up to "
            f"{LAYOUT_VERSION}: install the version that wrote it or newer",
        )
    found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if version != LAYOUT_VERSION or found != set(_TABLES):
        raise JournalFault(
            "layout",
            f"journal {path}: its tables are not those of layout {LAYOUT_VERSION}: {KEEP_AS_EVIDENCE}",
        )
