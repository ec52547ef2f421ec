"""`feltlock check`: whole outputs compared with the golden texts beside this file."""

from pathlib import Path

import pytest
from config_variants import GOOD_BOARD, GOOD_TABLE, TABLE_NAME, changed, write_files

from host_tools.check import run

GOLDENS = Path(__file__).parent / "goldens"
NAMES = sorted(path.stem for path in GOLDENS.glob("*.toml"))


def test_each_golden_file_has_its_expected_text() -> None:
    assert sorted(path.stem for path in GOLDENS.glob("*.expected")) == NAMES
    assert len(NAMES) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_check_says_exactly_what_is_expected(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(GOLDENS)
    status = run([f"{name}.toml"])
    said = capsys.readouterr()
    expected = Path(f"{name}.expected").read_text()
    assert f"{said.err}{said.out}exit {status}\n" == expected


def test_a_legal_table_is_summed_up_on_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    assert run([TABLE_NAME]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.startswith("tables/pit4-07.toml: legal\n")


def test_warnings_go_to_standard_error_and_leave_the_table_legal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    board = changed(GOOD_BOARD, ("pins.floor_key", '{ pin = 27, pull = "down", active = "low" }'))
    write_files(tmp_path, changed(GOOD_TABLE, ("meters.progressive.rate", '"50%"')), board)
    assert run([TABLE_NAME]) == 0
    said = capsys.readouterr()
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["warning", "warning"]
    assert "legal" in said.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "the following arguments are required: file"),
        (["a.toml", "b.toml"], "unrecognized arguments: b.toml"),
        (["--fast", "a.toml"], "unrecognized arguments: --fast"),
    ],
    ids=["none", "two", "option"],
)
def test_argument_errors_are_one_line(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(args)
    assert ended.value.code == 1
    assert capsys.readouterr().err == f"feltlock: {said}: write feltlock check [-h] file\n"


def test_a_file_that_is_not_there_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["nowhere.toml"]) == 1
    assert capsys.readouterr().err == (
        "nowhere.toml: cannot be read: no such file or directory.\nfeltlock: nowhere.toml: refused, 1 problem\n"
    )
