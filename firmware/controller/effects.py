"""The only module that makes anything happen outside: lamps, shoe permits, words on the screen."""

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.controller.felt_watch import FeltWatch
from firmware.controller.hardware import Hardware
from firmware.devices.faults import DeviceFault
from firmware.devices.felt import Lamp
from firmware.rules.money import dollars
from firmware.rules.procedure.events import CardDealt, FeltStated
from firmware.rules.procedure.round import Decision
from firmware.rules.procedure.run import RoundRun
from firmware.rules.procedure.settling import verdict_text
from firmware.rules.verdicts import LOSE, Verdict
from firmware.terminal.screens import Screen

Facts = dict[str, Any]


class OpenPermit(NamedTuple):
    number: int
    cards: int
    drawn: int


class Effects:
    def __init__(self, hardware: Hardware, screen: Screen) -> None:
        self._hardware = hardware
        self._screen = screen

    def test_lamps(self) -> list[str]:
        """Each lamp on and off once; gives those that do not follow."""
        failed = [self._switch(lamp, True) or self._switch(lamp, False) for lamp in self._all_lamps()]
        return [where for where in failed if where]

    def _all_lamps(self) -> list[Lamp]:
        return [*self._hardware.seat_lamps.values(), self._hardware.button.lamp]

    @staticmethod
    def _switch(lamp: Lamp, on: bool) -> str | None:
        try:
            lamp.show(on)
        except DeviceFault:
            return lamp.line.line
        return None

    def light(self, felt: FeltWatch, run: RoundRun | None) -> list[str]:
        """While bets are open a lamp says that the chip is seen; from lock-out on, that its wager was accepted.

        Gives the lamps that do not follow."""
        failed: list[str | None] = []
        locked = run is not None and run.table.locked_out
        for seat, lamp in self._hardware.seat_lamps.items():
            on = run is not None and (seat in run.table.accepted if locked else felt.chip(seat))
            if lamp.lit() != on:
                failed.append(self._switch(lamp, on))
        if self._hardware.button.lamp.lit() != locked:
            failed.append(self._switch(self._hardware.button.lamp, locked))
        return [where for where in failed if where]

    def open_permit(self, run: RoundRun | None) -> OpenPermit | None:
        """The permit that the open round still deals under, and how many of its cards are recorded."""
        if run is None or run.step is None or run.step.state != "dealing":
            return None
        permits = [decision for decision in run.table.decisions if decision.kind == "permit"]
        if not permits:
            return None
        drawn = 0
        for entry in reversed(run.entries):
            if isinstance(entry.event, FeltStated) or not isinstance(entry.event, CardDealt):
                break
            drawn += 1
        return OpenPermit(permits[-1].facts["number"], permits[-1].facts["cards"], drawn)

    async def shoe_permits(self, run: RoundRun, decisions: tuple[Decision, ...]) -> None:
        shoe = self._hardware.shoe
        if shoe is None:
            return
        for decision in decisions:
            if decision.kind == "permit":
                facts = decision.facts
                await shoe.permit(facts["number"], facts["purpose"], facts["cards"])
        if any(isinstance(entry.event, CardDealt) for entry in run.entries[-1:]) or run.table.void_clause:
            await self._acknowledge(run)

    async def _acknowledge(self, run: RoundRun) -> None:
        """All of a permit's cards are in the journal, or the round is void: the shoe may forget it."""
        if self._hardware.shoe is not None and self.open_permit(run) is None:
            permits = [decision for decision in run.table.decisions if decision.kind == "permit"]
            if permits:
                await self._hardware.shoe.acknowledge(permits[-1].facts["number"])

    def tell(self, decision: Decision) -> None:
        told = TELLS.get(decision.kind)
        if told is not None:
            text = told(decision.facts)
            if text:
                self._screen.say("told", text, decision.facts.get("clause"))


def _settled(facts: Facts) -> str:
    """A progressive win was told when it was paid; here it would show less the stake, which confuses a dealer."""
    lines = [Verdict(**verdict) for verdict in facts["verdicts"]]
    lines = [line for line in lines if line.wager != "progressive" or line.result == LOSE]
    return "; ".join(f"seat {facts['seat']} {verdict_text(line)} [{line.clause}]" for line in lines)


def _dealer_hand(facts: Facts) -> str:
    return f"dealer: {facts['hand']}, {'qualifies' if facts['qualifies'] else 'does not qualify'}"


def _seat(facts: Facts, words: str) -> str:
    return f"seat {facts['seat']}: {words}"


def _hit(facts: Facts, words: str) -> str:
    return f"hit {facts['hit']}: {dollars(facts['amount'])} {words}"


TELLS: dict[str, Callable[[Facts], str]] = {
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
    "voided": lambda facts: f"round void: {facts['why']}",
    "closed": lambda facts: "round closed",
}
