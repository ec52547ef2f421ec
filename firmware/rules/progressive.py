"""Progressive arithmetic: what a wager adds, what a hit takes, and the postings that say so."""

from typing import NamedTuple

from firmware.rules.money import UNITS_PER_CENT, Odds, share_of_cents, whole_cents
from firmware.rules.paytable import FixedAward, Line
from firmware.rules.postings import Posting, move, move_cents
from firmware.rules.submission import MeterTerms


class Award(NamedTuple):
    """The money of one progressive line at this moment, and where it comes from."""

    cents: int
    postings: tuple[Posting, ...]


def start_meter(meter: str, terms: MeterTerms) -> tuple[Posting, ...]:
    return move_cents(meter, terms.initial, "seed", "meter")


def contribute(meter: str, terms: MeterTerms, units_now: int) -> tuple[Posting, ...]:
    """One accepted wager: the chip goes to the tray, its rate to the meter, what exceeds the limit to overflow."""
    units = terms.contribution
    onto_meter = max(0, min(units, terms.limit * UNITS_PER_CENT - units_now))
    postings = move_cents(meter, terms.stake, "player", "inventory")
    if onto_meter:
        postings += move(meter, onto_meter, "inventory", "meter")
    if units > onto_meter:
        postings += move(meter, units - onto_meter, "inventory", "overflow")
    return postings


def lock_award(line: Line, units_now: int, reset_cents: int, meter: str) -> Award:
    """Set a winner's money aside, on what the meter shows at that player's turn (MD-HCF-12.E.3).

    A share is cut to whole cents and leaves the meter (notes X-06, MD-15); taking the whole meter brings the
    reset amount, and the fraction of a cent stays. Fixed amounts come out of the tray (note MD-16).
    """
    award = line.award
    if isinstance(award, FixedAward):
        return Award(award.cents, move_cents(meter, award.cents, "inventory", "pending"))
    if isinstance(award, Odds):
        raise TypeError(f"{line.clause} pays odds, not an award from a meter")
    cents = share_of_cents(whole_cents(units_now), award.share)
    postings = move_cents(award.meter, cents, "meter", "pending")
    if award.whole:
        postings += move_cents(award.meter, reset_cents, "seed", "meter")
    return Award(cents, postings)


def pay_award(meter: str, cents: int) -> tuple[Posting, ...]:
    return move_cents(meter, cents, "pending", "paid")
