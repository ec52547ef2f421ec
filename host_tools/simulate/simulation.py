"""A whole table: people, felt and controller, one act after the other until somebody says stop."""

import random

from host_tools.bench_table import BenchTable
from host_tools.simulate.betting import Betting
from host_tools.simulate.dealer import BETWEEN_ROUNDS, Dealer
from host_tools.simulate.display import Display
from host_tools.simulate.felt import Felt
from host_tools.simulate.floor import Floor
from host_tools.simulate.pace import Pace
from host_tools.simulate.players import Players
from host_tools.simulate.staff import Staff
from host_tools.simulate.table_side import TableSide

TRIES = 8
"""A step that the table does not leave after so many tries is one that the simulated people do not understand."""
ROUNDS_PER_POWER_CUT = 15
ROUNDS_PER_RELIEF = 10
ACTS_IN_A_ROUND = 45


class Stuck(Exception):
    """One line: where the table stands and does not move on."""


class Simulation:
    def __init__(
        self, table: BenchTable, seats: int, staff: Staff, display: Display, pace: Pace, chance: random.Random
    ) -> None:
        self._table = table
        self._display = display
        self._chance = chance
        self.felt = Felt()
        self.side = TableSide(table, display, pace)
        self._players = Players(seats, chance)
        self._betting = Betting(self.side, self.felt, self._players, chance)
        self._floor = Floor(self.side, self.felt, staff, chance)
        self._dealer = Dealer(self.side, self.felt, self._players, self._betting, self._floor, staff, chance)
        self._round = 0
        self._power_cut_in: int | None = None
        self._relief_in: int | None = None

    def play(self, rounds: int | None) -> None:
        """Power on and play; `rounds` None: until interrupted."""
        self._table.start()
        self._display.open()
        self.side.look()
        if self.side.status.state not in BETWEEN_ROUNDS:
            self._floor.take_over_round()
        tries = 0
        while rounds is None or self.side.rounds_closed < rounds:
            before = self._where()
            self._happenings()
            self._dealer.work(tries)
            tries = 0 if self._where() != before or self._betting.under_way else tries + 1
            if tries >= TRIES:
                raise Stuck(self._stuck_line())
        if self.side.status.state in BETWEEN_ROUNDS and self.side.status.dealer is not None:
            self.side.key("sign off")

    def _where(self) -> tuple[object, ...]:
        status = self.side.status
        return status.round, status.state, status.says, status.seat, status.confirm, status.faults

    def _stuck_line(self) -> str:
        status = self.side.status
        last = self.side.said[-1].text if self.side.said else "nothing"
        return (
            f"the simulated people are stuck in round {status.round}, state {status.state!r}: the screen asks "
            f"{status.who} for {status.says!r} and said last: {last!r}"
        )

    # --- what happens now and then ------------------------------------------------------------------------------

    def _happenings(self) -> None:
        if self.side.status.round != self._round:
            self._round = self.side.status.round
            self._power_cut_in = self._some_act(ROUNDS_PER_POWER_CUT)
            self._relief_in = self._some_act(ROUNDS_PER_RELIEF)
        self._power_cut_in = self._come_closer(self._power_cut_in)
        self._relief_in = self._come_closer(self._relief_in)
        if self._relief_in == 0 and self.side.status.dealer is not None:
            self._dealer.be_relieved()
        if self._power_cut_in == 0:
            self.side.cut_power(shoe_too=self._chance.random() < 0.4)

    def _some_act(self, rounds: int) -> int | None:
        """An act of this round at which it happens, once in so many rounds on average."""
        act = self._chance.randrange(1, ACTS_IN_A_ROUND)
        return act if self._chance.randrange(rounds) == 0 else None

    @staticmethod
    def _come_closer(acts: int | None) -> int | None:
        return None if acts is None or acts == 0 else acts - 1
