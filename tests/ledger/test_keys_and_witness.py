import os
import stat
from pathlib import Path

import pytest

from firmware.ledger import atomic
from firmware.ledger.atomic import write_atomically
from firmware.ledger.faults import JournalFault
from firmware.ledger.keys import UnitKey, is_public_key, verify
from firmware.ledger.witness import FileWitness, Head

HASH = "ab" * 32


def test_a_key_is_made_once_and_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    made = UnitKey.load_or_create(tmp_path / "unit.key")
    assert stat.S_IMODE((tmp_path / "unit.key").stat().st_mode) == 0o600
    again = UnitKey.load_or_create(tmp_path / "unit.key")
    assert again.public_hex == made.public_hex
    assert verify(made.public_hex, again.sign(b"round 7"), b"round 7")
    assert UnitKey.load_or_create(tmp_path / "other.key").public_hex != made.public_hex


def test_a_signature_fits_one_key_and_one_text() -> None:
    key = UnitKey.create()
    signature = key.sign(b"round 7")
    assert not verify(key.public_hex, signature, b"round 8")
    assert not verify(UnitKey.create().public_hex, signature, b"round 7")
    assert not verify(key.public_hex, "no signature", b"round 7")
    assert not verify("no key", signature, b"round 7")


@pytest.mark.parametrize("text", ["", "zz" * 32, "00" * 31, "00" * 33, "\xa7"])
def test_a_damaged_key_is_a_fault_and_is_not_replaced(tmp_path: Path, text: str) -> None:
    path = tmp_path / "unit.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(JournalFault, match="it is damaged") as fault:
        UnitKey.load_or_create(path)
    assert fault.value.code == "key"
    assert path.read_text() == text


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    UnitKey.load_or_create(tmp_path / "unit.key")
    (tmp_path / "unit.key").chmod(0o640)
    with pytest.raises(JournalFault, match="others may read it: chmod 600"):
        UnitKey.load_or_create(tmp_path / "unit.key")


def test_a_key_without_its_folder_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(JournalFault, match="No such file or directory: check the folder"):
        UnitKey.load_or_create(tmp_path / "absent" / "unit.key")


def test_what_is_and_is_not_a_public_key() -> None:
    assert is_public_key(UnitKey.create().public_hex)
    assert not any(is_public_key(text) for text in ("", "ab", "zz" * 32, " ".join(["ab"] * 32)))


def test_a_witness_remembers_the_last_head(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "witness")
    assert witness.read() is None
    witness.write(7, HASH)
    witness.write(9, HASH)
    assert FileWitness(tmp_path / "witness").read() == Head(9, HASH)


@pytest.mark.parametrize("text", [b"", b"feltlock witness 9 abc\n", b"\xff" * 80, b"feltlock witness 9 " + b"ab" * 32])
def test_a_damaged_witness_is_a_fault(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "witness").write_bytes(text)
    with pytest.raises(JournalFault, match="it is damaged: put the witness device back") as fault:
        FileWitness(tmp_path / "witness").read()
    assert fault.value.code == "witness"


def test_a_witness_whose_device_is_gone_is_a_fault(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "absent" / "witness")
    with pytest.raises(JournalFault, match="its folder is missing"):
        witness.read()
    with pytest.raises(JournalFault, match="it cannot be written"):
        witness.write(1, HASH)
    (tmp_path / "a folder").mkdir()
    with pytest.raises(JournalFault, match="it cannot be read"):
        FileWitness(tmp_path / "a folder").read()


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_atomically(tmp_path / "file", b"old")

    def no_space(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "sync_file", no_space)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "file", b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_the_file_is_on_the_disk_before_its_name_and_the_name_before_the_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    true_fsync, true_replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        true_fsync(handle)

    def replace(source: Path, target: Path) -> None:
        done.append("name")
        true_replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    write_atomically(tmp_path / "file", b"new")
    assert done == ["file", "name", "folder"]
