"""A TOML file on disk: its values, its digest, and where each of them stands."""

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.config.problems import ConfigError, Problem
from firmware.config.toml_lines import KeyPath, TomlLines, toml_lines
from firmware.config.vocabulary import ANY, Key, Words

LARGEST_FILE = 1_000_000
LONGEST_SHOWN = 60

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_DECLARED_TWICE = re.compile(r"Cannot declare (\(.*\)) twice", re.DOTALL)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Document:
    file: str
    path: Path
    digest: str
    data: Mapping[str, Any]
    lines: TomlLines
    words: Words

    def problem(
        self,
        path: KeyPath,
        message: str,
        clause: str | None = None,
        legal: str | None = None,
        warning: bool = False,
    ) -> Problem:
        return Problem(self.file, self.lines.line_of(path), self.where(path), message, clause, legal, warning)

    def where(self, path: KeyPath) -> str:
        """`[limits.ante] min = "$5"`, as a technician finds it in the file."""
        value = self.value(path)
        if path in self.lines.headers or self._is_section(path, value):
            return f"[{_dotted(path)}]"
        depth = len(path) - 1
        while depth and path[:depth] not in self.lines.headers and self.value(path[:depth]) is not None:
            depth -= 1  # an inline table is written below its section's header
        section = f"[{_dotted(path[:depth])}] " if depth else ""
        shown = "" if value is None or isinstance(value, dict) else f" = {_shown(value)}"
        return f"{section}{_dotted(path[depth:])}{shown}"

    def value(self, path: KeyPath) -> Any:
        found: Any = self.data
        for name in path:
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return found

    def _is_section(self, path: KeyPath, value: Any) -> bool:
        """One implied by `[a.b]` is; an absent one is if the vocabulary has it, unless its outer one is written out."""
        if value is not None:
            inner = (header for header in self.lines.headers if header[: len(path)] == path)
            return isinstance(value, dict) and any(inner)
        if path[:-1] in self.lines.headers:
            return False
        words: Key | Words | None = self.words
        for name in path:
            words = words.get(name, words.get(ANY)) if isinstance(words, Mapping) else None
        return isinstance(words, Mapping)


def read_document(path: Path, words: Words) -> Document:
    """Raises ConfigError with one problem when there is no TOML to be read."""
    file = str(path)
    raw = _bytes_of(path, file)
    try:
        text = raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _unreadable(file, line, "not UTF-8 text", "Save the file as UTF-8") from None
    if text.startswith("\ufeff"):
        raise _unreadable(file, 1, "begins with a byte-order mark", "Save the file as UTF-8 without one")
    try:
        data = tomllib.loads(text)
        lines = toml_lines(text)
    except RecursionError:
        raise _unreadable(file, 1, "nested too deeply to be a table or board file") from None
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        line = max(1, len(text.splitlines())) if place is None or place[1] is None else int(place[1])
        raise _unreadable(file, line, f"not TOML: {_plainly(_PLACE.sub('', message))}") from None
    return Document(file, path, hashlib.sha256(raw).hexdigest(), data, lines, words)


def _plainly(reason: str) -> str:
    """tomllib's three commonest complaints, for people who have never seen Python."""
    if reason.startswith("Illegal character '\\n'"):
        return "the quotation marks do not close on this line"
    if reason == "Cannot overwrite a value":
        return "this key stands twice in its section"
    declared = _DECLARED_TWICE.fullmatch(reason)
    if declared is not None:
        return f"the section [{_dotted(ast.literal_eval(declared[1]))}] stands twice"
    return f"{reason[:1].lower()}{reason[1:]}"


def _bytes_of(path: Path, file: str) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise _unreadable(file, None, "cannot be read: not a file")
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = (error.strerror or "input error").lower()
        raise _unreadable(file, None, f"cannot be read: {reason}") from None
    except ValueError:
        raise _unreadable(file, None, "cannot be read: no such name is possible") from None
    if len(raw) > LARGEST_FILE:
        raise _unreadable(file, None, f"larger than {LARGEST_FILE:,} bytes: not a table or board file")
    return raw


def _unreadable(file: str, line: int | None, message: str, legal: str | None = None) -> ConfigError:
    return ConfigError([Problem(file, line, "", message, legal=legal)])


def _dotted(path: KeyPath) -> str:
    return ".".join(name if _BARE_KEY.fullmatch(name) else json.dumps(name) for name in path)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, list):
        text = "[ ... ]" if value else "[]"
    else:
        text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 4]} ..."
