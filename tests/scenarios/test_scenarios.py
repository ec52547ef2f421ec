"""Every scenario is played by the production process through pins, shoe and keys, and leaves a journal that proves
itself: whole, its money all there, and its rounds the same when they are run again."""

from pathlib import Path

import pytest

from firmware.controller.table_state import ROUND_OPENED
from firmware.ledger.reader import JournalReader
from host_tools.journal_commands import meters, verify
from host_tools.replay import replay
from host_tools.run import run

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "host_tools/simulate/tables/md-high-card-flush.toml"
SCRIPTS = sorted(HERE.glob("*.script"))


def played(script: Path, state: Path) -> int:
    return run([str(TABLE), "--script", str(script), "--state", str(state)])


def rounds_of(state: Path) -> list[int]:
    with JournalReader.open_readonly(state / "journal.db") as journal:
        return [record.round or 0 for record in journal.read(types=[ROUND_OPENED])]


def test_there_are_scenarios_and_the_acceptance_round_is_one_of_them() -> None:
    assert HERE / "md_high_card_flush_acceptance.script" in SCRIPTS
    assert len(SCRIPTS) >= 35


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_scenario_comes_true_and_its_journal_proves_itself(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played(script, tmp_path) == 0, capsys.readouterr().err
    transcript = capsys.readouterr()
    assert transcript.err == ""
    assert "Traceback" not in transcript.out
    assert verify(["--journal", str(tmp_path)]) == 0
    assert meters([str(tmp_path), "--prove"]) == 0
    assert "all postings sum to zero" in capsys.readouterr().out
    for number in rounds_of(tmp_path):
        assert replay([str(tmp_path), str(number)]) == 0
        told = capsys.readouterr().out
        assert "every decision comes out as recorded" in told or "voided from its records alone" in told


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_scenario_says_at_its_head_what_it_proves(script: Path) -> None:
    lines = script.read_text().splitlines()
    assert lines[0].startswith("# ")
    assert lines[0].endswith((".", ",", ":"))
    assert any(line.startswith(("expect", "lamp")) for line in lines)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("expect = dealer-1 is signed off", "expected '= dealer-1 is signed off', but this was printed"),
        ("never signed on", "'signed on' must never be printed, but was: = dealer-1 is signed on"),
        ("lamp 1 on", "the lamp of seat 1 is off"),
        ("power on", "the power is on already"),
        ("dance", "'dance' is no line of a scenario"),
        ("wait 5", "a time is a whole number and a unit"),
        ("shoe 4c 4x", "4x"),
        ("person dealer-1 dealer 4711", "there is an account dealer-1 already"),
    ],
)
def test_a_line_that_does_not_come_true_ends_the_scenario_with_its_file_and_number(
    line: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "wrong.script"
    script.write_text(f"person dealer-1 dealer 4711\npower on\nkey sign on dealer-1 4711\n\n{line}\nkey sign off\n")
    assert played(script, tmp_path / "state") == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"feltlock: {script}:5: {line}: ")
    assert complaint in captured.err
    assert "sign off" not in captured.out


def test_a_key_before_the_power_is_on_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "dark.script"
    script.write_text("key confirm\n")
    assert played(script, tmp_path / "state") == 1
    assert "dark.script:1: key confirm: the power is off" in capsys.readouterr().err


def test_the_same_scenario_gives_the_same_transcript_every_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = HERE / "md_high_card_flush_acceptance.script"
    transcripts = []
    for folder in ("one", "two"):
        assert played(script, tmp_path / folder) == 0
        transcripts.append(capsys.readouterr().out)
    assert transcripts[0] == transcripts[1]
