"""Where the controller speaks: plain lines for a console and a script, or JSON lines for a program that draws."""

import json
from typing import Protocol, TextIO

from firmware.status.table_status import TableStatus

TONES = {"refused": "!", "told": "=", "fault": "#", "asked": ">", "meter": "~"}
"""`!` not done, `=` decided or recorded, `#` something is wrong, `>` what comes next, `~` what the meters show."""


class Screen(Protocol):
    def say(self, tone: str, text: str, clause: str | None = None) -> None: ...

    def show(self, status: TableStatus) -> None: ...


class LinesScreen:
    """One line a thing said; the next step is printed when it changes."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._last = ""
        self._meters = ""

    def say(self, tone: str, text: str, clause: str | None = None) -> None:
        self._line(f"{TONES[tone]} {text}{f' [{clause}]' if clause else ''}")

    def show(self, status: TableStatus) -> None:
        meters = meter_line(status)
        if meters != self._meters:
            self._meters = meters
            self._line(meters)
        step = step_line(status)
        if step != self._last:
            self._last = step
            self._line(step)

    def _line(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()


def step_line(status: TableStatus) -> str:
    clause = f" [{status.clause}]" if status.clause else ""
    return f"{TONES['asked']} {status.who}: {status.says}{clause}"


class JsonScreen:
    """A status is written when it differs from the last one."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._last: TableStatus | None = None

    def say(self, tone: str, text: str, clause: str | None = None) -> None:
        self._write({"say": text, "tone": tone, "clause": clause})

    def show(self, status: TableStatus) -> None:
        if status != self._last:
            self._last = status
            self._write({"status": status.as_json()})

    def _write(self, message: object) -> None:
        self._out.write(json.dumps(message) + "\n")
        self._out.flush()


def meter_line(status: TableStatus) -> str:
    return f"{TONES['meter']} {', '.join(meter.text for meter in status.meters)}"
