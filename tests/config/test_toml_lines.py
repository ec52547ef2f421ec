"""Every key path that tomllib finds has the line it was written on."""

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.config.toml_lines import KeyPath, toml_lines


def paths_of(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths_of(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths_of(inner, (*path, str(number)))


SCALARS = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.sampled_from(["true", "1.5", "-inf", "1979-05-27 07:32:00", "1979-05-27T07:32:00Z", "07:32:00", "0x1F"]),
    st.text("ab \"'\\\n\t#[]{}=,.\u00e9", max_size=8).map(json.dumps),
    st.sampled_from(
        [
            "'[not.a.section]'",
            '"a = 1 # no comment"',
            '"""\n[not.a.section]\nnot_a_key = 1\n"""',
            '"""quotes " and "" inside, and two before the end"""""',
            '"""\\"""" ',
            "'''\n# no comment\n[x]\n'''",
            "'''it''s'''''",
            '""',
            "''",
            '""""""',
        ]
    ),
)


@st.composite
def keys(draw: st.DrawFn) -> tuple[str, str]:
    """A key and one way to write it."""
    plain = draw(st.text("aZ09_-", min_size=1, max_size=4))
    form = draw(st.sampled_from(["bare", "basic", "literal", "odd"]))
    if form == "bare":
        return plain, plain
    if form == "basic":
        return plain, json.dumps(plain)
    if form == "literal":
        return f"{plain}.#=[", f"'{plain}.#=['"
    return f'"{plain}\t', json.dumps(f'"{plain}\t')


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["scalar", "array", "inline"])) if depth else "scalar"
    if kind == "scalar":
        return draw(SCALARS)
    if kind == "array":
        items = draw(st.lists(values(depth=depth - 1), max_size=3))
        gap = draw(st.sampled_from([" ", "\n  ", " # ] } , [\n\n"]))
        comma = "," if items and draw(st.booleans()) else ""
        return f"[{gap}{f',{gap}'.join(items)}{comma}{gap}]"
    named = draw(st.dictionaries(keys(), values(depth=depth - 1), max_size=3))
    seen = {name: f"{written} = {value}" for (name, written), value in named.items()}
    return "{ " + ", ".join(seen.values()) + " }"


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[KeyPath, int]]:
    """A text, and the lines of its headers and of the keys written directly below them."""
    text = ""
    expected: dict[KeyPath, int] = {}
    section: KeyPath = ()
    for number in range(draw(st.integers(1, 4))):
        if number:
            name, below, array = f"{number}{draw(keys())[0]}", draw(st.booleans()), draw(st.booleans())
            spelled = json.dumps(name) + (" . inner" if below else "")
            section = (name, "inner") if below else (name,)
            section = (*section, "0") if array else section
            expected[section] = text.count("\n") + 1
            text += f"  [[ {spelled} ]] # [x]\n" if array else f"[{spelled}]\n"
        taken: set[str] = set()
        for (name, written), value in draw(st.dictionaries(keys(), values(), max_size=3)).items():
            if name not in taken:
                taken.add(name)
                dotted = draw(st.booleans())
                expected[(*section, name, "tail") if dotted else (*section, name)] = text.count("\n") + 1
                text += f"\t{written}{' . tail' if dotted else ''} = {value} # a = 2\n"
        text += draw(st.sampled_from(["", "\n", "# [comment]\n# key = 1\n"]))
    return text, expected


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_every_path_that_tomllib_finds_has_a_line_and_keys_have_their_own(
    document: tuple[str, dict[KeyPath, int]],
) -> None:
    text, expected = document
    lines = toml_lines(text).lines
    assert set(paths_of(tomllib.loads(text))) == set(lines)
    assert {path: lines[path] for path in expected} == expected


TEXT = '''\
# header
top = 1
[table]                 # line 3
id = "a"
"quoted key" = 2
dotted.inner.leaf = 3
[limits.ante]
min = "$5"
several = [
  1,  # one
  { name = "x", size = [
     7 ] },
]
long = """
[not.a.section]
min = 3
"""
after = true
[[stops]]
symbol = "a"
[stops.extra]
weight = 1
[[stops]]
symbol = "b"
[limits]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 3),
        (("table", "id"), 4),
        (("table", "quoted key"), 5),
        (("table", "dotted"), 6),
        (("table", "dotted", "inner", "leaf"), 6),
        (("limits", "ante"), 7),
        (("limits", "ante", "min"), 8),
        (("limits", "ante", "several"), 9),
        (("limits", "ante", "several", "0"), 10),
        (("limits", "ante", "several", "1", "name"), 11),
        (("limits", "ante", "several", "1", "size", "0"), 12),
        (("limits", "ante", "long"), 14),
        (("limits", "ante", "after"), 18),
        (("stops",), 19),
        (("stops", "0", "symbol"), 20),
        (("stops", "0", "extra", "weight"), 22),
        (("stops", "1"), 23),
        (("stops", "1", "symbol"), 24),
        (("limits",), 25),
    ],
)
def test_each_form_of_key_has_its_line(path: KeyPath, line: int) -> None:
    assert toml_lines(TEXT).lines[path] == line


def test_an_absent_key_has_the_line_of_its_section() -> None:
    lines = toml_lines(TEXT)
    assert lines.line_of(("limits", "ante", "max")) == 7
    assert lines.line_of(("cards", "decks")) == 1
