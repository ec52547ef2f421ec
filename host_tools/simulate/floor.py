"""The simulated floorperson and technician: called when the screen, or a fault on it, asks for them."""

import random
import re
from datetime import UTC, datetime, timedelta

from host_tools.simulate.felt import Felt
from host_tools.simulate.staff import Person, Staff
from host_tools.simulate.table_side import TableSide

FELT_CLEARED = "MD-HCF-13.D"
"""A hand without its seven cards voids the round; with the felt cleared, no hand has them."""
_TIME = re.compile(r"records already stand at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC")


class Floor:
    def __init__(self, side: TableSide, felt: Felt, staff: Staff, chance: random.Random) -> None:
        self._side = side
        self._felt = felt
        self._staff = staff
        self._chance = chance
        self._refused: set[tuple[int, int | None]] = set()

    def _decides(self, line: str) -> None:
        """With the key switch turned, and turned back afterwards."""
        floorperson: Person = self._staff.floorperson
        self._side.tell(f"{floorperson.name} comes to the table and turns the key")
        self._side.turn_key(True)
        self._side.by(floorperson, line)
        said = self._side.said
        self._side.turn_key(False)
        self._side.said = said

    def hit(self, seat: int | None) -> None:
        """Most payouts are validated; now and then one is refused once, until surveillance has looked."""
        hit = (self._side.status.round, seat)
        if hit not in self._refused and self._chance.random() < 0.15:
            self._refused.add(hit)
            self._decides(f"refuse {seat} surveillance has not looked yet")
        else:
            self._decides(f"validate {seat}")

    def cut_raise(self, seat: int | None) -> None:
        self._decides(f"cut-raise {seat}")

    def strike(self, seat: int) -> None:
        self._decides(f"strike {seat} no chip was there to collect")

    def resolve(self, seat: int | None) -> None:
        self._decides(f"resolve {seat} put right from the tray")

    def count_felt(self) -> None:
        self._decides(f"felt {self._felt.cards_out()}")

    def take_over_round(self) -> None:
        """A round that an earlier run left open: nobody knows any more what lay on the felt, so it is void.

        Once a seat is settled no round is void, and the table knows all that is left to do.
        """
        self._side.tell("the felt was cleared while nobody was here: the open round cannot be played on")
        held = self._side.status.state == "held"
        self._decides(f"void {FELT_CLEARED} the felt was cleared while the table was off")
        if held and any(said.tone == "refused" for said in self._side.said):
            self.finish_round()

    def finish_round(self) -> None:
        """A round begun under another software or table file, with everything still on the felt."""
        self._decides("finish")

    def set_time(self) -> None:
        """By the wristwatch; where records are ahead of it, by what the table says about them."""
        now = datetime.now(UTC)
        self._set_time(now)
        told = [match[1] for said in self._side.said if (match := _TIME.search(said.text))]
        if told:
            self._set_time(datetime.fromisoformat(told[0]).replace(tzinfo=UTC) + timedelta(minutes=1))

    def _set_time(self, utc: datetime) -> None:
        self._decides(f"set-time {utc.strftime('%Y-%m-%dT%H:%M:%SZ')}")

    def mend(self, code: str, line: str) -> None:
        """A fault that lets no new round begin, as the screen writes it: `code (where): what: what to do`."""
        if code == "clock":
            self.set_time()
        elif code == "door-open":
            self._side.close_door()
        else:
            where = re.match(r"\S+ \((.*?)\): ", line)
            technician = self._staff.technician
            self._side.tell(f"{technician.name} looks after it")
            self._side.by(technician, f"clear-fault {code} {where[1] if where else ''}".strip())
