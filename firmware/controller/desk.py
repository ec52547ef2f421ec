"""Commands at the dealer's keypad: who may give them, and what they set going."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.controller import held_round
from firmware.controller import table_state as rec
from firmware.controller.faults import KINDS
from firmware.controller.key_lines import ACTS, CORRECT_USAGE, ENTRIES, Act, By, Command, Confirm, Correct, Play
from firmware.controller.people import Account, PeopleError, PeopleFile, check_pin
from firmware.devices.faults import DeviceFault
from firmware.rules.procedure.events import DEVICE, FLOORPERSON, CardDealt, RoundVoided, event_json
from firmware.rules.procedure.words import event_words
from firmware.rules.verdicts import Refusal

if TYPE_CHECKING:
    from firmware.controller.controller import Controller

LAST_YEAR = 2099
"""What a clock chip can count to."""


class Desk:
    def __init__(self, people_path: Path) -> None:
        self._people = PeopleFile(people_path)

    async def take(self, table: "Controller", command: Command) -> None:
        if table.stopped is not None and command not in (Act("retry"), Act("show"), Act("help")):
            table.screen.say("fault", f"the table is stopped: {table.stopped}. When it is mended, key: retry")
            return
        if isinstance(command, By):
            account = await self.sign_in(table, command.name, command.pin)
            if account is not None:
                await self._on_word_of(table, account, command.command)
            return
        await self._dealer(table, command)

    # --- who ------------------------------------------------------------------------------------------------

    async def sign_in(self, table: "Controller", name: str, pin: str) -> Account | None:
        """The account, or None after the refusal was shown and recorded. No PIN reaches a record."""
        try:
            accounts = self._people.load()
        except PeopleError as error:
            await table.refuse(Refusal(str(error)), table.state.dealer or "nobody", "sign in")
            return None
        try:
            account = await asyncio.to_thread(check_pin, accounts, name, pin, table.state.failures[name])
        except PeopleError as error:
            await table.note(rec.SIGN_IN_REFUSED, {"name": name[:31]})
            table.screen.say("refused", str(error))
            return None
        if table.state.failures[name]:
            await table.note(rec.PROVED, {}, name)
        return account

    async def _on_word_of(self, table: "Controller", account: Account, command: Command) -> None:
        if account.role == FLOORPERSON and not table.felt.key_turned():
            await table.refuse(Refusal("turn the floorperson's key first"), account.name, "by")
            return
        if isinstance(command, Play) and isinstance(command.event, RoundVoided):
            command = Play(_full_clause(table, command.event))
        if isinstance(command, Play) and account.role == FLOORPERSON and command.event.BY == FLOORPERSON:
            if table.held and isinstance(command.event, RoundVoided):
                await held_round.void(table, command.event, account.name)
            elif not table.held:
                await table.play(command.event, account.name)
            else:
                await table.refuse(Refusal("the held round can be finished or voided"), account.name, "by")
        elif isinstance(command, Correct) and account.role == FLOORPERSON and not table.held:
            await table.correct(command.correction, account.name)
        elif isinstance(command, Act) and (account.role, command.verb) in PERMITTED:
            await PERMITTED[account.role, command.verb](self, table, command, account)
        else:
            await table.refuse(Refusal(f"a {account.role} does not decide that"), account.name, "by")

    async def _dealer(self, table: "Controller", command: Command) -> None:
        if isinstance(command, Act):
            act = DEALER_ACTS.get(command.verb)
            if act is None:
                roles = sorted({role for role, verb in PERMITTED if verb == command.verb})
                message = f"{command.verb} needs a {' or '.join(roles)}: by NAME PIN {command.verb} ..."
                await table.refuse(Refusal(message), table.state.dealer or "nobody", command.verb)
                return
            await act(self, table, command)
            return
        dealer = table.state.dealer
        prompt = table.prompt()
        if dealer is None:
            table.screen.say("refused", "nobody is signed on: sign on NAME PIN")
        elif table.held or (prompt is not None and prompt.state == "permit unknown"):
            says = prompt.says if prompt is not None else ""
            await table.refuse(Refusal(f"not now. Next: {says}"), dealer, "key")
        elif isinstance(command, Confirm):
            await table.confirm(dealer)
        elif isinstance(command, Correct):
            await self._correct(table, command, dealer)
        elif isinstance(command, Play):
            await self._play(table, command, dealer)

    async def _play(self, table: "Controller", command: Play, dealer: str) -> None:
        event = command.event
        if event.BY == FLOORPERSON:
            await table.refuse(Refusal("that takes a floorperson: by NAME PIN ..."), dealer, event.kind)
        elif event.BY == DEVICE:
            await table.refuse(Refusal("the shoe says what it dealt; correct a reading instead"), dealer, event.kind)
        else:
            await table.play(event, dealer)

    async def _correct(self, table: "Controller", command: Correct, dealer: str) -> None:
        """What a device sensed is corrected on a floorperson's word only."""
        target = command.correction.target
        entries = table.run.entries if table.run is not None else []
        sensed = any(entry.seq == target and isinstance(entry.event, CardDealt) for entry in entries)
        if sensed:
            await table.refuse(
                Refusal("a card the shoe read is corrected by a floorperson: by NAME PIN correct ..."),
                dealer,
                "correct",
            )
            return
        await table.correct(command.correction, dealer)

    # --- what -----------------------------------------------------------------------------------------------

    async def _sign_on(self, table: "Controller", command: Act) -> None:
        name, pin = command.words
        if table.state.dealer is not None:
            await table.refuse(
                Refusal(f"{table.state.dealer} is signed on: use relief NAME PIN"), table.state.dealer, "sign on"
            )
            return
        account = await self.sign_in(table, name, pin)
        if account is not None:
            await self._begin_work(table, account)

    async def _begin_work(self, table: "Controller", account: Account) -> None:
        if account.role != "dealer":
            await table.refuse(Refusal(f"{account.name} is a {account.role}, not a dealer"), account.name, "sign on")
            return
        await table.note(rec.SIGNED_ON, {"relieves": table.state.dealer}, account.name)
        table.screen.say("told", f"{account.name} is signed on")

    async def _relief(self, table: "Controller", command: Act) -> None:
        name, pin = command.words
        if table.state.dealer is None:
            await table.refuse(Refusal("nobody is signed on to relieve: sign on NAME PIN"), "nobody", "relief")
            return
        account = await self.sign_in(table, name, pin)
        if account is not None:
            await self._begin_work(table, account)

    async def _sign_off(self, table: "Controller", command: Act) -> None:
        dealer = table.state.dealer
        if dealer is None:
            table.screen.say("refused", "nobody is signed on")
        elif table.run is not None:
            await table.refuse(
                Refusal("a round is open: finish it, or be relieved: relief NAME PIN"), dealer, "sign off"
            )
        else:
            await table.note(rec.SIGNED_OFF, {}, dealer)
            table.screen.say("told", f"{dealer} is signed off")

    async def _deck(self, table: "Controller", command: Act) -> None:
        dealer = table.state.dealer
        if dealer is None:
            table.screen.say("refused", "nobody is signed on: sign on NAME PIN")
        elif table.run is not None:
            await table.refuse(
                Refusal("a deck is changed between rounds", table.game.rulebook.clause("03.C")), dealer, "deck"
            )
        else:
            await table.note(rec.DECK_OPENED, {"deck": command.words[0], "clock_trusted": table.wall.trusted}, dealer)
            table.screen.say("told", f"deck {command.words[0]} is in use", table.game.rulebook.clause("03.C"))

    async def _entries(self, table: "Controller", command: Act) -> None:
        """The entries of the open round by record number, so that one can be corrected; hidden cards stay hidden."""
        for line in entry_lines(table):
            table.screen.say("told", line)

    async def _show(self, table: "Controller", command: Act) -> None:
        table.screen.say("told", table.status().says)

    async def _help(self, table: "Controller", command: Act) -> None:
        for line in key_lines():
            table.screen.say("told", line)

    async def _retry(self, table: "Controller", command: Act) -> None:
        await table.retry()

    async def _set_time(self, table: "Controller", command: Act, account: Account) -> None:
        try:
            when = datetime.fromisoformat(command.words[0])
            if when.tzinfo is None or not 2000 <= when.year <= LAST_YEAR:
                raise ValueError
        except ValueError:
            await table.refuse(Refusal("write the time as 2026-11-18T09:00:00Z"), account.name, "set-time")
            return
        if when < table.wall.not_before:
            latest = table.wall.not_before.strftime("%Y-%m-%d %H:%M:%S UTC")
            await table.refuse(
                Refusal(f"records already stand at {latest}: give a later time"), account.name, "set-time"
            )
            return
        try:
            table.wall.set(when)
        except DeviceFault as fault:  # the time counts; the chip did not take it
            table.screen.say("fault", str(fault))
        await table.note(rec.TIME_SET, {"to": table.wall.now_text()}, account.name)
        await table.clear_fault("clock", "", account.name)

    async def _clear_fault(self, table: "Controller", command: Act, account: Account) -> None:
        code, detail = command.words[0], " ".join(command.words[1:])
        if (code, detail) not in table.state.faults:
            known = ", ".join(f"{code} {detail}".strip() for code, detail in table.state.faults) or "none"
            await table.refuse(
                Refusal(f"there is no fault {code} {detail}: present are {known}".replace(" :", ":")),
                account.name,
                "clear-fault",
            )
        elif KINDS[code].cleared_by != account.role:
            who = KINDS[code].cleared_by
            await table.refuse(Refusal(f"{code} is cleared by {who}: {KINDS[code].do}"), account.name, "clear-fault")
        else:
            await table.clear_fault(code, detail, account.name)

    async def _unlock(self, table: "Controller", command: Act, account: Account) -> None:
        await table.note(rec.UNLOCKED, {"name": command.words[0]}, account.name)
        table.screen.say("told", f"account {command.words[0]} is unlocked")

    async def _finish(self, table: "Controller", command: Act, account: Account) -> None:
        await held_round.finish(table, account.name)


DEALER_ACTS = {
    "sign on": Desk._sign_on,
    "sign off": Desk._sign_off,
    "relief": Desk._relief,
    "deck": Desk._deck,
    "entries": Desk._entries,
    "show": Desk._show,
    "retry": Desk._retry,
    "help": Desk._help,
}
PERMITTED = {
    ("floorperson", "set-time"): Desk._set_time,
    ("floorperson", "finish"): Desk._finish,
    ("technician", "clear-fault"): Desk._clear_fault,
    ("technician", "unlock"): Desk._unlock,
    ("floorperson", "unlock"): Desk._unlock,
}


def _full_clause(table: "Controller", event: RoundVoided) -> RoundVoided:
    """`13.D` is as good as `MD-HCF-13.D`: there is one rulebook at a table."""
    prefix = f"{table.game.rulebook.prefix}-"
    clause = event.clause if event.clause.startswith(prefix) else prefix + event.clause
    return RoundVoided(clause, event.reason)


def entry_lines(table: "Controller") -> list[str]:
    if table.run is None:
        return ["no round is open"]
    return [f"record {entry.seq}: {event_words(event_json(entry.event), hidden=True)}" for entry in table.run.entries]


def key_lines() -> list[str]:
    """Every key there is, as it is written."""
    entries = [usage for usage, _ in ENTRIES.values()]
    return [
        "confirm (or an empty line)",
        *entries,
        *ACTS.values(),
        CORRECT_USAGE,
        "by NAME PIN, before what a floorperson or technician decides",
    ]
