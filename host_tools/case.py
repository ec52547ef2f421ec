"""Reading a settle case without guessing: every field is known, of its type, or refused by name."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from firmware.rules.cards import Card, CardError, parse_card
from firmware.rules.verdicts import RuleError

ROUND_FIELDS = {"id", "rulebook", "table", "dealer", "community", "seats", "irregularity"}
TABLE_FIELDS = {"paytables", "payout_limit", "meters", "reset", "draws", "confirmed", "options"}
SEAT_FIELDS = {"seat", "cards", "wagers", "folded", "player", "all_in_street", "wheel", "hands", "switched"}
MOST_CENTS = 10**15
"""More than any table holds; keeps a sum of awards far from numbers that cannot be written out."""


def shown(value: Any) -> str:
    """A wrong value as an error names it: short, whatever was in the line."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MOST_CENTS:
        return "a number out of all proportion"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Case:
    """A JSON object of the case, with the words to point at a place in it."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise RuleError(f"{where}: not an object")
        self.data: Mapping[str, Any] = data
        self.where = where

    def get(self, name: str) -> Any:
        return self.data.get(name)

    def has(self, name: str) -> bool:
        return name in self.data

    def only(self, known: Iterable[str], used: Iterable[str]) -> None:
        """Refuse a misspelt field, and one of another game that would go unread."""
        known, used = set(known), set(used)
        for name in self.data:
            if name not in known:
                near = difflib.get_close_matches(name, sorted(known), 1)
                hint = f": did you mean {near[0]!r}?" if near else ""
                raise RuleError(f"{self.where}: unknown field {shown(name)}{hint}")
            if name not in used and self.data[name] not in (None, [], {}):
                raise RuleError(f"{self.where}: {name!r} has no meaning in this game")

    def part(self, name: str) -> "Case":
        return Case(self.data.get(name, {}), name if self.where == "round" else f"{self.where}: {name}")


def text_field(case: Case, name: str) -> str:
    value = case.get(name)
    if not isinstance(value, str):
        raise RuleError(f"{case.where}: {name} is missing or not a string")
    return value


def flag_field(case: Case, name: str, default: bool) -> bool:
    value = case.data.get(name, default)
    if not isinstance(value, bool):
        raise RuleError(f"{case.where}: {name} is {shown(value)}, not true or false")
    return value


def cents_field(case: Case, name: str, least: int = 0) -> int:
    value = case.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_CENTS:
        raise RuleError(f"{case.where}: {name} is {shown(value)}, not a whole number of cents of at least {least}")
    return value


def cards_field(case: Case, name: str) -> tuple[Card, ...]:
    value = case.data.get(name, [])
    if not isinstance(value, list):
        raise RuleError(f"{case.where}: {name} is not a list of cards")
    try:
        return tuple(parse_card(text if isinstance(text, str) else shown(text)) for text in value)
    except CardError as error:
        raise RuleError(f"{case.where}: {error}") from None
