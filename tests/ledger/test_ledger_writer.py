from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, current_thread

import pytest
from ledger_samples import KEY, METER, SIGN_ON, UTC, WAGER, create, open_again

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.records import NewRecord, Record
from firmware.ledger.verification import verify_journal
from firmware.ledger.witness import FileWitness, Head
from firmware.ledger.writer import Job, LedgerWriter
from firmware.rules.postings import Posting

LARGE = NewRecord("note", "technician.2", {"text": "x" * 200_000})


@contextmanager
def writer_with_small_disk(path: Path) -> Iterator[LedgerWriter]:
    journal = create(path)
    journal._connection.execute("PRAGMA max_page_count = 30")
    with closing(LedgerWriter(journal)) as writer:
        yield writer


def test_each_submit_is_written_in_order_and_answered_with_its_records(tmp_path: Path) -> None:
    with closing(LedgerWriter(create(tmp_path / "journal.db"))) as writer:
        answers = [writer.submit([SIGN_ON, WAGER], UTC, checkpoint=step == 4) for step in range(5)]
        records = [record for answer in answers for record in answer.result()]
    assert [record.seq for record in records] == list(range(2, 13))
    with Journal.open_readonly(tmp_path / "journal.db") as reader:
        assert list(reader.read(2)) == records
    assert verify_journal(tmp_path / "journal.db", KEY.public_hex) == []


def test_an_answer_means_that_another_process_could_read_it(tmp_path: Path) -> None:
    seen: list[bool] = []

    def look(answer: Future[tuple[Record, ...]]) -> None:
        with Journal.open_readonly(tmp_path / "journal.db") as reader:
            seen.append(list(reader.read(2)) == list(answer.result()))

    with closing(LedgerWriter(create(tmp_path / "journal.db"))) as writer:
        writer.submit([WAGER, WAGER], UTC).add_done_callback(look)
    assert seen == [True]


def test_a_record_that_no_journal_may_hold_is_refused_where_it_is_submitted(tmp_path: Path) -> None:
    with closing(LedgerWriter(create(tmp_path / "journal.db"))) as writer:
        with pytest.raises(ValueError, match="sum to zero"):
            writer.submit([NewRecord("wager", "dealer.17", {}, postings=(Posting("meter", METER, 1),))], UTC)
        assert writer.submit([SIGN_ON], UTC).result()[0].seq == 2


def test_nothing_overtakes_a_failure_until_the_reset(tmp_path: Path) -> None:
    with writer_with_small_disk(tmp_path / "journal.db") as writer:
        good = writer.submit([SIGN_ON], UTC)
        full, small, checkpoint = (writer.submit([record], UTC) for record in (LARGE, SIGN_ON, WAGER))
        assert good.result()[0].seq == 2
        with pytest.raises(JournalFault, match="disk is full") as fault:
            full.result()
        assert fault.value.code == "disk-full"
        for later in (small, checkpoint, writer.submit([SIGN_ON], UTC)):
            with pytest.raises(JournalFault, match="not recorded, because of an earlier fault") as fault:
                later.result()
            assert fault.value.code == "disk-full"
        writer.reset()
        assert writer.submit([SIGN_ON], UTC).result()[0].seq == 3
    assert verify_journal(tmp_path / "journal.db") == []


class HeldWriter(LedgerWriter):
    """Waits to be let go, so that a test can fill the queue first."""

    def __init__(self, journal: Journal) -> None:
        self.go = Event()
        super().__init__(journal)

    def carry_out(self, job: Job) -> None:
        self.go.wait()
        super().carry_out(job)


def test_what_was_submitted_before_a_reset_does_not_profit_from_it(tmp_path: Path) -> None:
    journal = create(tmp_path / "journal.db")
    journal._connection.execute("PRAGMA max_page_count = 30")
    with closing(HeldWriter(journal)) as writer:
        full, before = writer.submit([LARGE], UTC), writer.submit([SIGN_ON], UTC)
        writer.reset()
        after = writer.submit([SIGN_ON], UTC)
        writer.go.set()
        assert [type(answer.exception()) for answer in (full, before, after)] == [
            JournalFault,
            JournalFault,
            type(None),
        ]
        assert after.result()[0].seq == 2


def test_a_submit_taken_back_in_time_is_not_written(tmp_path: Path) -> None:
    with closing(HeldWriter(create(tmp_path / "journal.db"))) as writer:
        first, second, third = (writer.submit([SIGN_ON], UTC) for _ in range(3))
        assert second.cancel()
        writer.go.set()
        assert [first.result()[0].seq, third.result()[0].seq] == [2, 3]


def test_an_error_nobody_foresaw_stops_the_writer_like_any_failure(tmp_path: Path) -> None:
    with closing(LedgerWriter(create(tmp_path / "journal.db"))) as writer:
        odd = writer.submit([NewRecord("sign_on", "dealer.\ud800", {})], UTC)
        assert isinstance(odd.exception(), UnicodeEncodeError)
        later = writer.submit([SIGN_ON], UTC).exception()
        assert isinstance(later, JournalFault)
        assert later.code == "internal"
        writer.reset()
        assert writer.submit([SIGN_ON], UTC).result()[0].seq == 2


def test_close_writes_what_is_waiting_and_lets_the_journal_go(tmp_path: Path) -> None:
    writer = LedgerWriter(create(tmp_path / "journal.db"))
    answers = [writer.submit([WAGER], UTC) for _ in range(20)]
    writer.close()
    writer.close()
    assert [answer.result()[0].seq for answer in answers] == list(range(2, 22))
    with pytest.raises(RuntimeError, match="ledger is closed"):
        writer.submit([SIGN_ON], UTC)
    with open_again(tmp_path / "journal.db") as journal:
        assert journal.head().seq == 21


def test_the_journal_belongs_to_the_writers_thread(tmp_path: Path) -> None:
    threads: list[str] = []
    with closing(LedgerWriter(create(tmp_path / "journal.db"))) as writer:
        answer = writer.submit([SIGN_ON], UTC)
        answer.add_done_callback(lambda _: threads.append(current_thread().name))
        answer.result()
        with pytest.raises(RuntimeError, match="one thread"):
            writer.journal.head()


def test_each_checkpoint_is_witnessed(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "witness")
    with closing(LedgerWriter(create(tmp_path / "journal.db"), witness)) as writer:
        writer.submit([SIGN_ON], UTC)
        signed = writer.submit([SIGN_ON], UTC, checkpoint=True)
        writer.submit([SIGN_ON], UTC)
    assert witness.read() == Head(signed.result()[-1].seq, signed.result()[-1].hash)
    open_again(tmp_path / "journal.db", witness=witness).close()


def test_a_witness_that_fails_undoes_nothing_but_stops_the_writer(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "absent" / "witness")
    with closing(LedgerWriter(create(tmp_path / "journal.db"), witness)) as writer:
        assert len(writer.submit([SIGN_ON], UTC, checkpoint=True).result()) == 2
        later = writer.submit([SIGN_ON], UTC).exception()
        assert isinstance(later, JournalFault)
        assert later.code == "witness"
    with Journal.open_readonly(tmp_path / "journal.db") as reader:
        assert reader.head().seq == 3
