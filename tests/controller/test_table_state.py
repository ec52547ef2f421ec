"""The table's state is a fold over its journal: read from the disk it is what it was live."""

from pathlib import Path

from table_drivers import deal, open_bets, play_round, watched

from firmware.controller.table_state import TableState
from firmware.ledger.reader import JournalReader
from host_tools.proofs.watched_table import WatchedTable


def folded(table: WatchedTable) -> TableState:
    state = TableState()
    for record in table.records():
        state.apply(record)
    return state


def test_a_fresh_journal_folds_to_an_empty_table(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        state = folded(table)
        assert (state.dealer, state.deck, state.rounds_played, state.open_round) == (None, None, 0, [])
        assert state.meters.shown("main") == 500_000


def test_the_fold_says_what_the_screen_shows(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        play_round(table)
        state = folded(table)
        (meter,) = table.status["meters"]
        assert state.dealer == table.status["dealer"] == "dealer-1"
        assert state.deck is not None
        assert state.deck.name == "red-1"
        assert state.rounds_played == table.status["round"] == 1
        assert state.meters.shown("main") == meter["shown"] == 500_000
        assert state.meters.account("main").wagers_in == 2
        assert state.meters.account("main").hits == 2
        assert (state.open_round, state.next_permit, state.rounds_since_stub_count) == ([], 2, 1)


def test_two_starts_from_one_journal_stand_alike_and_fold_alike(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        play_round(table)
        open_bets(table, 1, 3)
        deal(table, 1, 3)
        table.bench.door(True)
        table.wait()
        table.keys("sign on nobody 1", "confirm", "fold 1")
        first, live = table.view(), folded(table)
        table.restart()
        assert table.view() == first
        again = folded(table)
        assert again.head > live.head  # the start itself is a record
        again.head, again.last_utc = live.head, live.last_utc
        assert again == live


def test_every_prefix_of_a_journal_folds_without_a_fault_and_its_money_sums_to_zero(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        deal(table, 1, 3)
        table.by_floorperson("void MD-HCF-13.D cards exposed")
        table.keys("confirm")
        play_round(table)
        with JournalReader.open_readonly(table.journal) as journal:
            records = list(journal.read())
    state = TableState()
    for record in records:
        state.apply(record)
        assert sum(state.meters.sums().values()) == 0
        assert state.head == record.seq
    assert state.rounds_played == 2


def test_failures_to_sign_in_outlive_a_restart_and_end_with_a_success(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        table.keys("sign on dealer-1 1", "sign on dealer-1 2", "sign on floor-1 3")
        table.restart()
        assert dict(folded(table).failures) == {"dealer-1": 2, "floor-1": 1}
        table.keys("sign on dealer-1 4711", "by floor-1 2580 finish")
        assert dict(folded(table).failures) == {}


def test_a_seat_must_be_seen_clear_after_it_was_accepted(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out(1, 3)
        assert folded(table).must_clear == {1, 3}
        table.lift(3)
        assert folded(table).must_clear == {1}
