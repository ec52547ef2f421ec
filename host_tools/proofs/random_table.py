"""A table kept busy: a dealer who does what the screen asks, players who bet at random, decks that hit often.

It touches pins, shoe and keys, and sees the screen. It keeps what a witness in the room would remember: what was
told, and which cards were drawn.
"""

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

from firmware.controller.people import PeopleFile, make_account
from firmware.devices.simulated_shoe import GateShut
from firmware.rules.cards import DECK, Card, parse_cards
from host_tools.bench_table import BenchTable

PIN = "4711"
SETTLE_NS = 200_000_000
HAND = 7
WINNERS = ("6s 7s 8s 9s Ts Js 2d", "5h 6h 7h 8h 9h Th Jh", "3c 4c 5c 9d Jd 2h Qs", "2d 3d 4d 5d Kh Qs 9c")


class RandomTable:
    """`step` does the next thing; the caller decides when the power goes."""

    def __init__(self, table_file: Path, state: Path, seats: int, seed: int, program: tuple[str, ...]) -> None:
        people = PeopleFile(state / "people.json")
        people.add(make_account("dealer-1", "dealer", PIN))
        people.add(make_account("floor-1", "floorperson", PIN))
        self.table = BenchTable(table_file, state, seats, screen="json", program=program)
        self.random = random.Random(seed)
        self.status: dict[str, Any] = {}
        self.accepted_told: Counter[tuple[int, int]] = Counter()
        self.paid_told: Counter[str] = Counter()
        self.drawn: dict[int, list[Card]] = {}
        self._chips: set[int] = set()
        self._seats: list[int] = []
        self._decks = 0

    # --- seeing ---------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Read the screen; what it told is remembered."""
        for line in self.table.output():
            try:
                message = json.loads(line)
            except ValueError:
                continue  # cut off in the middle of a word by the power
            if "status" in message:
                self.status = message["status"]
            else:
                self._remember(message["say"])

    def _remember(self, said: str) -> None:
        accepted = re.fullmatch(r"seat (\d): progressive accepted", said)
        if accepted:
            self.accepted_told[self.status["round"], int(accepted[1])] += 1
        paid = re.fullmatch(r"hit (\S+): \$[\d,.]+ paid", said)
        if paid:
            self.paid_told[paid[1]] += 1

    @property
    def state(self) -> str:
        return str(self.status["state"])

    # --- doing ----------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do what the screen asks for, without waiting for an answer."""
        doing = getattr(self, "_" + self.state.replace(" ", "_"), self._confirm)
        doing()

    def _confirm(self) -> None:
        self.table.key("confirm")

    def _closed(self) -> None:
        self.table.key(f"sign on dealer-1 {PIN}")

    def _no_deck(self) -> None:
        self._decks += 1
        self.table.key(f"deck red-{self._decks}")

    def _loading(self) -> None:
        self._seats = sorted(self.random.sample(range(1, 7), self.random.randint(1, 4)))
        self.table.bench.shoe.load(self._deck())
        self.table.key("confirm")

    def _deck(self) -> list[Card]:
        """A shuffled deck; often one seat's cards are stacked into a winning hand."""
        cards = list(DECK)
        self.random.shuffle(cards)
        if self.random.random() < 0.7:
            places = len(self._seats) + 1
            place = self.random.randrange(len(self._seats))
            for number, card in enumerate(parse_cards(self.random.choice(WINNERS).split())):
                there, here = number * places + place, cards.index(card)
                cards[there], cards[here] = cards[here], cards[there]
        return cards

    def _betting(self) -> None:
        keyed = {seat["seat"] for seat in self.status["seats"] if seat["wagers"]}
        for seat in self._seats:
            if seat not in keyed:
                if self.random.random() < 0.8 and seat not in self._chips:
                    self.table.bench.chip_down(seat)
                    self._chips.add(seat)
                    self.table.bench.advance(SETTLE_NS)
                self.table.key(f"seat {seat} ante $10")
                return
        self.table.bench.press_lockout()
        self.table.bench.advance(SETTLE_NS)

    def _locked_out(self) -> None:
        seat = self.status["seat"]
        self.table.key(f"ante {seat}" if seat else f"seat {self._seats[0]}")

    def _counting(self) -> None:
        for seat in sorted(self._chips):
            self.table.bench.chip_up(seat)
        self._chips.clear()
        self.table.bench.advance(SETTLE_NS)
        self.table.key(f"count {self.status['accepted']}")

    def _dealing(self) -> None:
        try:
            cards = self.table.bench.draw()
        except GateShut:
            self.table.key("retry")
            return
        self.drawn.setdefault(self.status["round"], []).extend(cards)

    def _permit_unknown(self) -> None:
        self.table.bench.turn_key(True)
        self.table.bench.advance(SETTLE_NS)
        out = len(self.drawn.get(self.status["round"], []))
        self.table.key(f"by floor-1 {PIN} felt {out}")

    def _stub(self) -> None:
        if self.status["confirm"]:
            self.table.key("confirm")
        else:
            self.table.key(f"stub {52 - len(self.drawn[self.status['round']])}")

    def _decisions(self) -> None:
        seat = self.status["seat"]
        fold = self.random.random() < 0.2
        self.table.key(f"fold {seat}" if fold else f"raise {seat} $10")

    def _hit_pending(self) -> None:
        self.table.bench.turn_key(True)
        self.table.bench.advance(SETTLE_NS)
        verb = "refuse {} look again" if self.random.random() < 0.25 else "validate {}"
        self.table.key(f"by floor-1 {PIN} " + verb.format(self.status["seat"]))
