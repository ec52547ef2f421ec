"""The board file: what is wired to which line, and how exact the board's stamps are.

Nothing is guessed: the pin factory is named, every line is claimed once, and the lines of SPI, I2C and the serial
port stay free for the parts that use them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from firmware.config.board_checks import check_board
from firmware.config.document import read_document
from firmware.config.problems import ConfigError, Problem, in_line_order
from firmware.config.values import read_values
from firmware.config.vocabulary import BOARD_WORDS
from firmware.devices.pin_names import LOCKOUT_BUTTON
from firmware.rules.submission_draft import Draft

PinFactoryName = Literal["lgpio", "rpigpio", "mock"]
Pull = Literal["up", "down", "none"]
ShoeKind = Literal["reading", "plain"]


@dataclass(frozen=True)
class PinLine:
    """One line of the header, by its BCM number."""

    name: str
    pin: int
    pull: Pull
    active_high: bool


@dataclass(frozen=True)
class BoardFile:
    """`rtc` is a device path or "simulated", `keypad` a device path or "console"."""

    path: Path
    digest: str
    board_id: str
    revision: str
    seats: int
    pin_factory: PinFactoryName
    edge_resolution_ns: int
    settle_ns: int
    report_delay_ns: int
    pins: Mapping[str, PinLine]
    shoe: ShoeKind
    rtc: str
    keypad: str
    storage_directory: Path
    witness: Path
    warnings: tuple[Problem, ...]

    @property
    def has_lockout_button(self) -> bool:
        return LOCKOUT_BUTTON in self.pins


def load_board(path: str | Path) -> BoardFile:
    """Raises ConfigError with every problem at once."""
    document = read_document(Path(path), BOARD_WORDS)
    reading = read_values(document)
    draft = reading.draft()
    found = [document.problem(*complaint) for complaint in check_board(draft)]
    problems = in_line_order([*reading.problems, *found])
    if not all(problem.warning for problem in problems):
        raise ConfigError(problems)
    folder = document.path.parent
    return BoardFile(
        path=document.path,
        digest=document.digest,
        board_id=_text(draft, "board", "id"),
        revision=_text(draft, "board", "revision"),
        seats=_number(draft, "board", "seats"),
        pin_factory=cast(PinFactoryName, _text(draft, "board", "pin_factory")),
        edge_resolution_ns=_number(draft, "board", "edge_resolution"),
        settle_ns=_number(draft, "board", "settle"),
        report_delay_ns=_number(draft, "board", "report_delay"),
        pins={name: _pin_line(draft, name) for name in draft.names("pins")},
        shoe=cast(ShoeKind, _text(draft, "shoe", "kind")),
        rtc=_text(draft, "clock", "rtc"),
        keypad=_text(draft, "keypad", "device"),
        storage_directory=folder / _text(draft, "storage", "directory"),
        witness=folder / _text(draft, "storage", "witness"),
        warnings=problems,
    )


def _pin_line(draft: Draft, name: str) -> PinLine:
    return PinLine(
        name=name,
        pin=_number(draft, "pins", name, "pin"),
        pull=cast(Pull, draft.text("pins", name, "pull") or "none"),
        active_high=_text(draft, "pins", name, "active") == "high",
    )


def _text(draft: Draft, *path: str) -> str:
    return cast(str, draft.values[path])


def _number(draft: Draft, *path: str) -> int:
    return cast(int, draft.values[path])
