"""`feltlock simulate` on a real terminal: drawn in place, ended by Ctrl-C, put away as it was found."""

import os
import pty
import re
import signal
import subprocess
import sys
import termios
import tty
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from simulated_tables import Watcher, simulated

from firmware.status.table_status import TableStatus
from firmware.terminal.screen_text import draw, without_colour
from host_tools import journal_commands
from host_tools.simulate import picture
from host_tools.simulate.display import KEPT_LINES, PlainDisplay, ScreenDisplay, display_for

ENTER, LEAVE, CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"
CODES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
COMMAND = [sys.executable, "-m", "host_tools.cli", "simulate"]
REPOSITORY = Path(picture.__file__).parent.parent.parent
PATIENCE_S = 60


class Terminal:
    """`feltlock simulate` in a session of its own on a terminal of 24 lines and 80 columns."""

    def __init__(self, state: Path, *more: str) -> None:
        self.screen, end = pty.openpty()
        tty.setraw(end)
        self.resize(24, 80)
        self.process = subprocess.Popen(
            [*COMMAND, "--pace", "0.02", "--seed", "3", "--state", str(state), *more],
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
            cwd=REPOSITORY,
        )
        os.close(end)
        self.shown = b""

    def resize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self.screen, (rows, columns))

    def read_until(self, text: str) -> None:
        start = len(self.shown)
        while text.encode() not in self.shown[start:]:
            received = self._read()
            assert received, f"{text!r} was never shown; last: {self.shown[-500:]!r}"
            self.shown += received

    def _read(self) -> bytes:
        try:
            return os.read(self.screen, 65536)
        except OSError:  # the other end is closed
            return b""

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> int:
        """To the whole group, as a terminal does; gives the exit status."""
        os.killpg(self.process.pid, number)
        return self.rest()

    def rest(self) -> int:
        while received := self._read():
            self.shown += received
        os.close(self.screen)
        return self.process.wait(PATIENCE_S)


def nobody_is_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("moment", ["said at this table", "Bets are open", "Draw card", "raise or fold?", "Rack the"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_table_and_controller_and_gives_the_terminal_back(tmp_path, capsys, moment, number):
    terminal = Terminal(tmp_path)
    terminal.read_until(moment)
    assert terminal.interrupt(number) == 0
    drawn, _, after = terminal.shown.rpartition(LEAVE)
    assert drawn.count(ENTER) == 1
    assert drawn.endswith(CURSOR)
    (line,) = after.decode().split("\r\n" if b"\r\n" in after else "\n")[:-1]
    assert line.startswith("feltlock: 0 rounds played, meter main $5,00")
    assert line.endswith(f"feltlock meters {tmp_path} --prove")
    assert b"Traceback" not in terminal.shown
    assert nobody_is_left(terminal.process.pid)
    assert journal_commands.verify(["--journal", str(tmp_path)]) == 0
    capsys.readouterr()


def test_a_second_table_on_the_same_state_leaves_the_terminal_alone(tmp_path):
    first = Terminal(tmp_path)
    first.read_until("Bets are open")
    second = Terminal(tmp_path)
    assert second.rest() == 1
    assert ENTER not in second.shown
    assert b"held by a running controller" in second.shown
    assert first.interrupt() == 0


def test_a_resize_in_the_middle_of_a_round_is_followed(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.read_until("Bets are open")
    for rows, columns in ((1, 1), (2, 5), (10, 40), (60, 200)):
        terminal.resize(rows, columns)
        terminal.read_until("\x1b[H")
    terminal.read_until("─" * 100)
    assert terminal.interrupt() == 0


def test_a_reader_that_goes_away_ends_the_table_without_a_traceback(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "--pace", "fast", "--seed", "3", "--state", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=REPOSITORY,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(PATIENCE_S) == 1
    assert nobody_is_left(process.pid)


def test_on_a_pipe_lines_are_printed_and_no_terminal_codes(tmp_path):
    done = subprocess.run(
        [*COMMAND, "--pace", "fast", "--rounds", "2", "--seed", "3", "--state", str(tmp_path)],
        capture_output=True,
        cwd=REPOSITORY,
        timeout=PATIENCE_S,
        check=True,
    )
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
    assert b"> dealer: Bets are open" in done.stdout


# --- the page -----------------------------------------------------------------------------------------------------


def a_status(tmp_path: Path) -> TableStatus:
    simulation, table = simulated(tmp_path, 3, Watcher())
    try:
        simulation.play(1)
    finally:
        table.close()
    return simulation.side.status


@pytest.mark.parametrize("rows", [1, 2, 5, 23, 24, 25, 50, 200])
@pytest.mark.parametrize("columns", [1, 4, 39, 80, 200])
def test_a_page_never_has_more_lines_than_the_terminal(tmp_path, status, rows, columns):
    screen, end = pty.openpty()
    tty.setraw(end)
    termios.tcsetwinsize(end, (rows, columns))
    with open(end, "w", encoding="utf-8") as out, open(tmp_path / "page", "w+", encoding="utf-8", newline="") as page:
        display = ScreenDisplay(page)
        display._size = ScreenDisplay(out)._size  # type: ignore[method-assign]
        display.open()
        display.show(status)
        for number in range(3):
            display.tell(f"* line {number}")
        display.dark()
        display.close()
        page.seek(0)
        text = page.read()
    os.close(screen)
    pages = text.split("\x1b[H")[1:]
    assert len(pages) >= 5
    for drawn in pages:
        assert drawn.count("\r\n") < rows
        assert max(map(len, CODES.sub("", drawn).split("\r\n"))) <= max(columns, 4)
    if rows > 24 and columns >= 80:
        assert "* line 2" in pages[-3]
        assert without_colour(pages[-3]).count("│") >= 2 * min(rows - 5, KEPT_LINES)


@pytest.fixture(scope="module")
def status(tmp_path_factory):
    return a_status(tmp_path_factory.mktemp("status"))


def test_plain_is_chosen_on_a_pipe_or_when_asked_for(tmp_path):
    screen, end = pty.openpty()
    with open(end, "w", encoding="utf-8") as terminal, open(tmp_path / "file", "w", encoding="utf-8") as file:
        assert isinstance(display_for(terminal, plain=False), ScreenDisplay)
        assert isinstance(display_for(terminal, plain=True), PlainDisplay)
        assert isinstance(display_for(file, plain=False), PlainDisplay)
    os.close(screen)


# --- the picture --------------------------------------------------------------------------------------------------


def lines_of(svg: str) -> list[str]:
    """The screen put together again from where its texts stand."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    rows: dict[float, str] = {}
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y, length = (float(text.attrib[name]) for name in ("x", "y", "textLength"))
        assert x >= 0
        assert x + length <= width
        assert 0 < y < height
        words = text.text or ""
        assert length == pytest.approx(len(words) * picture.ADVANCE)
        column = round((x - picture.MARGIN) / picture.ADVANCE)
        rows[y] = rows.get(y, "").ljust(column) + words
    return [rows[y] for y in sorted(rows)]


def test_the_picture_holds_the_screen_character_for_character(status):
    screen = draw(status, ("! a < b & \"c\" 'd'", "# a fault"), picture.COLUMNS)
    assert lines_of(picture.svg_of(screen)) == without_colour(screen).split("\n")


def test_a_picture_is_taken_of_a_hit_before_the_floorperson(tmp_path):
    file = tmp_path / "screen.svg"
    assert picture.main([str(file)]) == 0
    lines = lines_of(file.read_text(encoding="utf-8"))
    assert any("validate the progressive payout" in line for line in lines)
    assert any("PENDING" in line for line in lines)
    assert {len(line) for line in lines} == {picture.COLUMNS}


def test_the_picture_in_the_handbook_is_one_of_this_screen():
    lines = lines_of((REPOSITORY / "docs" / "dealer-screen.svg").read_text(encoding="utf-8"))
    assert lines[1].startswith("│ NEXT: floorperson")
    assert {len(line) for line in lines} == {picture.COLUMNS}
