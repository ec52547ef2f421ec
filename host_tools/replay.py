"""`feltlock replay` and `feltlock recall`: any past round from its journal, step by step, with the proof."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from firmware.config.problems import ConfigError
from firmware.config.table_file import TableFile, load_table
from firmware.controller.arguments import Arguments
from firmware.controller.open_round import ReplayDiffers, rerun_records
from firmware.controller.table_state import CORRECTION, ROUND_ADOPTED, ROUND_EVENT, ROUND_OPENED, STARTED
from firmware.ledger.faults import JournalFault
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import CHECKPOINT, Record
from firmware.ledger.verification import verify_journal
from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.money import dollars
from firmware.rules.procedure.round import spoken
from host_tools.round_story import decisions_of, is_closed, tell_round

SCRIPTED = (ROUND_OPENED, ROUND_EVENT, CORRECTION, ROUND_ADOPTED)
RECALLED = 4
"""The last game and three before it, at least (COMAR 36.04.01.19)."""


def replay(args: list[str]) -> int:
    parser = Arguments(prog="feltlock replay", description="Tell a round again from the journal.")
    parser.add_argument("journal", type=Path, help="journal.db, or the folder that holds it")
    parser.add_argument("round", type=int, nargs="?", help="number of the round; the last one when left out")
    options = parser.parse_args(args)
    path = options.journal / "journal.db" if options.journal.is_dir() else options.journal
    try:
        with JournalReader.open_readonly(path) as journal:
            last = journal.last(ROUND_OPENED)
            number = options.round or (last.round if last else None)
            records = list(journal.read(round=number)) if number else []
            if not records:
                known = f"rounds 1 to {last.round}" if last else "no round yet"
                return _complain(f"{path} has no round {number or ''}: it has {known}".replace("  ", " "))
            for line in tell_round(records):
                print(line)
            return _proof(journal, path, records)
    except JournalFault as fault:
        return _complain(fault.message)


def _proof(journal: JournalReader, path: Path, records: list[Record]) -> int:
    """Run the round again with today's rules, and show that its records are the ones that were written."""
    findings = verify_journal(path)
    if findings:
        return _complain(*(finding.text for finding in findings))
    first, last = records[0], records[-1]
    print(f"\nrecords {first.seq} to {last.seq}: every hash follows from the one before, up to {last.hash}")
    signed = last.type == CHECKPOINT
    print(
        f"checkpoint {last.seq} is signed by unit key {journal.public_key()}" if signed else "no checkpoint yet: open"
    )
    table = _table_of(journal, records)
    if isinstance(table, str):
        print(f"the rules could not be run again: {table}")
        return 1
    scripted = [record for record in records if record.type in SCRIPTED]
    if any(record.type == ROUND_EVENT and record.body["event"] is None for record in scripted):
        print("this round was voided from its records alone and is not run again")
        return 0
    try:
        rerun_records(HighCardFlush(table.submission), scripted)
    except ReplayDiffers as difference:
        print(f"DIFFERENT TODAY: {difference}; what stands above is as it was recorded")
        return 1
    print("run again with today's rules, every decision comes out as recorded")
    return 0


def _table_of(journal: JournalReader, records: list[Record]) -> TableFile | str:
    """The table file that was in force, as the journal kept it."""
    started = list(journal.read(last=records[0].seq, types=[STARTED]))[-1]
    body: Any = started.body
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        board, table = Path(folder) / "board.toml", Path(folder) / "table.toml"
        board.write_text(body["board_file"])
        table.write_text(body["table_file"])
        try:
            return load_table(table, board)
        except ConfigError as error:
            return str(error.problems[0])


def recall(args: list[str]) -> int:
    parser = Arguments(prog="feltlock recall", description="The last games of a table, newest first.")
    parser.add_argument("journal", type=Path, help="journal.db, or the folder that holds it")
    parser.add_argument("--games", type=int, default=RECALLED, help=f"how many; {RECALLED} when left out")
    options = parser.parse_args(args)
    path = options.journal / "journal.db" if options.journal.is_dir() else options.journal
    try:
        with JournalReader.open_readonly(path) as journal:
            last = journal.last(ROUND_OPENED)
            if last is None or last.round is None:
                return _complain(f"{path}: no game has been played yet")
            for number in range(last.round, max(0, last.round - max(options.games, 1)), -1):
                _recall_game(list(journal.read(round=number)))
    except JournalFault as fault:
        return _complain(fault.message)
    return 0


def _recall_game(records: list[Record]) -> None:
    closed = is_closed(records)
    decisions = [decision for record in records for decision in decisions_of(record)]
    voided = next((decision for decision in decisions if decision["kind"] == "voided"), None)
    ending = "open" if not closed else f"void [{voided['clause']}]" if voided else "settled"
    print(f"round {records[0].round}  {records[0].utc}  {ending}")
    accepted = [str(decision["seat"]) for decision in decisions if decision["kind"] == "accepted"]
    print(f"  progressive wagers: {', '.join(accepted) or 'none'}")
    for decision in decisions:
        if decision["kind"] == "settled":
            for verdict in decision["verdicts"]:
                won = "" if verdict["profit"] is None else f" {dollars(verdict['profit'])}"
                print(
                    f"  seat {decision['seat']}: {spoken(verdict['wager'])} {verdict['result']}{won} [{verdict['clause']}]"
                )
        elif decision["kind"] in ("hit_paid", "envy_paid"):
            kind = "progressive award" if decision["kind"] == "hit_paid" else "envy"
            print(f"  seat {decision['seat']}: {kind} {dollars(decision['amount'])} [{decision['clause']}]")


def _complain(*lines: str) -> int:
    for line in lines:
        print(f"feltlock: {line}", file=sys.stderr)
    return 1
