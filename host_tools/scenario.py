"""The one scenario format: what people do at a table, line by line, and what must come of it.

    person dealer-1 dealer 4711          an account, before power comes on
    clock 2026-11-18T10:00:00Z       what the clock chip says; `clock lost` for a dead battery
    power on | power cut | power cut both | power off
    table OLD -> NEW                 the operator edits the table file, for the next power on
    shoe 4c Kd 6s ... | shoe seed 7  cards put into the shoe, top card first
    draw [N]                         the dealer draws cards; refused by the gate: `gate shut` is printed
    jam on | jam off | misread       the shoe's own troubles
    chip 3 [-2 ms] | lift 3 [-2 ms]  a progressive chip, stamped now or that much off now
    edges 3 1@0 0@5 1@9              raw edges of seat 3's sensor, level@milliseconds from now
    lose 3 on                        the sensor's level changes and no edge tells
    lockout [-2 ms]                  the dealer's button
    key-switch on | door open        on/off, open/closed
    wait 50 ms
    key TEXT                         a line at the dealer's keypad
    expect TEXT                      a line printed since the last action (or since power on) contains TEXT
    never TEXT                       no line printed so far contains TEXT
    lamp 3 on                        what the seat's lamp shows

A key line is numbered by the journal: `{entry KIND N}` in it stands for the record of the Nth entry of that kind.
"""

import re
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from firmware.config.table_file import TableFile
from firmware.controller.people import PeopleError, PeopleFile, make_account
from firmware.devices.faults import DeviceFault
from firmware.devices.pin_names import seat_lamp_name, seat_sensor_name
from firmware.devices.simulated_shoe import GateShut
from firmware.rules.cards import CardError, parse_cards
from host_tools.bench_table import DEFAULT_UTC, BenchTable, TableEnded
from host_tools.entries import entry_record

MILLISECOND = 1_000_000
_UNITS = {"us": 1_000, "ms": MILLISECOND, "s": 1_000_000_000, "min": 60 * 1_000_000_000, "h": 3600 * 1_000_000_000}


class ScenarioError(Exception):
    """A line that cannot be done, or whose expectation did not come true."""


class Scenario:
    """Plays lines; `transcript` is what was done and what was answered."""

    def __init__(self, table_file: Path, table: TableFile, state: Path) -> None:
        self._state = state
        self._people = PeopleFile(state / "people.json")
        self._seats = table.board.seats
        self._table_file = table_file
        self._utc: datetime | None = DEFAULT_UTC
        self._bench_table: BenchTable | None = None
        self.transcript: list[str] = []
        self.ended_unasked = False
        self._fresh: list[str] = []

    @property
    def table(self) -> BenchTable:
        if self._bench_table is None:
            raise ScenarioError("the power is off: begin with `power on`")
        return self._bench_table

    def play(self, line: str) -> list[str]:
        """Do one line; gives what was printed."""
        words = line.split("#", 1)[0].split() if not line.startswith("key ") else line.split()
        if not words:
            return []
        verb = words[0]
        action = getattr(self, "_" + verb.replace("-", "_"), None)
        if action is None or verb.startswith("_"):
            raise ScenarioError(f"{verb!r} is no line of a scenario")
        if verb in ("expect", "never"):
            action(line.split(None, 1)[1].strip() if len(words) > 1 else "")
            return []
        if verb == "lamp":
            action(words[1:])
            return []
        self._fresh = []
        action(line[4:].strip() if verb == "key" else words[1:])
        self._collect()
        return self._fresh

    def _collect(self) -> None:
        if self._bench_table is None:
            return
        if self._bench_table.running:
            try:
                self._bench_table.sync()
            except TableEnded as ended:
                self._ended(ended)
                return
        self._keep(self._bench_table.output())

    def close(self) -> None:
        if self._bench_table is not None:
            self._bench_table.close()

    # --- what a line does -----------------------------------------------------------------------------------

    def _person(self, words: list[str]) -> None:
        name, role, pin = _exactly(words, 3, "person NAME ROLE PIN")
        self._people.add(make_account(name, role, pin))

    def _clock(self, words: list[str]) -> None:
        (text,) = _exactly(words, 1, "clock UTC, or clock lost")
        self._utc = None if text == "lost" else datetime.fromisoformat(text)
        if self._bench_table is not None:
            if self._utc is None:
                self._bench_table.bench.rtc.lose_battery()
            else:
                self._bench_table.bench.rtc.set(self._utc)

    def _power(self, words: list[str]) -> None:
        if words == ["on"] and self._bench_table is not None and self._bench_table.running:
            raise ScenarioError("the power is on already")
        if words == ["on"]:
            if self._bench_table is None:
                self._bench_table = BenchTable(self._table_file, self._state, self._seats, utc=self._utc)
            try:
                self._bench_table.start()
            except TableEnded as ended:
                self._ended(ended)
        elif words == ["off"]:
            self.table.end()
        elif words in (["cut"], ["cut", "both"]):
            self.table.cut_power(shoe_too=len(words) == 2)
        else:
            raise ScenarioError("write: power on, power off, power cut, power cut both")

    def _table(self, words: list[str]) -> None:
        """The edited file lies beside the journal; its board file stays where it was."""
        old, arrow, new = " ".join(words).partition(" -> ")
        text = self._table_file.read_text()
        if not arrow or old not in text:
            raise ScenarioError("write: table OLD -> NEW, where OLD stands in the table file")
        named = re.search(r'^board = "(.*?)"', text, re.MULTILINE)
        if named is not None:
            board = (self._table_file.parent / named[1]).resolve()
            text = text.replace(named[0], f'board = "{board}"')
        self._table_file = self._state / "edited-table.toml"
        self._table_file.write_text(text.replace(old, new, 1))
        if self._bench_table is not None:
            self._bench_table.table_file = self._table_file

    def _shoe(self, words: list[str]) -> None:
        if words[:1] == ["seed"]:
            self.table.bench.shoe.load_seeded(int(_exactly(words, 2, "shoe seed N")[1]))
        else:
            self.table.bench.shoe.load(parse_cards(_at_least_one(words)))

    def _draw(self, words: list[str]) -> None:
        for _ in range(int(words[0]) if words else 1):
            try:
                self.table.bench.draw()
            except GateShut:
                self._keep(["gate shut"])
                return
            if self.table.running:
                self.table.sync()

    def _jam(self, words: list[str]) -> None:
        self.table.bench.shoe.jam(_on(words, "jam on, or jam off"))

    def _misread(self, words: list[str]) -> None:
        self.table.bench.shoe.misread_next()

    def _chip(self, words: list[str]) -> None:
        self.table.bench.chip_down(self._seat(words), self._stamp(words[1:]))

    def _lift(self, words: list[str]) -> None:
        self.table.bench.chip_up(self._seat(words), self._stamp(words[1:]))

    def _edges(self, words: list[str]) -> None:
        edges = []
        for word in words[1:]:
            match = re.fullmatch(r"([01])@(-?\d+)", word)
            if match is None:
                raise ScenarioError("write: edges SEAT 1@0 0@5 1@9")
            edges.append((match[1] == "1", self.table.bench.now_ns() + int(match[2]) * MILLISECOND))
        self.table.bench.raw_edges(seat_sensor_name(self._seat(words)), edges)

    def _lose(self, words: list[str]) -> None:
        self.table.bench.lose_edge(seat_sensor_name(self._seat(words)), _on(words[1:], "lose SEAT on"))

    def _lockout(self, words: list[str]) -> None:
        self.table.bench.press_lockout(self._stamp(words))

    def _key_switch(self, words: list[str]) -> None:
        self.table.bench.turn_key(_on(words, "key-switch on, or key-switch off"))
        self.table.bench.advance(50 * MILLISECOND)

    def _door(self, words: list[str]) -> None:
        if words not in (["open"], ["closed"]):
            raise ScenarioError("write: door open, or door closed")
        self.table.bench.door(words == ["open"])
        self.table.bench.advance(50 * MILLISECOND)

    def _wait(self, words: list[str]) -> None:
        self.table.bench.advance(_duration(words))

    def _key(self, text: str) -> None:
        def number(match: re.Match[str]) -> str:
            found = entry_record(self._state, match[1], int(match[2]))
            if found is None:
                raise ScenarioError(f"the open round has no entry {match[1]} number {match[2]}")
            return str(found)

        self.table.key(re.sub(r"\{entry (\w+) (\d+)\}", number, text))

    def _expect(self, text: str) -> None:
        if not any(text in line for line in self._fresh):
            printed = "\n    ".join(self._fresh) or "(nothing)"
            raise ScenarioError(f"expected {text!r}, but this was printed:\n    {printed}")
        self.ended_unasked = False

    def _never(self, text: str) -> None:
        for line in self.transcript:
            if text in line:
                raise ScenarioError(f"{text!r} must never be printed, but was: {line}")

    def _lamp(self, words: list[str]) -> None:
        lit = self.table.bench.lamps()[seat_lamp_name(self._seat(words))]
        if lit != _on(words[1:], "lamp SEAT on"):
            raise ScenarioError(f"the lamp of seat {words[0]} is {'on' if lit else 'off'}")

    def _seat(self, words: list[str]) -> int:
        if not words or not words[0].isdecimal() or not 1 <= int(words[0]) <= self._seats:
            raise ScenarioError(f"which seat? The board has seats 1 to {self._seats}")
        return int(words[0])

    def _stamp(self, words: list[str]) -> int | None:
        return self.table.bench.now_ns() + _duration(words) if words else None

    def _ended(self, ended: TableEnded) -> None:
        self.ended_unasked = True
        self._keep(str(ended).splitlines())

    def _keep(self, lines: list[str]) -> None:
        self._fresh += lines
        self.transcript += lines


def _exactly(words: list[str], count: int, usage: str) -> list[str]:
    if len(words) != count:
        raise ScenarioError(f"write: {usage}")
    return words


def _at_least_one(cards: list[str]) -> list[str]:
    if not cards:
        raise ScenarioError("which cards? Write: shoe 4c Kd 6s ..., or shoe seed N")
    return cards


def _on(words: list[str], usage: str) -> bool:
    if words not in (["on"], ["off"]):
        raise ScenarioError(f"write: {usage}")
    return words == ["on"]


def _duration(words: list[str]) -> int:
    if len(words) != 2 or words[1] not in _UNITS or re.fullmatch(r"[+-]?\d+", words[0]) is None:
        raise ScenarioError("a time is a whole number and a unit: 50 ms")
    return int(words[0]) * _UNITS[words[1]]


def play_file(path: Path, lines: Iterable[str], scenario: Scenario, echo: bool) -> int:
    """Play a script file to its end; one line and status 1 where it does not come true."""
    try:
        for number, raw in enumerate(lines, 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            if echo:
                print(f"$ {line}", flush=True)
            try:
                printed = scenario.play(line)
            except (ScenarioError, CardError, PeopleError, TableEnded, DeviceFault, ValueError) as error:
                print(f"feltlock: {path}:{number}: {line}: {error}", file=sys.stderr)
                return 1
            if echo:
                for answer in printed:
                    print(f"  {answer}", flush=True)
    finally:
        scenario.close()
    if scenario.ended_unasked:
        print(f"feltlock: {path}: the table ended by itself, and the script did not expect it", file=sys.stderr)
        return 1
    return 0
