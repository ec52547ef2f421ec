"""A problem of a file, in the one line that a technician can act on."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`line` is None when the file could not be read at all, `where` is empty when no key is to blame."""

    file: str
    line: int | None
    where: str
    message: str
    clause: str | None = None
    legal: str | None = None
    warning: bool = False

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        kind = "warning: " if self.warning else ""
        where = f"{self.where}: " if self.where else ""
        clause = f" ({self.clause})" if self.clause else ""
        legal = f" {self.legal}{'' if self.legal.endswith('?') else '.'}" if self.legal else ""
        return f"{place}: {kind}{where}{self.message}{clause}.{legal}"


class ConfigError(Exception):
    """Everything that is wrong with a file, in the order of its lines; warnings are among them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def in_line_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Files stay in the order they were first met."""
    listed = list(dict.fromkeys(problems))
    files = list(dict.fromkeys(problem.file for problem in listed))
    return tuple(sorted(listed, key=lambda problem: (files.index(problem.file), problem.line or 0)))
