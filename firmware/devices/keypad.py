"""The dealer's keys: lines of text from a USB keypad, a serial line or the console.

A keypad is pulled out, knocked and cleaned with a wet cloth in the middle of a shift: rubbish is reported and
dropped, and a keypad that went away is opened again as soon as it is back.
"""

import os
import select
import sys
import termios
import threading
import tty
from typing import NamedTuple

from firmware.devices.clock import MonotonicClock
from firmware.devices.edges import Post

LONGEST_LINE = 200
CONSOLE = "console"


class KeyLine(NamedTuple):
    text: str
    arrived_ns: int


class KeyGarbage(NamedTuple):
    """A line that was no text or too long. It counts as a line: something was keyed."""

    reason: str
    arrived_ns: int


class KeypadLost(NamedTuple):
    reason: str
    arrived_ns: int


class KeypadFound(NamedTuple):
    arrived_ns: int


class _KeypadGone(Exception):
    pass


class Keypad:
    """`device`: a tty's path, or "console" for standard input, which is not opened again once it has ended."""

    def __init__(self, device: str, post: Post, clock: MonotonicClock, *, retry_s: float = 1.0) -> None:
        self._device = device
        self._post = post
        self._clock = clock
        self._retry_s = retry_s
        self._lost = False
        self._tried = threading.Event()
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(target=self._read, name="keypad", daemon=True)

    def start(self) -> None:
        """When this returns the keypad is open, or was not there: opening it drops what was keyed before."""
        self._thread.start()
        self._tried.wait()

    def close(self) -> None:
        if self._stop_write < 0:
            return
        os.close(self._stop_write)
        self._stop_write = -1
        if self._thread.ident is not None:
            self._thread.join()
        os.close(self._stop_read)

    def _read(self) -> None:
        while True:
            try:
                descriptor = self._open()
            except OSError as error:
                self._report_lost(f"keypad {self._device}: cannot be opened ({error.strerror}): plug it in")
            else:
                self._lost = False
                self._tried.set()
                self._post(KeypadFound(self._clock.monotonic_ns()))
                try:
                    self._read_lines(descriptor)
                    return
                except _KeypadGone as gone:
                    self._report_lost(str(gone))
                    if self._device == CONSOLE:
                        return
                finally:
                    if self._device != CONSOLE:
                        os.close(descriptor)
            if select.select([self._stop_read], [], [], self._retry_s)[0]:
                return

    def _open(self) -> int:
        if self._device == CONSOLE:
            return sys.stdin.fileno()
        descriptor = os.open(self._device, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if os.isatty(descriptor):
                tty.setraw(descriptor)  # an echo would come back as keys on some adapters
        except (OSError, termios.error) as error:
            os.close(descriptor)
            raise OSError(*error.args) from None
        return descriptor

    def _report_lost(self, reason: str) -> None:
        self._tried.set()
        if not self._lost:
            self._lost = True
            self._post(KeypadLost(reason, self._clock.monotonic_ns()))

    def _read_lines(self, descriptor: int) -> None:
        """Returns when asked to stop."""
        line = bytearray()
        after_return = False
        while True:
            ready, _, _ = select.select([descriptor, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            try:
                received = os.read(descriptor, 4096)
            except BlockingIOError:
                continue
            except OSError as error:
                raise _KeypadGone(f"keypad {self._device}: went away ({error.strerror}): plug it in") from None
            if not received:
                raise _KeypadGone(f"keypad {self._device}: ended: plug it in")
            for byte in received:
                if byte == 0x0A and after_return:
                    after_return = False
                elif byte in (0x0A, 0x0D):
                    after_return = byte == 0x0D
                    self._post_line(bytes(line))
                    line.clear()
                else:
                    after_return = False
                    if len(line) <= LONGEST_LINE * 4:  # what is longer is garbage whatever follows
                        line.append(byte)

    def _post_line(self, line: bytes) -> None:
        now_ns = self._clock.monotonic_ns()
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = None
        if len(line) > LONGEST_LINE * 4 or (text is not None and len(text) > LONGEST_LINE):
            self._post(KeyGarbage(f"keyed line is longer than {LONGEST_LINE} characters", now_ns))
        elif text is None or not (text.isprintable() or text == ""):
            self._post(KeyGarbage("keyed line is not text", now_ns))
        else:
            self._post(KeyLine(text, now_ns))
