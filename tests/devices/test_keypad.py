"""The dealer's keys on real pseudo-terminals."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from firmware.devices.clock import VirtualClock
from firmware.devices.keypad import KeyGarbage, KeyLine, Keypad, KeypadFound, KeypadLost

NOW_NS = 77
PATIENCE_S = 60


class Bench:
    """A keypad on a path that can be unplugged and plugged in again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "keypad"
        self.events: Queue[object] = Queue()
        self.keypad = Keypad(str(self.path), self.events.put, VirtualClock(NOW_NS), retry_s=0.001)
        self._host = -1

    def plug_in(self) -> None:
        self._host, device = os.openpty()
        self.path.symlink_to(os.ttyname(device))
        self.keypad_side = device

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self.keypad_side)
        os.close(self._host)

    def key(self, keys: bytes) -> None:
        os.write(self._host, keys)

    def next(self) -> object:
        return self.events.get(timeout=PATIENCE_S)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    made.plug_in()
    made.keypad.start()
    assert made.next() == KeypadFound(NOW_NS)
    yield made
    made.keypad.close()
    made.unplug()


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_each_line_is_one_event_whatever_ends_it(bench: Bench, end: bytes) -> None:
    bench.key(b"confirm" + end + end + b"seat 3 fold" + end)
    assert [bench.next() for _ in range(3)] == [
        KeyLine("confirm", NOW_NS),
        KeyLine("", NOW_NS),
        KeyLine("seat 3 fold", NOW_NS),
    ]


def test_a_line_may_come_in_pieces(bench: Bench) -> None:
    bench.key(b"con")
    bench.key(b"firm\n")
    assert bench.next() == KeyLine("confirm", NOW_NS)


def test_two_hundred_characters_are_a_line_and_one_more_is_garbage(bench: Bench) -> None:
    bench.key(b"x" * 200 + b"\n" + b"y" * 201 + b"\n")
    bench.key("é".encode() * 200 + b"\n")
    bench.key(b"z" * 3000 + b"\n" + b"after\n")
    assert bench.next() == KeyLine("x" * 200, NOW_NS)
    assert bench.next() == KeyGarbage("keyed line is longer than 200 characters", NOW_NS)
    assert bench.next() == KeyLine("é" * 200, NOW_NS)
    assert bench.next() == KeyGarbage("keyed line is longer than 200 characters", NOW_NS)
    assert bench.next() == KeyLine("after", NOW_NS)


@pytest.mark.parametrize("noise", [b"\xff\xfe\x80", b"\x1b[A", b"a\x00b"])
def test_noise_is_garbage_and_the_next_line_is_read(bench: Bench, noise: bytes) -> None:
    bench.key(noise + b"\nafter\n")
    assert bench.next() == KeyGarbage("keyed line is not text", NOW_NS)
    assert bench.next() == KeyLine("after", NOW_NS)


def test_a_keypad_that_went_away_is_told_once_and_read_again_when_back(bench: Bench) -> None:
    bench.key(b"half a li")
    bench.unplug()
    lost = bench.next()
    assert isinstance(lost, KeypadLost)
    assert lost.reason.startswith(f"keypad {bench.path}: ")
    bench.plug_in()
    assert bench.next() == KeypadFound(NOW_NS)
    bench.key(b"confirm\n")
    assert bench.next() == KeyLine("confirm", NOW_NS)


def test_a_keypad_that_is_not_there_at_start_is_told_once_and_found_later(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.keypad.start()
    assert bench.next() == KeypadLost(
        f"keypad {bench.path}: cannot be opened (No such file or directory): plug it in", NOW_NS
    )
    bench.plug_in()
    assert bench.next() == KeypadFound(NOW_NS)
    bench.keypad.close()
    bench.keypad.close()
    bench.unplug()


def test_the_console_is_read_to_its_end_and_then_lost_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    read_end, write_end = os.pipe()
    events: Queue[object] = Queue()
    with open(read_end) as console:
        monkeypatch.setattr(sys, "stdin", console)
        keypad = Keypad("console", events.put, VirtualClock(NOW_NS))
        keypad.start()
        os.write(write_end, b"sign on\n")
        os.close(write_end)
        assert [events.get(timeout=PATIENCE_S) for _ in range(3)] == [
            KeypadFound(NOW_NS),
            KeyLine("sign on", NOW_NS),
            KeypadLost("keypad console: ended: plug it in", NOW_NS),
        ]
        keypad.close()


def test_a_keypad_closed_before_it_was_started_leaves_nothing_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    Bench(tmp_path).keypad.close()
    assert len(os.listdir("/proc/self/fd")) == before
