"""The arrows between the rooms, read from the imports: whatever points another way fails here.

`docs/` draws the same arrows. Each rule is also tried on planted sources that break it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 500

# Which rooms a room may import besides itself; those not built yet are listed all the same.
ARROWS = {
    "rules": set(),
    "rulebooks": set(),
    "wire": set(),
    "nodes": {"wire"},
    "devices": {"wire", "rules"},
    "ledger": {"rules"},
    "link": {"ledger"},
    "config": {"rules", "devices"},
    "status": {"rules"},
    "terminal": {"status"},
    "controller": {"rules", "wire", "devices", "ledger", "link", "config", "status", "terminal"},
}
# Of these rooms only some modules are value types that others may know.
DOORS = {
    ("devices", "rules"): {"firmware.rules.cards"},
    ("config", "devices"): {"firmware.devices.pin_names"},
    ("ledger", "rules"): {"firmware.rules.money", "firmware.rules.postings"},
}
IMPURE = {"random", "time", "datetime", "os", "logging", "sqlite3", "socket", "pathlib", "threading", "secrets", "io"}
THREADS = {"threading", "_thread", "concurrent", "multiprocessing"}
THREAD_ROOMS = {"devices", "ledger"}
STANDARD_ROOMS = {"firmware", "host_tools"}


def imports(tree: ast.Module, package: str) -> Iterator[tuple[int, str]]:
    """Line and full module name of every import, those inside functions included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                module = ".".join([*above, module] if module else above)
            yield node.lineno, module
            for name in node.names:  # `from firmware import controller` names a room too
                yield node.lineno, f"{module}.{name.name}"
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0], ast.Constant):
                yield node.lineno, str(node.args[0].value)


def room_of(module: str) -> str | None:
    """`firmware.rules.games.x` is in the room `rules`."""
    parts = module.split(".")
    return parts[1] if parts[0] == "firmware" and len(parts) > 1 else None


def complaints(root: Path) -> list[str]:
    """Everything against the arrows under a tree with `firmware/` and `host_tools/`."""
    found = []
    for top in sorted(STANDARD_ROOMS):
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found += [f"{path.relative_to(root)}{complaint}" for complaint in of_module(path, parts)]
    return found


def of_module(path: Path, parts: tuple[str, ...]) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    lines = source.count("\n")
    if lines > MOST_LINES:
        yield f": {lines} lines, at most {MOST_LINES}"
    if parts[0] == "host_tools":
        return
    room = parts[1] if len(parts) > 2 else None
    package = ".".join(parts[:-1])
    if room is not None and room not in ARROWS:
        yield f": {room} is no room of the house"
        return
    seen = set()
    for line, module in imports(tree, package):
        for complaint in of_import(room, module):
            if (line, complaint) not in seen:
                seen.add((line, complaint))
                yield f":{line}: {complaint}"
    if room == "rules":
        yield from floats(tree)


def of_import(room: str | None, module: str) -> Iterator[str]:
    top = module.split(".")[0]
    other = room_of(module)
    if top == "host_tools":
        yield "firmware imports host_tools"
    if other == "controller" and room != "controller":
        yield "nobody in firmware imports controller"
    elif room is None:
        return
    elif other in ARROWS and other != room:
        if other not in ARROWS[room]:
            yield f"{room} imports {other}"
        elif (room, other) in DOORS and not through_door(module, DOORS[room, other]):
            yield f"{room} imports more of {other} than {', '.join(sorted(DOORS[room, other]))}"
    if room == "rules" and top in IMPURE:
        yield f"rules imports {top}"
    if top in THREADS and room not in THREAD_ROOMS:
        yield f"threads belong to {' and '.join(sorted(THREAD_ROOMS))}, not to {room}: {top}"


def through_door(module: str, doors: set[str]) -> bool:
    """The module of a door, a name out of it, or a package on the way to it."""
    return any(module == door or module.startswith(f"{door}.") or door.startswith(f"{module}.") for door in doors)


def floats(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f":{node.lineno}: a float literal in rules"
        elif isinstance(node, ast.Name) and node.id == "float":
            yield f":{node.lineno}: float in rules"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f":{node.lineno}: a true division in rules"


# --- the house as it stands ---------------------------------------------------------------------------------------


def test_every_import_follows_the_arrows():
    assert complaints(ROOT) == []


def test_the_rooms_that_are_built_are_read():
    rooms = {path.parent.name for path in (ROOT / "firmware").glob("*/__init__.py")}
    assert {"rules", "devices", "ledger", "config", "status", "terminal", "controller"} <= rooms <= set(ARROWS)
    assert len(list((ROOT / "firmware" / "rules").rglob("*.py"))) > 20


# --- planted sources ----------------------------------------------------------------------------------------------


def planted(tmp_path: Path, where: str, source: str) -> list[str]:
    for top in STANDARD_ROOMS:
        (tmp_path / top).mkdir(parents=True, exist_ok=True)
    path = tmp_path / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return complaints(tmp_path)


def room_module(room: str) -> str:
    return f"firmware/{room}/planted.py"


@pytest.mark.parametrize("room", ARROWS)
@pytest.mark.parametrize("other", ARROWS)
def test_an_import_from_room_to_room_is_caught_unless_there_is_an_arrow(tmp_path, room, other):
    door = min(DOORS.get((room, other), {f"firmware.{other}.something"}))
    found = planted(tmp_path, room_module(room), f"import {door}\n")
    assert (found == []) is (other == room or other in ARROWS[room])


@pytest.mark.parametrize(
    "source",
    [
        "import firmware.ledger.journal\n",
        "from firmware.ledger import journal\n",
        "from firmware.ledger.journal import Journal\n",
        "from firmware import ledger\n",
        "from ..ledger import journal\n",
        "from .. import ledger\n",
        "def late():\n    from firmware.ledger import journal\n",
        "import importlib\n\njournal = importlib.import_module('firmware.ledger.journal')\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from firmware.ledger import journal\n",
    ],
)
def test_an_import_is_caught_however_it_is_written(tmp_path, source):
    found = planted(tmp_path, room_module("rules"), source)
    assert len(found) == 1
    assert "rules imports ledger" in found[0]
    assert found[0].startswith("firmware/rules/planted.py:")


def test_a_relative_import_inside_a_room_is_no_crossing(tmp_path):
    assert planted(tmp_path, "firmware/rules/games/planted.py", "from ..cards import Card\nfrom . import other\n") == []


def test_devices_know_cards_and_nothing_else_of_the_rules(tmp_path):
    assert planted(tmp_path, room_module("devices"), "from firmware.rules.cards import Card\n") == []
    assert planted(tmp_path, room_module("devices"), "from firmware.rules.money import dollars\n")
    assert planted(tmp_path, room_module("devices"), "from firmware.rules import money\n")


def test_the_ledger_knows_money_and_postings_and_nothing_else_of_the_rules(tmp_path):
    assert planted(tmp_path, room_module("ledger"), "from firmware.rules.postings import Posting\n") == []
    assert planted(tmp_path, room_module("ledger"), "from firmware.rules.procedure.run import RoundRun\n")


def test_config_knows_pin_names_and_nothing_else_of_the_devices(tmp_path):
    assert planted(tmp_path, room_module("config"), "from firmware.devices.pin_names import PIN\n") == []
    assert planted(tmp_path, room_module("config"), "from firmware.devices.pins import Pins\n")


@pytest.mark.parametrize("module", sorted(IMPURE))
def test_the_rule_core_stays_pure(tmp_path, module):
    for source in (f"import {module}\n", f"from {module} import something\n", f"import {module} as other\n"):
        assert planted(tmp_path, room_module("rules"), source)


@pytest.mark.parametrize(
    "source",
    ["HALF = 0.5\n", "half = float(1)\n", "def half(cents: float) -> int: ...\n", "half = 1 / 2\n", "BIG = 1e3\n"],
)
def test_a_float_in_the_rule_core_is_caught(tmp_path, source):
    assert planted(tmp_path, room_module("rules"), source)
    assert planted(tmp_path, room_module("rules"), "half = 1 // 2\nHALF = '0.5'\n") == []


@pytest.mark.parametrize("module", sorted(THREADS))
@pytest.mark.parametrize("room", ARROWS)
def test_threads_exist_only_in_devices_and_ledger(tmp_path, room, module):
    assert (planted(tmp_path, room_module(room), f"import {module}\n") == []) is (room in THREAD_ROOMS)


def test_nobody_in_firmware_imports_host_tools_or_the_controller(tmp_path):
    for room in ARROWS:
        assert planted(tmp_path / room, room_module(room), "from host_tools import settle\n")
    assert planted(tmp_path / "top", "firmware/planted.py", "import firmware.controller.loop\n")
    assert planted(tmp_path / "tools", "host_tools/planted.py", "import firmware.controller.loop\n") == []


def test_a_module_of_501_lines_is_caught_in_firmware_and_in_host_tools(tmp_path):
    for top in ("firmware/rules", "host_tools"):
        assert planted(tmp_path / top, f"{top}/planted.py", "x = 1\n" * 500) == []
        assert planted(tmp_path / top, f"{top}/planted.py", "x = 1\n" * 501)


def test_a_room_that_the_house_does_not_have_is_caught(tmp_path):
    assert planted(tmp_path, room_module("attic"), "x = 1\n") == [
        "firmware/attic/planted.py: attic is no room of the house"
    ]
