"""One good table file and one good board file, and variants of them by replacing a line."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE_NAME = "tables/pit4-07.toml"
BOARD_NAME = "board/seven-seat.toml"
GOOD_BOARD = (ROOT / "board/simulated.toml").read_text()
GOOD_TABLE = (
    (ROOT / "host_tools/simulate/tables/md-high-card-flush.toml")
    .read_text()
    .replace('"../../../board/simulated.toml"', '"../board/seven-seat.toml"')
)

Change = tuple[str, str | None]  # "section.key", and the value as TOML; None takes the line out


def changed(text: str, *changes: Change) -> str:
    """Each change replaces, adds or removes one key of a section."""
    for path, value in changes:
        section, _, key = path.rpartition(".")
        lines = text.splitlines()
        header = f"[{section}]"
        starts = [number for number, line in enumerate(lines) if line.split("#")[0].strip() == header]
        if not starts:
            assert value is not None, f"{path} is not there to be removed"
            lines += [header, f"{key} = {value}"]
            text = "\n".join(lines) + "\n"
            continue
        end = next((n for n in range(starts[0] + 1, len(lines)) if lines[n].startswith("[")), len(lines))
        found = [n for n in range(starts[0], end) if re.match(rf"{re.escape(key)}\s*=", lines[n])]
        replacement = [] if value is None else [f"{key} = {value}"]
        if found:
            lines[found[0] : found[0] + 1] = replacement
        else:
            assert value is not None, f"{path} is not there to be removed"
            lines[starts[0] + 1 : starts[0] + 1] = replacement
        text = "\n".join(lines) + "\n"
    return text


def without_section(text: str, section: str) -> str:
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.split("#")[0].strip() == f"[{section}]")
    end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("[")), len(lines))
    return "\n".join(lines[:start] + lines[end:]) + "\n"


def write_files(folder: Path, table: str = GOOD_TABLE, board: str = GOOD_BOARD) -> None:
    for name, text in ((TABLE_NAME, table), (BOARD_NAME, board)):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def line_of(text: str, beginning: str, section: str) -> int:
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.split("#")[0].strip() == f"[{section}]")
    if not beginning:
        return start + 1
    return next(n for n in range(start, len(lines)) if lines[n].startswith(beginning)) + 1
