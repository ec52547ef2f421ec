"""What a paytable line awards: odds, a fixed amount, or a share of a named meter."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from firmware.rules.money import MoneyError, Odds, dollars, parse_dollars, parse_percent, percent

_SHARE = re.compile(r"(\S+%) of (\w+)")


class FixedAward(NamedTuple):
    cents: int

    def __str__(self) -> str:
        return dollars(self.cents)


class MeterShare(NamedTuple):
    share: Fraction
    meter: str

    @property
    def whole(self) -> bool:
        return self.share == 1

    def __str__(self) -> str:
        return f"{percent(self.share)} of {self.meter}"


Award = Odds | FixedAward | MeterShare


def parse_award(text: str) -> Award:
    """`300 to 1`, `$250` or `10% of main`, as a rulebook writes them."""
    if text.startswith("$"):
        return FixedAward(parse_dollars(text))
    match = _SHARE.fullmatch(text)
    if match is not None:
        return MeterShare(parse_percent(match[1]), match[2])
    try:
        return Odds.parse(text)
    except MoneyError:
        raise MoneyError(f'{text!r} is no award: write odds, "$250" or "10% of main"') from None


class Line(NamedTuple):
    """One printed line: the hand, what it pays, and the clause that says so."""

    hand: str
    award: Award
    clause: str


class Paytable(NamedTuple):
    """The lines of one letter, best first: only the highest line pays (note MD-09)."""

    letter: str
    clause: str
    lines: Mapping[str, Line]
