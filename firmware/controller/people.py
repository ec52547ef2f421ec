"""Named accounts with PINs. Every record names a person, so nobody works at the table without signing on.

Accounts live apart from table file and journal, in one small file that is replaced whole. PINs are kept as scrypt
hashes. Failures are counted by the journal (they must outlive a restart), so the caller says how many there were.
"""

import hashlib
import hmac
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.ledger.atomic import write_atomically

ROLES = ("dealer", "floorperson", "technician")
FAILURES_ALLOWED = 5
_NAME = re.compile(r"[a-z][a-z0-9-]{1,30}")
_PIN = re.compile(r"\d{4,12}")
_COST = {"n": 2**14, "r": 8, "p": 1}


class PeopleError(Exception):
    """One line: what is wrong with an account or a sign-in, and what to do."""


@dataclass(frozen=True)
class Account:
    name: str
    role: str
    salt: str
    digest: str


def _digest(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), dklen=32, **_COST).hex()


def make_account(name: str, role: str, pin: str) -> Account:
    if _NAME.fullmatch(name) is None:
        raise PeopleError(f"{name!r} is no account name: use 2 to 31 small letters, digits and hyphens")
    if role not in ROLES:
        raise PeopleError(f"{role!r} is no role: choose {', '.join(ROLES)}")
    if _PIN.fullmatch(pin) is None:
        raise PeopleError("a PIN has 4 to 12 digits")
    salt = os.urandom(16).hex()
    return Account(name, role, salt, _digest(pin, salt))


def check_pin(accounts: Mapping[str, Account], name: str, pin: str, failures: int) -> Account:
    """The account, or a refusal that does not tell a wrong name from a wrong PIN."""
    if failures >= FAILURES_ALLOWED:
        raise PeopleError(f"account {name} is locked after {failures} failures: a floorperson or technician unlocks it")
    account = accounts.get(name)
    salt = account.salt if account else "00" * 16
    matches = hmac.compare_digest(_digest(pin, salt), account.digest if account else "")
    if account is None or not matches:
        raise PeopleError("name and PIN do not belong together")
    return account


class PeopleFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, Account]:
        try:
            listed = json.loads(self.path.read_bytes())
            accounts = {item["name"]: Account(**item) for item in listed}
            for account in accounts.values():
                bytes.fromhex(account.salt + account.digest)
            return accounts
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise PeopleError(f"{self.path}: the accounts cannot be read ({error}): restore the file") from None

    def add(self, account: Account) -> None:
        accounts = self.load()
        if account.name in accounts:
            raise PeopleError(f"there is an account {account.name} already: remove it first")
        self._save(accounts | {account.name: account})

    def remove(self, name: str) -> None:
        accounts = self.load()
        if accounts.pop(name, None) is None:
            raise PeopleError(f"there is no account {name}")
        self._save(accounts)

    def _save(self, accounts: Mapping[str, Account]) -> None:
        listed = [vars(account) for _, account in sorted(accounts.items())]
        write_atomically(self.path, json.dumps(listed, indent=1).encode() + b"\n")
