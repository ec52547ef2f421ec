"""A small file that is, after a power cut at any instant, either the old one or the new one."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """A new name lives in its folder, so it lasts only once the folder itself is on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put_in_place(finished: Path, path: Path) -> None:
    """Give a finished file, written under a passing name in the same folder, its real name for good."""
    sync_file(finished)
    os.replace(finished, path)
    sync_folder(path.parent)


def write_atomically(path: Path, data: bytes, mode: int = 0o600) -> None:
    passing = path.with_name(path.name + ".new")
    handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, mode)
            file.write(data)
        put_in_place(passing, path)
    except OSError:
        passing.unlink(missing_ok=True)
        raise
