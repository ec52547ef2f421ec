"""The documentation is true: links resolve, names exist, tables are complete, and every example really runs."""

import ast
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.config.rulebooks import load_rulebook
from firmware.config.table_file import load_table
from firmware.config.vocabulary import ANY, BOARD_WORDS, TABLE_WORDS, Key, Words
from firmware.controller import table_state
from firmware.controller.faults import KINDS
from firmware.controller.key_lines import ACTS, ENTRIES
from firmware.controller.lockout import Reading
from firmware.controller.states import PERMIT_STATES, STATES, TABLE_STATES
from firmware.devices.pin_names import pin_names
from firmware.rules.postings import ACCOUNTS
from firmware.rules.procedure.words import DECISIONS
from firmware.terminal.screens import TONES
from host_tools.cli import VERBS
from host_tools.settle import settle_line

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
ACCEPTANCE = ROOT / "tests" / "scenarios" / "md_high_card_flush_acceptance.script"
TABLE = ROOT / "host_tools" / "simulate" / "tables" / "md-high-card-flush.toml"
STATE_IN_DOCS = "var/acceptance"

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    return [body for found, body in FENCE.findall(text) if found == language]


def prose(text: str) -> str:
    return FENCE.sub("", text)


def code_words(text: str) -> set[str]:
    return set(CODE.findall(prose(text)))


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_there():
    people = {"dealer", "floorperson", "operator", "technician", "regulator"}
    assert {path.stem for path in DOCS.glob("*.md")} >= people | {
        "architecture",
        "bench",
        "readings-md-high-card-flush",
    }


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_relative_links_and_anchors_resolve(path):
    for target in LINK.findall(prose(path.read_text(encoding="utf-8"))):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        linked = path.parent / file if file else path
        assert linked.exists(), f"{path.name} links to {target}"
        if anchor:
            assert anchor in anchors(linked.read_text(encoding="utf-8")), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_make_target_and_feltlock_command_named_exists(path):
    text = path.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    quoted = "\n".join([*code_words(text), *(body for _, body in FENCE.findall(text))])
    assert set(re.findall(r"\bmake ([a-z][a-z-]*)", quoted)) <= targets
    assert set(re.findall(r"(?:^|[\s/])feltlock ([a-z]+)\b", quoted, re.MULTILINE)) <= {*VERBS, "help", "checkpoint"}


# --- names --------------------------------------------------------------------------------------------------------


def names_in_code() -> set[str]:
    """Every class, function, method, field, attribute and constant of firmware and host_tools."""
    found: set[str] = set()
    for top in ("firmware", "host_tools"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                found.update(names_of(node))
    return found


def names_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
        yield from (argument.arg for argument in [*node.args.args, *node.args.kwonlyargs])
    elif isinstance(node, ast.ClassDef):
        yield node.name
        for inner in ast.walk(node):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{node.name}.{inner.name}"
            elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                yield f"{node.name}.{inner.target.id}"
                yield inner.target.id
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def other_words() -> set[str]:
    """Words that are values in the code, not names."""
    rooms = {item.name for item in (ROOT / "firmware").iterdir()} | {"firmware"}
    records = {value for name, value in vars(table_state).items() if name.isupper() and isinstance(value, str)}
    lockout = {str(reading) for reading in Reading}
    kinds = {*DECISIONS, "contribution", "permit"}
    plain = {"None", "??", "records", "postings", "boot", "fingerprint", "people.json", "time", "random", "code type"}
    settings = {"CLOCK_MONOTONIC", "synchronous = FULL"}
    usages = {"correct RECORD with ENTRY because WHY"}
    return {*STATES, *KINDS, *ACCOUNTS, *rooms, *records, *lockout, *kinds, *plain, *settings, *usages}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_file_named_exists(path):
    top = re.compile(r"(?:firmware|host_tools|board|tests|docs)/[\w./-]*")
    for word in code_words(path.read_text(encoding="utf-8")):
        for named in top.findall(word) if " " not in word else []:
            assert (ROOT / named).exists(), f"{path.name} names {named}"


def test_architecture_names_nothing_that_does_not_exist():
    known = names_in_code() | other_words()
    unknown = {
        word
        for word in code_words(page("architecture.md"))
        if word not in known and not (ROOT / word).exists() and not re.fullmatch(r"feltlock \w+", word)
    }
    assert unknown == set()


def test_a_name_that_does_not_exist_would_be_caught():
    known = names_in_code() | other_words()
    assert {"Controller.play", "contribute", "LedgerWriter.submit"} <= known
    assert not {"Controller.guess", "contributes", "journal.Journal"} & known


def test_every_test_named_in_the_readings_exists():
    named = {word for word in code_words(page("readings-md-high-card-flush.md")) if word.startswith("test_")}
    written = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named
    assert named <= written


# --- completeness -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [*TABLE_STATES, *PERMIT_STATES], ids=lambda row: row.state)
def test_architecture_has_every_state_as_the_code_has_it(row):
    line = f"| `{row.state}` | {row.survives} | {row.dealer_sees} | {row.moved_on_by} |"
    assert line in page("architecture.md").splitlines()


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.code)
def test_the_technicians_page_has_every_fault_as_the_code_has_it(kind):
    line = f"| `{kind.code}` | {kind.what} | {kind.do} | {kind.stops} | {kind.cleared_by} |"
    assert line in page("technician.md").splitlines()


def test_the_technicians_page_wires_every_line_as_the_board_file_does():
    table = dict(re.findall(r"^\| `(\w+)` \| (\d+) \| \d+ \|", page("technician.md"), re.MULTILINE))
    board = (ROOT / "board" / "seven-seat-pi.toml").read_text()
    assert table == dict(re.findall(r"^(\w+) = \{ pin = (\d+)", board, re.MULTILINE))
    assert set(table) == set(pin_names(7))


def test_the_headers_of_the_wiring_are_those_of_the_board_file():
    wired = re.findall(r"^\| `\w+` \| (\d+) \| (\d+) \|", page("technician.md"), re.MULTILINE)
    board = (ROOT / "board" / "seven-seat-pi.toml").read_text()
    assert dict(wired) == dict(re.findall(r"^#   [\w -]+?\s{2,}(\d+)\s+(\d+)\s{2,}", board, re.MULTILINE))


def test_the_dealers_page_has_every_key_line_and_every_mark():
    words = code_words(page("dealer.md"))
    assert {usage for usage, _ in ENTRIES.values()} <= words
    assert set(ACTS.values()) <= words
    assert set(TONES.values()) <= words


def keys_of(words: Words) -> Iterator[str]:
    for name, inner in words.items():
        if name != ANY and isinstance(inner, Key):
            yield name
        elif not isinstance(inner, Key):
            yield from keys_of(inner)


def test_every_key_of_a_table_file_is_on_the_operators_page():
    assert set(keys_of(TABLE_WORDS)) <= code_words(page("operator.md"))
    assert all(f"[{section}" in page("operator.md") for section in TABLE_WORDS)


def test_every_key_of_a_board_file_is_on_the_technicians_page():
    assert set(keys_of(BOARD_WORDS)) <= code_words(page("technician.md"))
    assert {f"[{section}]" for section in BOARD_WORDS} <= code_words(page("technician.md"))


def test_every_reading_of_the_rulebook_is_told_and_explained():
    for name, text in load_rulebook("md-high-card-flush").readings.items():
        assert f"| {name} | {text} |" in page("regulator.md")
        assert f"## {name}: {text}" in page("readings-md-high-card-flush.md")


def test_every_clause_that_voids_a_round_is_on_the_floorpersons_page():
    effects = load_rulebook("md-high-card-flush").irregularities
    voiding = {clause for clause, effect in effects.items() if effect == "void all"}
    assert {word for word in code_words(page("floorperson.md")) if word.startswith("MD-HCF-")} == voiding


# --- examples -----------------------------------------------------------------------------------------------------


def test_the_settle_example_of_the_readme_gives_its_verdict():
    case, verdict = (json.loads(body) for body in fenced((ROOT / "README.md").read_text(), "json"))
    assert settle_line(json.dumps(case).encode()) == verdict


def test_the_table_file_of_the_operators_page_is_legal(tmp_path):
    (example,) = fenced(page("operator.md"), "toml")
    (tmp_path / "tables").mkdir()
    (tmp_path / "board").mkdir()
    board = tmp_path / "board" / "seven-seat-pi.toml"
    board.write_text((ROOT / "board" / "seven-seat-pi.toml").read_text())
    table = tmp_path / "tables" / "pit4-07.toml"
    table.write_text(example)
    assert load_table(table).warnings == ()


def feltlock(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "host_tools.cli", *args]
    return subprocess.run(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False
    )


@pytest.fixture(scope="module")
def acceptance(tmp_path_factory):
    """The acceptance round, played once: its folder and what was printed."""
    state = tmp_path_factory.mktemp("acceptance")
    played = feltlock("run", str(TABLE), "--script", str(ACCEPTANCE), "--state", str(state))
    assert played.returncode == 0, played.stdout
    return state, played.stdout


def console_examples() -> list[tuple[str, str, str]]:
    found = []
    for path in PAGES:
        for body in fenced(path.read_text(encoding="utf-8"), "console"):
            command, _, output = body.partition("\n")
            found.append((path.name, command.removeprefix("$ feltlock "), output))
    return found


def says(said: str, shown: str) -> bool:
    """`...` stands for anything: a line of its own for lines left out, in a line for what differs each time."""
    lines = said.splitlines()
    parts: list[list[re.Pattern[str]]] = [[]]
    for line in shown.splitlines():
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(re.compile(re.escape(line).replace(r"\.\.\.", ".*")))
    at = 0
    for number, wanted in enumerate(parts):
        if number == 0:
            starts = [0]
        elif number == len(parts) - 1:
            starts = [len(lines) - len(wanted)]
        else:
            starts = list(range(at, len(lines) - len(wanted) + 1))
        found = next((start for start in starts if start >= at and lines_match(lines[start:], wanted)), None)
        if found is None:
            return False
        at = found + len(wanted)
    return at == len(lines)


def lines_match(lines: list[str], wanted: list[re.Pattern[str]]) -> bool:
    return len(lines) >= len(wanted) and all(
        pattern.fullmatch(line) for pattern, line in zip(wanted, lines, strict=False)
    )


@pytest.mark.parametrize(("name", "command", "shown"), console_examples())
def test_a_command_shown_really_says_that(acceptance, name, command, shown):
    state, played = acceptance
    words = command.split()
    if words[0] == "run":
        assert words[1:] == [
            str(TABLE.relative_to(ROOT)), "--script", str(ACCEPTANCE.relative_to(ROOT)), "--state", STATE_IN_DOCS
        ]  # fmt: skip
        said = played
    else:
        said = feltlock(*(str(state) if word == STATE_IN_DOCS else word for word in words)).stdout
    assert says(said, shown), said


def test_an_example_that_is_not_true_would_be_caught():
    shown = "a\n...\nb ... c\n"
    assert says("a\nx\ny\nb 12 c\n", shown)
    assert says("a\nb  c\n", shown)
    assert not says("a\nx\nb 12 d\n", shown)
    assert not says("a\nb 1 c\nmore\n", shown)
    assert not says("x\na\nb 1 c\n", shown)
    assert says("x\na\ny\n", "...\na\n...\n")
    assert not says("a\nb\n", "a\n")


def test_the_regulators_own_check_of_the_chain_finds_a_change(acceptance, tmp_path):
    state, _ = acceptance
    (program,) = fenced(page("regulator.md"), "python")

    def check(journal: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, str(journal)]
        return subprocess.run(command, text=True, capture_output=True, timeout=60, check=False)

    whole = check(state / "journal.db")
    assert whole.returncode == 0, whole.stderr
    assert re.fullmatch(r"whole, up to [0-9a-f]{64}\n", whole.stdout)
    copy = tmp_path / "journal.db"
    copy.write_bytes((state / "journal.db").read_bytes())
    connection = sqlite3.connect(copy)
    connection.execute("UPDATE records SET person = 'somebody' WHERE seq = 20")
    connection.commit()
    connection.close()
    changed = check(copy)
    assert changed.returncode == 1
    assert "record 20 was changed" in changed.stderr


def test_the_first_scenario_of_the_bench_page_comes_true(tmp_path):
    (script,) = fenced(page("bench.md"), "scenario")
    file = tmp_path / "first.script"
    file.write_text(script)
    played = feltlock("run", str(TABLE), "--script", str(file))
    assert played.returncode == 0, played.stdout
