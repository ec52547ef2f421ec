"""`feltlock replay` and `feltlock recall`: any past round from its journal, step by step, with the proof."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.config.problems import ConfigError
from firmware.config.table_copy import load_copy
from firmware.config.table_file import TableFile
from firmware.controller.arguments import Arguments
from firmware.controller.open_round import ReplayDiffers, rerun_records
from firmware.controller.table_state import CORRECTION, ROUND_ADOPTED, ROUND_EVENT, ROUND_OPENED, STARTED, decisions_of
from firmware.ledger.faults import JournalFault
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import CHECKPOINT, Record
from firmware.ledger.verification import verify_journal
from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.money import dollars
from firmware.rules.procedure.round import spoken
from firmware.rules.verdicts import WIN
from host_tools.journal_commands import complain, journal_file
from host_tools.round_story import is_closed, tell_round

SCRIPTED = (ROUND_OPENED, ROUND_EVENT, CORRECTION, ROUND_ADOPTED)
RECALLED = 4
"""The last game and three before it, at least (COMAR 36.04.01.19)."""


def replay(args: list[str]) -> int:
    parser = Arguments(prog="feltlock replay", description="Tell a round again from the journal.")
    parser.add_argument("journal", type=Path, help="journal.db, or the folder that holds it")
    parser.add_argument("round", type=int, nargs="?", help="number of the round; the last one when left out")
    options = parser.parse_args(args)
    path = journal_file(options.journal)
    try:
        with JournalReader.open_readonly(path) as journal:
            last = journal.last(ROUND_OPENED)
            number = options.round if options.round is not None else last.round if last else None
            records = list(journal.read(round=number)) if number else []
            if not records:
                known = f"rounds 1 to {last.round}" if last else "no round yet"
                return complain(
                    f"{path} has no round {'' if number is None else number}: it has {known}".replace("  ", " ")
                )
            for line in tell_round(records):
                print(line)
            return _proof(journal, path, records)
    except JournalFault as fault:
        return complain(fault.message)


def _proof(journal: JournalReader, path: Path, records: list[Record]) -> int:
    """Run the round again with today's rules, and show that its records are the ones that were written."""
    findings = verify_journal(path)
    if findings:
        return complain(*(finding.text for finding in findings))
    first, last = records[0], records[-1]
    print(f"\nrecords {first.seq} to {last.seq}: every hash follows from the one before, up to {last.hash}")
    signed = last.type == CHECKPOINT
    if signed:
        print(f"checkpoint {last.seq} is signed by unit key {journal.public_key()}")
    else:
        print("the round is open: no checkpoint has signed it yet")
    table = _table_of(journal, records)
    if isinstance(table, str):
        print(f"the rules could not be run again: {table}")
        return 1
    scripted = [record for record in records if record.type in SCRIPTED]
    if _voided_from_records(scripted):
        print("this round was voided from its records alone and is not run again")
        return 0
    try:
        rerun_records(HighCardFlush(table.submission), scripted)
    except ReplayDiffers as difference:
        print(f"DIFFERENT TODAY: {difference}; what stands above is as it was recorded")
        return 1
    print("run again with today's rules, every decision comes out as recorded")
    return 0


def _voided_from_records(scripted: list[Record]) -> bool:
    return any(record.type == ROUND_EVENT and record.body["event"] is None for record in scripted)


def _table_of(journal: JournalReader, records: list[Record]) -> TableFile | str:
    """The table file that was in force, as the journal kept it."""
    started: Any = list(journal.read(last=records[0].seq, types=[STARTED]))[-1].body
    try:
        return load_copy(started["table_file"], started["board_file"])
    except ConfigError as error:
        return str(error.problems[0])


def recall(args: list[str]) -> int:
    parser = Arguments(prog="feltlock recall", description="The last games of a table, newest first.")
    parser.add_argument("journal", type=Path, help="journal.db, or the folder that holds it")
    parser.add_argument("--games", type=int, default=RECALLED, help=f"how many; {RECALLED} when left out")
    options = parser.parse_args(args)
    if options.games < 1:
        parser.error(f"--games {options.games}: at least one")
    path = journal_file(options.journal)
    try:
        with JournalReader.open_readonly(path) as journal:
            last = journal.last(ROUND_OPENED)
            if last is None or last.round is None:
                return complain(f"{path}: no game has been played yet")
            for number in range(last.round, max(0, last.round - max(options.games, 1)), -1):
                _recall_game(journal, list(journal.read(round=number)))
    except JournalFault as fault:
        return complain(fault.message)
    return 0


def _recall_game(journal: JournalReader, records: list[Record]) -> None:
    """As the round stands with its corrections; as recorded where today's rules cannot run it."""
    recorded = [decision for record in records for decision in decisions_of(record)]
    decisions = _effective(journal, records) or recorded
    voided = next((decision for decision in recorded if decision["kind"] == "voided"), None)
    ending = "open" if not is_closed(records) else f"void [{voided['clause']}]" if voided else "settled"
    corrections = sum(record.type == CORRECTION for record in records)
    print(f"round {records[0].round}  {records[0].utc}  {ending}{f', {corrections} corrected' if corrections else ''}")
    struck = {decision["seat"] for decision in decisions if decision["kind"] == "contribution_reversed"}
    accepted = [decision["seat"] for decision in decisions if decision["kind"] == "accepted"]
    listed = ", ".join(str(seat) for seat in accepted if seat not in struck)
    print(f"  progressive wagers: {listed or 'none'}")
    for decision in decisions:
        for line in _recall_lines(decision):
            print(f"  seat {decision['seat']}: {line}")


def _effective(journal: JournalReader, records: list[Record]) -> list[dict[str, Any]]:
    table = _table_of(journal, records)
    scripted = [record for record in records if record.type in SCRIPTED]
    if isinstance(table, str) or _voided_from_records(scripted):
        return []
    try:
        run = rerun_records(HighCardFlush(table.submission), scripted)
    except ReplayDiffers:
        return []
    return [decision.as_json() for decision in run.table.decisions]


def _recall_lines(decision: dict[str, Any]) -> Iterator[str]:
    if decision["kind"] == "settled":
        for verdict in decision["verdicts"]:
            if verdict["wager"] == "progressive" and verdict["result"] == WIN:
                continue  # the award itself is told, not the award less its stake
            won = "" if verdict["profit"] is None else f" {dollars(verdict['profit'])}"
            yield f"{spoken(verdict['wager'])} {verdict['result']}{won} [{verdict['clause']}]"
    elif decision["kind"] in ("hit_paid", "envy_paid"):
        kind = "progressive award" if decision["kind"] == "hit_paid" else "envy"
        yield f"{kind} {dollars(decision['amount'])} [{decision['clause']}]"
    elif decision["kind"] == "difference_resolved":
        yield f"{decision['difference']}; put right: {decision['note']}"
