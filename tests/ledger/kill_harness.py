"""Kill a process that writes a journal, over and over, and hold what is left against what it had acknowledged.

Three kinds of end, drawn at random: `outside` (this process kills it while it works), `acknowledgement` (it dies
the instant it has said that a step is recorded) and `instruction` (it dies between two instructions of SQLite's
machine, so also in the middle of a transaction).

`run_kills` takes the writer as "module:class", so that a planted fault can be put in its place.
"""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import BoundedSemaphore

from ledger_samples import KEY, METER, TABLE, UTC, create

from firmware.ledger.journal import Journal
from firmware.ledger.meters import prove
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import NewRecord, Record
from firmware.ledger.verification import verify_journal
from firmware.ledger.witness import FileWitness
from firmware.ledger.writer import LedgerWriter
from firmware.rules.postings import move

TRUE_WRITER = "firmware.ledger.writer:LedgerWriter"
ENDS = {"outside": (1, 60), "acknowledgement": (1, 60), "instruction": (1, 8000)}
ON_THE_WAY = 8
CHECKPOINT_EVERY = 10


@dataclass
class KillReport:
    kills: int = 0
    acknowledged: int = 0
    problems: list[str] = field(default_factory=list)


def run_kills(folder: Path, kills: int, seed: int, writer: str = TRUE_WRITER) -> KillReport:
    """One journal lives through all the kills; stops at the first that left something wrong."""
    path, chance, report = folder / "journal.db", random.Random(seed), KillReport()
    create(path).close()
    while report.kills < kills and not report.problems:
        end = chance.choice(sorted(ENDS))
        count = chance.randint(*ENDS[end])
        report.acknowledged = max(report.acknowledged, _run_until_killed(path, writer, end, count))
        report.kills += 1
        report.problems += [f"kill {report.kills} ({end} {count}): {text}" for text in _look_over(path, report)]
    return report


def _run_until_killed(path: Path, writer: str, end: str, count: int) -> int:
    """The highest step that the process said was recorded."""
    command = [sys.executable, __file__, str(path), writer, end, str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        highest = 0
        for number, line in enumerate(process.stdout, start=1):
            highest = int(line)
            if end == "outside" and number == count:
                process.kill()
    if process.returncode != -signal.SIGKILL:
        raise AssertionError(f"the writing process ended by itself with {process.returncode}")
    return highest


def _look_over(path: Path, report: KillReport) -> list[str]:
    problems = [finding.text for finding in verify_journal(path, KEY.public_hex, _witness(path))]
    with JournalReader.open_readonly(path) as journal:
        steps = [record.body["step"] for record in journal.read(types=["step"])]
        proof = prove(journal.read())
    if steps != list(range(1, len(steps) + 1)):
        problems.append("a step is missing or doubled")
    if len(steps) < report.acknowledged:
        problems.append(f"step {report.acknowledged} was acknowledged, the journal ends at step {len(steps)}")
    if proof.problem is not None:
        problems.append(f"record {proof.offending}: {proof.problem}")
    return problems


def _witness(path: Path) -> FileWitness:
    return FileWitness(path.with_name("witness"))


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class _Countdown:
    def __init__(self, count: int) -> None:
        self._left = count

    def __call__(self) -> int:
        self._left -= 1
        if self._left == 0:
            _die()
        return 0


def _write_until_killed(path: Path, writer_class: type[LedgerWriter], end: str, count: int) -> None:
    journal = Journal.open(path, TABLE, KEY, _witness(path))
    journal.begin_boot(f"boot-{os.getpid()}", "software-1")
    last = journal.last("step")
    step = 0 if last is None else int(str(last.body["step"]))
    if end == "instruction":
        journal._connection.set_progress_handler(_Countdown(count), 1)
    writer = writer_class(journal, _witness(path))
    free = BoundedSemaphore(ON_THE_WAY)
    countdown = _Countdown(count if end == "acknowledgement" else 0)

    def acknowledge(step: int, future: Future[tuple[Record, ...]]) -> None:
        future.result()
        os.write(sys.stdout.fileno(), f"{step}\n".encode())
        countdown()
        free.release()

    while True:
        free.acquire()
        step += 1
        record = NewRecord("step", "dealer.17", {"step": step}, postings=move(METER, step, "player", "meter"))
        future = writer.submit([record], UTC, checkpoint=step % CHECKPOINT_EVERY == 0)
        future.add_done_callback(lambda done, step=step: acknowledge(step, done))  # type: ignore[misc]


if __name__ == "__main__":
    module, name = sys.argv[2].split(":")
    _write_until_killed(Path(sys.argv[1]), getattr(import_module(module), name), sys.argv[3], int(sys.argv[4]))
