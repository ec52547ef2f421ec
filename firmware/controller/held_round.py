"""A round that was begun under another software or table file: a floorperson finishes it or voids it."""

from typing import TYPE_CHECKING

from firmware.controller import table_state as rec
from firmware.controller.open_round import recorded_wagers, void_as_recorded
from firmware.rules.procedure.events import RoundVoided
from firmware.rules.procedure.round import spoken
from firmware.rules.procedure.run import verify_void_clause
from firmware.rules.verdicts import Refusal, RuleError

if TYPE_CHECKING:
    from firmware.controller.controller import Controller


async def finish(table: "Controller", person: str) -> None:
    """The round goes on under what runs today."""
    if not table.held or table.run is None:
        await table.refuse(Refusal("no round is held that could be finished"), person, "finish")
        return
    await table.note(rec.ROUND_ADOPTED, {"fingerprint": table.fingerprint}, person)
    table.held = False
    await table.take_up()


async def void(table: "Controller", event: RoundVoided, person: str) -> None:
    """From its records alone: today's rules may not be able to run it."""
    refusal = verify_void_clause(table.game.rulebook, event.clause)
    if refusal is not None:
        await table.refuse(refusal, person, event.kind)
        return
    try:
        rulebook = table.game.rulebook
        record = void_as_recorded(table.state.open_round, rulebook, event.clause, event.reason, person)
    except RuleError as error:
        await table.refuse(error.refusal, person, event.kind)
        return
    returned = recorded_wagers(table.state.open_round, [])
    await table.commit([record], checkpoint=True)
    table.run, table.held = None, False
    table.screen.say("told", "the round is void: return every wager, progressive chips too", event.clause)
    for seat, wagers in returned.items():
        table.screen.say("told", f"return at seat {seat}: {', '.join(spoken(wager) for wager in wagers)}")
    await table.take_up()
    await table.light()
