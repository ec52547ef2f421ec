"""The table file: the operator's Rules Submission, read and checked, every problem at once."""

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import cast

from firmware.config.board_file import BoardFile, load_board
from firmware.config.document import Document, read_document
from firmware.config.problems import ConfigError, Problem, in_line_order
from firmware.config.rulebooks import load_rulebook, rulebook_ids
from firmware.config.values import read_values
from firmware.config.version_limits import check_version
from firmware.config.vocabulary import TABLE_WORDS
from firmware.rules.regulations import regulations_of
from firmware.rules.rulebook import Rulebook
from firmware.rules.submission import Limits, MeterTerms, Submission
from firmware.rules.submission_checks import check_submission
from firmware.rules.submission_draft import Complaint, Draft, Equipment, either, quoted

NS_PER_SECOND = 10**9
SIGN_IN_TIMEOUT_SECONDS = 60 * 60
REFUSED_SECTIONS = frozenset({"link", "wheel"})

_TABLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True)
class PeopleTerms:
    """From which payouts (cents) further people take part, and how long a sign-in lasts without a touch."""

    surveillance_from: int
    pit_manager_from: int
    sign_in_timeout_seconds: int


@dataclass(frozen=True)
class TableFile:
    path: Path
    digest: str
    table_id: str
    rulebook_id: str
    submission: Submission
    board: BoardFile
    people: PeopleTerms
    layout_reference: str
    felt_inscribed: bool
    device_approval: str | None
    warnings: tuple[Problem, ...]


def load_table(path: str | Path, board_path: Path | None = None) -> TableFile:
    """Raises ConfigError with every problem at once, those of the board file included.

    `board_path` stands in for the board file that the table file names, where both are copies."""
    document = read_document(Path(path), TABLE_WORDS)
    reading = read_values(document, skip=REFUSED_SECTIONS)
    draft = reading.draft()
    rulebook = _rulebook(draft)
    board, board_problems = _board(document, draft, board_path)

    complaints = list(_own_checks(draft))
    if rulebook is not None:
        equipment = None if board is None else Equipment(board.seats, board.has_lockout_button)
        complaints += check_submission(draft, rulebook, equipment)
    blamed = {complaint.where for complaint in complaints if not complaint.warning}
    complaints += [complaint for complaint in check_version(draft) if complaint.where not in blamed]

    found = [document.problem(*complaint) for complaint in complaints]
    own = in_line_order([*reading.problems, *found])
    problems = (*own, *board_problems)
    if rulebook is None or board is None or not all(problem.warning for problem in problems):
        raise ConfigError(problems)
    return TableFile(
        path=document.path,
        digest=document.digest,
        table_id=_text(draft, "table", "id"),
        rulebook_id=rulebook.id,
        submission=_submission(draft, rulebook),
        board=board,
        people=_people(draft, rulebook),
        layout_reference=_text(draft, "table", "layout_reference"),
        felt_inscribed=draft.flag("table", "felt_inscribed") or False,
        device_approval=draft.text("cards", "device_approval"),
        warnings=problems,
    )


def _rulebook(draft: Draft) -> Rulebook | None:
    rulebook_id = draft.text("table", "rulebook")
    return load_rulebook(rulebook_id) if rulebook_id in rulebook_ids() else None


def _board(document: Document, draft: Draft, copy: Path | None) -> tuple[BoardFile | None, tuple[Problem, ...]]:
    name = draft.text("table", "board")
    if name is None:
        return None, ()
    try:
        board = load_board(copy or _plain_path(document.path.parent / name))
    except ConfigError as error:
        return None, error.problems
    return board, board.warnings


def _plain_path(path: Path) -> Path:
    """Without `..`, where that is the same file: a link may stand in the way."""
    plain = Path(os.path.normpath(path))
    try:
        return plain if plain.samefile(path) else path
    except (OSError, ValueError):
        return plain


def _own_checks(draft: Draft) -> Iterator[Complaint]:
    for name, why in (
        ("id", "give the table's name on the floor"),
        ("rulebook", f"choose {either(rulebook_ids())}"),
        ("board", "name the board file, relative to this file"),
    ):
        if not draft.written("table", name):
            yield Complaint(("table", name), f"missing: {why}")
    table_id = draft.text("table", "id")
    if table_id is not None and _TABLE_ID.fullmatch(table_id) is None:
        message = "not a table id: letters, digits, dots, dashes and underscores, at most 40"
        yield Complaint(("table", "id"), message, None, 'Write it like "pit4-07"')
    rulebook_id = draft.text("table", "rulebook")
    if rulebook_id is not None and rulebook_id not in rulebook_ids():
        close = get_close_matches(rulebook_id, rulebook_ids(), n=1)
        legal = f"Did you mean {quoted(close[0])}?" if close else f"Known: {either(rulebook_ids())}"
        yield Complaint(("table", "rulebook"), "no such rulebook", None, legal)
    timeout_ns = draft.number("people", "sign_in_timeout")
    if timeout_ns is not None and not 60 * NS_PER_SECOND <= timeout_ns <= 24 * 3600 * NS_PER_SECOND:
        yield Complaint(("people", "sign_in_timeout"), "out of range", None, 'Legal: "1 min" to "24 h"')


def _submission(draft: Draft, rulebook: Rulebook) -> Submission:
    """Only of a draft that nobody complained of, so what is required is there."""
    figures = rulebook.figures
    deck_life_ns = draft.number("cards", "deck_life")
    return Submission(
        rulebook=rulebook,
        paytables={
            wager: rulebook.wagers[wager].paytable(_text(draft, "paytables", wager))
            for wager in _in_rulebook_order(rulebook, draft.names("paytables"))
        },
        payout_limit=draft.number("payout", "limit_per_hand"),
        ace_low=draft.flag("game", "ace_low_straight_flush") or False,
        seats=_number(draft, "table", "seats"),
        boxes_per_player=_number(draft, "table", "boxes_per_player"),
        limits=_limits(draft, _in_rulebook_order(rulebook, draft.names("limits"))),
        meters=_meters(draft),
        stub_count_every=draft.number("cards", "stub_count_every") or figures["stub_count_every"].value,
        shuffler_counts=draft.text("cards", "shuffler") == "counting",
        deck_life_seconds=(
            figures["deck_hours_shoe"].value * 3600 if deck_life_ns is None else deck_life_ns // NS_PER_SECOND
        ),
        cut_at_least=draft.number("cards", "cut_at_least") or figures["cut_at_least"].value,
        confirmed={reading: _text(draft, "confirmed", reading) for reading in draft.names("confirmed")},
    )


def _in_rulebook_order(rulebook: Rulebook, wagers: Iterable[str]) -> list[str]:
    return sorted(wagers, key=list(rulebook.wagers).index)


def _limits(draft: Draft, wagers: Iterable[str]) -> Mapping[str, Limits]:
    return {
        wager: Limits(_number(draft, "limits", wager, "min"), _number(draft, "limits", wager, "max"))
        for wager in wagers
    }


def _meters(draft: Draft) -> Mapping[str, MeterTerms]:
    """Named as screens and settle cases name them: a wager with one level has the meter `main`."""
    wagers = draft.names("meters")
    return {"main": _meter(draft, wagers[0])} if wagers else {}


def _meter(draft: Draft, wager: str) -> MeterTerms:
    rate = draft.rate("meters", wager, "rate")
    assert rate is not None
    amounts = {name: _number(draft, "meters", wager, name) for name in ("stake", "initial", "reset", "limit")}
    return MeterTerms(wager=wager, rate=rate, **amounts)


def _people(draft: Draft, rulebook: Rulebook) -> PeopleTerms:
    """A threshold that is not set stands where the regulation puts it; without one, at every payout."""
    regulations = regulations_of(rulebook)
    surveillance, pit_manager = regulations.surveillance_from, regulations.pit_manager_from
    surveillance_from = draft.number("people", "surveillance_from")
    pit_manager_from = draft.number("people", "pit_manager_from")
    timeout_ns = draft.number("people", "sign_in_timeout")
    if surveillance_from is None:
        surveillance_from = 0 if surveillance is None else surveillance.value
    if pit_manager_from is None:
        pit_manager_from = 0 if pit_manager is None else pit_manager.value
    return PeopleTerms(
        surveillance_from=surveillance_from,
        pit_manager_from=pit_manager_from,
        sign_in_timeout_seconds=SIGN_IN_TIMEOUT_SECONDS if timeout_ns is None else timeout_ns // NS_PER_SECOND,
    )


def _text(draft: Draft, *path: str) -> str:
    return cast(str, draft.values[path])


def _number(draft: Draft, *path: str) -> int:
    return cast(int, draft.values[path])
