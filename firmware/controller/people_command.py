"""`feltlock people`: the accounts of a table, kept by its technician."""

import getpass
import sys
from pathlib import Path

from firmware.config.problems import ConfigError
from firmware.config.table_file import load_table
from firmware.controller.arguments import Arguments
from firmware.controller.people import ROLES, Account, PeopleError, PeopleFile, check_pin, make_account
from firmware.controller.startup import places_of


def run(args: list[str]) -> int:
    parser = Arguments(prog="feltlock people", description="The accounts of a table.")
    parser.add_argument("table", type=Path, help="the table file")
    parser.add_argument("action", choices=("list", "add", "remove"))
    parser.add_argument("name", nargs="?")
    parser.add_argument("role", nargs="?", choices=ROLES)
    parser.add_argument("--state", type=Path, help="folder of journal and accounts, instead of the board file's")
    options = parser.parse_args(args)
    try:
        file = PeopleFile(places_of(load_table(options.table), options.state).people)
        return _carry_out(file, options.action, options.name, options.role)
    except ConfigError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
    except (PeopleError, OSError) as error:
        print(f"feltlock: {error}", file=sys.stderr)
    except (EOFError, KeyboardInterrupt):
        print("feltlock: nothing changed", file=sys.stderr)
    return 1


def _carry_out(file: PeopleFile, action: str, name: str | None, role: str | None) -> int:
    accounts = file.load()
    if action == "list":
        for account in accounts.values():
            print(f"{account.name:<20} {account.role}")
        return 0
    if name is None or (action == "add" and role is None):
        raise PeopleError("write: feltlock people TABLE add NAME ROLE, or feltlock people TABLE remove NAME")
    _technician(accounts, action, role)
    if action == "remove":
        left = [account for account in accounts.values() if account.role == "technician" and account.name != name]
        if not left:
            raise PeopleError(f"{name} is the last technician: add another first")
        file.remove(name)
        print(f"{name} is removed")
        return 0
    pin = getpass.getpass(f"PIN for {name}: ")
    if getpass.getpass("once more: ") != pin:
        raise PeopleError("the two PINs differ: nothing changed")
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.add(make_account(name, role or "", pin))
    print(f"{name} is added as {role}")
    return 0


def _technician(accounts: dict[str, Account], action: str, role: str | None) -> None:
    """The first account is a technician's and needs nobody's word; every later change needs a technician's PIN."""
    if not any(account.role == "technician" for account in accounts.values()):
        if action != "add" or role != "technician":
            raise PeopleError("the first account of a table is a technician's: add NAME technician")
        return
    name = input("technician: ")
    if check_pin(accounts, name, getpass.getpass("PIN: "), failures=0).role != "technician":
        raise PeopleError(f"{name} is no technician: nothing changed")
