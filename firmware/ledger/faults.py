"""What stops the table because of its journal, in words a technician can act on."""

import sqlite3
from pathlib import Path

KEEP_AS_EVIDENCE = "stop the table and keep this storage card for the investigation"

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file can raise: SQLite's error texts may quote the damage and then be no text."""

_BY_SQLITE_NAME = (
    ("SQLITE_FULL", "disk-full", "the disk is full", "free space on it; nothing of this step was recorded"),
    ("SQLITE_IOERR", "disk-error", "the disk gave an error", "check or replace the storage card"),
    ("SQLITE_READONLY", "read-only", "it cannot be written", "make the disk and the file writable"),
    ("SQLITE_BUSY", "in-use", "another program is writing to it", "end that program"),
    ("SQLITE_LOCKED", "in-use", "another program is writing to it", "end that program"),
    (
        "SQLITE_CANTOPEN",
        "unreadable",
        "it cannot be opened",
        "copy it with its -wal file into a folder you may write to",
    ),
    ("SQLITE_NOTADB", "corrupt", "it is not a journal", "name the journal.db of a table"),
)


def one_line(text: str) -> str:
    """Also safe to print: a message may quote what a damaged or forged journal holds."""
    return "".join(character if character.isprintable() else " " for character in text)


class JournalFault(Exception):
    """One line: what is wrong, where, and what to do. `code` is what a program may ask for."""

    def __init__(self, code: str, message: str, record: int | None = None) -> None:
        self.code = code
        self.message = one_line(message)
        self.record = record
        super().__init__(self.message)


def fault_from_sqlite(error: Exception, path: Path) -> JournalFault:
    """SQLite's own words are kept in brackets: they are what a search engine knows."""
    name = getattr(error, "sqlite_errorname", "")
    for prefix, code, problem, remedy in _BY_SQLITE_NAME:
        if name.startswith(prefix):
            return JournalFault(code, f"journal {path}: {problem} ({name}: {error}): {remedy}")
    return JournalFault("corrupt", f"journal {path}: it is damaged ({name or error}): {KEEP_AS_EVIDENCE}")
