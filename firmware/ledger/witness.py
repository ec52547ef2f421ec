"""The journal's head, remembered on another device, so that an older copy put back is found."""

import re
from pathlib import Path
from typing import NamedTuple, Protocol

from firmware.ledger.atomic import write_atomically
from firmware.ledger.faults import JournalFault

_LINE = re.compile(r"feltlock witness (\d{1,18}) ([0-9a-f]{64})\n")


class Head(NamedTuple):
    """The newest record: its number and its hash."""

    seq: int
    hash: str


class Witness(Protocol):
    def read(self) -> Head | None:
        """What was seen last, or None when nothing was ever written."""

    def write(self, seq: int, hash: str) -> None: ...


class FileWitness:
    """A witness in a file, which belongs on another device than the journal."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Head | None:
        """A witness that cannot be read is a fault: silence would let an older journal pass."""
        try:
            text = self._path.read_bytes().decode("ascii", "replace")
        except FileNotFoundError:
            if self._path.parent.is_dir():
                return None
            raise self._fault("its folder is missing") from None
        except OSError as error:
            raise self._fault(f"it cannot be read ({error.strerror})") from error
        match = _LINE.fullmatch(text)
        if match is None:
            raise self._fault("it is damaged")
        return Head(int(match[1]), match[2])

    def write(self, seq: int, hash: str) -> None:
        try:
            write_atomically(self._path, f"feltlock witness {seq} {hash}\n".encode())
        except OSError as error:
            raise self._fault(f"it cannot be written ({error.strerror})") from error

    def _fault(self, problem: str) -> JournalFault:
        return JournalFault("witness", f"witness {self._path}: {problem}: put the witness device back")
