"""`feltlock verify` and `feltlock meters`: what a journal proves, and where its meters stand."""

import sys
from pathlib import Path

from firmware.controller.arguments import Arguments
from firmware.controller.table_state import METER_STARTED, METER_TERMS
from firmware.ledger.faults import JournalFault
from firmware.ledger.keys import is_public_key
from firmware.ledger.meters import Hit, MeterBook, prove
from firmware.ledger.reader import JournalReader
from firmware.ledger.records import CHECKPOINT, Body
from firmware.ledger.verification import verify_journal
from firmware.ledger.witness import FileWitness
from firmware.rules.money import UNITS_PER_CENT, dollars

_HELD = ("pending", "paid", "overflow", "reserve", "inventory")
_PUT_IN = {"seed": "put in by the house", "player": "put in by players"}


def verify(args: list[str]) -> int:
    parser = Arguments(prog="feltlock verify", description="Prove that a journal is whole and unchanged.")
    parser.add_argument(
        "--journal", required=True, type=Path, metavar="PATH", help="journal.db, or the folder that holds it"
    )
    parser.add_argument("--key", metavar="HEX", help="the unit's public key, 64 hex digits, from its paperwork")
    parser.add_argument("--witness", type=Path, metavar="FILE", help="the table's witness: finds a rolled-back journal")
    options = parser.parse_args(args)
    if options.key is not None and not is_public_key(options.key.lower()):
        return complain(f"--key {options.key!r}: a unit's public key has 64 hex digits")
    path = journal_file(options.journal)
    witness = FileWitness(options.witness) if options.witness else None
    try:
        if witness is not None and witness.read() is None:
            return complain(f"witness {options.witness} is missing: name the file that the board file names")
    except JournalFault as fault:
        return complain(fault.message)
    findings = verify_journal(path, options.key.lower() if options.key else None, witness)
    if findings:
        return complain(*(finding.text for finding in findings))
    try:
        with JournalReader.open_readonly(path) as journal:
            _print_whole(journal, options.key is not None)
    except JournalFault as fault:
        return complain(fault.message)
    return 0


def _print_whole(journal: JournalReader, key_given: bool) -> None:
    checkpoints = sum(1 for _ in journal.read(types=[CHECKPOINT]))
    head = journal.head()
    print(f"{journal.path}: journal of table {journal.table_id()}, whole and unchanged")
    print(f"  records      {head.seq:,}, each following the one before it")
    print(f"  checkpoints  {checkpoints:,}, signed by key {journal.public_key()}")
    print(f"  head         record {head.seq}, {head.hash}")
    if not key_given:
        print("  The key is the one the journal itself names: --key HEX holds it against the unit's paperwork.")


def meters(args: list[str]) -> int:
    parser = Arguments(prog="feltlock meters", description="The progressive meters, added up from the journal.")
    parser.add_argument("journal", type=Path, help="journal.db, or the folder that holds it")
    parser.add_argument("--prove", action="store_true", help="check every record and every posting first")
    options = parser.parse_args(args)
    path = journal_file(options.journal)
    if options.prove and (findings := verify_journal(path)):
        return complain(*(finding.text for finding in findings))
    try:
        with JournalReader.open_readonly(path) as journal:
            print(f"table {journal.table_id()}, up to record {journal.head().seq}")
            book = MeterBook.of(journal.read())
            terms = {
                str(record.body["meter"]): record.body for record in journal.read(types=[METER_STARTED, METER_TERMS])
            }
            for meter in book.meters():
                _print_meter(book, meter, terms.get(meter, {}))
            return _print_proof(journal) if options.prove else 0
    except JournalFault as fault:
        return complain(fault.message)


def _print_meter(book: MeterBook, meter: str, terms: Body) -> None:
    account = book.account(meter)
    print(f"\n{meter}")
    _print_line("shown", dollars(book.shown(meter)))
    for name in ("rate", "initial", "reset", "limit"):
        if name in terms:
            value = terms[name]
            _print_line(name, dollars(value) if isinstance(value, int) else str(value))
    _print_line("on the meter", _exact(account.balances["meter"]))
    for name, words in _PUT_IN.items():
        _print_line(words, _exact(-account.balances[name]))
    for name in _HELD:
        _print_line(name, _exact(account.balances[name]))
    _print_line("wagers in", f"{account.wagers_in:,}")
    _print_line("hits", f"{account.hits:,}")
    _print_line("total paid", dollars(account.total_paid))
    for hit in reversed(account.last_hits):
        _print_hit(hit)


def _print_hit(hit: Hit) -> None:
    where = "" if hit.round is None else f" round {hit.round}"
    print(
        f"  hit {hit.number}: {dollars(hit.amount)} seat {hit.seat},{where} {hit.hand} ({hit.clause}), "
        f"{hit.utc}, record {hit.record}"
    )


def _print_proof(journal: JournalReader) -> int:
    proof = prove(journal.read())
    print(f"\n{proof.records:,} records checked")
    for account, units in proof.sums.items():
        _print_line(account, _exact(units))
    _print_line("sum", _exact(sum(proof.sums.values())))
    if not proof.holds:
        return complain(f"journal {journal.path}, record {proof.offending}: {proof.problem}: stop the table")
    print("all postings sum to zero")
    return 0


def _print_line(words: str, value: str) -> None:
    print(f"  {words:<20} {value:>24}")


def _exact(units: int) -> str:
    """Dollars to the last 1/10,000 cent."""
    cents, rest = divmod(abs(units), UNITS_PER_CENT)
    return f"{'-' if units < 0 else ''}{dollars(cents)}{rest:04}"


def journal_file(path: Path) -> Path:
    return path / "journal.db" if path.is_dir() else path


def complain(*lines: str) -> int:
    for line in lines:
        print(f"feltlock: {line}", file=sys.stderr)
    return 1
