"""For whoever watches: the dealer's screen drawn in place on a terminal, plain lines anywhere else."""

import os
import sys
from collections import deque
from typing import Protocol, TextIO

from firmware.status.table_status import TableStatus
from firmware.terminal.screen_text import draw, fixed_lines
from firmware.terminal.screens import TONES, LinesScreen

_ENTER = "\x1b[?1049h\x1b[?25l"
_LEAVE = "\x1b[?25h\x1b[?1049l"
_HOME = "\x1b[H"
_CLEAR_LINE = "\x1b[K"
_CLEAR_BELOW = "\x1b[J"
KEPT_LINES = 60
DARK_LINES = 3
"""Of what was said last, while the table has no power to show anything."""


class Display(Protocol):
    def open(self) -> None: ...

    def say(self, tone: str, text: str, clause: str | None) -> None: ...

    def tell(self, line: str) -> None: ...

    def show(self, status: TableStatus) -> None: ...

    def dark(self) -> None: ...

    def close(self) -> None: ...


class PlainDisplay:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lines = LinesScreen(out)

    def open(self) -> None:
        """Lines need no preparation."""

    def say(self, tone: str, text: str, clause: str | None) -> None:
        self._lines.say(tone, text, clause)

    def tell(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()

    def show(self, status: TableStatus) -> None:
        self._lines.show(status)

    def dark(self) -> None:
        """What lines were printed stay."""

    def close(self) -> None:
        """Nothing to give back."""


class ScreenDisplay:
    """In place, on the terminal's other page, so that what stood there before comes back at the end."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._status: TableStatus | None = None
        self._opened = False

    def open(self) -> None:
        self._opened = True
        self._out.write(_ENTER)
        self._redraw()

    def say(self, tone: str, text: str, clause: str | None) -> None:
        self.tell(f"{TONES[tone]} {text}{f' [{clause}]' if clause else ''}")

    def tell(self, line: str) -> None:
        self._said.append(line)
        self._redraw()

    def show(self, status: TableStatus) -> None:
        self._status = status
        self._redraw()

    def dark(self) -> None:
        if self._opened:
            columns, rows = self._size()
            self._page([line[:columns] for line in list(self._said)[-min(rows, DARK_LINES) :]])

    def close(self) -> None:
        if self._opened:
            self._opened = False
            self._out.write(_HOME + _CLEAR_BELOW + _LEAVE)  # some terminals keep what they showed after a resize
            self._out.flush()

    def _redraw(self) -> None:
        if not self._opened or self._status is None:
            return
        columns, rows = self._size()
        room = max(0, rows - fixed_lines(self._status))
        said = list(self._said)[-room:] if room else []
        said += [""] * (min(room, KEPT_LINES) - len(said))
        self._page(draw(self._status, said, columns).split("\n")[:rows])

    def _page(self, lines: list[str]) -> None:
        """A line is cleared before it is written: after the last column, clearing would take that column along."""
        _, rows = self._size()
        text = "\r\n".join(_CLEAR_LINE + line for line in lines)
        below = f"\r\n{_CLEAR_BELOW}" if len(lines) < rows else ""
        self._out.write(_HOME + text + below)
        self._out.flush()

    def _size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(self._out.fileno())
        except OSError:
            return 80, 24
        return columns or 80, rows or 24


def display_for(out: TextIO, plain: bool) -> Display:
    if isinstance(out, type(sys.stdout)) and hasattr(out, "reconfigure"):
        out.reconfigure(errors="replace")  # a terminal without ● still shows the table
    return PlainDisplay(out) if plain or not out.isatty() else ScreenDisplay(out)
