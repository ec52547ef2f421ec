"""Whatever is changed in a journal, by whatever means, is found."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ledger_samples import KEY, SIGN_ON, TABLE, UTC, create, create_filled, open_again

from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.keys import UnitKey
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import FIRST_PREVIOUS, Record, canonical, checkpoint_data, record_hash
from firmware.ledger.verification import Finding, verify_journal
from firmware.ledger.witness import FileWitness

RECORD_COLUMNS = (
    "seq",
    "utc",
    "boot",
    "type",
    "version",
    "fingerprint",
    "person",
    "round",
    "body",
    "previous",
    "hash",
)
POSTING_COLUMNS = ("seq", "position", "account", "meter", "units")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "journal.db"
    create_filled(path)
    assert verify_journal(path, KEY.public_hex) == []
    return path


@contextmanager
def copy_of(journal: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copy(journal, folder))


def change(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement, values)


def all_records(path: Path) -> list[Record]:
    with JournalReader.open_readonly(path) as reader:
        return list(reader.read())


def found(findings: list[Finding]) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.record) for finding in findings]


def flipped(value: object, place: int, bit: int) -> object:
    """The value with one bit turned; texts as bytes, so that they may also become no text at all."""
    if value is None:
        return place
    if isinstance(value, int):
        turned = value % 2**64 ^ (1 << (8 * (place % 8) + bit))
        return turned - 2**64 if turned >= 2**63 else turned
    raw = bytearray(str(value).encode())
    raw[place % len(raw)] ^= 1 << bit
    return bytes(raw)


@settings(deadline=None)
@given(data=st.data())
def test_any_bit_of_any_column_of_any_row(whole: Path, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(["records", "postings"]))
    column = data.draw(st.sampled_from(RECORD_COLUMNS if table == "records" else POSTING_COLUMNS))
    with copy_of(whole) as path:
        with closing(sqlite3.connect(path)) as connection, connection:
            order = "seq" if table == "records" else "seq, position"
            rows = connection.execute(f"SELECT seq, {column}, * FROM {table} ORDER BY {order}").fetchall()
            row = data.draw(st.sampled_from(rows))
            turned = flipped(row[1], data.draw(st.integers(0, 200)), data.draw(st.integers(0, 7)))
            new = "CAST(? AS TEXT)" if isinstance(turned, bytes) else "?"
            which = "seq = ?" if table == "records" else "seq = ? AND position = ?"
            keys = (row[2],) if table == "records" else (row[2], row[3])
            try:
                connection.execute(f"UPDATE {table} SET {column} = {new} WHERE {which}", (turned, *keys))
            except sqlite3.IntegrityError:
                assume(False)  # the number is taken: SQLite itself refuses that change
        assert verify_journal(path, KEY.public_hex) != []
        with pytest.raises(JournalFault):
            Journal.open(path, TABLE, KEY)


@settings(deadline=None)
@given(place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_any_bit_of_the_file_is_found_or_changes_no_record(whole: Path, place: int, bit: int) -> None:
    with copy_of(whole) as path:
        raw = bytearray(path.read_bytes())
        raw[place % len(raw)] ^= 1 << bit
        path.write_bytes(raw)
        assert verify_journal(path, KEY.public_hex) or all_records(path) == all_records(whole)


def test_a_deleted_record_in_the_middle_is_named(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "DELETE FROM records WHERE seq = 6", "DELETE FROM postings WHERE seq = 6")
        assert found(verify_journal(path)) == [("chain-broken", 6)]


def test_a_deleted_first_record_is_named(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "DELETE FROM records WHERE seq = 1")
        assert found(verify_journal(path, KEY.public_hex)) == [("chain-broken", 1), ("chain-broken", 1)]


def test_swapped_records_are_named(whole: Path) -> None:
    with copy_of(whole) as path:
        change(
            path,
            *(f"UPDATE {table} SET seq = 99 WHERE seq = 6" for table in ("records", "postings")),
            *(f"UPDATE {table} SET seq = 6 WHERE seq = 7" for table in ("records", "postings")),
            *(f"UPDATE {table} SET seq = 7 WHERE seq = 99" for table in ("records", "postings")),
        )
        assert {record for _, record in found(verify_journal(path))} == {6, 7, 8}


def test_postings_without_a_record_are_found(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "INSERT INTO postings VALUES (77, 0, 'meter', 'progressive', 0)")
        assert found(verify_journal(path)) == [("chain-broken", 77)]


def test_a_planted_trigger_is_found(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "CREATE TRIGGER quiet AFTER INSERT ON records BEGIN DELETE FROM records WHERE seq = 3; END")
        assert found(verify_journal(path)) == [("layout", None)]
        with pytest.raises(JournalFault, match="tables are not those of layout 1"):
            Journal.open_readonly(path)


def rewrite(path: Path, first: int, edit: Callable[[dict[str, object]], None], signer: UnitKey | None = None) -> None:
    """What an able forger does: change a record and make every later hash fit again."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM records ORDER BY seq")]
        previous = FIRST_PREVIOUS
        for row in rows:
            seq = row["seq"]
            if seq == first:
                edit(row)
            if signer is not None and row["type"] == "checkpoint":
                row["body"] = canonical({"signature": signer.sign(checkpoint_data(seq - 1, previous))})
            picked = connection.execute(
                "SELECT account, meter, units FROM postings WHERE seq = ? ORDER BY position", [seq]
            )
            postings = canonical([tuple(posting) for posting in picked])
            header = [row[name] for name in RECORD_COLUMNS[:9]]
            hash = record_hash(previous, *header, postings)  # type: ignore[arg-type]
            connection.execute(
                "UPDATE records SET type = ?, version = ?, person = ?, body = ?, previous = ?, hash = ? WHERE seq = ?",
                [row["type"], row["version"], row["person"], row["body"], previous, hash, seq],
            )
            previous = hash


def blame_another(row: dict[str, object]) -> None:
    row["person"] = "dealer.18"


def test_a_chain_made_to_fit_again_breaks_at_the_next_signature(whole: Path) -> None:
    with copy_of(whole) as path:
        rewrite(path, 3, blame_another)
        assert found(verify_journal(path)) == [("bad-signature", 5), ("bad-signature", 9)]


def test_checkpoints_signed_anew_with_another_key_are_found(whole: Path) -> None:
    with copy_of(whole) as path:
        rewrite(path, 3, blame_another, signer=UnitKey.create())
        assert found(verify_journal(path)) == [("bad-signature", 5), ("bad-signature", 9)]


def test_a_journal_forged_whole_with_another_key_is_found_by_who_knows_the_key(whole: Path) -> None:
    forger = UnitKey.create()

    def claim(row: dict[str, object]) -> None:
        row["body"] = canonical({"layout": 1, "public_key": forger.public_hex, "table": TABLE})

    with copy_of(whole) as path:
        rewrite(path, 1, claim, signer=forger)
        assert verify_journal(path) == []
        assert found(verify_journal(path, KEY.public_hex))[0] == ("another-key", 1)
        with pytest.raises(JournalFault, match="storage card that belongs to this unit") as fault:
            Journal.open(path, TABLE, KEY)
        assert fault.value.code == "another-key"


def test_a_checkpoint_copied_from_elsewhere_is_found(whole: Path) -> None:
    first_signature = next(record for record in all_records(whole) if record.type == "checkpoint").body

    def copy_it(row: dict[str, object]) -> None:
        row["body"] = canonical(first_signature)

    with copy_of(whole) as path:
        rewrite(path, 9, copy_it)
        assert found(verify_journal(path)) == [("bad-signature", 9)]


def test_a_second_first_record_is_found(whole: Path) -> None:
    def begin_again(row: dict[str, object]) -> None:
        row["type"] = "genesis"

    with copy_of(whole) as path:
        rewrite(path, 8, begin_again, signer=KEY)
        assert found(verify_journal(path)) == [("chain-broken", 8)]


def test_money_out_of_nothing_is_found_even_when_every_hash_and_signature_fits(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "UPDATE postings SET units = units + 1 WHERE seq = 4 AND position = 1")
        rewrite(path, 4, lambda row: None, signer=KEY)
        assert found(verify_journal(path, KEY.public_hex)) == [("unbalanced", 4)]


def test_records_cut_off_at_the_end_are_found_by_the_witness_alone(whole: Path, tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "witness")
    last = all_records(whole)[-1]
    witness.write(last.seq, last.hash)
    with copy_of(whole) as path:
        assert verify_journal(path, witness=witness) == []
        change(path, "DELETE FROM records WHERE seq = 9")
        assert verify_journal(path) == []
        assert found(verify_journal(path, witness=witness)) == [("rolled-back", None)]
        with pytest.raises(JournalFault, match=r"ends at record 8, the witness saw record 9") as fault:
            open_again(path, witness=witness)
        assert fault.value.code == "rolled-back"


def test_an_older_copy_played_on_is_found_by_the_witness(whole: Path, tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "witness")
    with copy_of(whole) as real, copy_of(whole) as older:
        with open_again(real) as journal:
            seen = journal.append([SIGN_ON], UTC, checkpoint=True)[-1]
            witness.write(seen.seq, seen.hash)
        with open_again(older) as journal:
            journal.append([SIGN_ON] * 5, "2026-03-02T08:00:00.000000Z", checkpoint=True)
        assert verify_journal(real, witness=witness) == []
        assert found(verify_journal(older, witness=witness)) == [("rolled-back", seen.seq)]


@pytest.mark.parametrize("quick", [False, True])
def test_a_journal_that_has_grown_since_it_was_witnessed_is_accepted(tmp_path: Path, quick: bool) -> None:
    witness = FileWitness(tmp_path / "witness")
    with create(tmp_path / "journal.db") as journal:
        seen = journal.append([SIGN_ON], UTC, checkpoint=True)[-1]
        witness.write(seen.seq, seen.hash)
        journal.append([SIGN_ON], UTC)
    open_again(tmp_path / "journal.db", witness=witness, quick=quick).close()


def test_quick_opening_checks_from_the_last_checkpoint_on(whole: Path) -> None:
    with copy_of(whole) as path:
        with open_again(path) as journal:
            journal.append([SIGN_ON], UTC)
        open_again(path, quick=True).close()
        change(path, "UPDATE records SET person = 'dealer.18' WHERE seq = 10")
        with pytest.raises(JournalFault, match="record 10: it was changed"):
            open_again(path, quick=True)
    with copy_of(whole) as path:
        rewrite(path, 8, blame_another)
        with pytest.raises(JournalFault, match="record 9: the checkpoint is not signed") as fault:
            open_again(path, quick=True)
        assert fault.value.code == "bad-signature"


def test_a_finding_says_where_and_what_to_do(whole: Path) -> None:
    with copy_of(whole) as path:
        change(path, "UPDATE records SET body = '{}' WHERE seq = 4")
        (finding,) = verify_journal(path)
        assert finding.text == (
            f"journal {path}, record 4: it was changed after it was written: "
            "stop the table and keep this storage card for the investigation"
        )
        assert "\n" not in finding.text
