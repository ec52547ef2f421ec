"""A small journal with everything a journal can hold, for the tests of this folder."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.records import NewRecord
from firmware.rules.postings import move, move_cents

TABLE = "PIT4-07"
UTC = "2026-03-01T20:15:00.000000Z"
METER = "progressive"
KEY = UnitKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))  # the same in every process of a test

WAGER = NewRecord(
    "wager",
    "dealer.17",
    {"decisions": [{"kind": "contribution", "meter": METER, "seat": 3}], "note": "Straße § 3"},
    round=1,
    postings=move(METER, 240_000, "player", "meter"),
)
SIGN_ON = NewRecord("sign_on", "dealer.17", {"role": "dealer"})
SEED = NewRecord("meter_started", "technician.2", {}, postings=move_cents(METER, 500_000, "seed", "meter"))


def create(path: Path, key: UnitKey = KEY, table: str = TABLE) -> Journal:
    return Journal.create(path, table, key, utc=UTC, boot="boot-1", fingerprint="software-1")


def create_filled(path: Path) -> None:
    """Nine records: genesis, three, checkpoint, three, checkpoint."""
    with create(path) as journal:
        journal.append([SIGN_ON, SEED, WAGER], UTC, checkpoint=True)
        journal.append([WAGER], UTC)
        journal.append([WAGER, SIGN_ON], UTC, checkpoint=True)


def open_again(path: Path, **options: object) -> Journal:
    journal = Journal.open(path, TABLE, KEY, **options)  # type: ignore[arg-type]
    journal.begin_boot("boot-2", "software-1")
    return journal
