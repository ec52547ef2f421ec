"""Figures that bind every game of a jurisdiction: they stand in its regulations, not in a game's document."""

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.rules.rulebook import Bound, Rulebook

TEN_DIGITS = 99_999_999_99  # the most that the progressive display shows, in cents


@dataclass(frozen=True)
class Regulations:
    """Amounts in cents, each with the regulation that fixes it (None where only the product does)."""

    meter_limit: int
    meter_limit_clause: str | None
    surveillance_from: Bound | None = None
    pit_manager_from: Bound | None = None


REGULATIONS: Mapping[str, Regulations] = {
    "MD": Regulations(
        meter_limit=TEN_DIGITS,
        meter_limit_clause="COMAR 36.05.03.24.J",
        surveillance_from=Bound(25_000_00, "COMAR 36.05.03.23"),
        pit_manager_from=Bound(50_000_00, "COMAR 36.05.03.23"),
    ),
}
ELSEWHERE = Regulations(meter_limit=TEN_DIGITS, meter_limit_clause=None)


def regulations_of(rulebook: Rulebook) -> Regulations:
    jurisdiction, _, _ = rulebook.prefix.partition("-")
    return REGULATIONS.get(jurisdiction, ELSEWHERE)
