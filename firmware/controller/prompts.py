"""What the table waits for when it is not in the middle of a round, most urgent first."""

from datetime import timedelta
from typing import TYPE_CHECKING

from firmware.controller.faults import NEW_ROUND
from firmware.controller.view import Prompt
from firmware.rules.procedure.betting import loading_words

if TYPE_CHECKING:
    from firmware.controller.controller import Controller


def prompt_for(table: "Controller") -> Prompt | None:
    """None while an open round's own step is the next thing."""
    if table.stopped is not None:
        return Prompt("stopped", f"STOPPED. {table.stopped}", ("retry",))
    if table.held:
        return _held(table)
    if table.state.dealer is None:
        return Prompt("closed", "Sign on to work at this table", ("sign on NAME PIN",))
    if table.run is not None:
        if table.permit_unknown:
            return Prompt(
                "permit unknown",
                "Shoe and table both lost power. Count the cards on the felt; a floorperson confirms the number",
                ("by NAME PIN felt N",),
                table.game.rulebook.clause("08.E"),
            )
        return None
    return _before_a_round(table)


def _held(table: "Controller") -> Prompt:
    void = "by NAME PIN void CLAUSE REASON"
    if table.run is None:
        begun = table.state.open_round[0].fingerprint
        says = f"The open round does not replay. Install the software that began it ({begun}), or have the round voided"
        return Prompt("held", says, (void,))
    says = "The open round was begun under another software or table file. A floorperson finishes or voids it"
    return Prompt("held", says, ("by NAME PIN finish", void))


def _before_a_round(table: "Controller") -> Prompt:
    for fault in table.state.faults.values():
        if fault.kind.stops == NEW_ROUND:
            return Prompt("stopped", f"No new round: {fault.line()}")
    deck = table.state.deck
    clause = table.game.rulebook.clause("03.C.2")
    if deck is None:
        return Prompt("no deck", "Open a deck for this table", ("deck NAME",), table.game.rulebook.clause("03.A"))
    life = timedelta(seconds=table.table.submission.deck_life_seconds)
    if not deck.clock_trusted:
        return Prompt(
            "no deck", f"Deck {deck.name} was opened without a trusted clock: open another", ("deck NAME",), clause
        )
    if table.wall.now() - deck.opened >= life:
        return Prompt("no deck", f"Deck {deck.name} has been in use for {life}: open another", ("deck NAME",), clause)
    says = loading_words(table.table.submission)
    return Prompt("loading", says, (), table.game.rulebook.clause("08.B"), confirm=True)
