"""Running a round's script: feed events, see decisions, run it again after a power cut or a correction."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.procedure.events import (
    CardDealt,
    Event,
    HitDenied,
    HitPresented,
    HitRefused,
    LockedOut,
    RoundVoided,
    SeatSettled,
    ShoeLoaded,
    WagerKeyed,
)
from firmware.rules.procedure.high_card_flush import round_from_manual_shoe
from firmware.rules.procedure.round import Decision, Round, RoundFacts
from firmware.rules.procedure.steps import Script, Step, VoidRound
from firmware.rules.rulebook import Rulebook
from firmware.rules.verdicts import Refusal, RuleError

SETTLED = ("settled", "hit_paid", "envy_paid")


@dataclass(frozen=True)
class Entry:
    """An event of the round and the number of the record that holds it."""

    seq: int
    event: Event


class RoundRun:
    """One round's script and where it stands."""

    def __init__(
        self,
        game: HighCardFlush,
        facts: RoundFacts,
        script: Callable[[Round], Script] = round_from_manual_shoe,
        attempts: Mapping[int, int] | None = None,
    ) -> None:
        self.refused_before = Counter(attempts or {})
        self.table = Round(game, facts, attempts=dict(self.refused_before))
        self.entries: list[Entry] = []
        self._script = script(self.table)
        self.step: Step | None = next(self._script)

    @property
    def finished(self) -> bool:
        return self.step is None

    def verify(self, event: Event) -> Refusal | None:
        """Why the event would be refused now, or None. Nothing changes."""
        if self.step is None:
            return Refusal("the round is closed")
        if isinstance(event, RoundVoided):
            return self._verify_void(event)
        return self.step.verify(event)

    def _verify_void(self, event: RoundVoided) -> Refusal | None:
        if self.table.void_clause is not None:
            return Refusal("the round is void already", self.table.void_clause)
        refusal = verify_void_clause(self.table.game.rulebook, event.clause)
        if refusal is not None:
            return refusal
        if any(decision.kind in SETTLED for decision in self.table.decisions):
            return Refusal("a seat is settled already: correct the entry, or let a floorperson put it right")
        return None

    def feed(self, seq: int, event: Event) -> tuple[Decision, ...]:
        """Let the event happen; what it decided comes back."""
        refusal = self.verify(event)
        if refusal is not None:
            raise RuleError(refusal.message, refusal.clause)
        before = len(self.table.decisions)
        self.entries.append(Entry(seq, event))
        try:
            if isinstance(event, RoundVoided):
                self.step = self._script.throw(VoidRound(event.clause, event.reason))
            else:
                self.step = self._script.send(event)
        except StopIteration:
            self.step = None
        return tuple(self.table.decisions[before:])

    def digest(self) -> str:
        """A fingerprint of everything decided so far; a re-run must come to the same."""
        decided = [decision.as_json() | {"postings": decision.postings} for decision in self.table.decisions]
        return hashlib.sha256(json.dumps(decided, sort_keys=True).encode()).hexdigest()[:32]

    def postings(self) -> Counter[tuple[str, str]]:
        """Net movement of every account in this round so far."""
        net: Counter[tuple[str, str]] = Counter()
        for decision in self.table.decisions:
            for posting in decision.postings:
                net[posting.account, posting.meter] += posting.units
        return net


def verify_void_clause(rulebook: Rulebook, clause: str) -> Refusal | None:
    """Whether a round dealt from the manual shoe can be void under that clause."""
    effect, method = rulebook.irregularities.get(clause), rulebook.irregularity_methods.get(clause)
    if method is not None:
        return Refusal(f"{clause} is about dealing from the {method}: this table deals from the manual shoe", clause)
    if effect == "void all":
        return None
    if effect == "void base":
        message = f"{clause} returns Ante and Raise only, which this version cannot do at the table"
        return Refusal(f"{message}: close the round by hand under internal controls", clause)
    own = [known for known, effect in rulebook.irregularities.items() if effect == "void all"]
    legal = ", ".join(known for known in own if known not in rulebook.irregularity_methods)
    return Refusal(f"{clause} is no clause that voids a round: {legal} are")


def rerun(
    game: HighCardFlush,
    facts: RoundFacts,
    entries: Sequence[Entry],
    attempts: Mapping[int, int] | None = None,
    corrected: int | None = None,
) -> RoundRun:
    """The script run again over recorded events, one of them perhaps new; RuleError where an event no longer fits."""
    run = RoundRun(game, facts, attempts=attempts)
    for entry in entries:
        run.table.recorded = entry.seq != corrected
        run.feed(entry.seq, entry.event)
    run.table.recorded = False
    return run


@dataclass(frozen=True)
class Correction:
    """A confirmed entry replaced, taken away (`event` None), or added (`target` None), and why."""

    target: int | None
    event: Event | None
    reason: str


FIXED = (ShoeLoaded, LockedOut, SeatSettled, RoundVoided)


def correct(run: RoundRun, correction: Correction, seq: int) -> RoundRun:
    """The round as it stands with the entry put right, or RuleError and nothing changed.

    Hits that were refused have posted their reverse already, so their events drop out and a corrected hand is
    judged afresh. What was paid or collected is not moved by a correction: it shows as a difference.
    """
    facts, game = run.table.facts, run.table.game
    entries, refused = without_refused_hits(run.entries)
    entries = replaced(entries, correction, seq)
    settled = any(decision.kind in SETTLED for decision in run.table.decisions)
    way_out = "A floorperson must put it right at the end" if settled else "Have the round voided instead"
    try:
        corrected = seq if correction.target is None else correction.target
        after = rerun(game, facts, entries, refused + run.refused_before, corrected)
    except RuleError as error:
        raise RuleError(
            f"the round cannot stand with this correction: {error.refusal.message}. {way_out}",
            error.refusal.clause,
        ) from None
    if dealt_under(after) != dealt_under(run):
        raise RuleError("the shoe has its permit: who is dealt to cannot change. Have the round voided instead")
    moved = after.postings()
    moved.subtract(run.postings())
    if any(units and account in ("paid", "player") for (account, _), units in moved.items()):
        raise RuleError("this correction would change what is already paid or collected: a floorperson must decide")
    return after


def dealt_under(run: RoundRun) -> tuple[list[dict[str, Any]], int]:
    """The permits that are out and the cards that came: a correction on paper moves neither."""
    permits = [decision.facts for decision in run.table.decisions if decision.kind == "permit"]
    return permits, sum(isinstance(entry.event, CardDealt) for entry in run.entries)


def without_refused_hits(entries: Sequence[Entry]) -> tuple[list[Entry], Counter[int]]:
    """The entries less those of refused hits, and how often each seat was refused.

    A refusal that was upheld stays, with the presentation it ended: the denial is the hit's outcome.
    """
    kept: list[Entry] = []
    refused: Counter[int] = Counter()
    dropped: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, HitRefused):
            dropped = [kept.pop(), entry]  # with its HitVerified
            refused[entry.event.seat] += 1
        elif isinstance(entry.event, HitDenied):
            kept += [*dropped, entry]
            refused[entry.event.seat] -= 1
        elif not isinstance(entry.event, HitPresented):
            kept.append(entry)
    return kept, refused


def replaced(entries: list[Entry], correction: Correction, seq: int) -> list[Entry]:
    event = correction.event
    if correction.target is None:
        if not isinstance(event, WagerKeyed):
            raise RuleError("only a wager that lay there before lock-out can be added; other entries are replaced")
        place = next((i for i, entry in enumerate(entries) if isinstance(entry.event, LockedOut)), None)
        if place is None:
            raise RuleError("bets are still open: key the wager as usual")
        return [*entries[:place], Entry(seq, event), *entries[place:]]
    for place, entry in enumerate(entries):
        if entry.seq != correction.target:
            continue
        if isinstance(entry.event, FIXED) or entry.event.BY == "floorperson":
            raise RuleError(f"record {entry.seq} ({entry.event.kind}) is not an entry that can be corrected")
        if event is None:
            return [*entries[:place], *entries[place + 1 :]]
        if type(event) is not type(entry.event) and not _both_decisions(event, entry.event):
            raise RuleError(f"record {entry.seq} is {entry.event.kind}: correct it with another of its kind")
        return [*entries[:place], Entry(entry.seq, event), *entries[place + 1 :]]
    raise RuleError(f"record {correction.target} is no entry of the open round")


def _both_decisions(one: Event, other: Event) -> bool:
    return {one.kind, other.kind} == {"Folded", "Raised"}
