"""From raw edges to when a chip came, went, or only wobbled."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.presence import Presence, PresenceTracker, Stay

MS = 1_000_000
SETTLE = 30 * MS


def tracker(*edges: tuple[bool, int], level: bool = False) -> PresenceTracker:
    made = PresenceTracker(SETTLE, level)
    for edge_level, at_ns in edges:
        assert made.feed(edge_level, at_ns)
    return made


def test_a_chip_that_lay_there_before_counts_by_level_from_before() -> None:
    assert tracker(level=True).at(0) == Presence(True, None, False)


def test_a_bounce_that_comes_to_rest_began_at_its_first_edge() -> None:
    bounced = tracker((True, 100 * MS), (False, 101 * MS), (True, 104 * MS))
    assert bounced.at(104 * MS + SETTLE - 1) == Presence(False, None, True)
    assert bounced.at(104 * MS + SETTLE) == Presence(True, 100 * MS, False)


def test_a_wobble_leaves_the_stay_unbroken() -> None:
    wobbled = tracker((True, 100 * MS), (False, 500 * MS), (True, 502 * MS))
    assert wobbled.at(501 * MS) == Presence(True, 100 * MS, True)
    assert wobbled.at(600 * MS) == Presence(True, 100 * MS, False)


def test_a_touch_that_leaves_nothing_behind_is_no_stay() -> None:
    assert tracker((True, 100 * MS), (False, 105 * MS)).stays(900 * MS) == [Stay(False, None)]


def test_edges_exactly_one_settle_time_apart_are_two_runs() -> None:
    assert tracker((True, 100 * MS), (False, 130 * MS)).stays(900 * MS) == [
        Stay(False, None),
        Stay(True, 100 * MS),
        Stay(False, 130 * MS),
    ]
    assert tracker((True, 100 * MS), (False, 130 * MS - 1)).stays(900 * MS) == [Stay(False, None)]


def test_two_edges_in_one_millisecond_and_even_in_one_stamp_keep_their_order() -> None:
    assert tracker((True, 100 * MS), (False, 100 * MS), (True, 100 * MS)).at(900 * MS).level
    assert not tracker((True, 100 * MS), (False, 100 * MS)).at(900 * MS).level


def test_a_repeated_level_changes_nothing() -> None:
    assert tracker((True, 100 * MS), (True, 300 * MS)).at(900 * MS) == Presence(True, 100 * MS, False)


def test_a_level_read_back_is_held_against_the_last_edge() -> None:
    seen = tracker((True, 100 * MS))
    assert not seen.contradicts(True)
    assert seen.contradicts(False)
    seen.forget_before(900 * MS)
    assert seen.contradicts(False)
    assert tracker().contradicts(True)


def test_the_future_is_not_seen_from_the_past() -> None:
    seen = tracker((True, 100 * MS), (False, 500 * MS))
    assert seen.at(300 * MS) == Presence(True, 100 * MS, False)


def test_an_edge_older_than_what_was_forgotten_is_refused() -> None:
    seen = tracker((True, 100 * MS))
    seen.forget_before(400 * MS)
    assert not seen.feed(False, 399 * MS)
    assert seen.feed(False, 400 * MS)
    assert seen.stays(900 * MS) == [Stay(True, 100 * MS), Stay(False, 400 * MS)]


def test_after_a_start_nothing_of_the_boot_before_is_left() -> None:
    seen = tracker((True, 100 * MS))
    seen.begin(False)
    assert seen.at(900 * MS) == Presence(False, None, False)
    assert seen.feed(True, 5)


# Gaps around the settle time, and far from it.
timelines = st.lists(
    st.tuples(st.sampled_from([0, 1, MS, SETTLE - 1, SETTLE, SETTLE + 1, 200 * MS]), st.booleans()), max_size=30
).map(lambda steps: [(level, sum(gap for gap, _ in steps[: number + 1])) for number, (_, level) in enumerate(steps)])


@given(timelines, st.integers(0, 2**32), st.booleans())
def test_the_order_of_arrival_does_not_matter(timeline: list[tuple[bool, int]], seed: int, level: bool) -> None:
    by_stamp = {at_ns: edge for edge, at_ns in timeline}
    timeline = [(edge, at_ns) for at_ns, edge in by_stamp.items()]
    mixed = list(timeline)
    random.Random(seed).shuffle(mixed)
    in_order, out_of_order = tracker(*timeline, level=level), tracker(*mixed, level=level)
    end_ns = max(by_stamp, default=0) + 2 * SETTLE
    for ns in [*by_stamp, end_ns]:
        assert in_order.stays(ns) == out_of_order.stays(ns)
        assert in_order.at(ns) == out_of_order.at(ns)


@given(timelines, st.integers(0, 3000 * MS), st.booleans())
def test_forgetting_changes_no_later_answer(timeline: list[tuple[bool, int]], ns: int, level: bool) -> None:
    whole, thinned = tracker(*timeline, level=level), tracker(*timeline, level=level)
    thinned.forget_before(ns)
    for later_ns in [ns, ns + 1, ns + SETTLE, *(at_ns for _, at_ns in timeline if at_ns > ns), 9000 * MS]:
        assert whole.at(later_ns) == thinned.at(later_ns)
    assert whole.contradicts(True) == thinned.contradicts(True)


@given(timelines, st.booleans())
def test_stays_alternate_and_each_begins_at_an_edge(timeline: list[tuple[bool, int]], level: bool) -> None:
    stays = tracker(*timeline, level=level).stays(9000 * MS)
    stamps = {at_ns for _, at_ns in timeline}
    assert stays[0] == Stay(level, None)
    for before, after in pairwise(stays):
        assert before.level != after.level
        assert after.since_ns in stamps
        assert before.since_ns is None or after.since_ns is None or after.since_ns >= before.since_ns + SETTLE
