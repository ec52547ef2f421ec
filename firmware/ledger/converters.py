"""Old records stay readable for ever: each change of a record type leaves a converter here.

A converter turns the body of one version into the body of the next. The newest version of a type is one above
its last converter, so that a type cannot move on without one.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from firmware.ledger.faults import JournalFault
from firmware.ledger.records import JSON, SCHEMA_VERSION, Body

Converter: TypeAlias = Callable[[Body], dict[str, JSON]]


class Converters:
    def __init__(self, steps: Mapping[tuple[str, int], Converter]) -> None:
        self._steps = dict(steps)
        self._newest: dict[str, int] = {}
        for type, version in sorted(self._steps):
            if version != self.newest(type):
                raise ValueError(f"record type {type!r} has no converter from version {self.newest(type)}")
            self._newest[type] = version + 1

    def newest(self, type: str) -> int:
        """The version this software writes."""
        return self._newest.get(type, SCHEMA_VERSION)

    def to_newest(self, type: str, version: int, body: Body, seq: int, fingerprint: str) -> Body:
        newest = self.newest(type)
        if version > newest:
            raise newer_software(seq, type, version, newest, fingerprint)
        while version < newest:
            body = self._steps[type, version](body)
            version += 1
        return body


def newer_software(seq: int, type: str, version: int, newest: int, fingerprint: str) -> JournalFault:
    return JournalFault(
        "newer-version",
        f"journal written by newer software: record {seq} ({type}) has version {version}, this software reads "
        f"up to {newest}: install the version that wrote it (fingerprint {fingerprint}) or newer",
        seq,
    )


CONVERTERS = Converters({})
