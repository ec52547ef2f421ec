"""From a document to typed values: unknown keys, wrong types and missing units are found here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from firmware.config.document import Document
from firmware.config.durations import UNITS_NS, parse_duration
from firmware.config.problems import Problem
from firmware.config.toml_lines import KeyPath
from firmware.config.vocabulary import ANY, Key, Kind, Words
from firmware.rules.money import parse_dollars, parse_percent
from firmware.rules.submission_draft import Draft, Value, either, quoted


class _Refused(ValueError):
    """A value that is not of its kind; the second part says what to write."""

    def __init__(self, message: str, legal: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.legal = legal


@dataclass
class Reading:
    """What could be read, what could not, and why not."""

    values: dict[KeyPath, Value] = field(default_factory=dict)
    sections: set[KeyPath] = field(default_factory=set)
    unreadable: set[KeyPath] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)

    def draft(self) -> Draft:
        return Draft(self.values, frozenset(self.sections), frozenset(self.unreadable))


def read_values(document: Document, skip: frozenset[str] = frozenset()) -> Reading:
    """`skip` names sections that are refused as a whole, so their keys need no words of their own."""
    reading = Reading()
    _read(document, reading, document.data, document.words, (), skip)
    return reading


def _read(
    document: Document,
    reading: Reading,
    data: Mapping[str, Any],
    words: Words,
    section: KeyPath,
    skip: frozenset[str],
) -> None:
    for name, value in data.items():
        path = (*section, name)
        known = words.get(name) or _chosen_name(words, value)
        if known is None:
            reading.problems.append(_unknown(document, words, path))
        elif isinstance(known, Key):
            try:
                reading.values[path] = _typed(known, value, name)
            except _Refused as refused:
                reading.unreadable.add(path)
                reading.problems.append(document.problem(path, refused.message, legal=refused.legal))
        elif not isinstance(value, dict):
            reading.unreadable.add(path)
            reading.problems.append(document.problem(path, f"must be a section, [{'.'.join(path)}]"))
        else:
            reading.sections.add(path)
            if name not in skip or section:
                _read(document, reading, value, known, path, skip)


def _chosen_name(words: Words, value: Any) -> Key | Words | None:
    known = words.get(ANY)
    only_choice = len(words) == 1
    return known if only_choice or isinstance(known, Key) or isinstance(value, dict) else None


def _unknown(document: Document, words: Words, path: KeyPath) -> Problem:
    name = path[-1]
    is_section = isinstance(document.value(path), dict)
    what = "unknown section" if is_section else "unknown key"
    home = [section for section, inner in document.words.items() if isinstance(inner, Mapping) and name in inner]
    if home and not is_section:
        return document.problem(path, f"{what} here", legal=f"It belongs in [{home[0]}]")
    known = [word for word in words if word != ANY]
    close = get_close_matches(name, known, n=1)
    legal = f"Did you mean {quoted(close[0])}?" if close else f"Known here: {', '.join(known)}"
    return document.problem(path, what, legal=legal)


def _typed(key: Key, value: Any, name: str) -> Value:
    if key.kind in _PARSERS:
        return _with_unit(key, value, name)
    if key.kind is Kind.NUMBER:
        if isinstance(value, str) and value.strip().isdecimal():
            raise _Refused("must be a whole number, without quotes", f"Write: {name} = {int(value)}")
        if not isinstance(value, int) or isinstance(value, bool):
            raise _Refused("must be a whole number")
        return value
    if key.kind is Kind.FLAG:
        if not isinstance(value, bool):
            raise _Refused("must be true or false, without quotes")
        return value
    if not isinstance(value, str):
        raise _Refused("must be text in quotes")
    if not value.strip():
        raise _Refused("must not be empty")
    if key.choices and value not in key.choices:
        close = get_close_matches(value, key.choices, n=1)
        hint = f"Did you mean {quoted(close[0])}?" if close else f"Legal: {either(key.choices)}"
        raise _Refused("no such choice", hint)
    return value


def _with_unit(key: Key, value: Any, name: str) -> Value:
    if isinstance(value, str):
        try:
            return _PARSERS[key.kind](value)
        except ValueError:
            suggestion = _spelled(key, value.strip().replace(",", ""))
    elif isinstance(value, bool):
        suggestion = None
    else:
        suggestion = _spelled(key, str(value))
    if suggestion is None:
        raise _Refused(f"must be {key.kind.value} in quotes", f'Write it like "{key.example}"')
    raise _Refused(f"{key.kind.value} needs its unit", f'Write: {name} = "{suggestion}"')


_PARSERS: Mapping[Kind, Callable[[str], Value]] = {
    Kind.AMOUNT: parse_dollars,
    Kind.RATE: parse_percent,
    Kind.DURATION: parse_duration,
}


def _spelled(key: Key, number: str) -> str | None:
    """A bare number with the unit it lacks, where that is plain."""
    if not number.replace(".", "", 1).isdecimal() or not number.isascii() or len(number) > 15:
        return None
    exact = Decimal(number)
    whole = exact == exact.to_integral_value()
    if key.kind is Kind.AMOUNT:
        cents = exact * 100
        if cents != cents.to_integral_value():
            return None
        return f"${exact:,.0f}" if whole else f"${exact:,.2f}"
    if not whole:
        return None
    if key.kind is Kind.RATE:
        return f"{exact:.0f}%"
    unit = key.example.split(" ")[1]
    return f"{exact:.0f} {unit}" if unit in UNITS_NS else None
