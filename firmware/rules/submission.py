"""The operator's choices for one table: what the rulebook calls the Rules Submission.

A `Submission` holds checked values only. It is built from a table file by `config`, or from the `table` part of
a settle case; `submission_checks` says what makes one illegal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from firmware.rules.money import units_of
from firmware.rules.paytable import Paytable
from firmware.rules.rulebook import Rulebook


@dataclass(frozen=True)
class Limits:
    """Posted minimum and maximum of a wager, in cents."""

    minimum: int
    maximum: int


@dataclass(frozen=True)
class MeterTerms:
    """How one meter starts, grows and resets. Amounts are cents."""

    wager: str
    stake: int
    rate: Fraction
    initial: int
    reset: int
    limit: int

    @property
    def contribution(self) -> int:
        """Units that one wager adds."""
        return units_of(self.stake, self.rate)


@dataclass(frozen=True)
class Submission:
    rulebook: Rulebook
    paytables: Mapping[str, Paytable]
    payout_limit: int | None = None
    ace_low: bool = False
    seats: int = 6
    boxes_per_player: int = 6
    limits: Mapping[str, Limits] = field(default_factory=dict)
    meters: Mapping[str, MeterTerms] = field(default_factory=dict)
    stub_count_every: int = 5
    shuffler_counts: bool = False
    deck_life_seconds: int = 8 * 3600
    cut_at_least: int = 10
    confirmed: Mapping[str, str] = field(default_factory=dict)

    def offers(self, wager: str) -> bool:
        return wager in ("ante", "raise") or wager in self.paytables
