"""Money, rates and odds, all exact.

Wagers and payouts are integers of cents. A meter holds *units* of 1/10,000 cent, so that a rate of a small
wager never loses a fraction; only whole cents are shown and paid, the rest stays on the meter.
"""

import re
from fractions import Fraction
from typing import Literal, NamedTuple

UNITS_PER_CENT = 10_000

_DOLLARS = re.compile(r"\$(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,6}))?%", re.ASCII)
_ODDS = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+) (to|for) (\d+)", re.ASCII)


class MoneyError(ValueError):
    """An amount, rate or odds that cannot be read exactly as written."""


def parse_dollars(text: str) -> int:
    """`"$5,000"` or `"$0.50"` as cents."""
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise MoneyError(f'{text!r} is not an amount: write it like "$5,000" or "$2.50"')
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


def dollars(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02}"


def parse_percent(text: str) -> Fraction:
    """`"24%"` as 24/100."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise MoneyError(f'{text!r} is not a rate: write it like "24%" or "7.5%"')
    digits = match[2] or ""
    return Fraction(int(match[1] + digits), 100 * 10 ** len(digits))


def percent(rate: Fraction) -> str:
    hundredths = rate * 100
    if hundredths.denominator == 1:
        return f"{hundredths.numerator}%"
    whole, rest = divmod(hundredths.numerator * 10**6 // hundredths.denominator, 10**6)
    return f"{whole}.{rest:06}".rstrip("0") + "%"


def whole_cents(units: int) -> int:
    """What a meter shows and pays: its whole cents."""
    return units // UNITS_PER_CENT


def share_of_cents(cents: int, share: Fraction) -> int:
    """A share of a shown meter, cut to whole cents (note X-06)."""
    return cents * share.numerator // share.denominator


def units_of(stake_cents: int, rate: Fraction) -> int:
    """What a stake adds to a meter; refused unless it is a whole number of units."""
    exact = stake_cents * UNITS_PER_CENT * rate
    if exact.denominator != 1:
        raise MoneyError(f"{percent(rate)} of {dollars(stake_cents)} is not a whole number of 1/10,000 cents")
    return exact.numerator


class Odds(NamedTuple):
    """`5 to 2` pays the win on top of the returned stake; `5 for 2` includes the stake."""

    win: int
    per: int
    kind: Literal["to", "for"] = "to"

    @classmethod
    def parse(cls, text: str) -> "Odds":
        match = _ODDS.fullmatch(text)
        if match is None or int(match[3]) == 0:
            raise MoneyError(f'{text!r} are not odds: write them like "300 to 1"')
        kind: Literal["to", "for"] = "to" if match[2] == "to" else "for"
        return cls(int(match[1].replace(",", "")), int(match[3]), kind)

    def profit(self, stake: int) -> int:
        """The win without the returned stake, rounded up to the payable cent."""
        gross = -(-stake * self.win // self.per)
        return gross if self.kind == "to" else gross - stake

    def __str__(self) -> str:
        return f"{self.win:,} {self.kind} {self.per}"
