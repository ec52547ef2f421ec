"""Where each key of a TOML text stands: tomllib gives values without line numbers.

The scanner reads only text that tomllib has accepted, so it looks for structure and never judges. An element of
an array has its index in the path: `("stops", "0", "symbol")`.
"""

import re
import tomllib
from bisect import bisect_left
from dataclasses import dataclass, field

KeyPath = tuple[str, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^"\\]|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_OTHER_SCALAR = re.compile(r"[^,\]}#\n]+")


@dataclass
class TomlLines:
    """1-based lines of all key paths, and the paths that have a `[header]` of their own."""

    lines: dict[KeyPath, int] = field(default_factory=dict)
    headers: set[KeyPath] = field(default_factory=set)

    def line_of(self, path: KeyPath) -> int:
        """The line of the path or, where it is absent, of what it would belong to."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return 1


def toml_lines(text: str) -> TomlLines:
    """`text` must be valid TOML."""
    return _Scanner(text).document()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line_ends = [match.start() for match in re.finditer("\n", text)]
        self.found = TomlLines()
        self.elements: dict[KeyPath, int] = {}

    def document(self) -> TomlLines:
        section: KeyPath = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text.startswith("[[", self.at):
                section = self.header(brackets=2)
            elif self.text.startswith("[", self.at):
                section = self.header(brackets=1)
            else:
                self.key_and_value(section)
            self.skip(_BLANK)
        return self.found

    def header(self, brackets: int) -> KeyPath:
        start = self.at
        self.at += brackets
        *outer, last = self.key()
        self.at += brackets
        path: KeyPath = ()
        for name in outer:
            path = self.newest_element((*path, name))
        path = (*path, last)
        if brackets == 2:
            self.elements[path] = self.elements.get(path, 0) + 1
            self.note(path, start)
        path = self.newest_element(path)
        self.note(path, start)
        if path not in self.found.headers:
            self.found.headers.add(path)
            self.found.lines[path] = self.line(start)
        return path

    def newest_element(self, path: KeyPath) -> KeyPath:
        """A header below an array of tables speaks of the array's last element."""
        count = self.elements.get(path)
        return path if count is None else (*path, str(count - 1))

    def key_and_value(self, section: KeyPath) -> None:
        start = self.at
        path = (*section, *self.key())
        self.note(path, start)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def key(self) -> KeyPath:
        """A key with its dots; the scanner then stands on what follows it."""
        names = []
        while True:
            self.skip(_SPACE)
            pattern = _STRING if self.text[self.at] in "\"'" else _BARE_KEY
            raw = self.take(pattern)
            names.append(str(tomllib.loads(f"key = {raw}")["key"]) if pattern is _STRING else raw)
            self.skip(_SPACE)
            if self.text[self.at] != ".":
                return tuple(names)
            self.at += 1

    def value(self, path: KeyPath) -> None:
        opening = self.text[self.at]
        if opening == "[":
            self.array(path)
        elif opening == "{":
            self.inline_table(path)
        else:
            self.take(_STRING if opening in "\"'" else _OTHER_SCALAR)

    def array(self, path: KeyPath) -> None:
        self.at += 1
        count = 0
        while self.after_separator() != "]":
            element = (*path, str(count))
            self.note(element, self.at)
            self.value(element)
            count += 1
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self.after_separator() != "}":
            self.key_and_value(path)
        self.at += 1

    def after_separator(self) -> str:
        self.skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_BLANK)
        return self.text[self.at]

    def note(self, path: KeyPath, position: int) -> None:
        """The first mention counts, for the path and for all it lies in."""
        line = self.line(position)
        for length in range(1, len(path) + 1):
            self.found.lines.setdefault(path[:length], line)

    def line(self, position: int) -> int:
        return bisect_left(self.line_ends, position) + 1

    def skip(self, pattern: re.Pattern[str]) -> None:
        self.take(pattern)

    def take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise AssertionError(f"not TOML at offset {self.at}")
        self.at = match.end()
        return match[0]
