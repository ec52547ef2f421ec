"""What a record is, and the bytes that its hash covers.

The hash of a record is the SHA-256 of the previous record's hash (64 hex digits) followed by the record as
canonical JSON: every field but `previous` and `hash`, keys sorted, no spaces, ASCII only. So anyone can check a
journal with a few lines of any language.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring_ascii as quoted
from typing import NamedTuple, TypeAlias

from firmware.rules.postings import ACCOUNTS, Posting, balanced

JSON: TypeAlias = bool | int | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
Body: TypeAlias = Mapping[str, JSON]

SCHEMA_VERSION = 1
"""The version that every record type starts with; `converters` says which types have moved on."""

FIRST_PREVIOUS = "0" * 64
"""What the first record carries in place of a previous hash."""

GENESIS = "genesis"
CHECKPOINT = "checkpoint"

_LARGEST_UNITS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class NewRecord:
    """What someone wants written; the journal adds number, time, header and hash."""

    type: str
    person: str
    body: Body
    round: int | None = None
    postings: tuple[Posting, ...] = ()


class Record(NamedTuple):
    """A record as written. `version` is the one it was written with; `body` is in today's form."""

    seq: int
    utc: str
    boot: str
    type: str
    version: int
    fingerprint: str
    person: str
    round: int | None
    body: Body
    postings: tuple[Posting, ...]
    previous: str
    hash: str


class Draft(NamedTuple):
    """A new record that has passed every check that needs no journal."""

    type: str
    person: str
    round: int | None
    body: Body
    body_text: str
    postings: tuple[Posting, ...]
    postings_text: str


def _refuse_number(text: str) -> object:
    raise ValueError(f"{text} is not a whole number: amounts and times are integers")


canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(parse_float=_refuse_number, parse_constant=_refuse_number).decode


def read_body(text: str) -> dict[str, JSON]:
    body = _decode(text)
    if not isinstance(body, dict):
        raise ValueError("the body of a record is a JSON object")
    return body


def draft(record: NewRecord) -> Draft:
    """Refuse what no journal may hold; the body is taken through its text, so that memory and disk agree."""
    if not record.person:
        raise ValueError(f"record {record.type!r} names no person")
    if not balanced(record.postings):
        raise ValueError(f"postings of record {record.type!r} do not sum to zero: {record.postings}")
    for account, _, units in record.postings:
        if account not in ACCOUNTS:
            raise ValueError(f"record {record.type!r} posts to unknown account {account!r}")
        if abs(units) > _LARGEST_UNITS:
            raise ValueError(f"record {record.type!r} posts {units} units, more than a journal can hold")
    try:
        text = canonical(record.body)
        body = read_body(text)
    except (TypeError, ValueError) as error:
        raise ValueError(f"body of record {record.type!r}: {error}") from error
    return Draft(record.type, record.person, record.round, body, text, record.postings, canonical(record.postings))


def record_hash(
    previous: str,
    seq: int,
    utc: str,
    boot: str,
    type: str,
    version: int,
    fingerprint: str,
    person: str,
    round: int | None,
    body_text: str,
    postings_text: str,
) -> str:
    """Written out field by field because it runs once per commit; a test holds it to the canonical form."""
    return sha256(
        (
            f'{previous}{{"body":{body_text},"boot":{quoted(boot)},"fingerprint":{quoted(fingerprint)},'
            f'"person":{quoted(person)},"postings":{postings_text},'
            f'"round":{"null" if round is None else round},'
            f'"seq":{seq},"type":{quoted(type)},"utc":{quoted(utc)},"version":{version}}}'
        ).encode("ascii")
    ).hexdigest()


def checkpoint_data(seq: int, hash: str) -> bytes:
    """What a checkpoint signs: the number and hash of the record before it."""
    return f"feltlock checkpoint {seq} {hash}".encode("ascii")
