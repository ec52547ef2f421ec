"""Records as they lie in the file, each with its postings, not yet trusted and not yet converted."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from firmware.ledger.records import canonical, record_hash
from firmware.rules.postings import Posting

_SELECT = """SELECT r.seq, r.utc, r.boot, r.type, r.version, r.fingerprint, r.person, r.round, r.body,
    r.previous, r.hash, p.position, p.account, p.meter, p.units
FROM records AS r LEFT JOIN postings AS p ON p.seq = r.seq
WHERE {} ORDER BY r.seq, p.position"""

_POSITION = 11
_KINDS = (int, str, str, str, int, str, str, int, str, str, str)
_KINDS_OUTSIDE_A_ROUND = (*_KINDS[:7], type(None), *_KINDS[8:])
_POSTING_KINDS = (int, str, str, int)


class StoredRecord(NamedTuple):
    seq: int
    utc: str
    boot: str
    type: str
    version: int
    fingerprint: str
    person: str
    round: int | None
    body_text: str
    previous: str
    hash: str
    positions: tuple[int, ...]
    postings: tuple[Posting, ...]

    def true_hash(self) -> str:
        """What the hash has to be, from all that the record holds."""
        return record_hash(
            self.previous,
            self.seq,
            self.utc,
            self.boot,
            self.type,
            self.version,
            self.fingerprint,
            self.person,
            self.round,
            self.body_text,
            canonical(self.postings),
        )


def stored_records(connection: sqlite3.Connection, where: str, values: Sequence[object] = ()) -> Iterator[StoredRecord]:
    """One statement reads both tables, so that it sees one instant of a journal that is being written."""
    rows = connection.execute(_SELECT.format(where), tuple(values))
    for _, group in groupby(rows, key=itemgetter(0)):
        lines = list(group)
        if _kinds(lines[0][:_POSITION]) not in (_KINDS, _KINDS_OUTSIDE_A_ROUND):
            raise sqlite3.DatabaseError(f"record {lines[0][0]} holds a value of the wrong kind")
        with_postings = lines if lines[0][_POSITION] is not None else []
        if any(_kinds(line[_POSITION:]) != _POSTING_KINDS for line in with_postings):
            raise sqlite3.DatabaseError(f"a posting of record {lines[0][0]} holds a value of the wrong kind")
        positions = tuple(line[_POSITION] for line in with_postings)
        postings = tuple(Posting._make(line[_POSITION + 1 :]) for line in with_postings)
        yield StoredRecord._make((*lines[0][:_POSITION], positions, postings))


def _kinds(values: tuple[object, ...]) -> tuple[type, ...]:
    """A damaged file can give bytes or nothing where a text belongs, whatever its tables promise."""
    return tuple(map(type, values))
