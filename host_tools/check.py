"""`feltlock check FILE`: is this table file, or board file, legal? Every problem at once."""

import sys
from collections.abc import Sequence
from pathlib import Path

from firmware.config.board_file import BoardFile, load_board
from firmware.config.document import read_document
from firmware.config.problems import ConfigError, Problem
from firmware.config.table_file import TableFile, load_table
from firmware.config.vocabulary import TABLE_WORDS
from firmware.controller.arguments import Arguments
from firmware.rules.money import percent
from firmware.rules.submission_draft import amount


def run(args: list[str]) -> int:
    parser = Arguments(
        prog="feltlock check",
        description="Check a table file (with its board file) or a board file: all problems at once, by line.",
    )
    parser.add_argument("file", type=Path, help="table file or board file (TOML)")
    path: Path = parser.parse_args(args).file
    try:
        if is_board_file(path):
            board = load_board(path)
            warnings, summary = board.warnings, board_summary(board)
        else:
            table = load_table(path)
            warnings, summary = table.warnings, table_summary(table)
    except ConfigError as error:
        print_problems(error.problems)
        print(f"feltlock: {path}: refused, {counted(error.problems)}", file=sys.stderr)
        return 1
    print_problems(warnings)
    print("\n".join(summary))
    return 0


def is_board_file(path: Path) -> bool:
    sections = read_document(path, TABLE_WORDS).data
    return "table" not in sections and ("board" in sections or "pins" in sections)


def print_problems(problems: Sequence[Problem]) -> None:
    for problem in problems:
        print(problem, file=sys.stderr)


def counted(problems: Sequence[Problem]) -> str:
    warnings = sum(problem.warning for problem in problems)
    wrong = len(problems) - warnings
    text = f"{wrong} problem{'' if wrong == 1 else 's'}"
    return text if not warnings else f"{text} and {warnings} warning{'' if warnings == 1 else 's'}"


def table_summary(table: TableFile) -> list[str]:
    submission = table.submission
    rulebook = submission.rulebook
    boxes = submission.boxes_per_player
    lines = [
        f"{table.path}: legal",
        f"  table         {table.table_id}, {submission.seats} seats, at most {boxes} boxes a player",
        f"  game          {rulebook.title}, rulebook {rulebook.id}",
    ]
    for wager, paytable in submission.paytables.items():
        lines.append(f"  paytable      {rulebook.wagers[wager].title} {paytable.letter} ({paytable.clause})")
    for wager, limits in submission.limits.items():
        title = rulebook.wagers[wager].title
        lines.append(f"  limits        {title} {amount(limits.minimum)} to {amount(limits.maximum)}")
    lines += [
        f"  meter         {meter.wager}: {percent(meter.rate)} of {amount(meter.stake)}, starts at"
        f" {amount(meter.initial)}, resets to {amount(meter.reset)}, at most {amount(meter.limit)}"
        for meter in submission.meters.values()
    ]
    if submission.payout_limit is not None:
        clause = rulebook.figures["payout_limit_hands"].clause
        lines.append(f"  payout limit  {amount(submission.payout_limit)} a hand ({clause})")
    lines.append(f"  board         {table.board.board_id} revision {table.board.revision}, {table.board.pin_factory}")
    return lines


def board_summary(board: BoardFile) -> list[str]:
    return [
        f"{board.path}: legal",
        f"  board         {board.board_id} revision {board.revision}, {board.seats} seats",
        f"  lines         {len(board.pins)} on {board.pin_factory}",
        f"  shoe          {board.shoe}",
        f"  clock         {board.rtc}",
        f"  keypad        {board.keypad}",
    ]
