import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ledger_samples import KEY, METER, UTC, create, create_filled

from firmware.ledger.records import NewRecord
from firmware.rules.postings import move_cents
from host_tools.figures.journal import measure
from host_tools.journal_commands import meters, verify


def test_verify_says_what_it_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_filled(tmp_path / "journal.db")
    assert verify(["--journal", str(tmp_path), "--key", KEY.public_hex.upper()]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(f"{tmp_path / 'journal.db'}: journal of table PIT4-07, whole and unchanged\n")
    assert "  records      9, each following the one before it\n" in out
    assert f"  checkpoints  2, signed by key {KEY.public_hex}\n" in out
    assert "--key" not in out


def test_verify_without_a_key_says_what_that_leaves_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_filled(tmp_path / "journal.db")
    assert verify(["--journal", str(tmp_path / "journal.db")]) == 0
    assert "--key HEX holds it against the unit's paperwork" in capsys.readouterr().out


def test_verify_names_each_thing_it_finds_on_a_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    create_filled(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE records SET person = 'dealer.18' WHERE seq IN (3, 6)")
    assert verify(["--journal", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    remedy = "it was changed after it was written: stop the table and keep this storage card for the investigation"
    assert (out, err) == ("", "".join(f"feltlock: journal {path}, record {seq}: {remedy}\n" for seq in (3, 6)))


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--journal", "nowhere"], "feltlock: journal nowhere is missing: "),
        (["--journal", "nowhere", "--key", "12"], "feltlock: --key '12': a unit's public key has 64 hex digits\n"),
    ],
)
def test_verify_of_what_is_not_there_is_one_line(
    args: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(args) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(complaint)
    assert err.count("\n") == 1


HIT = {
    "kind": "hit_paid",
    "meter": METER,
    "seat": 4,
    "amount": 500_024,
    "hand": "seven-card straight flush",
    "clause": "MD-HCF-12.E.2",
    "hit": "7/4/1",
}


def create_with_hit(path: Path) -> None:
    with create(path) as journal:
        seed = move_cents(METER, 500_000, "seed", "meter")
        locked = move_cents(METER, 500_024, "meter", "pending") + seed
        wager = move_cents(METER, 24, "player", "meter")
        contribution = {"decisions": [{"kind": "contribution", "meter": METER}]}
        paid = move_cents(METER, 500_024, "pending", "paid")
        journal.append([NewRecord("meter_started", "technician.2", {"meter": METER}, postings=seed)], UTC)
        journal.append([NewRecord("wager", "dealer.17", contribution, 7, wager)], UTC)
        journal.append([NewRecord("hit_locked", "dealer.17", {}, 7, locked)], UTC)
        journal.append([NewRecord("hit_paid", "floor.3", {"decisions": [HIT]}, 7, paid)], UTC, checkpoint=True)


def test_meters_adds_up_each_meter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_with_hit(tmp_path / "journal.db")
    assert meters([str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines == [
        "table PIT4-07, up to record 6",
        "",
        "progressive",
        "shown $5,000.00",
        "on the meter $5,000.000000",
        "put in by the house $10,000.000000",
        "put in by players $0.240000",
        "pending $0.000000",
        "paid $5,000.240000",
        "overflow $0.000000",
        "reserve $0.000000",
        "inventory $0.000000",
        "wagers in 1",
        "hits 1",
        "total paid $5,000.24",
        f"hit 7/4/1: $5,000.24 seat 4, round 7 seven-card straight flush (MD-HCF-12.E.2), {UTC}, record 5",
    ]


def test_meters_prove_sums_every_account_to_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_with_hit(tmp_path / "journal.db")
    assert meters([str(tmp_path / "journal.db"), "--prove"]) == 0
    proof = capsys.readouterr().out.split("\n\n")[-1]
    assert [" ".join(line.split()) for line in proof.splitlines()] == [
        "6 records checked",
        "meter $5,000.000000",
        "pending $0.000000",
        "paid $5,000.240000",
        "seed -$10,000.000000",
        "overflow $0.000000",
        "reserve $0.000000",
        "inventory $0.000000",
        "player -$0.240000",
        "sum $0.000000",
        "all postings sum to zero",
    ]


def test_meters_prove_names_the_record_that_takes_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with create(tmp_path / "journal.db") as journal:
        postings = move_cents(METER, 1, "meter", "paid")
        journal.append([NewRecord("hit_paid", "floor.3", {}, postings=postings)], UTC)
    assert meters([str(tmp_path)]) == 0
    assert meters([str(tmp_path), "--prove"]) == 1
    complaint = f"record 2: account meter of meter {METER} falls to -10000 units: stop the table\n"
    assert capsys.readouterr().err == f"feltlock: journal {tmp_path / 'journal.db'}, {complaint}"


def test_meters_prove_believes_no_broken_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_with_hit(tmp_path / "journal.db")
    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection, connection:
        connection.execute("DELETE FROM postings WHERE seq = 3")
    assert meters([str(tmp_path), "--prove"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "record 3: it was changed" in err


def test_meters_of_what_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert meters([str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"feltlock: journal {tmp_path / 'journal.db'} is missing: "
        "put the table's storage card in, or name the journal.db\n"
    )


def test_the_journal_figure_measures_both_sides(tmp_path: Path) -> None:
    figures = measure(batches=2, commits_per_batch=5, folder=tmp_path)
    assert set(figures) == {"bare_commits_per_second", "journal_commits_per_second", "share_of_bare"}
    assert all(figure > 0 for figure in figures.values())
    assert list(tmp_path.iterdir()) == []
