"""A rulebook file: the printed figures of one document, each beside its clause.

A rulebook ships with the firmware and is never edited at a table, so a line that does not parse is a defect of
the build and raises. Reading the file itself is `config.rulebooks`' job: this room does no I/O.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware.rules.money import parse_dollars
from firmware.rules.paytable import Line, Paytable, parse_award


class RulebookError(ValueError):
    """The rulebook does not have what was asked of it."""


@dataclass(frozen=True)
class Bound:
    """A figure with the clause that fixes it."""

    value: int
    clause: str


@dataclass(frozen=True)
class WagerRules:
    """What the document says about one wager: where it is allowed, and every table it may be paid by."""

    name: str
    title: str
    clause: str
    table_clause: str
    paytables: Mapping[str, Paytable]
    envy: Mapping[str, Mapping[str, Line]]
    minimum_reset: Mapping[str, Bound]
    stake: Bound | None

    def paytable(self, letter: str) -> Paytable:
        try:
            return self.paytables[letter]
        except KeyError:
            letters = sorted(self.paytables)
            raise RulebookError(
                f"{self.name} has no paytable {letter!r}: choose {letters[0]} to {letters[-1]}"
            ) from None


@dataclass(frozen=True)
class Rulebook:
    """One document in one jurisdiction."""

    id: str
    game: str
    title: str
    prefix: str
    digest: str
    wagers: Mapping[str, WagerRules]
    figures: Mapping[str, Bound]
    readings: Mapping[str, str]
    irregularities: Mapping[str, str]
    """Clause -> `void all`, `void base` or `play on`."""
    removes_deck: frozenset[str]
    irregularity_methods: Mapping[str, str]
    """Clause -> the dealing method that alone knows it; others belong to every method."""

    def clause(self, tail: str) -> str:
        """`08.C.1` as the full id `MD-HCF-08.C.1`."""
        return f"{self.prefix}-{tail}"


def parse_rulebook(text: str, digest: str = "") -> Rulebook:
    data = tomllib.loads(text)
    head = data["rulebook"]
    prefix = head["prefix"]
    return Rulebook(
        id=head["id"],
        game=head["game"],
        title=head["title"],
        prefix=prefix,
        digest=digest,
        wagers={name: _wager(name, prefix, rules) for name, rules in data["wagers"].items()},
        figures={name: _bound(prefix, pair) for name, pair in data["figures"].items()},
        readings=dict(data.get("readings", {})),
        irregularities={
            f"{prefix}-{tail}": effect.partition(",")[0] for tail, effect in data["irregularities"].items()
        },
        removes_deck=frozenset(
            f"{prefix}-{tail}" for tail, effect in data["irregularities"].items() if effect.endswith(", deck out")
        ),
        irregularity_methods={
            f"{prefix}-{tail}": method
            for method, tails in data.get("irregularity_methods", {}).items()
            for tail in tails
        },
    )


def _wager(name: str, prefix: str, rules: Mapping[str, Any]) -> WagerRules:
    return WagerRules(
        name=name,
        title=rules["title"],
        clause=f"{prefix}-{rules['clause']}",
        table_clause=f"{prefix}-{rules['pays_by']}",
        paytables={
            letter: Paytable(letter, f"{prefix}-{table['clause']}", _lines(prefix, table["lines"]))
            for letter, table in rules.get("paytables", {}).items()
        },
        envy={letter: _lines(prefix, lines) for letter, lines in rules.get("envy", {}).items()},
        minimum_reset={letter: _bound(prefix, pair) for letter, pair in rules.get("minimum_reset", {}).items()},
        stake=_bound(prefix, rules["stake"]) if "stake" in rules else None,
    )


def _lines(prefix: str, lines: Mapping[str, list[str]]) -> Mapping[str, Line]:
    return {hand: Line(hand, parse_award(pays), f"{prefix}-{clause}") for hand, (pays, clause) in lines.items()}


def _bound(prefix: str, pair: list[Any]) -> Bound:
    value, clause = pair
    return Bound(parse_dollars(value) if isinstance(value, str) else value, f"{prefix}-{clause}")
