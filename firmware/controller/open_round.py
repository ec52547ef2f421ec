"""The open round of a table, run again from its records: after a power cut it stands where it stood."""

from dataclasses import asdict
from typing import Any

from firmware.controller.table_state import CORRECTION, ROUND_EVENT
from firmware.ledger.records import NewRecord, Record
from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.postings import Posting, reverse
from firmware.rules.procedure.events import Event, event_from_json, event_json
from firmware.rules.procedure.round import Decision, RoundFacts
from firmware.rules.procedure.run import Correction, RoundRun, correct
from firmware.rules.verdicts import RuleError


class ReplayDiffers(Exception):
    """A re-run came to something else than what is recorded: a fault, never a new truth."""


def rerun_records(game: HighCardFlush, records: list[Record]) -> RoundRun:
    facts: Any = records[0].body["facts"]
    run = RoundRun(game, RoundFacts(**facts))
    for record in records[1:]:
        run = replay_record(run, record)
    return run


def replay_record(run: RoundRun, record: Record) -> RoundRun:
    """One record of the round happens again; the decisions must be the recorded ones."""
    body: Any = record.body
    try:
        if record.type == ROUND_EVENT:
            run.feed(record.seq, event_from_json(body["event"]))
        elif record.type == CORRECTION:
            run = correct(run, correction_from(body), record.seq)
        else:
            return run
    except RuleError as error:
        raise ReplayDiffers(f"record {record.seq} is refused today: {error.refusal}") from None
    if run.digest() != body["digest"]:
        raise ReplayDiffers(f"record {record.seq} decides otherwise today")
    return run


def facts_json(facts: RoundFacts) -> dict[str, Any]:
    return asdict(facts)


def event_record(
    event: Event, decisions: tuple[Decision, ...], run: RoundRun, person: str, extra: dict[str, Any]
) -> NewRecord:
    body = {
        "event": event_json(event),
        "decisions": [decision.as_json() for decision in decisions],
        "digest": run.digest(),
    } | extra
    return NewRecord(ROUND_EVENT, person, body, run.table.facts.number, postings_of(decisions))


def correction_record(before: RoundRun, after: RoundRun, correction: Correction, person: str) -> NewRecord:
    """Names the entry it replaces; what it moves is the difference between the round before and after."""
    was = next((entry.event for entry in before.entries if entry.seq == correction.target), None)
    moved = after.postings()
    moved.subtract(before.postings())
    body = {
        "target": correction.target,
        "was": event_json(was) if was else None,
        "event": event_json(correction.event) if correction.event else None,
        "reason": correction.reason,
        "digest": after.digest(),
    }
    postings = tuple(Posting(*account, units) for account, units in sorted(moved.items()) if units)
    return NewRecord(CORRECTION, person, body, after.table.facts.number, postings)


def correction_from(body: dict[str, Any]) -> Correction:
    event = event_from_json(body["event"]) if body["event"] else None
    return Correction(body["target"], event, body["reason"])


def postings_of(decisions: tuple[Decision, ...]) -> tuple[Posting, ...]:
    return tuple(posting for decision in decisions for posting in decision.postings)


def void_as_recorded(records: list[Record], clause: str, reason: str, person: str) -> NewRecord:
    """A round that cannot be run again is voided from its records alone: every posting goes back."""
    decisions: list[Any] = [
        decision
        for record in records
        for decision in record.body.get("decisions", ())  # type: ignore[union-attr]
    ]
    if any(decision["kind"] in ("hit_paid", "settled", "envy_paid") for decision in decisions):
        raise RuleError("a seat of this round is settled already: call a technician")
    back = reverse(posting for record in reversed(records) for posting in record.postings)
    reversed_seats = [
        decision | {"kind": "contribution_reversed", "why": reason, "clause": clause}
        for decision in decisions
        if decision["kind"] == "contribution"
    ]
    body = {
        "event": None,
        "decisions": [
            *reversed_seats,
            {"kind": "voided", "clause": clause, "why": reason, "removes_deck": False, "returned": {}},
            {"kind": "closed", "voided": clause, "readings": ["X-08"]},
        ],
        "digest": "",
    }
    return NewRecord(ROUND_EVENT, person, body, records[0].round, back)
