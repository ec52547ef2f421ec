"""Double entry: every movement of progressive money is a set of postings that sums to zero.

Accounts, each kept per meter:

- `meter`: what the sign shows (with the fraction of a cent that it does not show)
- `pending`: locked for a winner, not yet paid
- `paid`: handed to players
- `seed`: what the house put in at start and after a hit
- `overflow`, `reserve`: held back above a limit, or by a hidden rate, for a later reset
- `inventory`: the chip tray
- `player`: where stakes come from
"""

from collections.abc import Iterable
from typing import NamedTuple

from firmware.rules.money import UNITS_PER_CENT

ACCOUNTS = ("meter", "pending", "paid", "seed", "overflow", "reserve", "inventory", "player")


class Posting(NamedTuple):
    account: str
    meter: str
    units: int


def move(meter: str, units: int, source: str, target: str) -> tuple[Posting, ...]:
    """Units from one account to another."""
    return Posting(source, meter, -units), Posting(target, meter, units)


def move_cents(meter: str, cents: int, source: str, target: str) -> tuple[Posting, ...]:
    return move(meter, cents * UNITS_PER_CENT, source, target)


def reverse(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """The exact reverse, for a refusal or a void."""
    return tuple(Posting(account, meter, -units) for account, meter, units in postings)


def balanced(postings: Iterable[Posting]) -> bool:
    return sum(posting.units for posting in postings) == 0
