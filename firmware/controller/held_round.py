"""A round that was begun under another software or table file: a floorperson finishes it or voids it."""

from typing import TYPE_CHECKING

from firmware.controller import table_state as rec
from firmware.controller.open_round import void_as_recorded
from firmware.rules.procedure.events import RoundVoided
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
    if table.game.rulebook.irregularities.get(event.clause) != "void all":
        await table.refuse(Refusal(f"{event.clause} voids no round"), person, event.kind)
        return
    try:
        record = void_as_recorded(table.state.open_round, event.clause, event.reason, person)
    except RuleError as error:
        await table.refuse(error.refusal, person, event.kind)
        return
    await table.commit([record], checkpoint=True)
    table.run, table.held = None, False
    table.screen.say("told", "the round is void: return every wager", event.clause)
    await table.take_up()
    await table.light()
