"""The only module that makes anything happen outside: lamps, shoe permits, words on the screen."""

from typing import NamedTuple

from firmware.config.table_file import PeopleTerms
from firmware.controller.felt_watch import FeltWatch
from firmware.controller.hardware import Hardware
from firmware.devices.faults import DeviceFault
from firmware.devices.felt import Lamp
from firmware.rules.money import dollars
from firmware.rules.procedure.events import (
    BoxesShared,
    CardDealt,
    Event,
    FeltStated,
    Folded,
    Raised,
    WagerCleared,
    WagerKeyed,
    event_json,
)
from firmware.rules.procedure.round import Decision
from firmware.rules.procedure.run import RoundRun
from firmware.rules.procedure.words import decision_words, event_words
from firmware.terminal.screens import Screen

SECOND_PERSONS = "COMAR 36.05.03.23"
NOTED = (WagerKeyed, WagerCleared, BoxesShared, Raised, Folded)


class OpenPermit(NamedTuple):
    number: int
    cards: int
    drawn: int


class Effects:
    def __init__(self, hardware: Hardware, screen: Screen, people: PeopleTerms) -> None:
        self._hardware = hardware
        self._people = people
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
        text = decision_words(decision.as_json())
        if text:
            self._screen.say("told", text, decision.facts.get("clause"))
        if decision.kind == "hit_locked":
            self._tell_others(decision.facts["amount"])

    def _tell_others(self, cents: int) -> None:
        """Who else must know of a large award (COMAR 36.05.03.23), by the table file's thresholds."""
        if cents >= self._people.surveillance_from:
            self._screen.say("fault", f"{dollars(cents)}: tell surveillance before it is paid", SECOND_PERSONS)
        if cents >= self._people.pit_manager_from:
            self._screen.say("fault", f"{dollars(cents)}: paid by check, signed by the pit manager", SECOND_PERSONS)

    def noted(self, event: Event) -> None:
        """An entry that decides nothing yet is answered all the same."""
        if isinstance(event, NOTED):
            self._screen.say("told", event_words(event_json(event), hidden=True))
