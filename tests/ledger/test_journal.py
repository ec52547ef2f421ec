import json
import sqlite3
import stat
from hashlib import sha256
from pathlib import Path
from threading import Thread

import pytest
from ledger_samples import KEY, METER, SEED, SIGN_ON, TABLE, UTC, WAGER, create, create_filled, open_again

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.keys import verify
from firmware.ledger.records import FIRST_PREVIOUS, NewRecord, Record, checkpoint_data
from firmware.rules.postings import Posting


def test_the_first_record_says_whose_journal_it_is(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        first = next(journal.read())
        assert (first.seq, first.type, first.previous) == (1, "genesis", FIRST_PREVIOUS)
        assert first.body == {"layout": 1, "public_key": KEY.public_hex, "table": TABLE}
        assert journal.table_id() == TABLE
        assert journal.public_key() == KEY.public_hex


def test_what_append_returns_is_what_is_read_back(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        written = journal.append([SIGN_ON, SEED, WAGER], UTC, checkpoint=True)
        assert list(journal.read(2)) == list(written)
    with open_again(tmp_path / "journal.db") as journal:
        assert list(journal.read(2)) == list(written)
        assert journal.head() == (written[-1].seq, written[-1].hash)


def test_a_body_changed_after_append_does_not_change_the_record(tmp_path: Path) -> None:
    body: dict[str, int] = {"seat": 3}
    with create(tmp_path / "journal.db") as journal:
        (record,) = journal.append([NewRecord("touch", "dealer.17", body)], UTC)
        body["seat"] = 4
        assert record.body == {"seat": 3}
        assert next(journal.read(record.seq)).body == {"seat": 3}


def canonical_form(record: Record) -> str:
    """Written from the description alone, without the code under test."""
    fields = record._asdict()
    del fields["previous"], fields["hash"]
    fields["postings"] = [list(posting) for posting in record.postings]
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def test_the_hash_is_sha256_over_the_previous_hash_and_the_canonical_record(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    with Journal.open_readonly(tmp_path / "journal.db") as journal:
        previous = FIRST_PREVIOUS
        for record in journal.read():
            assert record.previous == previous
            assert record.hash == sha256((previous + canonical_form(record)).encode("ascii")).hexdigest()
            previous = record.hash


def test_a_checkpoint_signs_the_record_before_it(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        *_, before, checkpoint = journal.append([SIGN_ON, WAGER], UTC, checkpoint=True)
        assert (checkpoint.type, checkpoint.person, checkpoint.round) == ("checkpoint", WAGER.person, WAGER.round)
        signature = str(checkpoint.body["signature"])
        assert verify(KEY.public_hex, signature, checkpoint_data(before.seq, before.hash))
        assert not verify(KEY.public_hex, signature, checkpoint_data(before.seq, checkpoint.hash))


def test_read_picks_by_number_type_and_round(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.append([SIGN_ON, WAGER], UTC)
        journal.append([NewRecord("wager", "dealer.17", {}, round=2), SIGN_ON], UTC, checkpoint=True)
        assert [record.seq for record in journal.read(2, 4)] == [2, 3, 4]
        assert [record.seq for record in journal.read(types=["sign_on"])] == [2, 5]
        assert [record.seq for record in journal.read(types=["sign_on", "wager"])] == [2, 3, 4, 5]
        assert [record.seq for record in journal.read(round=1)] == [3]
        assert [record.seq for record in journal.read(4, types=["wager"], round=2)] == [4]
        assert [record.seq for record in journal.read(types=[])] == []


def test_last_gives_the_newest_of_a_type(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.append([SIGN_ON, WAGER, SIGN_ON, SEED], UTC)
        newest = journal.last("sign_on")
        assert newest is not None
        assert newest.seq == 4
        seeded = journal.last("meter_started")
        assert seeded is not None
        assert seeded.postings == SEED.postings
        assert journal.last("never written") is None


def test_records_carry_the_boot_and_fingerprint_of_their_run(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    with Journal.open(tmp_path / "journal.db", TABLE, KEY) as journal:
        with pytest.raises(RuntimeError, match="begin_boot"):
            journal.append([SIGN_ON], UTC)
        journal.begin_boot("boot-9", "software-2")
        (record,) = journal.append([SIGN_ON], UTC)
        assert (record.boot, record.fingerprint) == ("boot-9", "software-2")
        assert next(journal.read(record.seq)) == record


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (NewRecord("wager", "dealer.17", {}, postings=(Posting("meter", METER, 1),)), "sum to zero"),
        (NewRecord("wager", "", {}), "names no person"),
        (NewRecord("wager", "dealer.17", {"amount": 2.5}), "whole number"),  # type: ignore[dict-item]
        (NewRecord("wager", "dealer.17", {"amount": float("nan")}), "not JSON compliant"),  # type: ignore[dict-item]
        (NewRecord("wager", "dealer.17", {"seats": {1, 2}}), "not JSON serializable"),  # type: ignore[dict-item]
        (NewRecord("wager", "dealer.17", {}, postings=(Posting("purse", METER, 0),)), "unknown account 'purse'"),
        (
            NewRecord(
                "wager", "dealer.17", {}, postings=(Posting("seed", METER, -(2**63)), Posting("meter", METER, 2**63))
            ),
            "more than a journal can hold",
        ),
        (NewRecord("genesis", "dealer.17", {}), "by the journal itself"),
        (NewRecord("checkpoint", "dealer.17", {}), "by the journal itself"),
    ],
)
def test_a_record_that_no_journal_may_hold_changes_nothing(tmp_path: Path, record: NewRecord, why: str) -> None:
    with create(tmp_path / "journal.db") as journal:
        head = journal.head()
        with pytest.raises(ValueError, match=why):
            journal.append([SIGN_ON, record], UTC)
        assert journal.head() == head
        assert journal.append([SIGN_ON], UTC)[0].seq == head.seq + 1


def test_an_append_of_nothing_is_refused(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal, pytest.raises(ValueError, match="nothing to append"):
        journal.append([], UTC, checkpoint=True)


def test_every_file_of_a_journal_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.append([WAGER], UTC)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    names = {"journal.db", "journal.db-wal", "journal.db-shm", "journal.db-lock"}
    assert modes == dict.fromkeys(names, 0o600)


def test_a_creation_cut_short_is_begun_anew(tmp_path: Path) -> None:
    for leftover in ("journal.db.new", "journal.db.new-wal", "journal.db.new-shm"):
        (tmp_path / leftover).write_bytes(b"half a journal")
    with create(tmp_path / "journal.db") as journal:
        assert journal.head().seq == 1
    assert not list(tmp_path.glob("*.new*"))


def test_an_existing_journal_is_never_written_over(tmp_path: Path) -> None:
    create_filled(tmp_path / "journal.db")
    before = (tmp_path / "journal.db").read_bytes()
    with pytest.raises(JournalFault, match="already exists") as fault:
        create(tmp_path / "journal.db")
    assert fault.value.code == "exists"
    assert (tmp_path / "journal.db").read_bytes() == before


def test_a_second_writer_is_refused_while_the_first_holds_the_journal(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db"):
        with pytest.raises(JournalFault, match="held by a running controller") as fault:
            open_again(tmp_path / "journal.db")
        assert fault.value.code == "in-use"
    open_again(tmp_path / "journal.db").close()


def test_a_reader_beside_the_writer_sees_what_is_committed_and_cannot_write(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        with Journal.open_readonly(tmp_path / "journal.db") as reader:
            assert reader.head().seq == 1
            (record,) = journal.append([WAGER], UTC)
            assert list(reader.read(2)) == [record]
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader._connection.execute("DELETE FROM records")
        assert not hasattr(reader, "append")


def test_a_journal_used_by_two_threads_is_refused(tmp_path: Path) -> None:
    errors: list[str] = []

    def use_it() -> None:
        for use in (journal.head, lambda: journal.append([SIGN_ON], UTC), lambda: list(journal.read())):
            try:
                use()
            except RuntimeError as error:
                errors.append(str(error))

    with create(tmp_path / "journal.db") as journal:
        other = Thread(target=use_it)
        other.start()
        other.join()
        assert journal.head().seq == 1
    assert errors == ["a journal is used by one thread: open it read-only for another"] * 3


def test_a_text_that_utf8_cannot_hold_leaves_the_journal_usable(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        with pytest.raises(UnicodeEncodeError):
            journal.append([SIGN_ON, NewRecord("sign_on", "dealer.\ud800", {})], UTC)
        assert journal.append([SIGN_ON], UTC)[0].seq == 2
