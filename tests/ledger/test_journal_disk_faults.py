"""A disk that fails: nothing half written, a fault a technician can act on, and on again afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest
from ledger_samples import KEY, SIGN_ON, UTC, WAGER, create, open_again

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.records import NewRecord
from firmware.ledger.verification import verify_journal

LARGE = NewRecord("note", "technician.2", {"text": "x" * 3000})


def fill(journal: Journal, limit: int) -> JournalFault:
    for _ in range(limit):
        try:
            journal.append([LARGE, WAGER], UTC, checkpoint=True)
        except JournalFault as fault:
            return fault
    raise AssertionError("the disk never filled up")


def test_a_full_disk_leaves_the_last_whole_step_and_the_journal_usable(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal._connection.execute("PRAGMA max_page_count = 20")
        fault = fill(journal, 100)
        assert fault.code == "disk-full"
        assert "free space" in fault.message
        before = list(journal.read())
        assert before[-1].type == "checkpoint"
        with pytest.raises(JournalFault, match="disk is full"):
            journal.append([LARGE, LARGE], UTC)
        assert list(journal.read()) == before
        journal._connection.execute("PRAGMA max_page_count = 2000")
        (record,) = journal.append([SIGN_ON], UTC)
        assert (record.seq, record.previous) == (before[-1].seq + 1, before[-1].hash)
    assert verify_journal(tmp_path / "journal.db", KEY.public_hex) == []


WRITE_AGAINST_A_LIMIT = """
import resource, sys
from pathlib import Path
from ledger_samples import SIGN_ON, UTC, open_again
from test_journal_disk_faults import fill
journal = open_again(Path(sys.argv[1]))
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
fault = fill(journal, 1000)
head = journal.head()
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
(record,) = journal.append([SIGN_ON], UTC)
journal.close()
print(fault.code, record.seq - head.seq, record.previous == head.hash)
"""


def test_a_disk_error_leaves_the_last_whole_step_and_the_journal_usable(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    create(path).close()
    answer = subprocess.run(
        [sys.executable, "-c", WRITE_AGAINST_A_LIMIT, str(path)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.stdout, answer.stderr) == ("disk-error 1 True\n", "")
    assert verify_journal(path) == []


def test_a_read_only_folder_is_a_fault(tmp_path: Path) -> None:
    create(tmp_path / "journal.db").close()
    with open_again(tmp_path / "journal.db") as journal:
        journal._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(JournalFault, match="cannot be written") as fault:
            journal.append([SIGN_ON], UTC)
        assert fault.value.code == "read-only"
