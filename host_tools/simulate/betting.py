"""From open bets to chips in the tray, as players and dealer do it: one small act after the other."""

import random
from collections import deque
from collections.abc import Callable
from functools import partial

from host_tools.simulate.felt import Felt
from host_tools.simulate.players import Bet, Chip, Players
from host_tools.simulate.table_side import TableSide

Act = Callable[[], None]
LOOKS = 50
"""How often the dealer looks whether the lock-out has been decided, before pressing again."""


class Betting:
    """What is still to be done before lock-out. It survives a power cut, as people's intentions do."""

    def __init__(self, side: TableSide, felt: Felt, players: Players, chance: random.Random) -> None:
        self._side = side
        self._felt = felt
        self._players = players
        self._chance = chance
        self._round = 0
        self._acts: deque[Act] = deque()
        self.bets: dict[int, Bet] = {}

    def go_on(self) -> None:
        if self._side.status.round != self._round:
            self._plan()
        if self._acts:
            self._acts.popleft()()
        else:
            self.lock_out()

    @property
    def under_way(self) -> bool:
        return bool(self._acts)

    def _plan(self) -> None:
        self._round = self._side.status.round
        for news in self._players.come_and_go():
            self._side.tell(news)
        self.bets = self._players.bets()
        amounts = self._chance.random() < 0.7
        chips: list[Act] = []
        keys: list[Act] = []
        lifted: list[Act] = []
        for seat, bet in self.bets.items():
            if bet.chip in (Chip.IN_TIME, Chip.LIFTED, Chip.GONE):
                chips.append(partial(self._chip_down, seat))
            if bet.chip is Chip.LIFTED:
                lifted.append(partial(self._chip_up, seat))
            if bet.ante and (bet.chip is not Chip.IN_TIME or self._chance.random() > 0.03 or len(self.bets) == 1):
                keys += self._keys_for(seat, bet, amounts)
        if self._chance.random() < 0.06:
            keys.append(partial(self._side.key, f"seat {self._chance.choice((0, 8, 9))}"))
        self._acts = deque([*chips, *keys, *lifted, self.lock_out])

    def _keys_for(self, seat: int, bet: Bet, amounts: bool) -> list[Act]:
        lines = [f"seat {seat} ante ${bet.ante}" if amounts else f"seat {seat}"]
        slip = self._chance.random()
        if amounts and slip < 0.02:
            lines.insert(0, f"seat {seat} ante ${bet.ante}00")  # over the posted limit
        elif amounts and slip < 0.04:
            lines[:0] = [f"seat {seat} ante ${bet.ante + 5}", f"clear {seat} ante"]
        elif slip < 0.05:
            lines.insert(0, f"seet {seat}")
        for wager, dollars in (("flush", bet.flush), ("straight", bet.straight)):
            if dollars:
                lines.append(f"seat {seat} {wager} ${dollars}" if amounts else f"seat {seat} {wager}")
        return [partial(self._side.key, line) for line in lines]

    def _chip_down(self, seat: int) -> None:
        self._side.tell(f"seat {seat} puts a progressive chip down", 0.2)
        self._felt.chips.add(seat)
        self._side.chip(seat, True)

    def _chip_up(self, seat: int, why: str = "takes the chip back") -> None:
        self._side.tell(f"seat {seat} {why}", 0.2)
        self._felt.chips.discard(seat)
        self._side.chip(seat, False)

    def lock_out(self) -> None:
        self._side.tell("No more bets! The dealer presses lock-out")
        self._side.press_lockout()
        for _ in range(LOOKS):
            if self._side.status.state != "betting":
                break
            self._side.wait()
        else:
            return
        for seat, bet in self.bets.items():
            if bet.chip is Chip.LATE:
                self._chip_down(seat)
                self._chip_up(seat, "gets the late chip handed back")
            elif bet.chip is Chip.GONE and seat in self._felt.chips:
                self._chip_up(seat, "snatches the chip back after lock-out")

    def answer_ante(self, seat: int) -> None:
        """The dealer looks at the box and says whether an Ante lies there."""
        if seat in self.bets and self.bets[seat].ante:
            self._side.key(f"ante {seat}")
            return
        self._side.key(f"no-ante {seat}")
        if seat in self._felt.chips:
            self._chip_up(seat, "gets the chip handed back")

    def collect(self) -> list[int]:
        """Every chip that a lit lamp tells of goes to the dealer. Gives the seats whose lamp is lit for no chip."""
        lit = [seat.seat for seat in self._side.status.seats if seat.chip]
        for seat in lit:
            if seat in self._felt.chips:
                self._felt.collected.add(seat)
                self._chip_up(seat, "has its chip collected")
        return [seat for seat in lit if seat not in self._felt.collected]

    def clear(self) -> None:
        """What is still on a sensor at the end of a round goes back to its player."""
        for seat in sorted(self._felt.chips):
            self._chip_up(seat)
