"""A journal the table must not play on is refused in one line, and is not touched."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ledger_samples import KEY, SIGN_ON, TABLE, UTC, create, create_filled, open_again

from firmware.ledger.converters import Converters
from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.records import NewRecord
from firmware.ledger.verification import verify_journal
from firmware.ledger.witness import FileWitness


def refusal(path: Path, table: str = TABLE, key: UnitKey = KEY, witness: FileWitness | None = None) -> JournalFault:
    with pytest.raises(JournalFault) as caught:
        Journal.open(path, table, key, witness)
    assert "\n" not in caught.value.message
    return caught.value


def test_another_tables_journal(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    fault = refusal(tmp_path / "journal.db", table="PIT4-08")
    assert fault.code == "another-table"
    assert fault.message == (
        f"journal {tmp_path / 'journal.db'}: it belongs to table PIT4-07, this table is PIT4-08: "
        "put in the storage card of table PIT4-08"
    )


def test_another_units_journal(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    assert refusal(tmp_path / "journal.db", key=UnitKey.create()).code == "another-key"


def test_a_missing_journal_is_not_made_up(tmp_path: Path) -> None:
    assert refusal(tmp_path / "journal.db").code == "missing"
    assert [finding.code for finding in verify_journal(tmp_path / "journal.db")] == ["missing"]
    with pytest.raises(JournalFault, match="is missing"):
        Journal.open_readonly(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JournalFault, match="No such file or directory: check the folder"):
        create(tmp_path / "absent" / "journal.db")


def test_a_newer_layout(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection:
        connection.execute("PRAGMA user_version = 2")
    fault = refusal(tmp_path / "journal.db")
    assert fault.code == "newer-version"
    assert "written by newer software" in fault.message
    assert "install the version that wrote it or newer" in fault.message


def test_a_layout_of_no_version(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection:
        connection.execute("PRAGMA user_version = 0")
    assert refusal(tmp_path / "journal.db").code == "layout"


def test_a_newer_record_names_itself_and_the_software_that_wrote_it(tmp_path: Path) -> None:
    newer = Converters({("wager", 1): dict})
    journal = Journal.create(
        tmp_path / "journal.db", TABLE, KEY, utc=UTC, boot="boot-1", fingerprint="software-9", converters=newer
    )
    with journal:
        journal.append([SIGN_ON, NewRecord("wager", "dealer.17", {})], UTC)
    fault = refusal(tmp_path / "journal.db")
    assert (fault.code, fault.record) == ("newer-version", 3)
    assert fault.message == (
        "journal written by newer software: record 3 (wager) has version 2, this software reads up to 1: "
        "install the version that wrote it (fingerprint software-9) or newer"
    )
    with (
        Journal.open_readonly(tmp_path / "journal.db") as reader,
        pytest.raises(JournalFault, match="newer software"),
    ):
        list(reader.read())


def test_a_database_that_is_no_journal(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection:
        connection.execute("CREATE TABLE chips (colour TEXT)")
    assert refusal(tmp_path / "journal.db").code == "layout"


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("hello " * 1000)
    assert refusal(tmp_path / "journal.db").code == "corrupt"
    assert [finding.code for finding in verify_journal(tmp_path / "journal.db")] == ["corrupt"]


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_a_page_of_the_file_overwritten(tmp_path: Path, page: int) -> None:
    create_filled(tmp_path / "journal.db")
    with (tmp_path / "journal.db").open("r+b") as file:
        file.seek(4096 * page)
        file.write(b"\xa5" * 4096)
    fault = refusal(tmp_path / "journal.db")
    assert fault.code == "corrupt"
    assert "keep this storage card" in fault.message


def test_a_journal_cut_in_half(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    whole = (tmp_path / "journal.db").read_bytes()
    (tmp_path / "journal.db").write_bytes(whole[: len(whole) // 2])
    assert refusal(tmp_path / "journal.db").code == "corrupt"


def test_an_unreadable_witness_is_a_fault_not_silence(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    (tmp_path / "witness").write_text("feltlock witness nine\n")
    fault = refusal(tmp_path / "journal.db", witness=FileWitness(tmp_path / "witness"))
    assert fault.code == "witness"


def test_a_refused_journal_is_let_go_and_left_as_it_was(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    before = (tmp_path / "journal.db").read_bytes()
    refusal(tmp_path / "journal.db", table="PIT4-08")
    assert (tmp_path / "journal.db").read_bytes() == before
    open_again(tmp_path / "journal.db").close()
