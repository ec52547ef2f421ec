"""A recorded round as a story: what happened, who did it, what was decided, on which clause.

A card of the open round that is not face up yet is written `??`, here as everywhere.
"""

from collections.abc import Iterator
from typing import Any

from firmware.controller.table_state import CORRECTION, LATE_BET, REFUSED, ROUND_EVENT, ROUND_OPENED, decisions_of
from firmware.ledger.records import Record
from firmware.rules.procedure.words import decision_words, event_words


def is_closed(records: list[Record]) -> bool:
    return any(decision["kind"] == "closed" for record in records for decision in decisions_of(record))


def tell_round(records: list[Record]) -> Iterator[str]:
    hidden = not is_closed(records)
    for record in records:
        yield f"{record.seq:>6}  {record.utc}  {record.person:<12} {tell_record(record, hidden)}"
        for decision in decisions_of(record):
            told = tell_decision(decision)
            if told:
                yield f"{'':>6}  {'':<24}  {'':<12}   = {told}"


def tell_record(record: Record, hidden: bool) -> str:
    body: Any = record.body
    if record.type == ROUND_OPENED:
        return f"round {record.round} opens with deck {body['deck']}"
    if record.type == ROUND_EVENT:
        return event_words(body["event"], hidden) if body["event"] else "voided from its records"
    if record.type == CORRECTION:
        was = event_words(body["was"], hidden) if body["was"] else "nothing"
        now = event_words(body["event"], hidden) if body["event"] else "nothing"
        target = f"record {body['target']}" if body["target"] else "an entry"
        return f"CORRECTION of {target}: was {was}; is {now}; because {body['reason']}"
    if record.type == REFUSED:
        clause = f" [{body['clause']}]" if body["clause"] else ""
        return f"refused {body['what']}: {body['why']}{clause}"
    if record.type == LATE_BET:
        return f"chip at seat {body['seat']} after lock-out [{body['clause']}]"
    facts = ", ".join(f"{name} {value}" for name, value in body.items() if name not in ("table_file", "board_file"))
    return f"{record.type.replace('_', ' ')}{f': {facts}' if facts else ''}"


def tell_decision(decision: dict[str, Any]) -> str:
    if decision["kind"] == "permit":
        return f"permit {decision['number']}: {decision['purpose']} {decision['cards']} cards [{decision['clause']}]"
    if decision["kind"] == "contribution":
        return f"contribution of seat {decision['seat']} to {decision['meter']} [{decision['clause']}]"
    text = decision_words(decision)
    if decision["kind"] == "closed" and decision["readings"]:
        text += f", resting on the readings {', '.join(decision['readings'])}"
    clause = decision.get("clause")
    return f"{text} [{clause}]" if text and clause else text
