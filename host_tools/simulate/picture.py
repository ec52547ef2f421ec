"""`python -m host_tools.simulate.picture FILE`: a picture of the dealer's screen, taken from a table at play.

Written as text in SVG, so that it stays sharp, small and searchable. Every run of text is given its exact width:
whatever monospace font the reader has, the frame closes.
"""

import argparse
import random
import re
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from firmware.config.table_file import load_table
from firmware.status.table_status import TableStatus
from firmware.terminal.screen_text import STYLES, draw
from firmware.terminal.screens import TONES
from host_tools.bench_table import BenchTable
from host_tools.simulate.command import DEFAULT_TABLE
from host_tools.simulate.pace import Pace
from host_tools.simulate.simulation import Simulation
from host_tools.simulate.staff import staff_of

COLUMNS = 80
SAID_LINES = 4
ROUNDS = 200
SETTLED_SEATS = 3
"""Enough verdicts beside the pending hit to show what the screen is for."""
FONT = 14
ADVANCE = 8.4
LEADING = 16
MARGIN = 16
PLAIN = "#d7dde3"
GROUND = "#10161c"
COLOURS = {"title": "#6cc7d9", "step": "#f2c14e", "meter": "#7ccf7c", "fault": "#ff7b72", "quiet": "#8b98a5"}
_STYLED = re.compile(r"\x1b\[([0-9;]*)m")


class PictureTaken(Exception):
    """The moment has come; no need to play on."""


class Camera:
    """A display that waits for a progressive hit before the floorperson, with other seats settled."""

    def __init__(self) -> None:
        self.picture = ""
        self._said: deque[str] = deque(maxlen=SAID_LINES)

    def open(self) -> None:
        """Nothing to prepare."""

    def say(self, tone: str, text: str, clause: str | None) -> None:
        self.tell(f"{TONES[tone]} {text}{f' [{clause}]' if clause else ''}")

    def tell(self, line: str) -> None:
        self._said.append(line)

    def show(self, status: TableStatus) -> None:
        settled = sum(1 for seat in status.seats if seat.verdicts)
        if status.state == "hit pending" and settled >= SETTLED_SEATS:
            self.picture = draw(status, self._said, COLUMNS)
            raise PictureTaken

    def dark(self) -> None:
        """Nobody photographs a dark screen."""

    def close(self) -> None:
        """Nothing to give back."""


def take_picture(seed: int) -> str:
    """The screen of that moment, colours included; empty if it did not come."""
    camera = Camera()
    table_file = load_table(DEFAULT_TABLE)
    pace = Pace.parse("fast")
    with tempfile.TemporaryDirectory(prefix="picture-") as folder:
        state = Path(folder)
        staff = staff_of(state)
        table = BenchTable(table_file.path, state, table_file.board.seats, screen="json")
        seats = table_file.submission.seats
        simulation = Simulation(table, seats, staff, camera, pace, random.Random(seed))
        try:
            simulation.play(ROUNDS)
        except PictureTaken:
            return camera.picture
        finally:
            table.close()
    return ""


class Run(NamedTuple):
    column: int
    text: str
    style: str


def runs_of(line: str) -> Iterator[Run]:
    """A line's text by style, blanks at either end left out."""
    names = {code: name for name, code in STYLES.items() if code}
    column, style = 0, ""
    for part, text in enumerate(_STYLED.split(line)):
        if part % 2:
            style = names.get(text, "")
            continue
        if text.strip():
            yield Run(column + len(text) - len(text.lstrip()), text.strip(), style)
        column += len(text)


def svg_of(screen: str) -> str:
    lines = screen.split("\n")
    width = COLUMNS * ADVANCE + 2 * MARGIN
    height = len(lines) * LEADING + 2 * MARGIN
    size = f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    font = f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img">',
        "<title>The dealer's screen of a table at play</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + number * LEADING + FONT
        parts += [_text(run, y) for run in runs_of(line)]
    return "\n".join([*parts, "</svg>", ""])


def _text(run: Run, y: int) -> str:
    weight = ' font-weight="bold"' if run.style in ("title", "step", "meter", "turn", "fault") else ""
    return (
        f'<text x="{MARGIN + run.column * ADVANCE:g}" y="{y}" textLength="{len(run.text) * ADVANCE:g}"'
        f' lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="{COLOURS.get(run.style, PLAIN)}"{weight}>'
        f"{escape(run.text)}</text>"
    )


def main(args: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A picture of the dealer's screen, taken from a simulated table.")
    parser.add_argument("file", type=Path, help="SVG file to write")
    parser.add_argument("--seed", type=int, default=8)
    options = parser.parse_args(args)
    screen = take_picture(options.seed)
    if not screen:
        print(f"feltlock: no such moment in {ROUNDS} rounds: try another --seed", file=sys.stderr)
        return 1
    options.file.write_text(svg_of(screen), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
