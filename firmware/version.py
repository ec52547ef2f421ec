"""Which Feltlock this is. `RELEASED` is the earliest time a trusted clock can show on it."""

import hashlib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

VERSION = "0.1.0"
RELEASED = datetime(2026, 11, 1, tzinfo=UTC)


@cache
def software_digest() -> str:
    """SHA-256 over every source and rulebook file of the firmware, in a fixed order."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
