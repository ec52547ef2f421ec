"""Journal commits per second through the ledger's writer, beside a bare SQLite insert of the same rows.

Both write the same tables with the same settings, one transaction per record with its two postings, into the same
folder, taking turns, so that whatever else the machine does falls on both alike.
"""

import tempfile
import time
from contextlib import closing
from pathlib import Path

from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.layout import INSERT_POSTING, INSERT_RECORD, connect_writer, create_file
from firmware.ledger.records import Body, NewRecord, canonical
from firmware.ledger.writer import LedgerWriter
from firmware.rules.postings import move

_UTC = "2026-01-01T00:00:00.000000Z"
_BOOT = "4b1f4f5e-0000-4000-8000-000000000001"
_FINGERPRINT = "f" * 64


def _new_record(number: int) -> NewRecord:
    body: Body = {
        "event": {"kind": "wager", "seat": number % 7 + 1, "edge_ns": 1_000_000 * number},
        "decisions": [{"kind": "contribution", "meter": "progressive", "seat": number % 7 + 1, "units": 240_000}],
    }
    postings = move("progressive", 240_000, "player", "meter")
    return NewRecord("wager", "dealer.17", body, round=number // 50 + 1, postings=postings)


def _bare_rows(number: int) -> tuple[tuple[object, ...], list[tuple[object, ...]]]:
    new = _new_record(number)
    header = (number, _UTC, _BOOT, new.type, 1, _FINGERPRINT, new.person, new.round)
    row = (*header, canonical(new.body), "a" * 64, "b" * 64)
    return row, [(number, place, *posting) for place, posting in enumerate(new.postings)]


class _Bare:
    def __init__(self, path: Path) -> None:
        create_file(path, _bare_rows(1)[0])
        self._connection = connect_writer(path)
        self._number = 1

    def run(self, commits: int) -> float:
        rows = [_bare_rows(self._number + step) for step in range(1, commits + 1)]
        self._number += commits
        connection, start = self._connection, time.perf_counter()
        for row, postings in rows:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(INSERT_RECORD, row)
            connection.executemany(INSERT_POSTING, postings)
            connection.execute("COMMIT")
        return time.perf_counter() - start

    def close(self) -> None:
        self._connection.close()


class _Ledger:
    def __init__(self, path: Path) -> None:
        journal = Journal.create(path, "figures", UnitKey.create(), utc=_UTC, boot=_BOOT, fingerprint=_FINGERPRINT)
        self._writer = LedgerWriter(journal)
        self._number = 1

    def run(self, commits: int) -> float:
        records = [_new_record(self._number + step) for step in range(1, commits + 1)]
        self._number += commits
        start = time.perf_counter()
        answers = [self._writer.submit([record], _UTC) for record in records]
        answers[-1].result()  # they come in order: with the last one, all are on the disk
        return time.perf_counter() - start

    def close(self) -> None:
        self._writer.close()


def measure(batches: int = 20, commits_per_batch: int = 200, folder: Path | None = None) -> dict[str, float]:
    """Commits per second of each, and the ledger's share of the bare rate."""
    commits = batches * commits_per_batch
    with tempfile.TemporaryDirectory(dir=folder, prefix="feltlock-figures-") as name:
        place = Path(name)
        with closing(_Bare(place / "bare.db")) as bare, closing(_Ledger(place / "journal.db")) as ledger:
            bare_s = ledger_s = 0.0
            for _ in range(batches):
                bare_s += bare.run(commits_per_batch)
                ledger_s += ledger.run(commits_per_batch)
    return {
        "bare_commits_per_second": commits / bare_s,
        "journal_commits_per_second": commits / ledger_s,
        "share_of_bare": bare_s / ledger_s,
    }
