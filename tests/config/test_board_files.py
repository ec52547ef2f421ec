"""The board file: each line claimed once, the bus lines free, and no stamp promised finer than it is."""

from pathlib import Path

import pytest
from config_variants import BOARD_NAME, GOOD_BOARD, GOOD_TABLE, ROOT, Change, changed, line_of, write_files

from firmware.config.board_file import PinLine, load_board
from firmware.config.problems import ConfigError
from firmware.config.table_file import load_table
from firmware.devices.pin_names import pin_names

REAL_BOARD = (ROOT / "board/seven-seat-pi.toml").read_text()
BUSES = {2: "I2C1", 3: "I2C1", 8: "SPI0", 9: "SPI0", 10: "SPI0", 11: "SPI0", 14: "UART0", 15: "UART0"}


def six_seats(text: str) -> str:
    """A board with two lines to spare."""
    return changed(text, ("board.seats", "6"), ("pins.seat_7_sensor", None), ("pins.seat_7_lamp", None))


def refusal_of(folder: Path, board: str) -> list[str]:
    write_files(folder, board=board)
    with pytest.raises(ConfigError) as refusal:
        load_board(BOARD_NAME)
    return [str(problem) for problem in refusal.value.problems]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


LEGAL: dict[str, list[Change]] = {
    "finest stamp": [("board.edge_resolution", '"1 us"')],
    "coarsest stamp": [("board.edge_resolution", '"20 ms"')],
    "shortest settle": [("board.settle", '"1 ms"')],
    "settle equals resolution": [("board.edge_resolution", '"20 ms"'), ("board.settle", '"20 ms"')],
    "longest settle": [("board.settle", '"500 ms"')],
    "no report delay": [("board.report_delay", '"0 ms"')],
    "longest report delay": [("board.report_delay", '"1 s"')],
    "plain shoe": [("shoe.kind", '"plain"')],
    "keypad on a line": [("keypad.device", '"/dev/ttyUSB0"')],
    "real clock": [("clock.rtc", '"/dev/rtc0"')],
}

ILLEGAL: dict[str, tuple[list[Change], str]] = {
    "stamp too fine": ([("board.edge_resolution", '"0 us"')], 'out of range. Legal: "1 us" to "20 ms".'),
    "stamp too coarse": ([("board.edge_resolution", '"21 ms"')], 'out of range. Legal: "1 us" to "20 ms".'),
    "settle too long": ([("board.settle", '"501 ms"')], 'out of range. Legal: "1 ms" to "500 ms".'),
    "settle too short": (
        [("board.edge_resolution", '"1 us"'), ("board.settle", '"999 us"')],
        'out of range. Legal: "1 ms" to "500 ms".',
    ),
    "settle below resolution": (
        [("board.edge_resolution", '"20 ms"'), ("board.settle", '"19 ms"')],
        'shorter than the edge resolution, so nothing would ever be seen to settle. Lowest legal: "20 ms".',
    ),
    "report delay too long": ([("board.report_delay", '"1001 ms"')], 'out of range. Legal: "0 us" to "1 s".'),
    "factory not named": (
        [("board.pin_factory", '"native"')],
        'no such choice. Legal: "lgpio", "rpigpio" or "mock".',
    ),
    "three chip selects": ([("board.spi_chip_selects", "3")], "SPI0 has one or two. Legal: 1 or 2."),
    "clock without a path": (
        [("clock.rtc", '"rtc0"')],
        'no device path. Write "/dev/rtc0", or "simulated" with the mock pins.',
    ),
    "keypad without a path": (
        [("keypad.device", '"ttyUSB0"')],
        'no device path. Write "console", or a path such as "/dev/ttyUSB0".',
    ),
    "witness beside the journal": (
        [("storage.witness", '"../var/simulated/head"')],
        (
            "lies inside the storage directory, so it would be lost or rolled back with the journal."
            " Name a file on a second device."
        ),
    ),
    "witness is the directory": (
        [("storage.witness", '"../var/./simulated"')],
        (
            "lies inside the storage directory, so it would be lost or rolled back with the journal."
            " Name a file on a second device."
        ),
    ),
}


@pytest.mark.parametrize("changes", LEGAL.values(), ids=LEGAL)
def test_last_legal_value_of_a_board_is_accepted(changes: list[Change], tmp_path: Path) -> None:
    write_files(tmp_path, board=changed(GOOD_BOARD, *changes))
    assert load_board(BOARD_NAME).warnings == ()


@pytest.mark.parametrize(("changes", "complaint"), ILLEGAL.values(), ids=ILLEGAL)
def test_first_illegal_value_of_a_board_is_the_only_problem(
    changes: list[Change], complaint: str, tmp_path: Path
) -> None:
    text = changed(GOOD_BOARD, *changes)
    path, value = changes[-1]
    section, _, key = path.rpartition(".")
    place = f"{BOARD_NAME}:{line_of(text, key, section)}: [{section}] {key} = {value}"
    assert refusal_of(tmp_path, text) == [f"{place}: {complaint}"]


@pytest.mark.parametrize("seats", [0, 8])
def test_a_board_has_one_to_seven_seats(seats: int, tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("board.seats", str(seats)))
    place = f"{BOARD_NAME}:{line_of(text, 'seats', 'board')}: [board] seats = {seats}"
    assert refusal_of(tmp_path, text) == [f"{place}: no such board. Legal: 1 to 7."]


@pytest.mark.parametrize("pin", [17, 24])
def test_a_free_line_may_be_claimed(pin: int, tmp_path: Path) -> None:
    line = f'{{ pin = {pin}, pull = "up", active = "low" }}'
    write_files(tmp_path, board=changed(six_seats(GOOD_BOARD), ("pins.floor_key", line)))
    assert load_board(BOARD_NAME).pins["floor_key"] == PinLine("floor_key", pin, "up", active_high=False)


@pytest.mark.parametrize("pin", [-1, 0, 1, 28, 40])
def test_only_bcm_2_to_27_are_lines(pin: int, tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("pins.floor_key", f'{{ pin = {pin}, pull = "up", active = "low" }}'))
    place = f"{BOARD_NAME}:{line_of(text, 'floor_key', 'pins')}: [pins] floor_key.pin = {pin}"
    said = "no such line: pins are BCM numbers, 2 to 27. Still free: 27."
    assert refusal_of(tmp_path, text) == [f"{place}: {said}"]


@pytest.mark.parametrize(("pin", "bus"), BUSES.items())
def test_lines_of_a_bus_stay_free(pin: int, bus: str, tmp_path: Path) -> None:
    text = changed(six_seats(GOOD_BOARD), ("pins.floor_key", f'{{ pin = {pin}, pull = "up", active = "low" }}'))
    place = f"{BOARD_NAME}:{line_of(text, 'floor_key', 'pins')}: [pins] floor_key.pin = {pin}"
    said = f"belongs to {bus}, which stays free. Still free: 17, 24, 27."
    assert refusal_of(tmp_path, text) == [f"{place}: {said}"]


@pytest.mark.parametrize("selects", ["2", None])
def test_the_second_chip_select_is_spis_unless_the_board_says_it_has_one(selects: str | None, tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("board.spi_chip_selects", selects))
    place = f"{BOARD_NAME}:{line_of(text, 'door', 'pins')}: [pins] door.pin = 7"
    assert refusal_of(tmp_path, text) == [f"{place}: belongs to SPI0, which stays free. No line is left."]


def test_a_line_is_claimed_once(tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("pins.seat_2_sensor", '{ pin = 4, pull = "up", active = "low" }'))
    place = f"{BOARD_NAME}:{line_of(text, 'seat_2_sensor', 'pins')}: [pins] seat_2_sensor.pin = 4"
    assert refusal_of(tmp_path, text) == [f"{place}: already claimed by seat_1_sensor. Still free: 5."]


def test_missing_and_surplus_seats_are_named(tmp_path: Path) -> None:
    header = line_of(GOOD_BOARD, "", "pins")
    text = changed(GOOD_BOARD, ("pins.seat_3_lamp", None))
    said = "[pins] seat_3_lamp: missing: every line of the board is mapped."
    assert refusal_of(tmp_path, text) == [f"{BOARD_NAME}:{header}: {said}"]
    text = changed(GOOD_BOARD, ("board.seats", "6"))
    lines = [line_of(text, f"seat_7_{part}", "pins") for part in ("sensor", "lamp")]
    said = "the board has 6 seats. Remove the line or raise [board] seats."
    assert refusal_of(tmp_path, text) == [
        f"{BOARD_NAME}:{lines[0]}: [pins] seat_7_sensor: {said}",
        f"{BOARD_NAME}:{lines[1]}: [pins] seat_7_lamp: {said}",
    ]


@pytest.mark.parametrize(
    ("pull", "active", "usual"), [("down", "low", "up"), ("up", "high", "down")], ids=["low", "high"]
)
def test_a_pull_against_the_active_level_is_warned_of(pull: str, active: str, usual: str, tmp_path: Path) -> None:
    line = f'{{ pin = 27, pull = "{pull}", active = "{active}" }}'
    text = changed(GOOD_BOARD, ("pins.floor_key", line))
    write_files(tmp_path, board=text)
    place = f"{BOARD_NAME}:{line_of(text, 'floor_key', 'pins')}: warning: [pins] floor_key.pull"
    said = f"a line that is active {active} would rest active with this pull."
    warnings = [str(warning) for warning in load_board(BOARD_NAME).warnings]
    assert warnings == [f'{place} = "{pull}": {said} Usual: "{usual}".']


@pytest.mark.parametrize(("pull", "active"), [("up", "low"), ("down", "high"), ("none", "low"), ("none", "high")])
def test_a_pull_that_fits_brings_no_warning(pull: str, active: str, tmp_path: Path) -> None:
    line = f'{{ pin = 27, pull = "{pull}", active = "{active}" }}'
    write_files(tmp_path, board=changed(GOOD_BOARD, ("pins.floor_key", line)))
    assert load_board(BOARD_NAME).warnings == ()


def test_a_lamp_has_no_pull(tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("pins.seat_1_lamp", '{ pin = 18, pull = "up", active = "high" }'))
    place = f"{BOARD_NAME}:{line_of(text, 'seat_1_lamp', 'pins')}: [pins] seat_1_lamp.pull"
    assert refusal_of(tmp_path, text) == [f'{place} = "up": a lamp is an output and has no pull. Remove it.']


def test_rpigpio_is_warned_of_and_needs_ten_milliseconds(tmp_path: Path) -> None:
    coarse = changed(REAL_BOARD, ("board.pin_factory", '"rpigpio"'), ("board.edge_resolution", '"10 ms"'))
    write_files(tmp_path, board=coarse)
    (warning,) = load_board(BOARD_NAME).warnings
    place = f"{BOARD_NAME}:{line_of(coarse, 'pin_factory', 'board')}: warning: "
    said = "its callbacks stamp an edge only when Python runs, so lock-out is decided more coarsely than with lgpio."
    expected = f'{place}[board] pin_factory = "rpigpio": {said} Use "lgpio" where the board allows.'
    assert str(warning) == expected
    fine = changed(coarse, ("board.edge_resolution", '"9 ms"'))
    place = f"{BOARD_NAME}:{line_of(fine, 'edge_resolution', 'board')}: [board] edge_resolution"
    assert refusal_of(tmp_path, fine) == [
        expected,
        f'{place} = "9 ms": finer than rpigpio can stamp. Lowest legal: "10 ms".',
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("clock.rtc", '"simulated"'), 'a table on lgpio pins needs a real clock. Write "/dev/rtc0".'),
        (
            ("shoe.kind", '"reading"'),
            'this version has a reading shoe with the mock pins only, not with lgpio. Legal: "plain".',
        ),
    ],
    ids=["clock", "shoe"],
)
def test_a_real_board_has_no_simulated_parts(change: Change, said: str, tmp_path: Path) -> None:
    text = changed(REAL_BOARD, change)
    section, _, key = change[0].rpartition(".")
    place = f"{BOARD_NAME}:{line_of(text, key, section)}: [{section}] {key} = {change[1]}"
    assert refusal_of(tmp_path, text) == [f"{place}: {said}"]


def test_shipped_boards_share_one_pin_map_that_uses_every_free_line() -> None:
    real, simulated = load_board(ROOT / "board/seven-seat-pi.toml"), load_board(ROOT / "board/simulated.toml")
    assert real.pins == simulated.pins
    assert set(real.pins) == set(pin_names(7))
    assert {line.pin for line in real.pins.values()} == set(range(2, 28)) - set(BUSES)
    assert (real.pin_factory, simulated.pin_factory) == ("lgpio", "mock")
    assert real.warnings == simulated.warnings == ()


def test_the_wiring_table_of_the_shipped_board_tells_its_pins() -> None:
    """BCM and header numbers of the 40-pin header, as printed for every Pi since the B+."""
    header = {4: 7, 5: 29, 6: 31, 7: 26, 12: 32, 13: 33, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40}
    header |= {22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13}
    board = load_board(ROOT / "board/seven-seat-pi.toml")
    rows = {
        line[4:20].strip().replace("lock-out", "lockout").replace(" ", "_"): line[20:32].split()
        for line in REAL_BOARD.splitlines()
        if line.startswith("#   ") and line[20:32].split() and line[20:32].split()[0].isdecimal()
    }
    assert rows == {name: [str(line.pin), str(header[line.pin])] for name, line in board.pins.items()}


def test_durations_and_paths_of_a_board_are_read(tmp_path: Path) -> None:
    write_files(tmp_path)
    board = load_board(tmp_path / BOARD_NAME)
    assert (board.edge_resolution_ns, board.settle_ns, board.report_delay_ns) == (10**6, 30 * 10**6, 20 * 10**6)
    assert board.storage_directory == tmp_path / "board/../var/simulated"
    assert board.witness == tmp_path / "board/../var/witness/simulated.head"
    assert (board.shoe, board.rtc, board.keypad, board.has_lockout_button) == ("reading", "simulated", "console", True)


def small_board(seats: int) -> str:
    text = changed(GOOD_BOARD, ("board.seats", str(seats)))
    for seat in range(seats + 1, 8):
        text = changed(text, (f"pins.seat_{seat}_sensor", None), (f"pins.seat_{seat}_lamp", None))
    return text


def test_MD_HCF_02_B_6_every_seat_of_a_progressive_table_has_a_sensor(tmp_path: Path) -> None:
    write_files(tmp_path, board=small_board(6))
    assert load_table("tables/pit4-07.toml").board.seats == 6
    write_files(tmp_path, board=small_board(5))
    with pytest.raises(ConfigError) as refusal:
        load_table("tables/pit4-07.toml")
    place = f"tables/pit4-07.toml:{line_of(GOOD_TABLE, 'seats', 'table')}: [table] seats = 6"
    said = "the board has 5 bet sensors, one is needed for each seat (MD-HCF-02.B.6). Highest for this board: 5."
    assert [str(problem) for problem in refusal.value.problems] == [f"{place}: {said}"]


def test_MD_HCF_02_C_2_a_progressive_table_has_a_lock_out_button(tmp_path: Path) -> None:
    write_files(tmp_path, board=changed(GOOD_BOARD, ("pins.lockout_button", None), ("pins.lockout_lamp", None)))
    with pytest.raises(ConfigError) as refusal:
        load_table("tables/pit4-07.toml")
    place = f"tables/pit4-07.toml:{line_of(GOOD_TABLE, 'board', 'table')}: "
    said = "the board has no lock-out button, which is what closes the betting (MD-HCF-02.C.2)."
    legal = "Map lockout_button and lockout_lamp in the board file's [pins]."
    assert [str(problem) for problem in refusal.value.problems] == [
        f'{place}[table] board = "../board/seven-seat.toml": {said} {legal}'
    ]


def test_a_lock_out_button_comes_with_its_lamp(tmp_path: Path) -> None:
    text = changed(GOOD_BOARD, ("pins.lockout_lamp", None))
    said = "[pins] lockout_lamp: missing: every line of the board is mapped."
    assert refusal_of(tmp_path, text) == [f"{BOARD_NAME}:{line_of(text, '', 'pins')}: {said}"]
