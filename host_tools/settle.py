"""`feltlock settle`: complete rounds in, verdicts out, one JSON object a line.

Each game has a reader here that turns a case into what its rule core takes, refusing whatever is not said
exactly. A line that cannot be settled becomes an error in its place; the others are still settled.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TextIO

from firmware.config.rulebooks import load_rulebook
from firmware.controller.arguments import Arguments
from firmware.rules.rulebook import Rulebook, RulebookError
from firmware.rules.verdicts import RuleError
from host_tools import settle_high_card_flush
from host_tools.case import Case, text_field

Json = dict[str, Any]
READERS: Mapping[str, Callable[[Rulebook, Case], Json]] = {
    "high-card-flush": settle_high_card_flush.settle_case,
}


def run(args: list[str]) -> int:
    parser = Arguments(prog="feltlock settle", description="Settle complete rounds with the table's rules.")
    parser.add_argument("rounds", nargs="?", default="-", help="file of JSON lines; standard input when left out")
    options = parser.parse_args(args)
    if options.rounds == "-":
        return settle_lines(sys.stdin.buffer, sys.stdout)
    try:
        rounds = open(options.rounds, "rb")  # noqa: SIM115
    except OSError as error:
        print(f"feltlock: cannot read {options.rounds}: {error.strerror}", file=sys.stderr)
        return 1
    with rounds:
        return settle_lines(rounds, sys.stdout)


def settle_lines(lines: Iterable[bytes], out: TextIO) -> int:
    failed = False
    for answer in settle_each(lines):
        failed = failed or "error" in answer
        out.write(json.dumps(answer) + "\n")
    return 1 if failed else 0


def settle_each(lines: Iterable[bytes]) -> Iterator[Json]:
    for line in lines:
        if line.strip():
            yield settle_line(line)


def settle_line(line: bytes) -> Json:
    """One case to its verdict, or to an error object; never an exception."""
    try:
        data = json.loads(line.decode(), parse_constant=_no_constant, object_pairs_hook=_no_twice)
    except UnicodeDecodeError:
        return _error(None, RuleError("the line cannot be read: not UTF-8 text"))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, _BadJson) else "not a JSON object"
        return _error(_only_id(line), RuleError(f"the line cannot be read: {reason}"))
    case_id = data.get("id") if isinstance(data, dict) else None
    if not isinstance(case_id, str):
        case_id = None
    try:
        case = Case(data, "round")
        if case.get("id") is not None and case_id is None:
            raise RuleError("id: not a string")
        rulebook = load_rulebook(text_field(case, "rulebook"))
        return {"id": case_id} | READERS[rulebook.game](rulebook, case)
    except RuleError as error:
        return _error(case_id, error)
    except RulebookError as error:
        return _error(case_id, RuleError(str(error)))


class _BadJson(ValueError):
    """Valid for Python's reader, but not to be guessed at."""


def _no_constant(name: str) -> None:
    raise _BadJson(f"{name} is no JSON number")


def _no_twice(pairs: list[tuple[str, Any]]) -> Json:
    found: Json = {}
    for name, value in pairs:
        if name in found:
            raise _BadJson(f"{name!r} stands twice in one object")
        found[name] = value
    return found


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with whatever it says twice."""


def _only_id(line: bytes) -> str | None:
    """The id of a line that is JSON but contradicts itself, so that a laboratory finds its case again."""
    try:
        pairs = json.loads(line, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    ids = [value for name, value in pairs if name == "id"] if isinstance(pairs, _Pairs) else []
    return ids[0] if len(ids) == 1 and isinstance(ids[0], str) else None


def _error(case_id: str | None, error: RuleError) -> Json:
    message, clause = error.refusal
    return {"id": case_id, "error": {"message": message, "clause": clause}}
