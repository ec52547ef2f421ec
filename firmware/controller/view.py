"""The table's state as a screen may show it; hidden cards are left out here."""

from dataclasses import dataclass

from firmware.controller.table_state import TableState
from firmware.rules.cards import cards_text
from firmware.rules.money import whole_cents
from firmware.rules.procedure.round import DEALER_HAND, Round
from firmware.rules.procedure.run import RoundRun
from firmware.rules.procedure.settling import seat_verdicts, verdict_text
from firmware.status.table_status import FaultStatus, MeterStatus, SeatStatus, TableStatus


@dataclass(frozen=True)
class Prompt:
    """What the table waits for when no round's step says so."""

    state: str
    says: str
    keys: tuple[str, ...] = ()
    clause: str = ""
    confirm: bool = False


def table_status(
    table_id: str, game: str, state: TableState, run: RoundRun | None, chips: dict[int, bool], prompt: Prompt | None
) -> TableStatus:
    step = run.step if run is not None and prompt is None else None
    table = run.table if run is not None else None
    if step is not None:
        where = (step.state, step.who, step.says, step.clause, step.keys, step.confirm is not None, step.seat)
    else:
        assert prompt is not None
        where = (prompt.state, "dealer", prompt.says, prompt.clause, prompt.keys, prompt.confirm, None)
    name, who, says, clause, keys, confirm, seat = where
    dealer_up = table is not None and DEALER_HAND in table.face_up
    return TableStatus(
        table=table_id,
        game=game,
        round=state.rounds_played,
        state=name,
        who=who,
        says=says,
        clause=clause,
        keys=keys,
        confirm=confirm,
        seat=seat,
        dealer=state.dealer,
        dealer_cards=_cards(table, DEALER_HAND),
        dealer_hand=table.hand(DEALER_HAND).name if table is not None and dealer_up else "",
        locked=table is not None and table.locked_out,
        accepted=len(table.accepted) if table is not None else 0,
        seats=tuple(_seat(table, seat_number, chip) for seat_number, chip in chips.items()),
        meters=tuple(
            MeterStatus(meter, state.meters.shown(meter), whole_cents(state.meters.balance("pending", meter)))
            for meter in state.meters.meters()
        ),
        faults=tuple(FaultStatus(fault.code, fault.line()) for fault in state.faults.values()),
    )


def _cards(table: Round | None, place: int) -> str:
    if table is None or place not in table.hands:
        return ""
    if place not in table.face_up:
        return cards_text([None] * len(table.hands[place]))
    return cards_text(table.hands[place])


def _seat(table: Round | None, seat: int, chip: bool) -> SeatStatus:
    if table is None:
        return SeatStatus(seat, chip, {})
    shown = seat in table.face_up
    verdicts: tuple[str, ...] = ()
    if shown and DEALER_HAND in table.face_up and table.void_clause is None:
        verdicts = tuple(verdict_text(verdict) for verdict in seat_verdicts(table, seat))
    return SeatStatus(
        seat=seat,
        chip=seat in table.accepted if table.locked_out else chip,
        wagers=dict(table.wagers.get(seat, {})),
        cards=_cards(table, seat),
        hand=table.hand(seat).name if shown else "",
        folded=seat in table.folded,
        verdicts=verdicts,
    )
