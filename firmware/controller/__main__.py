"""`python -m firmware.controller TABLE`: the process under the table."""

import asyncio
import sys
from pathlib import Path

from firmware.config.problems import ConfigError
from firmware.config.table_file import load_table
from firmware.controller.arguments import Arguments
from firmware.controller.controller import TableStopped
from firmware.controller.people import PeopleError
from firmware.controller.startup import places_of, run_table
from firmware.devices.faults import DeviceFault
from firmware.ledger.faults import JournalFault
from firmware.terminal.screens import JsonScreen, LinesScreen, Screen


def main(args: list[str] | None = None) -> int:
    parser = Arguments(prog="feltlock run", description="Run the table.")
    parser.add_argument("table", help="the table file")
    parser.add_argument("--state", type=Path, help="folder for journal and accounts, instead of the board file's")
    parser.add_argument("--bench", type=Path, help="socket of a simulated bench, for a board on mock pins")
    parser.add_argument("--keypad", help="tty of the keypad, instead of the board file's")
    parser.add_argument("--real-time", action="store_true", help="the simulated bench keeps real time")
    parser.add_argument("--screen", choices=("lines", "json"), default="lines")
    options = parser.parse_args(args)
    screen: Screen = JsonScreen(sys.stdout) if options.screen == "json" else LinesScreen(sys.stdout)
    try:
        table = load_table(options.table)
        places = places_of(table, options.state)
        asyncio.run(run_table(table, places, screen, options.bench, options.keypad, options.real_time))
    except ConfigError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 1
    except (JournalFault, DeviceFault, PeopleError, TableStopped) as error:
        print(f"feltlock: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
