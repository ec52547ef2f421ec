"""Events and decisions in a dealer's words, for the screen while they happen and for a replay years later.

Both are told from their recorded form, so that a replay says what the table said.
"""

from collections.abc import Callable
from typing import Any

from firmware.rules.money import dollars
from firmware.rules.procedure.round import spoken
from firmware.rules.procedure.settling import told_text, verdict_text
from firmware.rules.verdicts import LOSE, Verdict

Facts = dict[str, Any]


def _amount(facts: Facts) -> str:
    return "amount not keyed" if facts["cents"] is None else dollars(facts["cents"])


def _wager(facts: Facts) -> str:
    return f"seat {facts['seat']}: {spoken(facts['wager'])}"


def _readings(facts: Facts) -> str:
    seen = [f"seat {seat} {reading}" for seat, reading in facts["readings"] if reading != "absent"]
    return f"locked out: {', '.join(seen) or 'no chips'}"


def _told(facts: Facts) -> str:
    return f"seat {facts['seat']} settled: {told_text(facts['told'])}"


def _cards(facts: Facts) -> str:
    return f": {' '.join(facts['cards'])}" if facts["cards"] else ""


def _counts(facts: Facts) -> str:
    counted = [f"{f'seat {place}' if place else 'dealer'} {count}" for place, count in facts["counts"]]
    return f"hands counted: {', '.join(counted)}"


EVENTS: dict[str, Callable[[Facts], str]] = {
    "ShoeLoaded": lambda facts: "shoe loaded",
    "WagerKeyed": lambda facts: f"{_wager(facts)}, {_amount(facts)}",
    "WagerCleared": lambda facts: f"{_wager(facts)} cleared",
    "BoxesShared": lambda facts: f"seats {', '.join(map(str, facts['seats']))} are one player's",
    "LockedOut": _readings,
    "AnteAnswered": lambda facts: f"seat {facts['seat']}: {'an' if facts['down'] else 'no'} Ante lies there",
    "ChipsCounted": lambda facts: f"chips counted: {facts['count']}",
    "ChipStruck": lambda facts: f"seat {facts['seat']} struck from the progressive: {facts['reason']}",
    "CardDealt": lambda facts: f"card {facts['card'] or 'unread'}",
    "FeltStated": lambda facts: f"{facts['cards']} cards lie on the felt",
    "DealConfirmed": lambda facts: "dealt",
    "StubRacked": lambda facts: "stub racked",
    "StubCounted": lambda facts: f"stub counted: {facts['cards']}",
    "HandsCounted": _counts,
    "Folded": lambda facts: f"seat {facts['seat']} folds",
    "Raised": lambda facts: f"seat {facts['seat']} raises, {_amount(facts)}",
    "ForfeitsTaken": lambda facts: "forfeits taken",
    "DealerShown": lambda facts: f"dealer's hand turned up{_cards(facts)}",
    "HandShown": lambda facts: f"seat {facts['seat']} turned up{_cards(facts)}",
    "RaiseCut": lambda facts: f"seat {facts['seat']}: raise cut to its cap",
    "SeatSettled": _told,
    "HitVerified": lambda facts: f"seat {facts['seat']}: hand and light checked",
    "HitValidated": lambda facts: f"seat {facts['seat']}: payout validated",
    "HitRefused": lambda facts: f"seat {facts['seat']}: payout refused: {facts['reason']}",
    "HitPresented": lambda facts: f"seat {facts['seat']}: hand shown again",
    "HitDenied": lambda facts: f"seat {facts['seat']}: award denied: {facts['reason']}",
    "HitPaid": lambda facts: f"seat {facts['seat']}: award handed over",
    "EnvyPaid": lambda facts: f"Envy handed out for seat {facts['from_seat']}",
    "DifferenceResolved": lambda facts: f"seat {facts['seat']}: difference put right: {facts['note']}",
    "CardsRacked": lambda facts: "cards racked",
    "RoundVoided": lambda facts: f"voided under {facts['clause']}: {facts['reason']}",
    "WagersReturned": lambda facts: "wagers returned",
}


def event_words(event: Facts, hidden: bool) -> str:
    """`hidden`: the round is open, so a card out of the shoe is not told."""
    if hidden and event["kind"] == "CardDealt":
        return "card ??"
    return EVENTS[event["kind"]](event)


def _seat(facts: Facts, words: str) -> str:
    return f"seat {facts['seat']}: {words}"


def _hit(facts: Facts, words: str) -> str:
    return f"hit {facts['hit']}: {dollars(facts['amount'])} {words}"


def _settled(facts: Facts) -> str:
    """A progressive win was told when it was paid; here it would show less the stake, which confuses a dealer."""
    lines = [Verdict(**verdict) for verdict in facts["verdicts"]]
    lines = [line for line in lines if line.wager != "progressive" or line.result == LOSE]
    return "; ".join(f"seat {facts['seat']} {verdict_text(line)} [{line.clause}]" for line in lines)


def _dealer_hand(facts: Facts) -> str:
    return f"dealer: {facts['hand']}, {'qualifies' if facts['qualifies'] else 'does not qualify'}"


DECISIONS: dict[str, Callable[[Facts], str]] = {
    "accepted": lambda facts: _seat(facts, "progressive accepted"),
    "refused": lambda facts: _seat(facts, f"progressive not accepted: {facts['why']}"),
    "contribution_reversed": lambda facts: _seat(facts, f"contribution taken back: {facts['why']}"),
    "misread": lambda facts: "the shoe read one card twice: it counts as unread until it is turned up",
    "stub_counted": lambda facts: f"the stub has {facts['cards']} cards, as it should",
    "dealer_hand": _dealer_hand,
    "raise_cut": lambda facts: _seat(facts, f"{dollars(facts['returned'])} of the raise goes back"),
    "settled": _settled,
    "hit_locked": lambda facts: _hit(facts, f"set aside for a {facts['hand']}"),
    "hit_reversed": lambda facts: _hit(facts, f"back where it came from: refused, {facts['why']}"),
    "hit_denied": lambda facts: _seat(facts, f"no award: {facts['why']}"),
    "hit_paid": lambda facts: _hit(facts, "paid"),
    "envy_paid": lambda facts: _seat(facts, f"Envy {dollars(facts['amount'])} paid"),
    "difference_resolved": lambda facts: _seat(facts, f"put right: {facts['note']} ({facts['difference']})"),
    "voided": lambda facts: f"round void: {facts['why']}",
    "closed": lambda facts: "round closed",
}


def decision_words(decision: Facts) -> str:
    """Empty for what only a replay tells."""
    words = DECISIONS.get(decision["kind"])
    return words(decision) if words else ""
