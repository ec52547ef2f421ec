"""The one loop: an event comes in, the rules decide, the journal keeps it, and only then anything happens.

Events are handled one at a time in the order they arrived; what they mean is decided by their own stamps. Nothing
is shown, lit or let out of the shoe before the record of it is on the disk.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

from firmware.config.problems import ConfigError
from firmware.config.table_copy import load_copy
from firmware.config.table_file import TableFile
from firmware.controller import table_state as rec
from firmware.controller.alarm import Alarm, Tick
from firmware.controller.desk import Desk
from firmware.controller.effects import Effects
from firmware.controller.faults import ITSELF, KINDS
from firmware.controller.felt_watch import FeltWatch
from firmware.controller.hardware import Hardware
from firmware.controller.key_lines import KeySpelling, parse_line
from firmware.controller.open_round import (
    ReplayDiffers,
    correction_record,
    event_record,
    facts_json,
    rerun_records,
)
from firmware.controller.prompts import prompt_for
from firmware.controller.table_state import TableState, terms_json
from firmware.controller.view import Prompt, table_status
from firmware.devices.edges import Edge
from firmware.devices.faults import DeviceFault
from firmware.devices.keypad import KeyGarbage, KeyLine, KeypadFound, KeypadLost
from firmware.devices.shoe import CardDrawn, ShoeFault
from firmware.devices.sim_link import BenchLost, SyncRequested
from firmware.devices.wall_clock import WallClock
from firmware.ledger.faults import JournalFault
from firmware.ledger.records import NewRecord, Record
from firmware.ledger.writer import LedgerWriter
from firmware.rules.games.high_card_flush import HighCardFlush
from firmware.rules.procedure.events import (
    CardDealt,
    Event,
    FeltStated,
    HitVerified,
    LockedOut,
    ShoeLoaded,
)
from firmware.rules.procedure.round import Decision, RoundFacts
from firmware.rules.procedure.run import Correction, RoundRun, correct
from firmware.rules.progressive import start_meter
from firmware.rules.verdicts import Refusal, RuleError
from firmware.terminal.screens import Screen

T = TypeVar("T")
METER = "main"
UNIT = "unit"
"""Who a record names when no person did it: the controller itself."""


class TableStopped(Exception):
    """The journal could not be written: nothing may happen any more."""


class Controller:
    def __init__(
        self,
        table: TableFile,
        hardware: Hardware,
        writer: LedgerWriter,
        state: TableState,
        desk: Desk,
        wall: WallClock,
        screen: Screen,
        fingerprint: str,
        inbox: "asyncio.Queue[object]",
    ) -> None:
        self.table = table
        self.hardware = hardware
        self.state = state
        self.wall = wall
        self.screen = screen
        self.desk = desk
        self.game = HighCardFlush(table.submission)
        self.felt = FeltWatch(table.board, hardware)
        self.effects = Effects(hardware, screen, table.people)
        self.run: RoundRun | None = None
        self.held = False
        self.stopped: str | None = None
        self.permit_unknown = False
        self._writer = writer
        self.fingerprint = fingerprint
        self._inbox = inbox
        self._alarm = Alarm(hardware.clock, inbox)
        self._keys_handled = 0
        self._last_touch_ns = hardware.clock.monotonic_ns()
        self._syncs: list[SyncRequested] = []
        self._ended = False

    # --- the loop -------------------------------------------------------------------------------------------

    async def work(self) -> None:
        await self.start()
        while not self._ended:
            event = await self._inbox.get()
            try:
                await self._handle(event)
            except TableStopped:
                self._stop_and_restand()
            except DeviceFault as fault:
                await self._guarded(self.raise_fault("board", str(fault)))
            self._show()
            self._set_alarm()
            self._answer_syncs()

    async def _handle(self, event: object) -> None:
        if isinstance(event, Tick):
            self._alarm.answered()
        if self.stopped is not None and not isinstance(event, KeyLine | KeyGarbage | SyncRequested | BenchLost):
            return
        match event:
            case Edge():
                self.felt.feed(event)
                await self._felt_moved()
            case Tick():
                await self._felt_moved()
                await self._sign_off_idle()
            case KeyLine():
                self._keys_handled += 1
                await self._key(event.text)
            case KeyGarbage():
                self._keys_handled += 1
                self.screen.say("refused", event.reason)
            case KeypadLost():
                await self.raise_fault("keypad-lost", "")
            case KeypadFound():
                await self.clear_fault("keypad-lost", "")
            case CardDrawn():
                await self._card_drawn(event)
            case ShoeFault():
                await self.raise_fault("shoe", event.kind)
            case SyncRequested():
                self._syncs.append(event)
            case BenchLost():
                self._ended = True

    def _show(self) -> None:
        self.screen.show(self.status())

    def status(self) -> Any:
        chips = {seat: self.felt.chip(seat) for seat in self.hardware.sensors}
        return table_status(self.table.table_id, self.game.rulebook.title, self.state, self.run, chips, self.prompt())

    def prompt(self) -> Prompt | None:
        return prompt_for(self)

    def _set_alarm(self) -> None:
        now_ns = self.hardware.clock.monotonic_ns()
        wakes = [] if self.stopped is not None else [self.felt.wake_at_ns(now_ns), self._signs_off_at_ns()]
        self._alarm.set([wake_ns for wake_ns in wakes if wake_ns is not None], now_ns)

    def _answer_syncs(self) -> None:
        """Once all that was keyed, and all that the time gone by decides, is done."""
        if self._alarm.overdue or self._alarm.queued:
            return
        waiting = []
        for sync in self._syncs:
            if sync.keys <= self._keys_handled and self.hardware.bench is not None:
                self.hardware.bench.ack(sync.id)
            else:
                waiting.append(sync)
        self._syncs = waiting

    # --- the journal ----------------------------------------------------------------------------------------

    async def commit(self, records: Sequence[NewRecord], checkpoint: bool = False) -> tuple[Record, ...]:
        """On the disk, and then part of what the table knows; or the table stops."""
        try:
            written = await asyncio.wrap_future(self._writer.submit(records, self.wall.now_text(), checkpoint))
        except JournalFault as fault:
            self.stopped = fault.message
            raise TableStopped(fault.message) from None
        for record in written:
            self.state.apply(record)
        return written

    async def note(self, type: str, body: dict[str, Any], person: str | None = None) -> None:
        """A record outside the round's script."""
        number = self.run.table.facts.number if self.run is not None else None
        await self.commit([NewRecord(type, person or self.state.dealer or UNIT, body, number)])

    def _stop_and_restand(self) -> None:
        """What was not recorded did not happen: the round goes back to its records."""
        self.screen.say("fault", f"{self.stopped}. The table is stopped; when it is mended, key: retry")
        self._stand_on_records()

    def _stand_on_records(self) -> None:
        self.run = rerun_records(self._round_game(), self.state.open_round) if self.state.open_round else None

    def _round_game(self) -> HighCardFlush:
        """The game as the table file said when the open round was begun, which need not be today's."""
        if self.state.round_files == self.state.files:
            return self.game
        try:
            return HighCardFlush(load_copy(*self.state.round_files).submission)
        except ConfigError as error:
            raise ReplayDiffers(f"its table file is refused today: {error.problems[0]}") from None

    async def retry(self) -> None:
        """After a stop: try the journal again. Otherwise: ask the shoe once more what became of its permit."""
        if self.stopped is None:
            await self._ask_shoe()
            return
        self._writer.reset()
        self.stopped = None
        await self.note("retried", {})
        self.screen.say("told", "the journal is written again")
        await self.take_up()
        await self._felt_moved()

    async def _guarded(self, action: Any) -> None:
        try:
            await action
        except TableStopped:
            self._stop_and_restand()

    # --- faults ---------------------------------------------------------------------------------------------

    async def raise_fault(self, code: str, detail: str) -> None:
        if (code, detail) in self.state.faults:
            return
        await self.note(rec.FAULT_RAISED, {"code": code, "detail": detail}, UNIT)
        self.screen.say("fault", self.state.faults[code, detail].line())

    async def clear_fault(self, code: str, detail: str, person: str = UNIT) -> None:
        if (code, detail) in self.state.faults:
            await self.note(rec.FAULT_CLEARED, {"code": code, "detail": detail}, person)
            self.screen.say("told", f"fault {code} {detail} is cleared".replace("  ", " "))

    async def clear_by_itself(self, code: str) -> None:
        for known, detail in list(self.state.faults):
            if known == code and KINDS[code].cleared_by == ITSELF:
                await self.clear_fault(code, detail)

    # --- starting -------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Stand where the records leave the table, then look at the hardware, then speak."""
        await self._start_meter()
        await self.take_up()
        if self.wall.trusted:
            await self.clear_fault("clock", "")
        else:
            await self.raise_fault("clock", "")
        for where in self.effects.test_lamps():
            await self.raise_fault("lamp", where)
        await self._felt_moved()
        self.hardware.keypad.start()
        self._show()
        self._set_alarm()

    async def _start_meter(self) -> None:
        """A new meter gets its initial amount; changed terms of an old one are recorded with what they were."""
        for meter, terms in self.table.submission.meters.items():
            body: dict[str, Any] = {"meter": meter} | terms_json(terms)
            known = self.state.meter_terms.get(meter)
            if known is None:
                await self.commit([NewRecord(rec.METER_STARTED, UNIT, body, None, start_meter(meter, terms))])
            elif known != body:
                await self.note(rec.METER_TERMS, body | {"was": known}, UNIT)

    async def take_up(self) -> None:
        """From the records and from levels alone: what was seen in between may be lost."""
        if self.state.open_round:
            await self._take_up_round()
        await self._release_old_permit()
        locked = self.run is not None and self.run.table.locked_out
        self.felt.begin(self.state.must_clear, betting=self.run is not None and not locked and not self.held)

    async def _take_up_round(self) -> None:
        opened = self.state.open_round[0]
        adopted = [record.fingerprint for record in self.state.open_round if record.type == rec.ROUND_ADOPTED]
        if self.fingerprint not in (opened.fingerprint, *adopted):
            self.held = True
        try:
            self._stand_on_records()
        except ReplayDiffers as difference:
            self.held, self.run = True, None
            await self.raise_fault("replay", f"round {opened.round}")
            self.screen.say("fault", str(difference))
            return
        if not self.held:
            await self._ask_shoe()
            self.screen.say("told", f"round {opened.round} goes on where it stood")

    async def _ask_shoe(self) -> None:
        """What became of the permit while we were away; cards that came out meanwhile are taken in now."""
        permit = self.effects.open_permit(self.run)
        shoe = self.hardware.shoe
        if permit is None or shoe is None:
            return
        report = await self._from_shoe(shoe.became_of(permit.number))
        if report is None:
            return
        if report.state == "unknown":
            self.permit_unknown = True
            self.screen.say("fault", f"the shoe does not know permit {permit.number}: say what lies on the felt")
            return
        for index, card in enumerate(report.drawn):
            await self._card_drawn(CardDrawn(permit.number, index, card))

    async def _release_old_permit(self) -> None:
        """A permit whose cards are all recorded, or whose round is over, may have missed its acknowledgement."""
        last = self.state.next_permit - 1
        if self.hardware.shoe is not None and last and not self.held and self.effects.open_permit(self.run) is None:
            await self._from_shoe(self.hardware.shoe.acknowledge(last))

    async def _from_shoe(self, question: Awaitable[T]) -> T | None:
        """What the shoe answers, or None after its silence was raised as a fault; `retry` asks again."""
        try:
            answer = await question
        except DeviceFault as fault:
            await self.raise_fault("shoe-silent", str(fault))
            return None
        await self.clear_by_itself("shoe-silent")
        return answer

    # --- the felt -------------------------------------------------------------------------------------------

    async def _felt_moved(self) -> None:
        """Not before every edge that has arrived is taken in: while a slow disk held us up, some may have queued."""
        if await self._edges_wait():
            return
        now_ns = self.hardware.clock.monotonic_ns()
        for change in self.felt.changes(now_ns):
            await change.record(self)
        await self.light()
        if await self._edges_wait():
            return
        readings = self.felt.lock_out(now_ns)
        if readings is not None and self.run is not None:
            event = LockedOut(tuple(sorted((seat, str(found.reading)) for seat, found in readings.items())))
            stamps = {
                str(seat): {"changed_ns": found.changed_ns, "pressed_ns": found.pressed_ns}
                for seat, found in sorted(readings.items())
            }
            await self.play(event, self.state.dealer or UNIT, {"stamps": stamps})
            if self.run is not None and not self.run.table.locked_out:
                self.felt.open_betting()  # the procedure did not take the press: bets are as open as before
            for seat, found in readings.items():
                if found.reading in ("contradiction", "stuck"):
                    code = "sensor" if found.reading == "contradiction" else "sensor-stuck"
                    await self.raise_fault(code, f"seat {seat}")
        await self.light()

    async def _edges_wait(self) -> bool:
        await asyncio.sleep(0)  # what a reader has posted is now in the inbox
        if self._inbox.qsize() == int(self._alarm.queued):
            return False
        self._alarm.ring_now()
        return True

    async def light(self) -> None:
        for where in self.effects.light(self.felt, self.run):
            await self.raise_fault("lamp", where)

    async def _card_drawn(self, drawn: CardDrawn) -> None:
        if self.held:
            return  # the shoe keeps it until the round is finished or voided
        permit = self.effects.open_permit(self.run)
        if permit is None or drawn.permit != permit.number or drawn.index > permit.drawn:
            await self.raise_fault("shoe-sequence", f"permit {drawn.permit} card {drawn.index + 1}")
            return
        if drawn.index < permit.drawn:
            return
        await self.clear_by_itself("shoe")
        await self.play(CardDealt(drawn.card), self.state.dealer or UNIT)

    # --- keys -----------------------------------------------------------------------------------------------

    def _signs_off_at_ns(self) -> int | None:
        """When a dealer who touches nothing between rounds is signed off."""
        if self.state.dealer is None or self.run is not None:
            return None
        return self._last_touch_ns + self.table.people.sign_in_timeout_seconds * 1_000_000_000

    async def _sign_off_idle(self) -> None:
        due_ns = self._signs_off_at_ns()
        if due_ns is not None and self.hardware.clock.monotonic_ns() >= due_ns and self.stopped is None:
            dealer = self.state.dealer
            await self.note(rec.SIGNED_OFF, {"why": "no touch"}, dealer)
            self.screen.say("told", f"{dealer} is signed off: no touch for a long time")

    async def _key(self, text: str) -> None:
        self._last_touch_ns = self.hardware.clock.monotonic_ns()
        try:
            command = parse_line(text)
        except KeySpelling as error:
            self.screen.say("refused", str(error))
            return
        await self.desk.take(self, command)

    async def refuse(self, refusal: Refusal, person: str, what: str) -> None:
        self.screen.say("refused", refusal.message, refusal.clause)
        if self.stopped is None:
            body = {"what": what, "why": refusal.message, "clause": refusal.clause}
            await self.note(rec.REFUSED, body, person)

    # --- the round ------------------------------------------------------------------------------------------

    async def confirm(self, person: str) -> None:
        prompt = self.prompt()
        if prompt is not None and prompt.state == "loading":
            await self._open_round(person)
            return
        step = self.run.step if self.run is not None and prompt is None else None
        if step is None or step.confirm is None:
            says = step.says if step is not None else prompt.says if prompt is not None else ""
            await self.refuse(Refusal(f"there is nothing to confirm. Next: {says}"), person, "confirm")
            return
        await self.play(step.confirm, person)

    async def _open_round(self, person: str) -> None:
        state = self.state
        every = self.table.submission.stub_count_every
        facts = RoundFacts(
            number=state.rounds_played + 1,
            meter_units=state.meters.balance("meter", METER),
            stub_count_due=not self.table.submission.shuffler_counts and state.rounds_since_stub_count + 1 >= every,
            shoe_reads=self.hardware.shoe is not None,
            next_permit=state.next_permit,
        )
        run = RoundRun(self.game, facts)
        decisions = run.feed(state.head + 2, ShoeLoaded())
        deck = state.deck.name if state.deck else None
        opening = NewRecord(rec.ROUND_OPENED, person, {"facts": facts_json(facts), "deck": deck}, facts.number)
        await self.commit([opening, event_record(ShoeLoaded(), decisions, run, person, {})])
        self.run = run
        self.felt.open_betting()
        await self.light()

    async def play(self, event: Event, person: str, extra: dict[str, Any] | None = None) -> None:
        """Let an event happen in the round, or say why not."""
        run = self.run
        if run is None:
            await self.refuse(Refusal("no round is open"), person, event.kind)
            return
        refusal = self._verify(run, event)
        if refusal is not None:
            await self.refuse(refusal, person, event.kind)
            return
        decisions = run.feed(self.state.head + 1, event)
        body = dict(extra or {})
        if run.finished:
            body["must_clear"] = sorted(self.felt.never_cleared())
        await self.commit([event_record(event, decisions, run, person, body)], checkpoint=run.finished)
        self.effects.noted(event)
        await self._after(run, decisions)

    def _verify(self, run: RoundRun, event: Event) -> Refusal | None:
        if isinstance(event, HitVerified) and not self.hardware.seat_lamps[event.seat].lit():
            clause = self.game.rulebook.clause("11.B.9.b")
            return Refusal(f"seat {event.seat}'s light is not on: call a floorperson", clause)
        refusal = run.verify(event)
        if refusal is None and isinstance(event, FeltStated) and not self.permit_unknown:
            return Refusal("the shoe knows what it has dealt: draw on", self.game.rulebook.clause("08.E"))
        return refusal

    async def _after(self, run: RoundRun, decisions: tuple[Decision, ...]) -> None:
        """Now it is real: tell, light, and let the shoe act."""
        for decision in decisions:
            self.effects.tell(decision)
        if run.finished:
            self.run = None
        self.permit_unknown = False
        await self.light()
        await self._from_shoe(self.effects.shoe_permits(run, decisions))

    async def correct(self, correction: Correction, person: str) -> None:
        if self.run is None:
            await self.refuse(Refusal("no round is open"), person, "correct")
            return
        try:
            after = correct(self.run, correction, self.state.head + 1)
        except RuleError as error:
            await self.refuse(error.refusal, person, "correct")
            return
        await self.commit([correction_record(self.run, after, correction, person)])
        self.run = after
        self.screen.say("told", f"corrected: {correction.reason}")
        for seat, difference in sorted(after.table.differences.items()):
            self.screen.say("fault", f"seat {seat} was settled before: {difference}")
