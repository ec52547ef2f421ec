"""Who was in time when the dealer pressed lock-out, at every awkward edge."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.controller.lockout import LockOut, Press, PressMeaning, Reading
from firmware.devices.edges import Edge

US = 1_000
MS = 1_000_000
SETTLE = 30 * MS
RESOLUTION = 1 * MS
DELAY = 20 * MS
OPENED = 1_000 * MS
PRESS = 5_000 * MS
BUTTON = "lockout_button"
SENSORS = {"seat_1_sensor": 1, "seat_2_sensor": 2, "seat_3_sensor": 3}
NONE_DOWN = dict.fromkeys(SENSORS.values(), False)


class Table:
    """A lock-out with its lines: keeps the levels that the edges leave behind."""

    def __init__(self, levels: dict[int, bool] | None = None, *, must_clear: Iterable[int] = ()) -> None:
        self.lockout = LockOut(SENSORS, BUTTON, settle_ns=SETTLE, edge_resolution_ns=RESOLUTION, report_delay_ns=DELAY)
        self.levels = {**NONE_DOWN, **(levels or {})}
        self.lockout.begin(self.levels, button_down=False, at_ns=500 * MS, must_clear=must_clear)
        self.lockout.open_betting(OPENED)

    def edge(self, line: str | int, level: bool, at_ns: int, lag_ns: int = 1 * MS) -> None:
        name = line if isinstance(line, str) else f"seat_{line}_sensor"
        if not isinstance(line, str):
            self.levels[line] = level
        self.lockout.feed(Edge(name, level, at_ns, at_ns + lag_ns))

    def press(self, at_ns: int = PRESS) -> None:
        self.edge(BUTTON, True, at_ns)

    def decide(self, at_ns: int = PRESS + 2 * SETTLE + DELAY) -> dict[int, Reading]:
        return {seat: found.reading for seat, found in self.lockout.decide(self.levels, at_ns).items()}


def test_a_chip_that_stood_before_the_press_is_in_time_and_the_others_are_absent() -> None:
    table = Table()
    table.edge(2, True, 3_000 * MS)
    table.press()
    assert table.decide() == {1: Reading.ABSENT, 3: Reading.ABSENT, 2: Reading.IN_TIME}


def test_a_chip_after_the_press_is_late() -> None:
    table = Table()
    table.press()
    table.edge(1, True, PRESS + 5 * MS)
    assert table.decide()[1] == Reading.LATE


@pytest.mark.parametrize(
    ("before_ns", "reading"),
    [
        (RESOLUTION + 1, Reading.IN_TIME),
        (RESOLUTION, Reading.LATE),
        (1, Reading.LATE),
        (0, Reading.LATE),
        (-1, Reading.LATE),
    ],
)
def test_a_chip_within_the_edge_resolution_of_the_press_is_late(before_ns: int, reading: Reading) -> None:
    table = Table()
    table.edge(1, True, PRESS - before_ns)
    table.press()
    assert table.decide()[1] == reading


@pytest.mark.parametrize(
    ("before_ns", "reading"),
    [
        (RESOLUTION + 1, Reading.LIFTED),
        (RESOLUTION, Reading.IN_TIME),
        (0, Reading.IN_TIME),
        (-40 * MS, Reading.IN_TIME),
    ],
)
def test_a_lift_within_the_edge_resolution_comes_too_late_to_take_the_wager_back(
    before_ns: int, reading: Reading
) -> None:
    table = Table()
    table.edge(1, True, 3_000 * MS)
    table.press()
    table.edge(1, False, PRESS - before_ns)
    assert table.decide()[1] == reading


def test_a_chip_lifted_long_before_the_press_is_lifted() -> None:
    table = Table()
    table.edge(1, True, 2_000 * MS)
    table.edge(1, False, 3_000 * MS)
    for at_ns in range(3_100, 4_900, 100):
        table.edge(2, at_ns % 200 == 0, at_ns * MS)
    table.press()
    assert table.decide()[1] == Reading.LIFTED


def test_a_chip_taken_away_before_betting_opened_is_absent_not_lifted() -> None:
    table = Table({1: True})
    table.edge(1, False, OPENED - 1)
    table.press()
    assert table.decide()[1] == Reading.ABSENT


def test_a_chip_present_at_start_up_counts_by_level() -> None:
    table = Table({3: True})
    table.press()
    readings = table.lockout.decide(table.levels, PRESS + SETTLE + DELAY)
    assert readings[3].reading == Reading.IN_TIME
    assert readings[3].changed_ns is None
    assert readings[3].pressed_ns == PRESS


def test_a_wobble_across_the_press_leaves_the_chip_in_time() -> None:
    table = Table()
    table.edge(1, True, 3_000 * MS)
    table.edge(1, False, PRESS - 3 * MS)
    table.press()
    table.edge(1, True, PRESS + 3 * MS)
    assert table.decide()[1] == Reading.IN_TIME


def test_a_placement_that_bounces_across_the_press_counts_from_its_first_edge() -> None:
    table = Table()
    for level, offset in ((True, -2 * MS), (False, -500 * US), (True, 400 * US), (False, 900 * US), (True, 4 * MS)):
        table.edge(1, level, PRESS + offset)
    table.press()
    assert not table.lockout.decidable(PRESS + 4 * MS + SETTLE + DELAY - 1)
    assert table.lockout.check_at_ns(PRESS + SETTLE + DELAY) == PRESS + 4 * MS + SETTLE + DELAY
    assert table.decide(PRESS + 4 * MS + SETTLE + DELAY)[1] == Reading.IN_TIME


def test_a_lift_that_bounces_across_the_press_counts_from_its_first_edge() -> None:
    table = Table({1: True})
    for level, offset in ((False, -2 * MS), (True, -500 * US), (False, 4 * MS)):
        table.edge(1, level, PRESS + offset)
    table.press()
    assert table.decide()[1] == Reading.LIFTED


def test_a_chip_that_flickers_on_and_on_across_the_press_cannot_hold_up_the_lock_out_nor_be_in_time() -> None:
    table = Table()
    table.press()
    for step in range(-1, 40):
        table.edge(1, step % 2 == 1, PRESS + step * 10 * MS + 5 * MS)
    assert table.lockout.decidable(PRESS + 2 * SETTLE + DELAY)
    table.levels[1] = True
    assert table.decide(PRESS + 2 * SETTLE + DELAY)[1] == Reading.LATE


def test_a_level_that_contradicts_its_edges_is_refused_either_way() -> None:
    table = Table()
    table.edge(1, True, 3_000 * MS)
    table.press()
    table.levels = {1: False, 2: True, 3: False}
    assert table.decide() == {2: Reading.CONTRADICTION, 3: Reading.ABSENT, 1: Reading.CONTRADICTION}


def test_a_sensor_never_seen_clear_since_its_chip_was_accepted_is_stuck_until_it_is() -> None:
    table = Table()
    table.edge(1, True, 3_000 * MS)
    table.edge(2, True, 3_000 * MS)
    table.press()
    assert table.decide()[1] == Reading.IN_TIME
    table.edge(BUTTON, False, PRESS + 200 * MS)
    table.edge(2, False, 6_000 * MS)
    table.edge(1, False, 6_000 * MS)
    table.edge(1, True, 6_002 * MS)
    assert table.lockout.never_cleared(7_000 * MS) == {1}
    for number, expected in enumerate((Reading.STUCK, Reading.STUCK), start=1):
        press_ns = PRESS + number * 10_000 * MS
        table.lockout.open_betting(press_ns - 5_000 * MS)
        table.edge(2, True, press_ns - 4_000 * MS)
        table.press(press_ns)
        readings = table.decide(press_ns + SETTLE + DELAY)
        assert (readings[1], readings[2]) == (expected, Reading.IN_TIME)
        table.edge(BUTTON, False, press_ns + 200 * MS)
        table.edge(2, False, press_ns + 1_000 * MS)
    table.edge(1, False, 30_000 * MS)
    assert table.lockout.never_cleared(31_000 * MS) == frozenset()
    table.edge(1, True, 32_000 * MS)
    table.lockout.open_betting(33_000 * MS)
    table.press(35_000 * MS)
    assert table.decide(35_000 * MS + SETTLE + DELAY)[1] == Reading.IN_TIME


def test_after_a_restart_a_chip_that_still_lies_there_must_be_seen_clear_first() -> None:
    table = Table({1: True, 2: True}, must_clear=[1, 2])
    table.edge(2, False, 2_000 * MS)
    table.edge(2, True, 3_000 * MS)
    table.press()
    assert table.decide() == {1: Reading.STUCK, 3: Reading.ABSENT, 2: Reading.IN_TIME}


def test_a_late_chip_left_in_place_counts_for_the_next_round() -> None:
    table = Table()
    table.press()
    table.edge(1, True, PRESS + 5 * MS)
    assert table.decide()[1] == Reading.LATE
    table.edge(BUTTON, False, PRESS + 200 * MS)
    table.lockout.open_betting(8_000 * MS)
    table.press(9_000 * MS)
    assert table.decide(9_000 * MS + SETTLE + DELAY)[1] == Reading.IN_TIME


def test_nothing_is_decided_before_every_reader_has_reported_past_the_settle_window() -> None:
    table = Table()
    table.press()
    assert table.lockout.check_at_ns(PRESS + 1) == PRESS + SETTLE + DELAY
    assert not table.lockout.decidable(PRESS + SETTLE + DELAY - 1)
    with pytest.raises(RuntimeError, match="before its readers have reported"):
        table.decide(PRESS + SETTLE + DELAY - 1)
    assert table.lockout.decidable(PRESS + SETTLE + DELAY)
    table.decide(PRESS + SETTLE + DELAY)
    assert not table.lockout.decidable(PRESS + SETTLE + DELAY)


def test_a_reader_that_says_how_far_it_has_reported_is_not_waited_for() -> None:
    table = Table()
    table.press()
    table.lockout.reported_to(PRESS + SETTLE)
    assert table.lockout.decidable(PRESS + SETTLE)


def test_the_press_is_the_first_edge_of_a_bouncing_press() -> None:
    table = Table()
    for level, offset in ((True, 0), (False, 1 * MS), (True, 6 * MS)):
        table.edge(BUTTON, level, PRESS + offset)
    table.edge(1, True, PRESS + 3 * MS)
    assert table.lockout.presses(PRESS + 6 * MS + SETTLE + DELAY - 1) == []
    assert table.lockout.presses(PRESS + 6 * MS + SETTLE + DELAY) == [Press(PRESS, PressMeaning.LOCK_OUT)]
    assert table.decide()[1] == Reading.LATE


def test_a_twitch_of_the_button_is_no_press() -> None:
    table = Table()
    table.edge(BUTTON, True, PRESS)
    table.edge(BUTTON, False, PRESS + 2 * MS)
    assert table.lockout.presses(PRESS + 900 * MS) == []
    assert table.lockout.check_at_ns(PRESS + 900 * MS) is None


def test_a_second_press_is_reported_as_already_locked_and_changes_nothing() -> None:
    table = Table()
    table.press()
    table.edge(BUTTON, False, PRESS + 200 * MS)
    table.decide(PRESS + 300 * MS)
    table.edge(1, True, PRESS + 400 * MS)
    table.press(PRESS + 1_000 * MS)
    assert table.lockout.presses(PRESS + 2_000 * MS) == [
        Press(PRESS, PressMeaning.LOCK_OUT),
        Press(PRESS + 1_000 * MS, PressMeaning.ALREADY_LOCKED),
    ]
    assert not table.lockout.decidable(PRESS + 2_000 * MS)


def test_a_press_before_betting_opens_does_not_lock_the_round_to_come() -> None:
    table = Table()
    table.press(OPENED - 1)
    assert table.lockout.presses(OPENED + 100 * MS) == [Press(OPENED - 1, PressMeaning.ALREADY_LOCKED)]
    assert not table.lockout.decidable(OPENED + 100 * MS)


def test_a_button_held_down_at_start_up_is_no_press_until_released_and_pressed() -> None:
    lockout = LockOut(SENSORS, BUTTON, settle_ns=SETTLE, edge_resolution_ns=RESOLUTION, report_delay_ns=DELAY)
    lockout.begin(NONE_DOWN, button_down=True, at_ns=0)
    lockout.open_betting(OPENED)
    assert lockout.presses(PRESS) == []
    lockout.feed(Edge(BUTTON, False, PRESS, PRESS))
    lockout.feed(Edge(BUTTON, True, PRESS + 100 * MS, PRESS + 100 * MS))
    assert lockout.presses(PRESS + 500 * MS) == [Press(PRESS + 100 * MS, PressMeaning.LOCK_OUT)]


def test_after_a_restart_the_tracker_begins_from_levels_and_older_stamps_mean_nothing() -> None:
    table = Table()
    table.edge(1, True, 3_000 * MS)
    table.lockout.begin({**NONE_DOWN, 2: True}, button_down=False, at_ns=50 * MS)
    table.lockout.open_betting(60 * MS)
    table.edge(2, False, 49 * MS)  # happened before the level was read
    table.levels = {**NONE_DOWN, 2: True}
    table.press(90 * MS)
    assert table.decide(90 * MS + SETTLE + DELAY)[1] == Reading.ABSENT


def test_edges_that_overtake_one_another_decide_by_their_stamps() -> None:
    table = Table()
    table.edge(1, True, PRESS - 3 * MS, lag_ns=19 * MS)
    table.edge(BUTTON, True, PRESS, lag_ns=2 * MS)
    table.edge(2, True, PRESS + 3 * MS, lag_ns=0)
    readings = table.decide()
    assert (readings[1], readings[2]) == (Reading.IN_TIME, Reading.LATE)


def test_an_edge_that_arrives_after_the_decision_it_belonged_to_is_shown_as_overdue() -> None:
    table = Table()
    table.press()
    table.decide()
    assert table.lockout.overdue() == []
    slow = Edge("seat_1_sensor", True, PRESS - 5 * MS, PRESS + 300 * MS)
    table.lockout.feed(slow)
    table.lockout.feed(Edge("seat_2_sensor", True, PRESS + 290 * MS, PRESS + 300 * MS))
    assert table.lockout.overdue() == [slow]
    assert table.lockout.overdue() == []


def test_readings_come_in_the_order_of_their_stamps() -> None:
    table = Table({2: True})
    table.edge(3, True, 2_000 * MS)
    table.edge(1, True, 3_000 * MS)
    table.press()
    assert list(table.decide()) == [2, 3, 1]


def test_lines_of_other_devices_are_passed_over() -> None:
    table = Table()
    table.lockout.feed(Edge("door", True, 3_000 * MS, 3_000 * MS))
    table.press()
    assert set(table.decide().values()) == {Reading.ABSENT}


def test_a_sensor_that_chatters_all_night_fills_no_memory() -> None:
    table = Table()
    for step in range(20_000):
        table.edge(1, step % 2 == 0, (2_000 + step * 40) * MS)
    tracker = table.lockout._sensors[1]
    assert len(tracker._edges) < 10


bounces = st.lists(st.integers(1, 3 * MS), max_size=3).map(sorted)


@given(
    place_ns=st.integers(-2_000 * MS, 80 * MS) | st.integers(-3 * MS, 3 * MS),
    place_bounce=bounces,
    stays_ns=st.integers(40 * MS, 3_000 * MS) | st.none(),
    lift_bounce=bounces,
    press_bounce=bounces,
    resolution_ns=st.sampled_from([1 * US, 1 * MS, 10 * MS, 40 * MS]),
    lags=st.randoms(use_true_random=False),
)
def test_whatever_the_order_of_arrival_a_chip_is_in_time_exactly_when_it_stood_before_the_press(
    place_ns: int,
    place_bounce: list[int],
    stays_ns: int | None,
    lift_bounce: list[int],
    press_bounce: list[int],
    resolution_ns: int,
    lags: random.Random,
) -> None:
    def run_of(line: str, level: bool, first_ns: int, bounce: list[int]) -> list[tuple[str, bool, int]]:
        """Bounces come in pairs, away from the level and back to it."""
        edges = [(line, level, first_ns)]
        for offset_ns in bounce:
            edges.append((line, not level, first_ns + 2 * offset_ns))
            edges.append((line, level, first_ns + 2 * offset_ns + 1))
        return edges

    timeline = run_of(BUTTON, True, PRESS, press_bounce)
    timeline += run_of("seat_1_sensor", True, PRESS + place_ns, place_bounce)
    if stays_ns is not None:
        timeline += run_of("seat_1_sensor", False, PRESS + place_ns + stays_ns, lift_bounce)
    last_ns = max(at_ns for _, _, at_ns in timeline)
    arrivals = sorted((at_ns + lags.randrange(DELAY), line, level, at_ns) for line, level, at_ns in timeline)

    lockout = LockOut(SENSORS, BUTTON, settle_ns=SETTLE, edge_resolution_ns=resolution_ns, report_delay_ns=DELAY)
    lockout.begin(NONE_DOWN, button_down=False, at_ns=0)
    lockout.open_betting(OPENED)
    for arrived_ns, line, level, at_ns in arrivals:
        lockout.feed(Edge(line, level, at_ns, arrived_ns))
    levels = {**NONE_DOWN, 1: stays_ns is None}
    found = lockout.decide(levels, last_ns + 4 * SETTLE + DELAY)[1]

    placed_in_time = -place_ns > resolution_ns
    lifted_in_time = stays_ns is not None and -(place_ns + stays_ns) > resolution_ns
    assert found.accepted == (placed_in_time and not lifted_in_time)
    assert lockout.overdue() == []
    if found.accepted:
        assert found.changed_ns == PRESS + place_ns
