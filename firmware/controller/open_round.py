"""The open round of a table, run again from its records: after a power cut it stands where it stood."""

from dataclasses import asdict
from typing import Any

from firmware.controller.table_state import CORRECTION, ROUND_EVENT, decisions_of
from firmware.ledger.records import NewRecord, Record
from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.postings import Posting, reverse
from firmware.rules.procedure.events import Event, event_from_json, event_json
from firmware.rules.procedure.round import Decision, RoundFacts
from firmware.rules.procedure.run import SETTLED, Correction, RoundRun, correct
from firmware.rules.rulebook import Rulebook
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


def void_as_recorded(records: list[Record], rulebook: Rulebook, clause: str, reason: str, person: str) -> NewRecord:
    """A round that cannot be run again is voided from its records alone: every posting goes back."""
    decisions = [decision for record in records for decision in decisions_of(record)]
    if any(decision["kind"] in SETTLED for decision in decisions):
        raise RuleError("a seat of this round is settled: install the software that began it, and finish it there")
    back = reverse(posting for record in reversed(records) for posting in record.postings)
    struck = [decision["seat"] for decision in decisions if decision["kind"] == "contribution_reversed"]
    reversed_seats = [
        decision | {"kind": "contribution_reversed", "why": "round void", "clause": clause}
        for decision in decisions
        if decision["kind"] == "contribution" and decision["seat"] not in struck
    ]
    voided = {
        "kind": "voided", "clause": clause, "why": reason, "removes_deck": clause in rulebook.removes_deck,
        "returned": recorded_wagers(records, [decision["seat"] for decision in reversed_seats]),
    }  # fmt: skip
    closed = {"kind": "closed", "voided": clause, "stub_counted": False, "readings": ["X-08"]}
    body: dict[str, Any] = {"event": None, "decisions": [*reversed_seats, voided, closed], "digest": ""}
    return NewRecord(ROUND_EVENT, person, body, records[0].round, back)


def recorded_wagers(records: list[Record], progressive: list[int]) -> dict[str, dict[str, int | None]]:
    """What lies at each seat as far as the entries tell, corrections taken in."""
    events: dict[int, Any] = {}
    for record in records:
        body: Any = record.body
        if record.type == ROUND_EVENT:
            events[record.seq] = body["event"]
        elif record.type == CORRECTION:
            events[body["target"] or record.seq] = body["event"]
    wagers: dict[str, dict[str, int | None]] = {}
    for event in events.values():
        kind = event["kind"] if event else ""
        if kind == "WagerKeyed":
            wagers.setdefault(str(event["seat"]), {})[event["wager"]] = event["cents"]
        elif kind == "WagerCleared":
            wagers.get(str(event["seat"]), {}).pop(event["wager"], None)
        elif kind == "AnteAnswered" and event["down"]:
            wagers.setdefault(str(event["seat"]), {})["ante"] = None
        elif kind == "Raised":
            wagers.setdefault(str(event["seat"]), {})["raise"] = event["cents"]
    for seat in progressive:
        wagers.setdefault(str(seat), {})["progressive"] = None
    return {seat: placed for seat, placed in sorted(wagers.items()) if placed}
