"""Whatever stands in a line, `settle_line` answers with a verdict or an error: never both, never an exception."""

import copy
import json

from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_settle import worked_case

from host_tools.settle import settle_line

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 60_000)
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["A", "G", "Z", "4c", "Kd", "ante", "raise", "main", "MD-HCF-13.E", "MD-10", "md-high-card-flush"]
    )
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
names = st.sampled_from([
    "id", "rulebook", "table", "dealer", "community", "seats", "irregularity", "paytables", "payout_limit", "meters",
    "reset", "draws", "confirmed", "options", "seat", "cards", "wagers", "folded", "player", "ante", "raise",
    "flush_bonus", "straight_flush_bonus", "progressive", "main", "ace_low_straight_flush", "hands", "x",
])  # fmt: skip


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from places(inner, (*path, name))


@st.composite
def mutated_cases(draw):
    case = copy.deepcopy(worked_case())
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from([path for path in places(case) if path]))
        holder = case
        for name in path[:-1]:
            holder = holder[name]
        change = draw(st.sampled_from(["replace", "drop", "add", "move"]))
        if change == "replace":
            holder[path[-1]] = draw(values)
        elif change == "drop":
            del holder[path[-1]]
        elif change == "add" and isinstance(holder, dict):
            holder[draw(names)] = draw(values)
        elif change == "add":
            holder.append(draw(values))
        else:
            other = draw(st.sampled_from(list(places(case))))
            moved = case
            for name in other:
                moved = moved[name]
            holder[path[-1]] = copy.deepcopy(moved)
        if not case:
            break
    return case


def check(line):
    answer = settle_line(line)
    text = json.dumps(answer, allow_nan=False)
    assert json.loads(text) == answer
    assert answer["id"] is None or isinstance(answer["id"], str)
    if "error" in answer:
        assert set(answer) == {"id", "error"}
        assert set(answer["error"]) == {"message", "clause"}
        assert "\n" not in answer["error"]["message"]
    else:
        assert {"id", "seats"} <= set(answer) <= {"id", "dealer", "seats", "meters"}
        for seat in answer["seats"]:
            profits = [wager.get("profit") for wager in seat["wagers"].values()]
            if None not in profits:
                assert seat["net"] == sum(profits) + sum(award["profit"] for award in seat["awards"])


@settings(max_examples=600, deadline=None, derandomize=True)
@example(worked_case(irregularity=[]))
@example(worked_case(irregularity={}))
@example(worked_case(table={"confirmed": [[]]}))
@example(worked_case(table={"confirmed": [{}]}))
@example(worked_case(table={"paytables": {"ante": None}}))
@example(worked_case(table={"paytables": {"raise": []}}))
@example(worked_case(table={"paytables": {"flush_bonus": []}}))
@example(worked_case(table={"payout_limit": 10**4_000}))
@given(mutated_cases())
def test_a_valid_case_changed_anywhere_is_settled_or_refused(case):
    check(json.dumps(case).encode())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(values)
def test_any_json_at_all_is_refused(value):
    answer = settle_line(json.dumps(value).encode())
    assert "error" in answer


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=60), st.integers(0, 2_000))
def test_a_line_with_bytes_lost_or_foreign_is_settled_or_refused(foreign, at):
    line = json.dumps(worked_case()).encode()
    check(line[:at] + foreign + line[at + len(foreign) :])
    check(line[:at])
