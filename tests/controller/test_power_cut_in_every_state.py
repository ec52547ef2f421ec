"""The power goes in every row of the state table: the table comes back where it stood, and every cent with it."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from table_drivers import DEALERS, P3, TWO_SEATS, assert_whole, deal, open_bets, stacked, watched

from firmware.controller.states import PERMIT_STATES, STATES, TABLE_STATES
from firmware.devices.shoe import PermitReport
from firmware.rules.cards import card_text
from host_tools.proofs.watched_table import TABLE, WatchedTable

FIRMWARE = Path(__file__).parents[2] / "firmware"


def no_deck(table: WatchedTable) -> None:
    table.keys("sign on dealer-1 4711")


def loading(table: WatchedTable) -> None:
    table.keys("sign on dealer-1 4711", "deck red-1")


def betting(table: WatchedTable) -> None:
    """With a wager whose amount nobody keyed, and a chip on the felt."""
    open_bets(table, 1)
    table.keys("seat 3", "seat 3 flush")
    table.bench.chip_down(3)
    table.wait()


def locked_out(table: WatchedTable) -> None:
    open_bets(table, 1)
    table.lock_out(1, 3)


def counting(table: WatchedTable) -> None:
    locked_out(table)
    table.keys("ante 3")


def dealing(table: WatchedTable) -> None:
    counting(table)
    table.lift(1, 3)
    table.keys("count 2")


def dealt_some(table: WatchedTable) -> None:
    dealing(table)
    table.draw(5)


def stub(table: WatchedTable) -> None:
    open_bets(table, 1, 3)
    deal(table, 1, 3)


def decisions(table: WatchedTable) -> None:
    stub(table)
    table.keys("confirm", "fold 1")


def forfeits(table: WatchedTable) -> None:
    decisions(table)
    table.keys("raise 3 10")


def reveal(table: WatchedTable) -> None:
    forfeits(table)
    table.keys("confirm")


def settling(table: WatchedTable) -> None:
    reveal(table)
    table.keys("confirm", "confirm")


def hit_recognised(table: WatchedTable) -> None:
    settling(table)
    table.keys("confirm")


def hit_pending(table: WatchedTable) -> None:
    hit_recognised(table)
    table.keys("confirm")


def hit_refused(table: WatchedTable) -> None:
    hit_pending(table)
    table.by_floorperson("refuse 3 light out")


def hit_validated(table: WatchedTable) -> None:
    hit_pending(table)
    table.by_floorperson("validate 3")


def envy(table: WatchedTable) -> None:
    hit_validated(table)
    table.keys("confirm")


def difference(table: WatchedTable) -> None:
    """Seat 3's Ante was settled as $10 and is then corrected."""
    open_bets(table, 3, hands=(P3, DEALERS))
    deal(table)
    keyed = next(record.seq for record in table.records("round_event") if "WagerKeyed" in str(record.body["event"]))
    table.keys("confirm", "raise 3 20", "confirm", "confirm", "confirm")
    table.keys(f"correct {keyed} with seat 3 ante 20 because there were two chips")


def racking(table: WatchedTable) -> None:
    envy(table)
    table.keys("confirm", "confirm", "confirm")
    while table.status["state"] != "racking":
        if table.status["state"] == "hit pending":
            table.by_floorperson("validate 1")
        else:
            table.keys("confirm")


def void(table: WatchedTable) -> None:
    dealt_some(table)
    table.by_floorperson("void MD-HCF-13.D cards exposed")


def stopped(table: WatchedTable) -> None:
    """A fault lets no new round begin."""
    loading(table)
    table.bench.door(True)
    table.wait()


REACHED: dict[str, Callable[[WatchedTable], None]] = {
    "closed": lambda table: None,
    "no deck": no_deck,
    "loading": loading,
    "stopped": stopped,
    "betting": betting,
    "locked out": locked_out,
    "counting": counting,
    "dealing": dealing,
    "stub": stub,
    "decisions": decisions,
    "forfeits": forfeits,
    "reveal": reveal,
    "settling": settling,
    "hit recognised": hit_recognised,
    "hit pending": hit_pending,
    "hit refused": hit_refused,
    "hit validated": hit_validated,
    "envy": envy,
    "difference": difference,
    "racking": racking,
    "void": void,
}
APART = ("held", "permit waiting", "permit active", "permit done", "permit unknown")
"""Rows that a power cut itself, or something done while the power is off, leads to: each has a test of its own."""


def stated(source: Path, call: str) -> set[str]:
    """The states that a module gives to its steps or prompts."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == call
        and isinstance(node.args[0], ast.Constant)
    }


def test_every_state_of_a_step_or_a_prompt_has_a_row_and_every_row_is_visited_here() -> None:
    steps = set().union(*(stated(path, "Step") for path in (FIRMWARE / "rules/procedure").glob("*.py")))
    prompts = stated(FIRMWARE / "controller/prompts.py", "Prompt")
    assert len(steps) > 10
    assert "held" in prompts
    assert steps | prompts == {row.state for row in TABLE_STATES} | {"permit unknown"}
    assert {f"permit {state}" for state in ("waiting", "active", "done", "unknown")} == {
        row.state for row in PERMIT_STATES
    }
    assert set(STATES) == {*REACHED, *APART}


def test_a_permit_has_the_states_that_the_shoe_can_report() -> None:
    words = PermitReport.__annotations__["state"].__args__
    assert {f"permit {word}" for word in words} == {row.state for row in PERMIT_STATES}


@pytest.mark.parametrize("state", list(REACHED))
def test_the_power_goes_and_the_table_stands_where_it_stood(state: str, tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        REACHED[state](table)
        assert table.status["state"] == state
        before, lamps, lockout_lamp = table.view(), table.lamps(), table.bench.lamps()["lockout_lamp"]
        recorded = table.round_records()
        table.restart()
        assert table.view() == before
        assert (table.lamps(), table.bench.lamps()["lockout_lamp"]) == (lamps, lockout_lamp)
        assert table.round_records() == recorded
        assert_whole(table)
        table.restart()
        assert table.view() == before


def test_permit_waiting_the_gate_stays_open_and_the_first_card_is_the_next(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        dealing(table)
        assert table.bench.shoe.became_of(1).state == "waiting"
        before = table.view()
        table.restart()
        assert table.view() == before
        assert table.bench.shoe.gate_open()
        table.draw()
        assert table.step[1].startswith("Draw card 2 of 21")


def test_permit_active_cards_drawn_while_the_power_is_off_are_taken_in(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        dealt_some(table)
        assert table.bench.shoe.became_of(1).state == "active"
        table.cut()
        table.bench.draw()
        table.bench.draw()
        table.start()
        assert table.step[1].startswith("Draw card 8 of 21")
        dealt = [
            record.body["event"]["card"]  # type: ignore[index, call-overload]
            for record in table.records("round_event")
            if "CardDealt" in str(record.body["event"])
        ]
        assert dealt == [card_text(card) for card in stacked(*TWO_SEATS)[:7]]
        assert_whole(table)


def test_permit_done_the_last_cards_come_out_while_the_power_is_off(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        dealing(table)
        table.draw(20)
        table.cut()
        table.bench.draw()
        assert table.bench.shoe.became_of(1).state == "done"
        table.start()
        assert table.status["state"] == "stub"
        assert table.bench.shoe.became_of(1).state == "unknown"  # acknowledged: the shoe may forget it
        before = table.view()
        table.restart()
        assert table.view() == before


def test_permit_unknown_stands_until_a_floorperson_says_what_lies_on_the_felt(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        dealt_some(table)
        table.restart(shoe_too=True)
        assert table.status["state"] == "permit unknown"
        before, lamps = table.view(), table.lamps()
        assert lamps == [1, 3]
        table.restart()
        assert (table.view(), table.lamps()) == (before, lamps)
        table.by_floorperson("felt 5")
        assert table.step[1].startswith("Draw card 6 of 21")
        table.restart()
        assert table.step[1].startswith("Draw card 6 of 21")
        table.draw(16)
        assert table.status["state"] == "stub"
        assert_whole(table)


def test_held_stands_until_a_floorperson_finishes_or_voids_the_round(tmp_path: Path) -> None:
    table_file = tmp_path / "table.toml"
    board = (TABLE.parent / "../../../board/simulated.toml").resolve()
    table_file.write_text(TABLE.read_text().replace('"../../../board/simulated.toml"', f'"{board}"'))
    state = tmp_path / "state"
    state.mkdir()
    with watched(state, table_file=table_file) as table:
        counting(table)
        stood = table.view()
        table.cut()
        table_file.write_text(table_file.read_text() + "# a word more\n")
        table.start()
        assert table.status["state"] == "held"
        before, lamps = table.view(), table.lamps()
        assert before["meters"] == stood["meters"]
        table.restart()
        assert (table.view(), table.lamps()) == (before, lamps)
        table.by_floorperson("finish")
        assert table.view() == stood
        table.restart()
        assert table.view() == stood
        assert_whole(table)
