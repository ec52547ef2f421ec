"""Accounts and sign-in: PINs are kept as scrypt hashes only, and a refusal tells nothing that helps a guesser."""

import json
import stat
from pathlib import Path

import pytest

from firmware.controller.people import (
    FAILURES_ALLOWED,
    Account,
    PeopleError,
    PeopleFile,
    check_pin,
    make_account,
)
from host_tools.proofs.watched_table import WatchedTable, hire

DEALER_1 = make_account("dealer-1", "dealer", "4711")
ACCOUNTS = {"dealer-1": DEALER_1}


def refusal(name: str, pin: str, failures: int = 0) -> str:
    with pytest.raises(PeopleError) as refused:
        check_pin(ACCOUNTS, name, pin, failures)
    return str(refused.value)


def test_the_right_pin_gives_the_account() -> None:
    assert check_pin(ACCOUNTS, "dealer-1", "4711", 0) == DEALER_1


def test_a_wrong_name_and_a_wrong_pin_are_refused_in_the_same_words() -> None:
    assert refusal("dealer-1", "4712") == refusal("nobody", "4711") == "name and PIN do not belong together"


def test_five_failures_lock_the_account_even_for_the_right_pin() -> None:
    assert check_pin(ACCOUNTS, "dealer-1", "4711", FAILURES_ALLOWED - 1) == DEALER_1
    assert "account dealer-1 is locked after 5 failures" in refusal("dealer-1", "4711", FAILURES_ALLOWED)


def test_a_name_that_does_not_exist_is_locked_in_the_same_words() -> None:
    assert refusal("nobody", "1", 5).replace("nobody", "dealer-1") == refusal("dealer-1", "1", 5)


def test_two_people_with_one_pin_have_different_hashes() -> None:
    assert make_account("rob", "dealer", "4711").digest != DEALER_1.digest


@pytest.mark.parametrize(
    ("name", "role", "pin"),
    [
        ("Dana", "dealer", "4711"),
        ("d", "dealer", "4711"),
        ("dealer-1-" + "x" * 30, "dealer", "4711"),
        ("dealer-1", "owner", "4711"),
        ("dealer-1", "dealer", "471"),
        ("dealer-1", "dealer", "4" * 13),
        ("dealer-1", "dealer", "47a1"),
    ],
)
def test_an_account_that_cannot_be_is_refused_in_one_line(name: str, role: str, pin: str) -> None:
    with pytest.raises(PeopleError) as refused:
        make_account(name, role, pin)
    assert "\n" not in str(refused.value)
    assert pin not in str(refused.value)


def test_the_file_holds_no_pin_and_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    people = PeopleFile(tmp_path / "people.json")
    people.add(make_account("dealer-1", "dealer", "480159"))
    assert b"480159" not in people.path.read_bytes()
    assert stat.S_IMODE(people.path.stat().st_mode) == 0o600
    assert check_pin(people.load(), "dealer-1", "480159", 0).role == "dealer"
    with pytest.raises(PeopleError, match="there is an account dealer-1 already"):
        people.add(DEALER_1)
    people.remove("dealer-1")
    with pytest.raises(PeopleError, match="there is no account dealer-1"):
        people.remove("dealer-1")


GOOD = vars(DEALER_1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"{}{",
        b"[1]",
        b'{"name": 1}',
        json.dumps([{"name": "dealer-1"}]).encode(),
        json.dumps([GOOD | {"salt": "no hex"}]).encode(),
        json.dumps([GOOD | {"digest": "Straße"}]).encode(),
        json.dumps([GOOD | {"salt": None}]).encode(),
        json.dumps([GOOD | {"extra": "x"}]).encode(),
    ],
)
def test_a_people_file_that_cannot_be_read_is_named_in_one_line(content: bytes, tmp_path: Path) -> None:
    people = PeopleFile(tmp_path / "people.json")
    people.path.write_bytes(content)
    with pytest.raises(PeopleError, match="the accounts cannot be read") as refused:
        people.load()
    assert str(people.path) in str(refused.value)
    assert "restore the file" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_people_file_is_no_people(tmp_path: Path) -> None:
    assert PeopleFile(tmp_path / "people.json").load() == {}


def test_accounts_come_back_from_the_file_as_they_were(tmp_path: Path) -> None:
    people = PeopleFile(tmp_path / "people.json")
    people.add(DEALER_1)
    assert people.load() == {"dealer-1": Account(DEALER_1.name, DEALER_1.role, DEALER_1.salt, DEALER_1.digest)}


def test_no_pin_right_or_wrong_reaches_a_byte_of_the_journal(tmp_path: Path) -> None:
    hire(tmp_path)
    PeopleFile(tmp_path / "people.json").add(make_account("pia", "dealer", "730264"))
    table = WatchedTable(tmp_path)
    try:
        table.start()
        table.turn_key()
        table.keys("sign on pia 730265", "sign on pia 730264", "relief pia 730266", "by pia 730267 finish")
        table.keys("by floor-1 730268 void MD-HCF-13.D no", "deck red-1", "730269", "sign on 730270")
        table.keys("correct 5 with sign on pia 730271 because 730272 was wrong")
        assert table.status["dealer"] == "pia"
    finally:
        table.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.name != "people.json")
    assert b"pia" in kept
    for number in range(730264, 730273):
        assert str(number).encode() not in kept


def test_an_unreadable_people_file_is_no_failure_of_the_person(tmp_path: Path) -> None:
    hire(tmp_path)
    people = tmp_path / "people.json"
    whole = people.read_bytes()
    table = WatchedTable(tmp_path)
    try:
        table.start()
        people.write_bytes(whole[:-20])
        for _ in range(FAILURES_ALLOWED + 1):
            (said,) = table.keys("sign on dealer-1 4711")
            assert "the accounts cannot be read" in said
        people.write_bytes(whole)
        assert table.keys("sign on dealer-1 4711") == ["dealer-1 is signed on"]
    finally:
        table.close()
