"""`feltlock`: one command, a verb for each thing a person does with a table."""

import sys
from collections.abc import Callable
from importlib import import_module

VERBS = {
    "run": ("host_tools.run", "run", "run a table: on its board, or from a script"),
    "simulate": ("host_tools.simulate.command", "run", "watch a table with simulated players and dealer"),
    "check": ("host_tools.check", "run", "check a table file or a board file"),
    "people": ("firmware.controller.people_command", "run", "the accounts of a table"),
    "replay": ("host_tools.replay", "replay", "tell a past round step by step, with the proof"),
    "recall": ("host_tools.replay", "recall", "the last games and their awards"),
    "verify": ("host_tools.journal_commands", "verify", "verify a journal: chain, signatures, postings"),
    "meters": ("host_tools.journal_commands", "meters", "show the meters of a journal, or prove them"),
    "settle": ("host_tools.settle", "run", "settle complete rounds: JSON lines in, verdicts out"),
}


def main() -> int:
    args = sys.argv[1:]
    if not args or args[0] in ("-h", "--help", "help"):
        print("feltlock: the controller of a casino table\n")
        for verb, (_, _, help_text) in VERBS.items():
            print(f"  feltlock {verb:<10} {help_text}")
        print("\n`feltlock VERB --help` tells more about each.")
        return 0 if args else 1
    verb, rest = args[0], args[1:]
    if verb not in VERBS:
        print(f"feltlock: there is no {verb!r}: `feltlock help` lists what there is", file=sys.stderr)
        return 1
    module, function, _ = VERBS[verb]
    run: Callable[[list[str]], int] = getattr(import_module(module), function)
    try:
        return run(rest)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


if __name__ == "__main__":
    sys.exit(main())
