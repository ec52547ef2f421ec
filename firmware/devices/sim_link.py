"""The link between a controller on mock pins and the bench that holds its simulated hardware: JSON lines over a
Unix socket. The hardware lives in another process so that it outlives the controller, as a table outlives a
power cut: chips stay on the felt and cards in the shoe.

Bench to controller:
    hello    now_ns, utc (null: the clock chip has no time), levels {line: bool}, real_time
    edge     line, level, at_ns
    level    line, level                 (changed without an edge: a lost edge)
    advance  to_ns                       (virtual time only)
    shoe     card or fault under a permit
    reply    id, and state with drawn, or refused: the answer to a shoe_... message
    sync     id, keys                    (asks for an ack once all before it, and so many keyed lines, are handled)
Controller to bench:
    lamp     line, on
    shoe_permit, shoe_report, shoe_acknowledge   id, number, ...
    rtc_set  utc
    ack      id
"""

import json
from typing import Any, NamedTuple

from firmware.devices.faults import DeviceFault
from firmware.devices.shoe import CardDrawn, PermitReport, ShoeFault
from firmware.rules.cards import Card, card_text, parse_card

Message = dict[str, Any]


class SyncRequested(NamedTuple):
    """The bench asks for `ack(id)` once everything before this and `keys` keyed lines in all have been handled."""

    id: int
    keys: int


class BenchLost(NamedTuple):
    reason: str


def encode(message: Message) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Message:
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("op"), str):
        raise DeviceFault(f"simulated bench: {line[:80]!r} is not a message: start bench and controller anew")
    return message


def card_or_null(card: Card | None) -> str | None:
    return None if card is None else card_text(card)


def card_from(text: str | None) -> Card | None:
    return None if text is None else parse_card(text)


def shoe_message(event: CardDrawn | ShoeFault) -> Message:
    if isinstance(event, CardDrawn):
        card = card_or_null(event.card)
        return {"op": "shoe", "event": "card", "permit": event.permit, "index": event.index, "card": card}
    return {"op": "shoe", "event": "fault", "permit": event.permit, "kind": event.kind}


def shoe_event(message: Message) -> CardDrawn | ShoeFault:
    if message["event"] == "card":
        return CardDrawn(message["permit"], message["index"], card_from(message["card"]))
    return ShoeFault(message["kind"], message["permit"])


def report_fields(report: PermitReport) -> Message:
    return {"state": report.state, "drawn": [card_or_null(card) for card in report.drawn]}


def report_from(message: Message) -> PermitReport:
    return PermitReport(message["state"], tuple(card_from(text) for text in message["drawn"]))
