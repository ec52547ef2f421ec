"""The rulebooks that ship with this firmware."""

import hashlib
from functools import cache
from importlib import resources

from firmware.rules.rulebook import Rulebook, RulebookError, parse_rulebook

_FOLDER = resources.files("firmware") / "rulebooks"


@cache
def rulebook_ids() -> tuple[str, ...]:
    names = (item.name for item in _FOLDER.iterdir())
    return tuple(sorted(name[:-5].replace("_", "-") for name in names if name.endswith(".toml")))


@cache
def load_rulebook(rulebook_id: str) -> Rulebook:
    if rulebook_id not in rulebook_ids():
        raise RulebookError(f"unknown rulebook {rulebook_id!r}: known are {', '.join(rulebook_ids())}")
    raw = (_FOLDER / (rulebook_id.replace("-", "_") + ".toml")).read_bytes()
    return parse_rulebook(raw.decode(), hashlib.sha256(raw).hexdigest())
