"""Nothing acknowledged is lost and nothing is doubled, wherever the process dies; and the harness would notice."""

from pathlib import Path

import pytest
from kill_harness import run_kills
from ledger_samples import KEY, TABLE, create
from planted_ledger import UnsyncedJournal

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.writer import LedgerWriter


def test_fifteen_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    report = run_kills(tmp_path, kills=15, seed=20260301)
    assert report.problems == []
    assert report.kills == 15
    assert report.acknowledged > 15


@pytest.mark.parametrize("planted", ["HastyWriter", "ForgetfulWriter"])
def test_the_harness_catches_an_answer_without_a_commit(tmp_path: Path, planted: str) -> None:
    report = run_kills(tmp_path, kills=15, seed=20260301, writer=f"planted_ledger:{planted}")
    assert report.problems
    assert "was acknowledged" in report.problems[-1] or "missing or doubled" in report.problems[0]


def test_the_self_test_catches_a_journal_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    create(tmp_path / "journal.db").close()
    with pytest.raises(JournalFault, match="would not survive a power cut") as fault:
        UnsyncedJournal.open(tmp_path / "journal.db", TABLE, KEY)
    assert fault.value.code == "not-durable"


@pytest.mark.parametrize("setting", ["synchronous = OFF", "synchronous = NORMAL", "journal_mode = DELETE"])
def test_a_journal_whose_setting_was_lost_gets_no_writer(tmp_path: Path, setting: str) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.self_test()
        journal._connection.execute(f"PRAGMA {setting}")
        with pytest.raises(JournalFault, match="would not survive a power cut"):
            LedgerWriter(journal)


def test_the_settings_stand_on_the_live_connection(tmp_path: Path) -> None:
    create(tmp_path / "journal.db").close()
    with Journal.open(tmp_path / "journal.db", TABLE, KEY) as journal:
        assert journal._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
