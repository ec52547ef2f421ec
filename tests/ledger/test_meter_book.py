"""Meters as a fold of postings, and the proof that no money came from nowhere."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_samples import METER, UTC, create

from firmware.ledger.faults import JournalFault
from firmware.ledger.meters import MeterBook, prove
from firmware.ledger.records import JSON, NewRecord, Record
from firmware.rules.postings import ACCOUNTS, Posting, move, move_cents, reverse

SEEDED = move_cents(METER, 500_000, "seed", "meter")


def record(seq: int, postings: tuple[Posting, ...] = (), **body: JSON) -> Record:
    return Record(seq, UTC, "boot-1", "step", 1, "software-1", "dealer.17", 7, body, postings, "", "")


def decisions(seq: int, *each: JSON) -> Record:
    return record(seq, decisions=list(each))


accounts = st.sampled_from(ACCOUNTS)
moves = st.lists(
    st.builds(move, st.sampled_from(["progressive", "minor"]), st.integers(0, 10**15), accounts, accounts), max_size=4
).map(lambda pairs: tuple(posting for pair in pairs for posting in pair))


@settings(deadline=None)
@given(st.lists(moves, max_size=12), st.data())
def test_any_batching_folds_to_the_same_book(sets: list[tuple[Posting, ...]], data: st.DataObject) -> None:
    one_by_one = MeterBook.of(record(seq, postings) for seq, postings in enumerate(sets, 1))
    with tempfile.TemporaryDirectory() as folder, create(Path(folder) / "journal.db") as journal:
        waiting = [NewRecord("step", "dealer.17", {}, postings=postings) for postings in sets]
        while waiting:
            size = data.draw(st.integers(1, len(waiting)))
            journal.append(waiting[:size], UTC, checkpoint=data.draw(st.booleans()))
            del waiting[:size]
        assert MeterBook.of(journal.read()) == one_by_one
    assert sum(one_by_one.sums().values()) == 0


@settings(deadline=None)
@given(moves, moves)
def test_the_reverse_gives_every_balance_back(before: tuple[Posting, ...], undone: tuple[Posting, ...]) -> None:
    book = MeterBook.of([record(1, before), record(2, undone), record(3, reverse(undone))])
    for meter in ("progressive", "minor"):
        for account in ACCOUNTS:
            assert book.balance(account, meter) == MeterBook.of([record(1, before)]).balance(account, meter)


def test_the_sign_shows_whole_cents_and_the_fraction_stays() -> None:
    book = MeterBook.of([record(1, SEEDED), record(2, move(METER, 9_999, "player", "meter"))])
    assert book.shown(METER) == 500_000
    assert book.balance("meter", METER) == 5_000_009_999
    book.apply(record(3, move(METER, 1, "player", "meter")))
    assert book.shown(METER) == 500_001


def test_a_meter_never_posted_to_stands_at_nothing() -> None:
    assert MeterBook().shown("minor") == 0
    assert MeterBook().meters() == ()


def test_wagers_in_count_contributions_and_take_reversed_ones_back() -> None:
    contribution: JSON = {"kind": "contribution", "meter": METER, "seat": 1}
    book = MeterBook.of([decisions(1, contribution, contribution, {"kind": "verdict", "seat": 2})])
    assert book.account(METER).wagers_in == 2
    book.apply(decisions(2, {"kind": "contribution_reversed", "meter": METER, "seat": 1}))
    assert book.account(METER).wagers_in == 1


def paid(number: int, amount: int) -> dict[str, JSON]:
    return {
        "kind": "hit_paid",
        "meter": METER,
        "seat": 4,
        "amount": amount,
        "hand": "seven-card straight flush",
        "clause": "MD-HCF-12.E.2",
        "hit": str(number),
    }


def test_the_last_25_hits_are_kept_and_all_are_counted() -> None:
    book = MeterBook.of(decisions(number, paid(number, number * 100)) for number in range(1, 31))
    account = book.account(METER)
    assert (account.hits, account.total_paid) == (30, 100 * sum(range(1, 31)))
    assert [hit.number for hit in account.last_hits] == [str(number) for number in range(6, 31)]
    newest = account.last_hits[-1]
    assert (newest.record, newest.round, newest.seat, newest.amount) == (30, 7, 4, 3000)
    assert (newest.hand, newest.clause) == ("seven-card straight flush", "MD-HCF-12.E.2")


@pytest.mark.parametrize("lacking", ["meter", "seat", "amount", "hand", "clause", "hit"])
def test_a_paid_hit_that_does_not_say_everything_is_a_fault(lacking: str) -> None:
    hit = paid(1, 100)
    del hit[lacking]
    with pytest.raises(JournalFault, match=f"record 9: decision 'hit_paid' has no usable '{lacking}'"):
        MeterBook().apply(decisions(9, hit))


def test_the_proof_of_a_sound_life_of_a_hit() -> None:
    proof = prove(
        [
            record(1, SEEDED),
            record(2, move_cents(METER, 500_000, "meter", "pending") + SEEDED),
            record(3, move_cents(METER, 500_000, "pending", "paid")),
        ]
    )
    assert proof.holds
    assert proof.records == 3
    assert {account: units for account, units in proof.sums.items() if units} == {
        "meter": 5_000_000_000,
        "paid": 5_000_000_000,
        "seed": -10_000_000_000,
    }


@pytest.mark.parametrize("account", ["meter", "pending"])
def test_the_proof_names_the_first_record_that_takes_what_is_not_there(account: str) -> None:
    taken = move(METER, 1, account, "paid")
    proof = prove([record(1), record(2, taken), record(3, reverse(taken)), record(4, taken)])
    assert not proof.holds
    assert (proof.offending, proof.problem) == (2, f"account {account} of meter {METER} falls to -1 units")


def test_the_proof_names_the_first_record_that_does_not_sum_to_zero() -> None:
    proof = prove([record(1, SEEDED), record(2, (Posting("meter", METER, 5),)), record(3)])
    assert (proof.offending, proof.problem) == (2, "its postings sum to 5 units instead of zero")
