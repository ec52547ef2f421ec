"""What makes a board file wrong: a line claimed twice, a bus line taken, a stamp promised finer than it is."""

import os.path
from collections.abc import Iterator
from difflib import get_close_matches

from firmware.config.durations import duration, parse_duration
from firmware.devices.pin_names import LOCKOUT_BUTTON, LOCKOUT_LAMP, is_lamp, pin_names
from firmware.rules.submission_draft import Complaint, Draft, KeyPath, quoted

MOST_SEATS = 7
LINES = range(2, 28)
BUS_LINES = {
    **dict.fromkeys((2, 3), "I2C1"),
    **dict.fromkeys((8, 9, 10, 11), "SPI0"),
    **dict.fromkeys((14, 15), "UART0"),
}
SECOND_CHIP_SELECT = 7  # SPI0's; free on a board that says it has one chip select
FINEST_STAMP = {"lgpio": "1 us", "rpigpio": "10 ms", "mock": "1 us"}
DURATIONS = {
    "edge_resolution": ("1 us", "20 ms"),
    "settle": ("1 ms", "500 ms"),
    "report_delay": ("0 us", "1 s"),
}
IDLE_PULL = {"low": "up", "high": "down"}

REQUIRED: tuple[tuple[KeyPath, str], ...] = (
    (("board", "id"), "name the board"),
    (("board", "revision"), "give the board's revision"),
    (("board", "seats"), "say how many seats are wired"),
    (("board", "pin_factory"), 'name it, "lgpio", "rpigpio" or "mock": it is never guessed'),
    (("board", "edge_resolution"), "say how close two edges can be and still be told apart"),
    (("board", "settle"), "say how long a line must rest to count as settled"),
    (("board", "report_delay"), "say how far a reader may lag behind the kernel's stamp"),
    (("shoe", "kind"), 'say "reading" or "plain"'),
    (("clock", "rtc"), 'name the clock\'s device, such as "/dev/rtc0"'),
    (("keypad", "device"), 'say "console" or name the keypad\'s device'),
    (("storage", "directory"), "say where the journal is kept"),
    (("storage", "witness"), "name the witness file on a second device"),
)


def check_board(draft: Draft) -> list[Complaint]:
    return [
        *(Complaint(path, f"missing: {why}") for path, why in REQUIRED if not draft.written(*path)),
        *_board(draft),
        *_names(draft),
        *_lines(draft),
        *_parts(draft),
    ]


def _board(draft: Draft) -> Iterator[Complaint]:
    seats = draft.number("board", "seats")
    if seats is not None and not 1 <= seats <= MOST_SEATS:
        yield Complaint(("board", "seats"), "no such board", None, f"Legal: 1 to {MOST_SEATS}")
    selects = draft.number("board", "spi_chip_selects")
    if selects is not None and selects not in (1, 2):
        yield Complaint(("board", "spi_chip_selects"), "SPI0 has one or two", None, "Legal: 1 or 2")
    for name, (least, most) in DURATIONS.items():
        length_ns = draft.number("board", name)
        if length_ns is not None and not parse_duration(least) <= length_ns <= parse_duration(most):
            legal = f"Legal: {quoted(least)} to {quoted(most)}"
            yield Complaint(("board", name), "out of range", None, legal)
    resolution_ns, settle_ns = draft.number("board", "edge_resolution"), draft.number("board", "settle")
    factory = draft.text("board", "pin_factory")
    if resolution_ns is not None and settle_ns is not None and settle_ns < resolution_ns:
        message = "shorter than the edge resolution, so nothing would ever be seen to settle"
        yield Complaint(("board", "settle"), message, None, f"Lowest legal: {quoted(duration(resolution_ns))}")
    if factory == "rpigpio":
        message = (
            "its callbacks stamp an edge only when Python runs, so lock-out is decided more coarsely than with lgpio"
        )
        yield Complaint(("board", "pin_factory"), message, None, 'Use "lgpio" where the board allows', warning=True)
    finest = FINEST_STAMP.get(factory or "")
    if resolution_ns is not None and finest is not None and 10**3 <= resolution_ns < parse_duration(finest):
        message = f"finer than {factory} can stamp"
        yield Complaint(("board", "edge_resolution"), message, None, f"Lowest legal: {quoted(finest)}")


def _names(draft: Draft) -> Iterator[Complaint]:
    seats = draft.number("board", "seats")
    if seats is None or not 1 <= seats <= MOST_SEATS:
        return
    known, written = pin_names(seats), draft.names("pins")
    for name in written:
        if name in known:
            continue
        if name in pin_names(MOST_SEATS):
            yield Complaint(
                ("pins", name), f"the board has {seats} seats", None, "Remove the line or raise [board] seats"
            )
            continue
        close = get_close_matches(name, known, n=1)
        legal = f"Did you mean {quoted(close[0])}?" if close else f"Known here: {', '.join(known)}"
        yield Complaint(("pins", name), "no line has that name", None, legal)
    lockout = (LOCKOUT_BUTTON, LOCKOUT_LAMP)
    has_lockout = any(name in written for name in lockout)
    for name in known:
        if name not in written and (name not in lockout or has_lockout):
            yield Complaint(("pins", name), "missing: every line of the board is mapped")


def _lines(draft: Draft) -> Iterator[Complaint]:
    claimed: dict[int, str] = {}
    for name in draft.names("pins"):
        section = ("pins", name)
        if section in draft.unreadable:
            continue
        for key in ("pin", "active") if is_lamp(name) else ("pin", "active", "pull"):
            if not draft.written(*section, key):
                yield Complaint((*section, key), f"missing: state {key} for every line")
        pin = draft.number(*section, "pin")
        if pin is not None:
            yield from _claim(draft, name, pin, claimed)
        pull, active = draft.text(*section, "pull"), draft.text(*section, "active")
        if is_lamp(name) and pull not in (None, "none"):
            yield Complaint((*section, "pull"), "a lamp is an output and has no pull", None, "Remove it")
        elif pull in ("up", "down") and active is not None and pull != IDLE_PULL[active]:
            message = f"a line that is active {active} would rest active with this pull"
            legal = f"Usual: {quoted(IDLE_PULL[active])}"
            yield Complaint((*section, "pull"), message, None, legal, warning=True)


def _claim(draft: Draft, name: str, pin: int, claimed: dict[int, str]) -> Iterator[Complaint]:
    path = ("pins", name, "pin")
    bus = BUS_LINES.get(pin)
    if pin == SECOND_CHIP_SELECT and _spi_has_both_selects(draft):
        bus = "SPI0"
    if pin not in LINES:
        message = f"no such line: pins are BCM numbers, {LINES.start} to {LINES.stop - 1}"
        yield Complaint(path, message, None, _free_lines(draft))
    elif bus is not None:
        yield Complaint(path, f"belongs to {bus}, which stays free", None, _free_lines(draft))
    elif pin in claimed:
        yield Complaint(path, f"already claimed by {claimed[pin]}", None, _free_lines(draft))
    else:
        claimed[pin] = name


def _spi_has_both_selects(draft: Draft) -> bool:
    selects = ("board", "spi_chip_selects")
    return not draft.written(*selects) or draft.number(*selects) == 2


def _free_lines(draft: Draft) -> str:
    taken = {draft.number("pins", name, "pin") for name in draft.names("pins")}
    usable = set(LINES) - set(BUS_LINES) - taken
    if _spi_has_both_selects(draft):
        usable -= {SECOND_CHIP_SELECT}
    return f"Still free: {', '.join(str(pin) for pin in sorted(usable))}" if usable else "No line is left"


def _parts(draft: Draft) -> Iterator[Complaint]:
    factory = draft.text("board", "pin_factory")
    rtc, keypad = draft.text("clock", "rtc"), draft.text("keypad", "device")
    if rtc is not None and rtc != "simulated" and not rtc.startswith("/"):
        yield Complaint(
            ("clock", "rtc"), "no device path", None, 'Write "/dev/rtc0", or "simulated" with the mock pins'
        )
    if keypad is not None and keypad != "console" and not keypad.startswith("/"):
        yield Complaint(
            ("keypad", "device"), "no device path", None, 'Write "console", or a path such as "/dev/ttyUSB0"'
        )
    if factory in ("lgpio", "rpigpio"):
        if rtc == "simulated":
            message = f"a table on {factory} pins needs a real clock"
            yield Complaint(("clock", "rtc"), message, None, 'Write "/dev/rtc0"')
        if draft.text("shoe", "kind") == "reading":
            message = f"this version has a reading shoe with the mock pins only, not with {factory}"
            yield Complaint(("shoe", "kind"), message, None, 'Legal: "plain"')
    directory, witness = draft.text("storage", "directory"), draft.text("storage", "witness")
    if directory is not None and witness is not None:
        inside = f"{os.path.normpath(directory)}{os.sep}"
        if f"{os.path.normpath(witness)}{os.sep}".startswith(inside):
            message = "lies inside the storage directory, so it would be lost or rolled back with the journal"
            yield Complaint(("storage", "witness"), message, None, "Name a file on a second device")
