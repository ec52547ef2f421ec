"""Simulated players: what they put down, and whether they raise, on nothing but their own cards and habits."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from firmware.rules.cards import Card, rank_of, suit_of

NINE = 7
"""Rank number of a nine: three suited cards, nine high, are worth a raise."""
ANTES = (10, 10, 15, 20, 25, 50)
BONUSES = (5, 5, 10, 25)
RAISE_LIMITS = {5: 2, 6: 3, 7: 3}
"""As inscribed on the felt: how many Antes a flush of that length may raise; shorter ones raise one."""


class Chip(Enum):
    NONE = "no progressive chip"
    IN_TIME = "chip down in time"
    LIFTED = "chip down and up again"
    LATE = "chip after no more bets"
    GONE = "chip taken back after lock-out"


CHIP_HABITS = {Chip.NONE: 25, Chip.IN_TIME: 63, Chip.LIFTED: 5, Chip.LATE: 5, Chip.GONE: 2}


@dataclass
class Bet:
    """Whole dollars; 0 where nothing lies."""

    ante: int
    flush: int = 0
    straight: int = 0
    chip: Chip = Chip.NONE
    raised: int = 0


@dataclass
class Player:
    seat: int
    ante: int
    bold: float
    """How often more is tried than the cards are good for."""

    def bet(self, chance: random.Random) -> Bet:
        chip = chance.choices(list(CHIP_HABITS), list(CHIP_HABITS.values()))[0]
        flush = chance.choice(BONUSES) if chance.random() < 0.5 else 0
        straight = chance.choice(BONUSES) if chance.random() < 0.35 else 0
        forgets = chip is Chip.IN_TIME and chance.random() < 0.03
        return Bet(0, chip=chip) if forgets else Bet(self.ante, flush, straight, chip)

    def raises(self, cards: Sequence[Card], ante: int, chance: random.Random) -> int:
        """How much the player pushes forward; 0 for a fold."""
        length, high = best_flush(cards)
        if length < 4 and not (length == 3 and high >= NINE) and chance.random() >= self.bold / 2:
            return 0
        if chance.random() < self.bold:
            return 3 * ante  # whether the hand allows it or not
        return ante * RAISE_LIMITS.get(length, 1)


def best_flush(cards: Sequence[Card]) -> tuple[int, int]:
    """Length and highest rank of the best suit in a hand, as a player counts it."""
    suits = [sorted((rank_of(card) for card in cards if suit_of(card) == suit), reverse=True) for suit in range(4)]
    best = max(suits, key=lambda ranks: (len(ranks), ranks))
    return len(best), best[0] if best else 0


class Players:
    """Who sits where. People come and go between rounds; somebody is always there."""

    def __init__(self, seats: int, chance: random.Random) -> None:
        self._chance = chance
        self.at: dict[int, Player] = {}
        self._seats = range(1, seats + 1)
        for seat in self._seats:
            if chance.random() < 0.8:
                self._sit(seat)

    def _sit(self, seat: int) -> None:
        self.at[seat] = Player(seat, self._chance.choice(ANTES), self._chance.choice((0.02, 0.05, 0.2)))

    def come_and_go(self) -> list[str]:
        """What a bystander would say about it."""
        news = []
        for seat in self._seats:
            if seat in self.at and self._chance.random() < 0.04:
                del self.at[seat]
                news.append(f"the player of seat {seat} leaves")
            elif seat not in self.at and self._chance.random() < 0.2:
                self._sit(seat)
                news.append(f"a player takes seat {seat}")
        if not self.at:
            self._sit(self._chance.choice(self._seats))
        return news

    def bets(self) -> dict[int, Bet]:
        """Everybody's wagers for a round. The first of them always has an Ante: without one there is no round."""
        bets = {seat: player.bet(self._chance) for seat, player in sorted(self.at.items())}
        first = min(bets)
        if not any(bet.ante for bet in bets.values()):
            bets[first] = Bet(self.at[first].ante)
        return bets
