"""Finding an entry of the open round in a journal, so that it can be named in a correction."""

from pathlib import Path
from typing import Any

from firmware.controller.table_state import ROUND_EVENT, TableState
from firmware.ledger.reader import JournalReader


def entry_record(state_folder: Path, kind: str, number: int) -> int | None:
    """The record of the Nth entry of a kind in the open round."""
    state = TableState()
    with JournalReader.open_readonly(state_folder / "journal.db") as journal:
        for record in journal.read():
            state.apply(record)
    found = 0
    for record in state.open_round:
        body: Any = record.body
        if record.type == ROUND_EVENT and body["event"]["kind"] == kind:
            found += 1
            if found == number:
                return record.seq
    return None
