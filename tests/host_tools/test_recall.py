"""What `feltlock recall` and `feltlock replay` tell of a round: as it stands with its corrections."""

from pathlib import Path

import pytest

from host_tools.replay import recall, replay
from host_tools.run import run

TABLE = Path(__file__).parents[2] / "host_tools/simulate/tables/md-high-card-flush.toml"
SCENARIOS = Path(__file__).parents[1] / "scenarios"


def story_of(scenario, state, capsys, command=recall):
    assert run([str(TABLE), "--script", str(SCENARIOS / f"{scenario}.script"), "--state", str(state)]) == 0
    capsys.readouterr()
    assert command([str(state)]) == 0
    return capsys.readouterr().out


def test_a_struck_seat_is_not_among_the_progressive_wagers(tmp_path, capsys):
    struck = story_of("chip_struck", tmp_path, capsys)
    told = story_of_replay(tmp_path, capsys)
    assert "struck from the progressive" in told
    seat = told.split(" struck from the progressive")[0].rsplit("seat ", 1)[1]
    (wagers,) = [line for line in struck.splitlines() if "progressive wagers" in line][-1:]
    assert seat not in wagers


def story_of_replay(state, capsys):
    assert replay([str(state), "1"]) == 0
    return capsys.readouterr().out


def test_a_difference_and_how_it_was_put_right_are_recalled(tmp_path, capsys):
    told = story_of("difference_after_paid_seat", tmp_path, capsys)
    assert "corrected" in told
    assert "put right" in told


def test_the_acceptance_round_is_recalled_with_its_awards(tmp_path, capsys):
    told = story_of("md_high_card_flush_acceptance", tmp_path, capsys)
    assert "seat 5: progressive award $5,000.60 [MD-HCF-12.E.1.c.ii]" in told
    assert "seat 3: envy $200.00 [MD-HCF-12.E.5.a.ii]" in told
    assert told.count("progressive award") == 2


def test_a_closed_round_is_replayed_with_cards_readings_and_proof(tmp_path, capsys):
    told = story_of("md_high_card_flush_acceptance", tmp_path, capsys, replay)
    assert "card Js" in told
    assert "round closed, resting on the readings MD-09" in told
    assert "run again with today's rules, every decision comes out as recorded" in told


def test_an_open_round_is_replayed_without_its_hidden_cards(tmp_path, capsys):
    script = tmp_path / "open.script"
    lines = (SCENARIOS / "md_high_card_flush_acceptance.script").read_text().splitlines()
    script.write_text("\n".join(lines[: lines.index("never Js")]))
    assert run([str(TABLE), "--script", str(script), "--state", str(tmp_path)]) == 0
    capsys.readouterr()
    assert replay([str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert told.count("card ??") == 28
    assert "no checkpoint has signed it yet" in told


@pytest.mark.parametrize(("command", "args"), [(replay, ["nowhere"]), (recall, ["nowhere"])])
def test_a_journal_that_is_not_there_is_one_line(command, args, capsys):
    assert command(args) == 1
    err = capsys.readouterr().err
    assert err.startswith("feltlock: ")
    assert err.count("\n") == 1


def test_a_round_that_was_never_played_is_one_line(tmp_path, capsys):
    story_of("md_high_card_flush_acceptance", tmp_path, capsys)
    assert replay([str(tmp_path), "7"]) == 1
    assert "has no round 7: it has rounds 1 to 1" in capsys.readouterr().err
