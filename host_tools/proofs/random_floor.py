"""A dealer, players and a floorperson who play random rounds at a watched table, one touch at a time.

They look at the screen and do what it asks for. What they did and saw goes to the bookkeeper; a touch that was
lost in a power cut is simply done again, as people do.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.controller.table_state import ROUND_EVENT
from firmware.devices.pin_names import seat_sensor_name
from firmware.devices.simulated_bench import PRESS_NS
from firmware.devices.simulated_shoe import GateShut
from firmware.rules.cards import DECK, Card, card_text
from host_tools.proofs.bookkeeper import Seen
from host_tools.proofs.watched_table import BY_FLOORPERSON, MILLISECOND, SECOND, WatchedTable

SEATS = range(1, 7)
VOID = "MD-HCF-13.D"


class Action(NamedTuple):
    """Something that people do at one stroke; `send` does it and waits for nothing."""

    name: str
    send: Callable[[], None]


@dataclass
class Plan:
    """What this round's players have in mind."""

    wagers: list[str]
    antes: set[int]
    chips: set[int]
    late: set[int]
    answers: dict[int, bool]
    """For a chip without an Ante on record: whether one lies there."""
    voids: str | None
    refuses: bool
    corrected: set[int] = field(default_factory=set)

    @property
    def in_play(self) -> list[int]:
        return sorted(self.antes | {seat for seat, down in self.answers.items() if down})


class RandomFloor:
    def __init__(self, table: WatchedTable, seen: Seen, seed: int) -> None:
        self._table = table
        self._bench = table.bench
        self._seen = seen
        self._random = random.Random(seed)
        self._plan = self._new_plan()
        self._on_felt: set[int] = set()
        self._decks = 0

    # --- plans ----------------------------------------------------------------------------------------------

    def _new_plan(self) -> Plan:
        chance = self._random
        antes = set(chance.sample(SEATS, chance.randint(1, 3)))
        wagers = []
        for seat in sorted(antes):
            wagers.append(f"seat {seat} ante 10")
            if chance.random() < 0.4:
                wagers.append(f"seat {seat} flush 5")
        chips = {seat for seat in antes if chance.random() < 0.8}
        others = sorted(set(SEATS) - antes)
        answers = {seat: chance.random() < 0.5 for seat in others if chance.random() < 0.1}
        late = {seat for seat in others if seat not in answers and chance.random() < 0.2}
        return Plan(
            wagers, antes, chips | set(answers), late, answers,
            chance.choice(("counting", "dealing", "stub")) if chance.random() < 0.1 else None,
            chance.random() < 0.2,
        )  # fmt: skip

    def _stacked_deck(self) -> list[Card]:
        """Shuffled, with a run for one player, so that hits are not as rare as in life."""
        chance, places = self._random, len(self._plan.in_play) + 1
        deck = chance.sample(DECK, len(DECK))
        lucky, suit, length = chance.randrange(places - 1), chance.randrange(4), chance.choice((3, 5, 5, 6, 6, 7))
        lowest = chance.randint(0, 13 - length)
        for number in range(length):
            at, other = lucky + number * places, deck.index(Card(4 * (lowest + number) + suit))
            deck[at], deck[other] = deck[other], deck[at]
        return deck

    # --- what is asked for ----------------------------------------------------------------------------------

    def next_action(self) -> Action:
        status = self._table.status
        state = status["state"]
        if self._plan.voids == state and status["locked"] and self._random.random() < 0.3:
            self._plan.voids = None
            return self._keyed(f"{BY_FLOORPERSON} void {VOID} cards exposed")
        act = ACTS.get(state)
        if act is not None:
            return act(self)
        if status["confirm"]:
            return self._keyed("confirm")
        raise RuntimeError(f"nobody knows what to do at {state!r}: {status['says']}")

    def _keyed(self, line: str) -> Action:
        return Action(line.removeprefix(f"{BY_FLOORPERSON} ").split()[0], lambda: self._table.table.key(line))

    def _open_deck(self) -> Action:
        self._decks += 1
        return self._keyed(f"deck red-{self._decks}")

    def _load(self) -> Action:
        self._plan = self._new_plan()
        self._bench.shoe.load(self._stacked_deck())
        self._lift_all()

        def send() -> None:
            self._bench.advance(SECOND)
            self._table.table.key("confirm")

        return Action("load", send)

    def _bet(self) -> Action:
        known = {seat["seat"]: seat["wagers"] for seat in self._table.status["seats"]}
        for line in self._plan.wagers:
            _, seat, wager, _ = line.split()
            if {"ante": "ante", "flush": "flush_bonus"}[wager] not in known[int(seat)]:
                return self._keyed(line)
        return Action("lock-out", self._press)

    def _press(self) -> None:
        """Chips come early, or within milliseconds of the press and are reported after it, or come late."""
        bench, chance = self._bench, self._random
        bench.advance(SECOND)
        coming = sorted(self._plan.chips - self._on_felt)
        for seat in [seat for seat in coming if chance.random() < 0.4]:
            bench.chip_down(seat)
            self._on_felt.add(seat)
        bench.advance(SECOND)
        self._seen.in_time[self._table.status["round"]] = {
            seat for seat in self._on_felt | set(coming) if self._plan.answers.get(seat, seat in self._plan.antes)
        }
        bench.press_lockout(hold_ns=None)
        pressed_ns = bench.now_ns()
        bench.advance(5 * MILLISECOND)
        for seat in chance.sample(coming, len(coming)):
            if seat not in self._on_felt:
                self._touch(seat, pressed_ns - chance.randint(2, 9) * MILLISECOND)
        for seat in sorted(self._plan.late - self._on_felt):
            self._touch(seat, pressed_ns + chance.randint(-1, 4) * MILLISECOND)
        bench.advance(PRESS_NS)
        bench.release_lockout()
        bench.advance(SECOND)

    def _touch(self, seat: int, at_ns: int) -> None:
        self._bench.raw_edges(seat_sensor_name(seat), [(True, at_ns)])
        self._on_felt.add(seat)

    def _answer(self) -> Action:
        seat = self._table.status["seat"]
        return self._keyed(f"{'ante' if self._plan.answers.get(seat, False) else 'no-ante'} {seat}")

    def _count(self) -> Action:
        accepted = self._table.status["accepted"]

        def send() -> None:
            self._lift_all()
            self._bench.advance(SECOND)
            self._table.table.key(f"count {accepted}")

        return Action("count", send)

    def _lift_all(self) -> None:
        for seat in sorted(self._on_felt):
            self._bench.chip_up(seat)
        self._on_felt.clear()

    @property
    def drawn(self) -> list[str]:
        return self._seen.drawn.setdefault(self._table.status["round"], [])

    def _draw(self) -> Action:
        def send() -> None:
            try:
                self.drawn.extend(card_text(card) for card in self._bench.draw())
            except GateShut:
                self._table.table.key("show")  # the shoe waits for the controller; look at the screen

        return Action("draw", send)

    def _say_felt(self) -> Action:
        return self._keyed(f"{BY_FLOORPERSON} felt {len(self.drawn)}")

    def _stub(self) -> Action:
        if self._table.status["confirm"] and self._random.random() < 0.8:
            return self._keyed("confirm")
        return self._keyed(f"stub {52 - len(self.drawn)}")

    def _decide(self) -> Action:
        seat = self._table.status["seat"]
        folded = [each["seat"] for each in self._table.status["seats"] if each["folded"]]
        if folded and folded[-1] not in self._plan.corrected and self._random.random() < 0.5:
            self._plan.corrected.add(folded[-1])
            return self._keyed(
                f"correct {self._record_of_fold(folded[-1])} with raise {folded[-1]} 10 because keyed by mistake"
            )
        return self._keyed(f"fold {seat}" if self._random.random() < 0.4 else f"raise {seat} 10")

    def _record_of_fold(self, seat: int) -> int:
        """As the dealer would read it in the list of entries."""
        folds = [
            record.seq
            for record in self._table.records(ROUND_EVENT)
            if record.body["event"] == {"kind": "Folded", "seat": seat}
        ]
        return folds[-1]

    def _turn_up(self) -> Action:
        status = self._table.status
        if status["confirm"]:
            return self._keyed("confirm")
        places = [*self._plan.in_play, None]
        place = places.index(status["seat"])
        cards = " ".join(self.drawn[place :: len(places)])
        return self._keyed(f"dealer {cards}" if status["seat"] is None else f"cards {status['seat']} {cards}")

    def _judge(self) -> Action:
        seat = self._table.status["seat"]
        if self._plan.refuses:
            self._plan.refuses = False
            return self._keyed(f"{BY_FLOORPERSON} refuse {seat} not seen")
        return self._keyed(f"{BY_FLOORPERSON} validate {seat}")

    def _resolve(self) -> Action:
        return self._keyed(f"{BY_FLOORPERSON} resolve {self._table.status['seat']} put right")


ACTS: dict[str, Callable[[RandomFloor], Action]] = {
    "closed": lambda floor: floor._keyed("sign on dealer-1 4711"),
    "no deck": RandomFloor._open_deck,
    "loading": RandomFloor._load,
    "betting": RandomFloor._bet,
    "locked out": RandomFloor._answer,
    "counting": RandomFloor._count,
    "dealing": RandomFloor._draw,
    "permit unknown": RandomFloor._say_felt,
    "stub": RandomFloor._stub,
    "decisions": RandomFloor._decide,
    "reveal": RandomFloor._turn_up,
    "settling": RandomFloor._turn_up,
    "hit pending": RandomFloor._judge,
    "difference": RandomFloor._resolve,
}
