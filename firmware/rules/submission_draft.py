"""A Rules Submission as written: typed, not yet judged, and the complaints that judging it brings.

Values stand under their key path in the table vocabulary, such as `("limits", "ante", "min")`. Amounts are cents,
rates exact fractions, durations nanoseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from firmware.rules.money import dollars

KeyPath = tuple[str, ...]
Value = int | str | bool | Fraction


class Complaint(NamedTuple):
    """One thing that is wrong: where, what, the clause it breaks, and what would be legal."""

    where: KeyPath
    message: str
    clause: str | None = None
    legal: str | None = None
    warning: bool = False


@dataclass(frozen=True)
class Draft:
    """A path in `unreadable` was written but could not be read, so nobody may also call it missing."""

    values: Mapping[KeyPath, Value]
    sections: frozenset[KeyPath] = frozenset()
    unreadable: frozenset[KeyPath] = frozenset()

    def number(self, *path: str) -> int | None:
        value = self.values.get(path)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, *path: str) -> str | None:
        value = self.values.get(path)
        return value if isinstance(value, str) else None

    def flag(self, *path: str) -> bool | None:
        value = self.values.get(path)
        return value if isinstance(value, bool) else None

    def rate(self, *path: str) -> Fraction | None:
        value = self.values.get(path)
        return value if isinstance(value, Fraction) else None

    def written(self, *path: str) -> bool:
        return path in self.values or path in self.unreadable or path in self.sections

    def names(self, *section: str) -> tuple[str, ...]:
        """What stands directly below a section, keys and sections alike."""
        depth = len(section)
        paths = (*self.values, *self.unreadable, *self.sections)
        return tuple(sorted({path[depth] for path in paths if len(path) > depth and path[:depth] == section}))


@dataclass(frozen=True)
class Equipment:
    """What the board under the felt offers, as far as a submission depends on it."""

    bet_sensors: int
    lockout_button: bool


def amount(cents: int) -> str:
    """`$5,000` or `$2.50`, as an operator writes it."""
    return dollars(cents).removesuffix(".00")


def quoted(text: str) -> str:
    return f'"{text}"'


def either(options: tuple[str, ...]) -> str:
    """`"A"`, `"A" or "B"`, `"A", "B" or "C"`."""
    quoted_options = [quoted(option) for option in options]
    if len(quoted_options) == 1:
        return quoted_options[0]
    return f"{', '.join(quoted_options[:-1])} or {quoted_options[-1]}"
