"""The dealer's screen as text: one picture of the table for a terminal of 80 columns and 24 lines.

Every meaning stands in words or marks; colour only helps the eye, so the picture reads the same without it.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from firmware.status.table_status import FaultStatus, MeterStatus, SeatStatus, TableStatus

WIDEST = 120
SAYS_LINES = 2
LAMP = {True: "●", False: "○"}
FACE_DOWN = "▒▒"
HAND_ROOM = 28
"""`three-card flush, queen high`: the longest name of a hand."""
KEY_WORDS = {"straight flush bonus": "straight", "flush bonus": "flush"}
"""Wagers as the dealer keys them, where the full name would not fit beside the others."""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
STYLES = {"title": "1;36", "step": "1;33", "meter": "1;32", "fault": "1;31", "quiet": "2", "turn": "1", "": ""}


class Line(NamedTuple):
    text: str
    style: str = ""


def draw(
    status: TableStatus | Mapping[str, Any],
    said: Sequence[str],
    width: int = 80,
    *,
    colour: bool = True,
) -> str:
    """Lines joined by newlines, each exactly `width` columns wide (at most 120)."""
    table = as_status(status)
    width = max(4, min(width, WIDEST))
    shown = [
        _border("┌", "┐", f"{table.table} · {table.game}", _right_title(table), width, "title"),
        *(_framed(line, width) for line in _step(table, width - 4)),
        _border("├", "┤", _meters(table), _lock(table), width, "meter"),
        *(_framed(line, width) for seat in table.seats for line in _seat(seat, table.seat)),
        _framed(_dealer(table), width),
        _border("├", "┤", "said at this table", "", width, "quiet"),
        *(_framed(Line(f"# {fault.line}", "fault"), width) for fault in table.faults),
        *(_framed(Line(text, "fault" if text.startswith("#") else ""), width) for text in said),
        _border("└", "┘", "", "", width, ""),
    ]
    return "\n".join(_painted(line, colour) for line in shown)


def without_colour(text: str) -> str:
    return _ANSI.sub("", text)


def fixed_lines(status: TableStatus | Mapping[str, Any]) -> int:
    """How many lines a picture takes with nothing said; the rest of a terminal is for what was said."""
    return draw(status, (), colour=False).count("\n") + 1


def as_status(status: TableStatus | Mapping[str, Any]) -> TableStatus:
    """A status as it was made, or as it came through JSON."""
    if isinstance(status, TableStatus):
        return status
    seats = tuple(SeatStatus(**{**seat, "verdicts": tuple(seat["verdicts"])}) for seat in status["seats"])
    meters = tuple(MeterStatus(**meter) for meter in status["meters"])
    faults = tuple(FaultStatus(**fault) for fault in status["faults"])
    keys = tuple(status["keys"])
    return TableStatus(**{**status, "seats": seats, "meters": meters, "faults": faults, "keys": keys})


def money(cents: int) -> str:
    """`$5,000.60`; whole dollars without the cents, as chips are called."""
    whole, rest = divmod(cents, 100)
    return f"${whole:,}.{rest:02}" if rest else f"${whole:,}"


def meter_text(meter: MeterStatus) -> str:
    whole, rest = divmod(meter.shown, 100)
    return f"{meter.name} ${whole:,}.{rest:02}"


# --- what stands where ------------------------------------------------------------------------------------------


def _right_title(table: TableStatus) -> str:
    return f"round {table.round} · {table.dealer or 'nobody signed on'}"


def _step(table: TableStatus, room: int) -> list[Line]:
    """Who, and on which clause; then the step itself in its own words; then what else can be keyed."""
    head = f"NEXT: {table.who}"
    gap = max(1, room - len(head) - len(table.clause))
    says = textwrap.wrap(table.says, max(1, room - 2)) or [""]
    if len(says) > SAYS_LINES:
        says = [*says[: SAYS_LINES - 1], " ".join(says[SAYS_LINES - 1 :])]
    says += [""] * (SAYS_LINES - len(says))
    keys = [*(("confirm",) if table.confirm else ()), *table.keys]
    return [
        Line(head + " " * gap + table.clause, "quiet"),
        *(Line(("▶ " if number == 0 else "  ") + text, "step") for number, text in enumerate(says)),
        Line(f"  keys: {' | '.join(keys)}" if keys else "", "quiet"),
    ]


def _meters(table: TableStatus) -> str:
    parts = []
    for meter in table.meters:
        pending = f" PENDING {money(meter.pending)}" if meter.pending else ""
        parts.append(f"meter {meter_text(meter)}{pending}")
    return " · ".join(parts)


def _lock(table: TableStatus) -> str:
    return f"LOCKED OUT, {table.accepted} in" if table.locked else ""


def _seat(seat: SeatStatus, turn: int | None) -> list[Line]:
    """Cards over what they are worth; beside them the wagers over what became of them."""
    mark = "▶" if seat.seat == turn else " "
    wagers = [_wager(name, cents) for name, cents in seat.wagers.items() if name != "progressive"]
    became = [_outcome(verdict) for verdict in seat.verdicts]
    if seat.folded:
        became.insert(0, "FOLDED")
    first = f"{mark}{seat.seat} {LAMP[seat.chip]} {_cards(seat.cards):<{HAND_ROOM}} {'  '.join(wagers)}"
    second = f"     {seat.hand:<{HAND_ROOM}} {'  '.join(became)}"
    return [Line(first.rstrip(), "turn" if seat.seat == turn else ""), Line(second.rstrip())]


def _wager(name: str, cents: int | None) -> str:
    words = _key_word(name.replace("_", " "))
    return words if cents is None else f"{words} {money(cents)}"


def _outcome(verdict: str) -> str:
    """`flush bonus wins $50.00 (10 to 1)` in short: `flush +$50`. Odds alone stay as they are."""
    short = re.sub(r" \(.*\)|\.00\b", "", _key_word(verdict))
    short = short.replace(" wins $", " +$").replace(" loses $", " -$")
    return short.replace(" is returned", " back")


def _key_word(text: str) -> str:
    for words, key in KEY_WORDS.items():
        text = text.replace(words, key)
    return text


def _dealer(table: TableStatus) -> Line:
    return Line(f"dealer {_cards(table.dealer_cards)}  {table.dealer_hand}".rstrip(), "turn")


def _cards(cards: str) -> str:
    return cards.replace("??", FACE_DOWN)


# --- lines of one width -----------------------------------------------------------------------------------------


def _cut(text: str, room: int) -> str:
    text = "".join(char if char.isprintable() else "·" for char in text)
    if len(text) <= room:
        return text.ljust(room)
    return text[: max(0, room - 1)] + "…"[:room]


def _framed(line: Line, width: int) -> Line:
    """The frame is added when the line is painted, so that colour stays inside it."""
    return Line(f"│ {_cut(line.text, width - 4)} │", line.style)


def _border(left: str, right: str, title: str, second: str, width: int, style: str) -> Line:
    room = width - 2
    start = f"─ {title} " if title else ""
    end = f" {second} ─" if second else ""
    if len(start) + len(end) > room:
        end = ""
    if len(start) > room:
        start = _cut(start, room)
    return Line(left + start + "─" * (room - len(start) - len(end)) + end + right, style)


def _painted(line: Line, colour: bool) -> str:
    code = STYLES[line.style]
    if not colour or not code:
        return line.text
    return f"{line.text[:1]}\x1b[{code}m{line.text[1:-1]}\x1b[0m{line.text[-1:]}"
