"""The simulated staff: their accounts at the table, and the PINs they remember between two runs."""

import json
import secrets
from pathlib import Path
from typing import NamedTuple

from firmware.controller.people import PeopleError, PeopleFile, make_account
from firmware.ledger.atomic import write_atomically

ROLES = {"dealer-1": "dealer", "dealer-2": "dealer", "floor-1": "floorperson", "technician-1": "technician"}


class Person(NamedTuple):
    name: str
    pin: str


class Staff(NamedTuple):
    dealer: Person
    relief: Person
    floorperson: Person
    technician: Person


def staff_of(state: Path) -> Staff:
    """The people of an earlier run, or new ones with PINs that nobody has chosen."""
    memory = state / "players.json"
    try:
        pins = json.loads(memory.read_bytes())
        return Staff(*(Person(name, str(pins[name])) for name in ROLES))
    except FileNotFoundError:
        return _hire(state, memory)
    except (ValueError, TypeError, KeyError):
        raise PeopleError(f"{memory}: the simulated staff's PINs cannot be read: remove the file") from None


def _hire(state: Path, memory: Path) -> Staff:
    staff = Staff(*(Person(name, f"{secrets.randbelow(10**6):06}") for name in ROLES))
    people = PeopleFile(state / "people.json")
    for person in staff:
        if person.name in people.load():
            people.remove(person.name)
        people.add(make_account(person.name, ROLES[person.name], person.pin))
    write_atomically(memory, json.dumps(dict(staff), indent=1).encode() + b"\n", mode=0o600)
    return staff
