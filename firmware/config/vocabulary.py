"""The words of a file: every key it may have, and what kind of value each takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Union

ANY = "*"  # a name that the file chooses: a wager, a meter level, a reading, a pin


class Kind(Enum):
    TEXT = "text in quotes"
    NUMBER = "a whole number"
    FLAG = "true or false"
    AMOUNT = "an amount"
    RATE = "a rate"
    DURATION = "a duration"


@dataclass(frozen=True)
class Key:
    """`example` is how a right value looks; for a duration its unit is the one suggested for a bare number."""

    kind: Kind
    example: str = ""
    choices: tuple[str, ...] = ()


Words = Mapping[str, Union[Key, "Words"]]

TEXT = Key(Kind.TEXT)
NUMBER = Key(Kind.NUMBER)
FLAG = Key(Kind.FLAG)
AMOUNT = Key(Kind.AMOUNT, "$5,000")
RATE = Key(Kind.RATE, "24%")


def lasting(example: str) -> Key:
    return Key(Kind.DURATION, example)


def one_of(*choices: str) -> Key:
    return Key(Kind.TEXT, choices=choices)


_METER: Mapping[str, Key] = {
    "rate": RATE,
    "secondary_rate": RATE,
    "initial": AMOUNT,
    "reset": AMOUNT,
    "limit": AMOUNT,
    "stake": AMOUNT,
    "linked": TEXT,
    "fixed_prize": AMOUNT,
}

TABLE_WORDS: Words = {
    "table": {
        "id": TEXT,
        "rulebook": TEXT,
        "board": TEXT,
        "seats": NUMBER,
        "boxes_per_player": NUMBER,
        "layout_reference": TEXT,
        "felt_inscribed": FLAG,
    },
    "cards": {
        "decks": NUMBER,
        "dealing_method": one_of("manual shoe", "hand", "automated shoe", "double shoe", "continuous shuffler"),
        "shuffler": one_of("none", "plain", "counting"),
        "two_decks": FLAG,
        "deck_life": lasting("8 h"),
        "stub_count_every": NUMBER,
        "cut_at_least": NUMBER,
        "automated_order": one_of("dealer first", "dealer last"),
        "device_approval": TEXT,
    },
    "limits": {ANY: {"min": AMOUNT, "max": AMOUNT}},
    "paytables": {ANY: TEXT},
    "payout": {"limit_per_hand": AMOUNT, "limit_per_round": AMOUNT},
    "meters": {ANY: {**_METER, ANY: _METER}},
    "wheel": {"file": TEXT, "mode": one_of("driven", "hand-spun"), "jackpot_symbol": TEXT, "approval": TEXT},
    "game": {
        "ace_low_straight_flush": FLAG,
        "blackjack_pays": TEXT,
        "dealer_hits_soft_17": FLAG,
        "resplits": NUMBER,
        "surrender": FLAG,
        "even_money": FLAG,
        "declared_suit": TEXT,
        "variant": TEXT,
    },
    "confirmed": {ANY: TEXT},
    "people": {
        "surveillance_from": AMOUNT,
        "pit_manager_from": AMOUNT,
        "sign_in_timeout": lasting("60 min"),
    },
    "link": {
        "broker": TEXT,
        "site": TEXT,
        "lock_after": lasting("30 s"),
        "ca_certificate": TEXT,
        "certificate": TEXT,
        "key": TEXT,
    },
}

BOARD_WORDS: Words = {
    "board": {
        "id": TEXT,
        "revision": TEXT,
        "seats": NUMBER,
        "pin_factory": one_of("lgpio", "rpigpio", "mock"),
        "spi_chip_selects": NUMBER,
        "edge_resolution": lasting("1 ms"),
        "settle": lasting("30 ms"),
        "report_delay": lasting("20 ms"),
    },
    "pins": {ANY: {"pin": NUMBER, "pull": one_of("up", "down", "none"), "active": one_of("low", "high")}},
    "shoe": {"kind": one_of("reading", "plain")},
    "clock": {"rtc": TEXT},
    "keypad": {"device": TEXT},
    "storage": {"directory": TEXT, "witness": TEXT},
}
