"""The dealer's screen as text, held against golden pictures of a few moments."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.status.table_status import FaultStatus, MeterStatus, SeatStatus, TableStatus
from firmware.terminal.screen_text import SAYS_LINES, as_status, draw, fixed_lines, money, without_colour

GOLDENS = Path(__file__).parent / "goldens"
HIDDEN = " ".join(["??"] * 7)
EMPTY = tuple(SeatStatus(seat, False, {}) for seat in range(1, 7))

CLOSED = TableStatus(
    table="pit4-07",
    game="High Card Flush (Maryland)",
    round=0,
    state="closed",
    who="dealer",
    says="Sign on to work at this table",
    clause="",
    keys=("sign on NAME PIN",),
    confirm=False,
    seat=None,
    dealer=None,
    dealer_cards="",
    dealer_hand="",
    locked=False,
    accepted=0,
    seats=EMPTY,
    meters=(MeterStatus("main", 500_000, 0),),
    faults=(FaultStatus("door-open", "door-open: the cabinet door is open: close and lock the door"),),
)
BETTING = replace(
    CLOSED,
    round=12,
    state="betting",
    says="Bets are open. Touch every seat with an Ante, then press lock-out. Antes: seats 1 and 3.",
    clause="MD-HCF-07.D",
    keys=("seat N", "seat N WAGER [$]", "clear N WAGER", "same N M"),
    dealer="d-17",
    seats=(
        SeatStatus(1, True, {"ante": 1000, "flush_bonus": 500}),
        EMPTY[1],
        SeatStatus(3, False, {"ante": None, "straight_flush_bonus": None}),
        *EMPTY[3:],
    ),
    faults=(),
)
DECISIONS = replace(
    BETTING,
    state="decisions",
    says="Seat 3: raise or fold?",
    clause="MD-HCF-11.B",
    keys=("raise 3 [$]", "fold 3"),
    seat=3,
    dealer_cards=HIDDEN,
    locked=True,
    accepted=1,
    seats=(
        SeatStatus(1, True, {"ante": 1000, "flush_bonus": 500, "progressive": 100}, HIDDEN, folded=True),
        EMPTY[1],
        SeatStatus(3, False, {"ante": None}, HIDDEN),
        *EMPTY[3:],
    ),
)
HIT = replace(
    DECISIONS,
    state="hit pending",
    who="floorperson",
    says="Seat 3: validate the progressive payout of $5,000.60, or refuse it",
    clause="MD-HCF-11.B.9.c",
    keys=("validate", "refuse REASON"),
    dealer_cards="Kh Th 8h 6h 3h 7c 2d",
    dealer_hand="five-card flush, king high",
    accepted=2,
    meters=(MeterStatus("main", 500_000, 500_060),),
    seats=(
        DECISIONS.seats[0],
        EMPTY[1],
        SeatStatus(
            3,
            True,
            {"ante": 1000, "raise": 3000, "flush_bonus": 500, "straight_flush_bonus": None, "progressive": 100},
            "6s 7s 8s 9s Ts Js 2c",
            "six-card flush, jack high",
            verdicts=(
                "ante wins $10.00 (1 to 1)",
                "raise is returned",
                "flush bonus wins $500.00 (100 to 1)",
                "straight flush bonus wins 1,000 to 1",
            ),
        ),
        SeatStatus(
            4,
            False,
            {"ante": None, "flush_bonus": 500},
            "2h 4h 9d Jd Qc 5c Ks",
            "two-card flush, jack high",
            folded=True,
            verdicts=("ante loses", "flush bonus loses $5.00"),
        ),
        *EMPTY[4:],
    ),
)
SAID = ("= hit 12/3/1: $5,000.60 set aside [MD-HCF-12.E.1.c.ii]", "! turn the floorperson's key first", "# a fault")
MOMENTS = {"closed": CLOSED, "betting": BETTING, "decisions": DECISIONS, "hit": HIT}
WIDTHS = (0, 1, 2, 3, 4, 5, 8, 13, 20, 33, 40, 60, 79, 80, 81, 100, 120, 121, 400)


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_screen_is_drawn_as_its_golden_picture(moment):
    drawn = draw(MOMENTS[moment], SAID, 80, colour=False)
    assert drawn == (GOLDENS / f"{moment}.txt").read_text(encoding="utf-8").removesuffix("\n")


def test_a_narrow_screen_is_drawn_as_its_golden_picture():
    drawn = draw(HIT, SAID, 40, colour=False)
    assert drawn == (GOLDENS / "hit-40-columns.txt").read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_line_is_as_wide_as_the_terminal_whatever_its_width(moment, width):
    lines = draw(MOMENTS[moment], SAID, width, colour=False).split("\n")
    assert {len(line) for line in lines} == {max(4, min(width, 120))}


@pytest.mark.parametrize("moment", MOMENTS)
def test_six_seats_and_three_lines_said_fit_24_lines_of_80_columns(moment):
    quiet = replace(MOMENTS[moment], faults=())
    assert draw(quiet, SAID, 80).count("\n") + 1 == 24
    assert fixed_lines(quiet) == 24 - len(SAID)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_colour_adds_nothing_to_the_meaning(moment, width):
    coloured = draw(MOMENTS[moment], SAID, width)
    assert coloured != without_colour(coloured)
    assert without_colour(coloured) == draw(MOMENTS[moment], SAID, width, colour=False)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_status_that_came_through_json_is_drawn_the_same(moment):
    status = MOMENTS[moment]
    through = json.loads(json.dumps(status.as_json()))
    assert as_status(through) == status
    assert draw(through, SAID, 80) == draw(status, SAID, 80)


def test_a_long_step_takes_two_lines_and_is_cut_there():
    words = " ".join(f"word{number}" for number in range(60))
    lines = draw(replace(BETTING, says=words), (), 80, colour=False).split("\n")
    assert len(lines) == fixed_lines(BETTING)
    says = lines[2 : 2 + SAYS_LINES]
    assert says[0].startswith("│ ▶ word0 ")
    assert says[-1].endswith("… │")


def test_what_people_typed_cannot_steer_the_terminal():
    drawn = draw(replace(BETTING, says="a\x1b[2Jb"), ("! c\x07\r\nd",), 80, colour=False)
    assert drawn.count("\n") + 1 == fixed_lines(BETTING) + 1
    assert all(char == "\n" or char.isprintable() for char in drawn)


def test_chips_are_called_in_whole_dollars_and_cents_only_where_there_are_some():
    assert [money(cents) for cents in (0, 500, 1050, 500_060, 123_456_700)] == [
        "$0",
        "$5",
        "$10.50",
        "$5,000.60",
        "$1,234,567",
    ]
