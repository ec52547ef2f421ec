"""The unit's own key: it signs checkpoints, and anyone with its public half can check them."""

import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from firmware.ledger.atomic import write_atomically
from firmware.ledger.faults import JournalFault

_KEY_BYTES = 32


class UnitKey:
    """An Ed25519 key that never leaves the unit."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_hex = private.public_key().public_bytes_raw().hex()

    @classmethod
    def create(cls) -> "UnitKey":
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load_or_create(cls, path: Path) -> "UnitKey":
        """A key that others may read proves nothing, so such a file is refused."""
        try:
            if not path.exists():
                key = cls.create()
                write_atomically(path, key._private.private_bytes_raw().hex().encode() + b"\n")
                return key
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                raise JournalFault("key", f"unit key {path}: others may read it: chmod 600 it")
            raw = bytes.fromhex(path.read_text("ascii"))
            if len(raw) != _KEY_BYTES:
                raise ValueError(f"{len(raw)} bytes instead of {_KEY_BYTES}")
        except OSError as error:
            message = f"unit key {path}: {error.strerror}: check the folder and the storage card"
            raise JournalFault("key", message) from error
        except ValueError as error:
            message = f"unit key {path}: it is damaged ({error}): restore it from the unit's sealed copy"
            raise JournalFault("key", message) from error
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    def sign(self, data: bytes) -> str:
        return self._private.sign(data).hex()


def is_public_key(public_hex: str) -> bool:
    try:
        return len(bytes.fromhex(public_hex)) == _KEY_BYTES and len(public_hex) == 2 * _KEY_BYTES
    except ValueError:
        return False


def verify(public_hex: str, signature: str, data: bytes) -> bool:
    """Whether the holder of that key signed exactly this; never an exception for what is not a signature."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_hex)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True
