"""A journal that cannot be trusted, or not be written, stops the table with one clear line and nothing half-done."""

import resource
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from table_drivers import assert_whole, deal, finish, open_bets, play_round, watched

from firmware.config.table_file import load_table
from firmware.controller.startup import fingerprint_of
from firmware.ledger.converters import Converters
from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.records import NewRecord
from host_tools.bench_table import BenchTable, TableEnded
from host_tools.proofs.watched_table import TABLE, WatchedTable, hire

TABLE_ID = "simulated-01"
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
from firmware.controller.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that has played a round and was switched off."""
    state = tmp_path_factory.mktemp("played")
    with watched(state) as table:
        play_round(table)
    return state


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


@pytest.fixture
def own_table_file(tmp_path: Path) -> Path:
    """A copy of the table file, to be changed."""
    path = tmp_path / "table.toml"
    board = (TABLE.parent / "../../../board/simulated.toml").resolve()
    path.write_text(TABLE.read_text().replace('"../../../board/simulated.toml"', f'"{board}"'))
    return path


def refused_start(
    state: Path, table_file: Path = TABLE, program: tuple[str, ...] = ("-m", "firmware.controller")
) -> str:
    """The one line that a table which does not come up leaves behind."""
    table = WatchedTable(state, table_file=table_file, program=program)
    try:
        with pytest.raises(TableEnded) as ended:
            table.start()
    finally:
        table.close()
    lines = [line for line in str(ended.value).splitlines() if not line.startswith("{")]
    assert len(lines) == 1, str(ended.value)
    assert lines[0].startswith("feltlock: ")
    return lines[0]


def change(state: Path, statement: str) -> None:
    connection = sqlite3.connect(state / "journal.db")
    with connection:
        connection.execute(statement)
    connection.close()


# --- journals that are not this table's or not whole --------------------------------------------------------


def test_the_journal_of_another_table_is_refused(state: Path, own_table_file: Path) -> None:
    own_table_file.write_text(own_table_file.read_text().replace(TABLE_ID, "simulated-02"))
    before = (state / "journal.db").read_bytes()
    line = refused_start(state, own_table_file)
    assert "it belongs to table simulated-01, this table is simulated-02" in line
    assert "put in the storage card of table simulated-02" in line
    assert (state / "journal.db").read_bytes() == before


def test_the_journal_of_another_unit_is_refused(state: Path) -> None:
    (state / "unit.key").unlink()
    UnitKey.load_or_create(state / "unit.key")
    assert "put in the storage card that belongs to this unit" in refused_start(state)


def test_a_journal_with_a_record_of_a_newer_version_is_refused(state: Path) -> None:
    newer = Converters({("probe", 1): dict})
    key = UnitKey.load_or_create(state / "unit.key")
    journal = Journal.open(state / "journal.db", TABLE_ID, key, converters=newer)
    journal.begin_boot("boot-9", "software-9")
    journal.append([NewRecord("probe", "unit", {})], "2026-11-18T12:00:00.000Z")
    journal.close()
    line = refused_start(state)
    assert "journal written by newer software" in line
    assert "install the version that wrote it (fingerprint software-9) or newer" in line


def test_a_journal_with_a_newer_layout_is_refused(state: Path) -> None:
    change(state, "PRAGMA user_version = 2")
    assert "has layout 2, this software reads up to 1" in refused_start(state)


def test_a_journal_that_was_rolled_back_is_refused(state: Path, played: Path) -> None:
    with watched(state) as table:
        play_round(table)
    shutil.copy(played / "journal.db", state / "journal.db")
    for rest in ("-wal", "-shm"):
        (state / f"journal.db{rest}").unlink(missing_ok=True)
    assert "it was rolled back" in refused_start(state)


def test_a_journal_that_is_gone_is_no_new_table(state: Path) -> None:
    (state / "journal.db").unlink()
    line = refused_start(state)
    assert "is gone, but" in line
    assert "remembers one: put the storage card back" in line
    assert not (state / "journal.db").exists()


def test_a_changed_record_is_found(state: Path) -> None:
    change(state, "UPDATE records SET body = replace(body, '1000', '2000') WHERE type = 'round_event'")
    assert "it was changed after it was written" in refused_start(state)


def test_a_changed_posting_is_found(state: Path) -> None:
    change(state, "UPDATE postings SET units = units + 10000 WHERE account = 'meter'")
    assert "it was changed after it was written" in refused_start(state)


def test_a_missing_record_is_found(state: Path) -> None:
    change(state, "DELETE FROM records WHERE seq = 20")
    assert "record 20" in refused_start(state)


def test_a_damaged_file_is_found(state: Path) -> None:
    path = state / "journal.db"
    content = bytearray(path.read_bytes())
    content[5000:9000] = b"\xa5" * 4000
    path.write_bytes(content)
    assert "journal.db" in refused_start(state)


@pytest.mark.parametrize("content", [b"", b"feltlock witness 7\n", b"\xff" * 100])
def test_a_damaged_witness_is_found(content: bytes, state: Path) -> None:
    (state / "witness").write_bytes(content)
    assert "put the witness device back" in refused_start(state)


def test_a_unit_key_that_others_may_read_is_refused(state: Path) -> None:
    (state / "unit.key").chmod(0o644)
    assert "others may read it: chmod 600 it" in refused_start(state)


def test_a_second_process_on_the_same_journal_is_refused_and_the_first_goes_on(state: Path) -> None:
    with watched(state) as table:
        assert "is held by a running controller: stop that one first" in refused_start(state)
        open_bets(table, 1, 3)
        assert table.status["state"] == "betting"


# --- a disk that is full ------------------------------------------------------------------------------------


def fill_disk(table: WatchedTable) -> None:
    """No file of the running controller can grow any more."""
    grown = max(path.stat().st_size for path in table.state.iterdir())
    resource.prlimit(table.table.pid, resource.RLIMIT_FSIZE, (grown, resource.RLIM_INFINITY))


def make_room(table: WatchedTable) -> None:
    resource.prlimit(table.table.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def touch_until_stopped(table: WatchedTable, touches: Iterator[None]) -> None:
    for _ in touches:
        if table.status["state"] == "stopped":
            return
    pytest.fail("the disk was full and the table went on")


def test_a_disk_that_fills_up_stops_the_table_and_a_retry_goes_on_where_the_records_end(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1)
        fill_disk(table)
        before = table.view()
        keyed = []

        def touches() -> Iterator[None]:
            nonlocal before
            for cents in range(5, 100):
                before = table.view()
                keyed.append(cents)
                table.keys(f"seat 3 flush {cents}" if len(keyed) > 1 else "seat 3 ante 10")
                yield

        recorded = table.round_records()
        touch_until_stopped(table, touches())
        assert table.status["says"].startswith("STOPPED. journal ")
        assert table.said[-1].endswith("The table is stopped; when it is mended, key: retry")
        assert "Traceback" not in "\n".join(table.printed)
        head = len(table.records())

        # Whatever is done now is told so, and nothing of it happens.
        for line in ("seat 5", "confirm", "sign off", "by floor-1 2580 void MD-HCF-13.D full", "retry"):
            assert "stopped" in table.keys(line)[-1]
        table.lock_out(1)
        assert len(table.records()) == head
        assert not table.status["locked"]

        make_room(table)
        assert "the journal is written again" in table.keys("retry")
        assert table.view() == before
        assert table.round_records() >= recorded
        table.lock_out(1)
        assert table.status["locked"]
        assert table.lamps() == [1]
        table.lift(1)
        table.keys("count 1")
        while table.status["state"] == "dealing":
            table.draw()
        finish(table)
        assert_whole(table)


def test_cards_drawn_while_the_table_is_stopped_are_taken_in_by_the_retry(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out()
        fill_disk(table)
        drawn = 0

        def touches() -> Iterator[None]:
            nonlocal drawn
            for _ in range(15):
                table.draw()
                drawn += 1
                yield

        touch_until_stopped(table, touches())
        table.draw(2)
        make_room(table)
        table.keys("retry")
        assert table.step[1].startswith(f"Draw card {drawn + 3} of 21")
        assert table.status["faults"] == []
        table.restart()
        assert table.step[1].startswith(f"Draw card {drawn + 3} of 21")
        assert_whole(table)


def test_a_stopped_table_that_loses_power_comes_back_where_the_records_end(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        deal(table)
        table.keys("confirm")
        fill_disk(table)
        before = table.view()

        def touches() -> Iterator[None]:
            for _ in range(60):
                table.keys("raise 9 10")
                yield

        touch_until_stopped(table, touches())
        table.restart()
        assert table.view() == before


@pytest.mark.parametrize("limit", [0, 2048])
def test_a_disk_that_is_full_at_the_start_is_told_in_one_line(limit: int, state: Path, tmp_path: Path) -> None:
    program = ("-c", LIMITED.format(limit=limit))
    assert "Traceback" not in refused_start(state, program=program)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert "Traceback" not in refused_start(fresh, program=program)


# --- people and table files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"[{}]", b"\x00\xff", b'[{"name": "dealer-1", "role": "dealer"}]'])
def test_an_unreadable_people_file_is_told_and_the_table_stays_up(content: bytes, state: Path) -> None:
    with watched(state) as table:
        table.keys("sign off")
        (state / "people.json").write_bytes(content)
        (said,) = table.keys("sign on dealer-1 4711")
        assert "the accounts cannot be read" in said
        assert table.status["state"] == "closed"


def test_a_table_file_that_cannot_be_read_is_told_with_file_and_line(state: Path, own_table_file: Path) -> None:
    own_table_file.write_text("[table\n")
    table = BenchTable(own_table_file, state, 7)
    try:
        with pytest.raises(TableEnded) as ended:
            table.start()
    finally:
        table.close()
    assert str(ended.value).startswith(f"{own_table_file}:1:")
    assert "Traceback" not in str(ended.value)


@pytest.fixture
def held(own_table_file: Path, tmp_path: Path) -> Iterator[WatchedTable]:
    """A round in the middle of its deal, and then the table file was changed."""
    state = tmp_path / "held"
    state.mkdir()
    with watched(state, table_file=own_table_file) as table:
        open_bets(table, 1, 3)
        table.lock_out(1)
        table.lift(1)
        table.keys("count 1")
        table.draw(4)
        table.cut()
        first = fingerprint_of(load_table(own_table_file))[0]
        own_table_file.write_text(own_table_file.read_text().replace("cut_at_least = 10", "cut_at_least = 11"))
        assert fingerprint_of(load_table(own_table_file))[0] != first
        table.start()
        table.wait()
        assert table.status["state"] == "held"
        yield table


def test_a_held_round_waits_for_a_floorperson_and_nothing_else_moves_it(held: WatchedTable) -> None:
    before, recorded = held.view(), held.round_records()
    held.keys("confirm", "seat 1", "entries", "sign off", "deck red-2", "correct 20 remove because wrong", "finish")
    held.by_floorperson("felt 9")
    held.by_floorperson("correct 20 remove because wrong")
    held.draw(2)
    held.lock_out(3)
    assert held.round_records() == recorded
    assert held.view() == before
    assert held.status["dealer"] == "dealer-1"


def test_a_held_round_is_finished_with_the_cards_that_came_meanwhile(held: WatchedTable) -> None:
    held.draw(2)
    held.by_floorperson("finish")
    assert held.step[1].startswith("Draw card 7 of 21")
    assert held.lamps() == [1]
    held.restart()
    assert held.step[1].startswith("Draw card 7 of 21")
    held.draw(15)
    finish(held)
    assert_whole(held)


def test_a_held_round_is_voided_from_its_records_and_the_next_one_deals(held: WatchedTable) -> None:
    assert "MD-HCF-13.A is no clause that voids a round" in held.by_floorperson("void MD-HCF-13.A no reason")[-1]
    held.by_floorperson("void MD-HCF-13.D table file changed")
    assert held.status["state"] == "loading"
    assert [meter["shown"] for meter in held.status["meters"]] == [500_000]
    assert held.lamps() == []
    assert not held.bench.shoe.gate_open()
    play_round(held)
    assert held.status["faults"] == []
    assert_whole(held)


def test_a_held_round_before_lock_out_is_not_locked_out_by_the_button(own_table_file: Path, tmp_path: Path) -> None:
    state = tmp_path / "held"
    state.mkdir()
    hire(state)
    with watched(state, table_file=own_table_file) as table:
        open_bets(table, 1, 3)
        table.cut()
        own_table_file.write_text(own_table_file.read_text() + "# changed\n")
        table.start()
        table.wait()
        recorded = table.round_records()
        table.lock_out(1)
        assert (table.status["state"], table.status["locked"]) == ("held", False)
        assert table.round_records() == recorded
        table.by_floorperson("finish")
        assert table.status["state"] == "betting"
        table.wait()
        table.lock_out()
        assert table.status["locked"]
        assert table.lamps() == [1]
