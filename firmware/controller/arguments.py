"""Command lines that answer like everything else: one line, `feltlock: what is wrong`, and nothing done."""

import argparse
import sys
from typing import NoReturn


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        usage = self.format_usage().removeprefix("usage: ")
        print(f"feltlock: {message}: write {' '.join(usage.split())}", file=sys.stderr)
        raise SystemExit(1)
