"""Every fault the controller can show: what it is, what to do, what it stops, and who may clear it.

A fault is journalled when it appears and when it goes, so one present at power-down is present at power-up.
"""

from dataclasses import dataclass

NOTHING, NEW_ROUND = "nothing", "new round"
ITSELF, TECHNICIAN = "itself", "technician"


@dataclass(frozen=True)
class FaultKind:
    code: str
    what: str
    do: str
    stops: str
    cleared_by: str


_KINDS = (
    FaultKind("door-open", "the cabinet door is open", "close and lock the door", NEW_ROUND, ITSELF),
    FaultKind(
        "clock", "the time of day is not trusted", "a floorperson sets it: by NAME PIN set-time UTC", NEW_ROUND, ITSELF
    ),
    FaultKind("board", "a line of the board gave an error", "check the wiring and restart", NEW_ROUND, TECHNICIAN),
    FaultKind("keypad-lost", "the keypad is gone", "plug it in again", NOTHING, ITSELF),
    FaultKind("lamp", "a seat lamp does not follow", "check its wiring for a short", NEW_ROUND, TECHNICIAN),
    FaultKind("sensor", "a bet sensor contradicts itself", "clean or replace the sensor", NOTHING, TECHNICIAN),
    FaultKind("sensor-stuck", "a bet sensor never cleared", "lift what lies on it, or replace it", NOTHING, ITSELF),
    FaultKind(
        "edges-overdue",
        "edges came later than report_delay allows",
        "raise report_delay in the board file",
        NEW_ROUND,
        TECHNICIAN,
    ),
    FaultKind(
        "shoe", "the shoe reports trouble", "clear the shoe, then draw on or have the round voided", NOTHING, ITSELF
    ),
    FaultKind(
        "shoe-sequence",
        "the shoe's cards do not follow on",
        "have the round voided and test the shoe",
        NEW_ROUND,
        TECHNICIAN,
    ),
    FaultKind(
        "shoe-silent", "the shoe does not answer", "check its cable and power, then key: retry", NEW_ROUND, ITSELF
    ),
    FaultKind(
        "witness-gone",
        "the journal's witness is not there",
        "put its device back; cleared, it is written anew at the end of the next round",
        NEW_ROUND,
        TECHNICIAN,
    ),
    FaultKind(
        "replay",
        "the open round does not replay as recorded",
        "install the software that began it, or have the round voided",
        NEW_ROUND,
        TECHNICIAN,
    ),
)
KINDS = {kind.code: kind for kind in _KINDS}


@dataclass(frozen=True)
class Fault:
    """A fault as it stands: its kind, where, and when it appeared."""

    code: str
    detail: str
    since: str

    @property
    def kind(self) -> FaultKind:
        return KINDS[self.code]

    def line(self) -> str:
        """`lamp (seat 3): a seat lamp does not follow: check its wiring`: true, and something to do."""
        where = f" ({self.detail})" if self.detail else ""
        return f"{self.code}{where}: {self.kind.what}: {self.kind.do}"
