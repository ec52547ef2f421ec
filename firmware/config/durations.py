"""Durations with their unit: `"8 h"`, `"30 s"`, `"20 ms"`. A number without a unit is no duration."""

import re

UNITS_NS = {"us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}

_DURATION = re.compile(r"([0-9]{1,9}) ?(us|ms|s|min|h)")


class DurationError(ValueError):
    """A duration that cannot be read exactly as written."""


def parse_duration(text: str) -> int:
    """Nanoseconds."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise DurationError(f"{text!r} is not a duration: write a whole number and us, ms, s, min or h")
    return int(match[1]) * UNITS_NS[match[2]]


def duration(length_ns: int) -> str:
    """In the largest unit that leaves a whole number."""
    for unit, unit_ns in reversed(UNITS_NS.items()):
        if length_ns % unit_ns == 0 and length_ns >= unit_ns:
            return f"{length_ns // unit_ns} {unit}"
    return f"{length_ns // 1000} us"
