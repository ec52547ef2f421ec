"""`feltlock run`: a table, on its own board or played from a script."""

import sys
import tempfile
from pathlib import Path

from firmware.config.problems import ConfigError
from firmware.config.table_file import load_table
from firmware.controller.__main__ import main as run_controller
from firmware.controller.arguments import Arguments
from host_tools.scenario import Scenario, play_file


def run(args: list[str]) -> int:
    if args in (["-h"], ["--help"]):
        print("feltlock run TABLE --script FILE plays a scenario on a simulated board; without --script:\n")
    if not any(arg == "--script" or arg.startswith("--script=") for arg in args):
        return run_controller(args)
    parser = Arguments(prog="feltlock run", description="Play a script on a table with a simulated board.")
    parser.add_argument("table", type=Path, help="the table file")
    parser.add_argument("--script", required=True, help="scenario file; - for standard input")
    parser.add_argument("--state", type=Path, help="folder for journal and accounts; a fresh one when left out")
    options = parser.parse_args(args)
    try:
        table = load_table(options.table)
    except ConfigError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 1
    if table.board.pin_factory != "mock":
        print(
            f"feltlock: {options.table}: a script plays on a simulated board; this one has real pins", file=sys.stderr
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="table-") as fresh:
        state = options.state or Path(fresh)
        state.mkdir(parents=True, exist_ok=True)
        scenario = Scenario(options.table, table, state)
        if options.script == "-":
            return play_file(Path("standard input"), sys.stdin, scenario, echo=True)
        try:
            lines = Path(options.script).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            print(f"feltlock: cannot read {options.script}: {error}", file=sys.stderr)
            return 1
        return play_file(Path(options.script), lines, scenario, echo=True)
