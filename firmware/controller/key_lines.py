"""What the dealer types: one short line a touch, turned into a command. Spelling is checked here, rules are not.

`by NAME PIN ...` puts another person's word before a command: a floorperson's decision at the dealer's keypad.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from firmware.rules.cards import CardError, parse_card, parse_cards
from firmware.rules.money import MoneyError, parse_dollars
from firmware.rules.procedure import events as ev
from firmware.rules.procedure.run import Correction

WAGER_WORDS = {"ante": "ante", "flush": "flush_bonus", "straight": "straight_flush_bonus"}


class KeySpelling(Exception):
    """A line that is no command: one sentence, with what would be one."""


@dataclass(frozen=True)
class Play:
    """An event of the round."""

    event: ev.Event


@dataclass(frozen=True)
class Confirm:
    pass


@dataclass(frozen=True)
class Act:
    """Something at the table outside the round's script."""

    verb: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Correct:
    correction: Correction


@dataclass(frozen=True)
class By:
    """A command on another person's word."""

    name: str
    pin: str
    command: "Command"


Command = Play | Confirm | Act | Correct | By


def parse_line(text: str) -> Command:
    words = text.split()
    if not words:
        return Confirm()
    if words[0] == "by":
        if len(words) < 4:
            raise KeySpelling("by whom, and what? Write: by NAME PIN COMMAND")
        command = parse_line(" ".join(words[3:]))
        if isinstance(command, By):
            raise KeySpelling("one person at a time: by NAME PIN COMMAND")
        return By(words[1], words[2], command)
    if words[0] == "correct":
        return Correct(_correction(words[1:]))
    if words[0] in ACTS:
        return _act(words)
    if words[0] == "confirm" and len(words) == 1:
        return Confirm()
    return Play(parse_entry(words))


ACTS = {
    "sign": "sign on NAME PIN, sign off",
    "relief": "relief NAME PIN",
    "deck": "deck NAME",
    "entries": "entries",
    "show": "show",
    "retry": "retry",
    "help": "help",
    "set-time": "set-time 2026-11-18T09:00:00Z",
    "clear-fault": "clear-fault CODE [WHERE]",
    "unlock": "unlock NAME",
    "finish": "finish",
    "felt": "felt N",
}


def _act(words: list[str]) -> Command:
    verb, rest = words[0], tuple(words[1:])
    if verb == "felt":
        return Play(ev.FeltStated(_number(rest, 0, ACTS[verb])))
    if verb == "sign":
        if rest[:1] == ("on",) and len(rest) == 3:
            return Act("sign on", rest[1:])
        if rest == ("off",):
            return Act("sign off")
        raise KeySpelling(f"write: {ACTS[verb]}")
    wanted = {
        "relief": 2,
        "deck": 1,
        "set-time": 1,
        "unlock": 1,
        "entries": 0,
        "show": 0,
        "retry": 0,
        "help": 0,
        "finish": 0,
    }
    if verb in wanted and len(rest) != wanted[verb]:
        raise KeySpelling(f"write: {ACTS[verb]}")
    if verb == "clear-fault" and not rest:
        raise KeySpelling(f"write: {ACTS[verb]}")
    return Act(verb, rest)


def parse_entry(words: list[str]) -> ev.Event:
    """An entry of the round, such as `seat 3 flush $5` or `raise 5 $30`."""
    verb, rest = words[0], tuple(words[1:])
    entry = ENTRIES.get(verb)
    if entry is None:
        raise KeySpelling(f"{verb!r} is no key: {', '.join([*ENTRIES, *ACTS, 'confirm', 'correct', 'by'])}")
    usage, build = entry
    try:
        return build(rest, usage)
    except (CardError, MoneyError) as error:
        raise KeySpelling(str(error)) from None


def _number(words: tuple[str, ...], place: int, usage: str) -> int:
    if place >= len(words) or re.fullmatch(r"\d{1,3}", words[place]) is None:
        raise KeySpelling(f"write: {usage}")
    return int(words[place])


def _cents(words: tuple[str, ...], place: int, usage: str) -> int | None:
    if len(words) > place + 1:
        raise KeySpelling(f"write: {usage}")
    if place >= len(words):
        return None
    text = words[place]
    return parse_dollars(text if text.startswith("$") else f"${text}")


def _reason(words: tuple[str, ...], place: int, usage: str) -> str:
    reason = " ".join(words[place:])
    if not reason:
        raise KeySpelling(f"say why: {usage}")
    return reason


def _seat(words: tuple[str, ...], usage: str) -> ev.Event:
    seat = _number(words, 0, usage)
    if len(words) == 1:
        return ev.WagerKeyed(seat, "ante")
    return ev.WagerKeyed(seat, WAGER_WORDS.get(words[1], words[1]), _cents(words, 2, usage))


def _clear(words: tuple[str, ...], usage: str) -> ev.Event:
    seat = _number(words, 0, usage)
    if len(words) != 2:
        raise KeySpelling(f"write: {usage}")
    return ev.WagerCleared(seat, WAGER_WORDS.get(words[1], words[1]))


def _same(words: tuple[str, ...], usage: str) -> ev.Event:
    return ev.BoxesShared(tuple(_number(words, place, usage) for place in range(max(2, len(words)))))


def _hands(words: tuple[str, ...], usage: str) -> ev.Event:
    counts = []
    for word in words:
        match = re.fullmatch(r"(\d|dealer)=(\d{1,2})", word)
        if match is None:
            raise KeySpelling(f"write: {usage}")
        counts.append((0 if match[1] == "dealer" else int(match[1]), int(match[2])))
    return ev.HandsCounted(tuple(counts))


def _only(words: tuple[str, ...], count: int, usage: str) -> None:
    if len(words) != count:
        raise KeySpelling(f"write: {usage}")


def _seat_only(kind: Callable[[int], ev.Event]) -> Callable[[tuple[str, ...], str], ev.Event]:
    def build(words: tuple[str, ...], usage: str) -> ev.Event:
        _only(words, 1, usage)
        return kind(_number(words, 0, usage))

    return build


def _with_reason(kind: Callable[[int, str], ev.Event]) -> Callable[[tuple[str, ...], str], ev.Event]:
    return lambda words, usage: kind(_number(words, 0, usage), _reason(words, 1, usage))


def _void(words: tuple[str, ...], usage: str) -> ev.Event:
    if len(words) < 2:
        raise KeySpelling(f"write: {usage}")
    return ev.RoundVoided(words[0], _reason(words, 1, usage))


def _card(words: tuple[str, ...], usage: str) -> ev.Event:
    _only(words, 1, usage)
    return ev.CardDealt(parse_card(words[0]))


Build = Callable[[tuple[str, ...], str], ev.Event]
ENTRIES: dict[str, tuple[str, Build]] = {
    "seat": ("seat N [WAGER [$]]", _seat),
    "clear": ("clear N WAGER", _clear),
    "same": ("same N M", _same),
    "ante": ("ante N", _seat_only(lambda seat: ev.AnteAnswered(seat, True))),
    "no-ante": ("no-ante N", _seat_only(lambda seat: ev.AnteAnswered(seat, False))),
    "count": ("count N", _seat_only(ev.ChipsCounted)),
    "strike": ("strike N REASON", _with_reason(ev.ChipStruck)),
    "stub": ("stub N", _seat_only(ev.StubCounted)),
    "hands": ("hands SEAT=N ... dealer=N", _hands),
    "raise": ("raise N [$]", lambda words, usage: ev.Raised(_number(words, 0, usage), _cents(words, 1, usage))),
    "fold": ("fold N", _seat_only(ev.Folded)),
    "dealer": ("dealer CARD ...", lambda words, usage: ev.DealerShown(parse_cards(words))),
    "cards": (
        "cards N CARD ...",
        lambda words, usage: ev.HandShown(_number(words, 0, usage), parse_cards(words[1:])),
    ),
    "card": ("card CARD", _card),
    "cut-raise": ("cut-raise N", _seat_only(ev.RaiseCut)),
    "validate": ("validate SEAT", _seat_only(ev.HitValidated)),
    "refuse": ("refuse SEAT REASON", _with_reason(ev.HitRefused)),
    "deny": ("deny SEAT REASON", _with_reason(ev.HitDenied)),
    "resolve": ("resolve SEAT NOTE", _with_reason(ev.DifferenceResolved)),
    "void": ("void CLAUSE REASON", _void),
}


CORRECT_USAGE = (
    "correct RECORD with ENTRY because WHY, correct RECORD remove because WHY, correct add ENTRY because WHY"
)


def _correction(words: list[str]) -> Correction:
    """`RECORD with ENTRY because WHY`, `RECORD remove because WHY`, `add ENTRY because WHY`."""
    if "because" not in words[:-1]:
        raise KeySpelling(f"write: {CORRECT_USAGE}")
    cut = words.index("because")
    what, why = words[:cut], " ".join(words[cut + 1 :])
    if what[:1] == ["add"] and len(what) > 1:
        return Correction(None, parse_entry(what[1:]), why)
    if len(what) >= 2 and what[0].isdecimal():
        if what[1:] == ["remove"]:
            return Correction(int(what[0]), None, why)
        if what[1] == "with" and len(what) > 2:
            return Correction(int(what[0]), parse_entry(what[2:]), why)
    raise KeySpelling(f"write: {CORRECT_USAGE}")
