"""`feltlock simulate`: simulated people at a real controller, through pins, shoe and keypad alone."""

import ast
import json
import re
import stat
from pathlib import Path

import pytest
from simulated_tables import Watcher, leaked, simulated

from firmware.devices.pin_names import seat_sensor_name
from firmware.rules.cards import parse_card
from host_tools import journal_commands
from host_tools.bench_table import BenchTable
from host_tools.simulate import command
from host_tools.simulate.felt import DEALER, Felt
from host_tools.simulate.simulation import Stuck

SIMULATE = Path(command.__file__).parent
REPOSITORY = SIMULATE.parent.parent
SEEDS = (1, 2, 3)
ROUNDS = 30


def play(state, *more):
    return command.run(["--pace", "fast", "--plain", "--state", str(state), *more])


def proven(state):
    """The journal is whole and its meters add up."""
    return journal_commands.verify(["--journal", str(state)]) == 0 == journal_commands.meters([str(state), "--prove"])


# --- whole runs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_thirty_rounds_are_played_and_their_journal_and_meters_prove(tmp_path, capsys, seed):
    assert play(tmp_path, "--rounds", str(ROUNDS), "--seed", str(seed)) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("= round closed\n") == ROUNDS
    assert re.fullmatch(
        rf"feltlock: {ROUNDS} rounds played, meter main \$[\d,.]+; the journal is {tmp_path}/journal.db. Now try: "
        rf"feltlock recall {tmp_path} \| feltlock replay {tmp_path} 1 \| feltlock meters {tmp_path} --prove",
        printed.out.splitlines()[-1],
    )
    assert proven(tmp_path)


def test_everything_that_happens_at_a_table_is_seen_in_sixty_rounds(tmp_path, capsys):
    assert play(tmp_path, "--rounds", "60", "--seed", "1") == 0
    printed = capsys.readouterr().out
    for seen in (
        "POWER CUT: ",
        "POWER CUT of table and shoe: ",
        "relieves",
        "chip after lock-out, not accepted",
        "was lifted before lock-out",
        "this raise is not one that its hand and Ante allow",
        "= corrected: keyed fold by mistake",
        "! there is no seat",
        "is outside the posted",
        "counted, but",
        "contribution taken back",
        "the stub has",
        "set aside for a",
        "back where it came from: refused",
        "paid",
        "does not qualify",
    ):
        assert seen in printed


def test_the_same_seed_plays_the_same_rounds(tmp_path, capsys):
    told = []
    for name in ("one", "other"):
        assert play(tmp_path / name, "--rounds", "8", "--seed", "11") == 0
        told.append(capsys.readouterr().out.splitlines()[:-1])
    assert told[0] == told[1]
    assert play(tmp_path / "third", "--rounds", "8", "--seed", "12") == 0
    assert capsys.readouterr().out.splitlines()[:-1] != told[0]


def test_the_meter_goes_on_from_run_to_run(tmp_path, capsys):
    shown = []
    for seed in ("1", "2"):
        assert play(tmp_path, "--rounds", "3", "--seed", seed) == 0
        shown.append(re.findall(r"^~ main (\S+)", capsys.readouterr().out, re.M))
    assert shown[1][0] == shown[0][-1] != "$5,000.00"
    assert proven(tmp_path)


# --- hidden cards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_no_byte_of_the_controllers_output_names_a_card_that_lies_face_down(tmp_path, seed):
    simulation, table = simulated(tmp_path, seed, Watcher())
    leaks, lines_with_face_down, lines_with_cards = [], 0, 0

    def overhear(line):
        nonlocal lines_with_face_down, lines_with_cards
        lines_with_face_down += bool(simulation.felt.face_down())
        lines_with_cards += bool(re.search(r'cards": "[2-9TJQKA][cdhs] ', line))
        leaks.extend((line, card) for card in leaked(line, simulation.felt))

    table.on_line = overhear
    try:
        simulation.play(ROUNDS)
    finally:
        table.close()
    assert leaks == []
    assert lines_with_face_down > 1000
    assert lines_with_cards > 100


def test_a_face_down_card_in_a_line_would_be_noticed():
    felt = Felt()
    felt.deal(3, [parse_card("4c"), parse_card("Kd")])
    felt.deal(DEALER, [parse_card("As")])
    assert leaked('{"say": "seat 3: 4c ?? As"}', felt) == {"4c", "As"}
    felt.turn_up(3)
    assert leaked('{"say": "seat 3: 4c Kd"}', felt) == set()
    assert leaked("dealer As", felt) == {"As"}
    assert leaked("MD-HCF-4c1 $4c", Felt()) == set()


# --- people -------------------------------------------------------------------------------------------------------


def test_pins_are_drawn_once_kept_for_their_owner_alone_and_never_printed(tmp_path, capsys):
    pins = []
    for seed in ("1", "2"):
        assert play(tmp_path, "--rounds", "5", "--seed", seed) == 0
        memory = tmp_path / "players.json"
        assert stat.S_IMODE(memory.stat().st_mode) == 0o600
        pins.append(json.loads(memory.read_text()))
        printed = capsys.readouterr().out
        assert "sign on dealer-1 ****" in printed
        assert not any(re.search(rf"\b{pin}\b", printed) for pin in pins[-1].values())
    assert pins[0] == pins[1]
    assert set(pins[0]) == {"dealer-1", "dealer-2", "floor-1", "technician-1"}


def test_staff_who_lost_their_memory_are_given_new_pins(tmp_path):
    assert play(tmp_path, "--rounds", "1", "--seed", "1") == 0
    before = json.loads((tmp_path / "players.json").read_text())
    (tmp_path / "players.json").unlink()
    assert play(tmp_path, "--rounds", "1", "--seed", "1") == 0
    assert json.loads((tmp_path / "players.json").read_text()) != before


# --- left and taken up again --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state", ["loading", "betting", "counting", "dealing", "stub", "decisions", "reveal", "settling", "hit pending"]
)
def test_a_table_left_in_any_state_is_taken_up_again(tmp_path, capsys, state):
    watcher = Watcher()
    simulation, table = simulated(tmp_path, 8, watcher)

    def leave(status):
        if status.state == state:
            raise KeyboardInterrupt

    watcher.on_show = leave
    with pytest.raises(KeyboardInterrupt):
        simulation.play(30)
    table.close()
    assert play(tmp_path, "--rounds", "3", "--seed", "9") == 0
    assert ("the felt was cleared while nobody was here" in capsys.readouterr().out) == (state != "loading")
    assert proven(tmp_path)


def test_faults_that_let_no_round_begin_are_mended_by_whom_they_concern(tmp_path):
    watcher = Watcher()
    simulation, table = simulated(tmp_path, 3, watcher)
    asked = []

    def disturb(status):
        if status.state == "counting" and status.round == 2 and not asked:
            asked.append(status.round)
            empty = next(seat.seat for seat in status.seats if not seat.chip)
            table.bench.door(True)
            table.bench.raw_edges(seat_sensor_name(empty), [(True, 1_500_000_000), (False, 1_600_000_000)])

    watcher.on_show = disturb
    try:
        simulation.play(4)
    finally:
        table.close()
    assert asked == [2]
    assert "fault door-open is cleared" in watcher.lines
    assert any(line.startswith("* technician-1 keys: clear-fault edges-overdue") for line in watcher.lines)
    assert simulation.side.status.faults == ()
    assert proven(tmp_path)


def test_a_clock_behind_the_journal_is_set_by_the_floorperson(tmp_path, capsys):
    assert play(tmp_path, "--rounds", "20", "--seed", "1") == 0  # virtual time runs far ahead of the wall clock
    capsys.readouterr()
    assert play(tmp_path, "--rounds", "2", "--seed", "2") == 0
    printed = capsys.readouterr().out
    assert "records already stand at" in printed
    assert "= fault clock is cleared" in printed


# --- refusals -----------------------------------------------------------------------------------------------------


class JammedTable(BenchTable):
    """Its shoe lets no card out."""

    def start(self) -> None:
        super().start()
        self.bench.shoe.jam()


def test_people_who_get_nowhere_say_where_in_one_line_and_give_up(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "BenchTable", JammedTable)
    assert play(tmp_path, "--seed", "1") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("feltlock: the simulated people are stuck in round 1, state 'dealing'")
    assert "Draw card 1 of" in line


def test_being_stuck_is_told_apart_from_being_told_to_end(tmp_path):
    simulation, table = simulated(tmp_path, 1, Watcher())
    table.bench.shoe.jam()
    try:
        with pytest.raises(Stuck):
            simulation.play(1)
    finally:
        table.close()


def test_a_second_table_on_the_same_state_is_refused_in_one_line(tmp_path, capsys):
    watcher = Watcher()
    simulation, table = simulated(tmp_path, 1, watcher)
    answers = []

    def start_another(status):
        if status.state == "betting" and not answers:
            answers.append(play(tmp_path, "--seed", "2"))

    watcher.on_show = start_another
    try:
        simulation.play(1)
    finally:
        table.close()
    assert answers == [1]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("feltlock: ")
    assert "held by a running controller" in line


def test_a_controller_that_dies_is_reported_in_one_line(tmp_path, capsys, monkeypatch):
    class Dying(BenchTable):
        def key(self, line: str) -> None:
            if line.startswith("deck "):
                assert self._process is not None
                self._process.kill()
            super().key(line)

    monkeypatch.setattr(command, "BenchTable", Dying)
    assert play(tmp_path, "--seed", "1") == 1
    assert capsys.readouterr().err == "feltlock: the controller's process ended without a word\n"


def test_a_table_file_with_real_pins_is_refused_in_one_line(tmp_path, capsys):
    text = command.DEFAULT_TABLE.read_text().replace(
        "../../../board/simulated.toml", str(REPOSITORY / "board" / "seven-seat-pi.toml")
    )
    table_file = tmp_path / "pi.toml"
    table_file.write_text(text)
    assert play(tmp_path / "state", str(table_file)) == 1
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("feltlock: ")]
    assert "this one has real pins" in line
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("pace", ["quick", "-1", "61", "nan", "inf", ""])
def test_a_pace_that_is_none_is_refused_with_the_legal_ones(tmp_path, capsys, pace):
    assert command.run([f"--pace={pace}", "--state", str(tmp_path / "state")]) == 1
    assert capsys.readouterr().err == (
        f"feltlock: --pace {pace}: choose slow, normal, fast, or seconds for an action from 0 to 60\n"
    )
    assert not (tmp_path / "state").exists()


def test_no_rounds_at_all_are_refused(tmp_path, capsys):
    assert play(tmp_path, "--rounds", "0") == 1
    assert capsys.readouterr().err == "feltlock: --rounds 0: play at least 1 round\n"


def test_a_state_folder_that_cannot_be_one_is_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert play(tmp_path / "file" / "state") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "use --state DIR" in line


def test_pins_that_cannot_be_read_are_reported_in_one_line(tmp_path, capsys):
    (tmp_path / "players.json").write_text("{")
    assert play(tmp_path) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("remove the file")


def test_a_missing_table_file_is_reported_without_a_traceback(tmp_path, capsys):
    assert play(tmp_path / "state", str(tmp_path / "none.toml")) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line


# --- what the simulation may know ---------------------------------------------------------------------------------


def imported(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def beyond_cards(source):
    return [
        name
        for name in imported(source)
        if name.startswith("firmware.rules") and not name.startswith("firmware.rules.cards.")
    ]


def test_simulated_people_know_nothing_of_the_rules_but_cards():
    modules = list(SIMULATE.glob("*.py"))
    assert len(modules) > 8
    assert {path.name: beyond_cards(path.read_text()) for path in modules} == {path.name: [] for path in modules}


@pytest.mark.parametrize(
    "source",
    [
        "from firmware.rules.procedure import run\n",
        "from firmware.rules import hands\n",
        "import firmware.rules.games.high_card_flush\n",
        "def late():\n    from firmware.rules.money import dollars\n",
    ],
)
def test_an_import_of_the_rules_would_be_noticed(source):
    assert beyond_cards(source)
    assert beyond_cards("from firmware.rules.cards import Card\n") == []
