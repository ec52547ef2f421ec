"""A table on a bench: the production process, its simulated hardware and its keypad, each where a cable would be.

The controller runs as a process of its own and learns only what comes through pins, shoe and keys. Whoever holds
this can do what people at a table can do, and pull the plug.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import tty
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from firmware.devices.faults import DeviceFault
from firmware.devices.simulated_bench import SimulatedBench

START_NS = 1_000_000_000
ENDS_WITHIN_S = 10
DEFAULT_UTC = datetime(2026, 11, 18, 10, 0, tzinfo=UTC)


class TableEnded(Exception):
    """The controller process ended by itself; its own line says why."""


class BenchTable:
    def __init__(
        self,
        table_file: Path,
        state: Path,
        seats: int,
        *,
        utc: datetime | None = DEFAULT_UTC,
        real_time: bool = False,
        screen: str = "lines",
        program: tuple[str, ...] = ("-m", "firmware.controller"),
    ) -> None:
        self.table_file = table_file
        self._state = state
        self._real_time = real_time
        self._screen = screen
        self._program = program
        self._socket_folder = tempfile.TemporaryDirectory(prefix="bench-")
        self._socket = Path(self._socket_folder.name) / "bench"
        self.bench = SimulatedBench(self._socket, seats, start_ns=None if real_time else START_NS, utc=utc)
        self._keypad, self._keypad_end = pty.openpty()
        tty.setraw(self._keypad_end)
        self._keys = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._printed: IO[bytes]
        self._unread = b""

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Power on. Returns when the controller has said what comes next; raises what it said if it did not start."""
        self._keys = 0
        command = [sys.executable, *self._program, str(self.table_file), "--state", str(self._state)]
        command += ["--bench", str(self._socket), "--keypad", os.ttyname(self._keypad_end), "--screen", self._screen]
        if self._real_time:
            command.append("--real-time")
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._process.stdout is not None
        self._printed = self._process.stdout
        while not self._connected():
            if self._process.poll() is not None:
                raise TableEnded(self._last_words())
        self.sync()

    def _connected(self) -> bool:
        if self.bench.connected():
            return True
        select.select([self._printed], [], [], 0.01)
        return False

    def _last_words(self) -> str:
        return (self._unread + self._printed.read()).decode(errors="replace").strip()

    def key(self, line: str) -> None:
        self._keys += 1
        os.write(self._keypad, line.encode() + b"\n")

    def sync(self) -> None:
        """Wait until everything done so far has been handled."""
        try:
            self.bench.sync(self._keys)
        except DeviceFault:
            assert self._process is not None
            try:
                self._process.wait(ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                raise TableEnded("the table runs but does not answer") from None
            raise TableEnded(self._last_words()) from None

    def output(self) -> list[str]:
        """Lines that the controller has printed since last asked."""
        stream = None if self._printed.closed else self._printed.fileno()
        while stream is not None and select.select([stream], [], [], 0)[0]:
            received = os.read(stream, 65536)
            if not received:
                break
            self._unread += received
        *lines, self._unread = self._unread.split(b"\n")
        return [line.decode(errors="replace") for line in lines]

    def cut_power(self, shoe_too: bool = False) -> None:
        """The process is gone between two instructions. Chips stay on the felt, cards in the shoe."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.bench.wait_disconnected()
        termios.tcflush(self._keypad_end, termios.TCIOFLUSH)  # a touch that nobody read is gone
        if shoe_too:
            self.bench.shoe.lose_power()
        if not self._printed.closed:
            self._unread += self._printed.read()  # what was printed was told, whatever happened next
            self._printed.close()

    def end(self) -> int:
        """Told to end, as by the system at shut-down."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait()

    def close(self) -> None:
        if self.running:
            self.end()
        if self._process is not None:
            self._printed.close()
        self.bench.close()
        os.close(self._keypad)
        os.close(self._keypad_end)
        self._socket_folder.cleanup()
