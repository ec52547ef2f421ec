from pathlib import Path

import pytest
from ledger_samples import KEY, SIGN_ON, TABLE, UTC, create

from firmware.ledger.converters import CONVERTERS, Converters
from firmware.ledger.faults import JournalFault
from firmware.ledger.journal import Journal
from firmware.ledger.records import JSON, Body, NewRecord


def seat_to_box(body: Body) -> dict[str, JSON]:
    return {"box": body["seat"]}


def box_to_boxes(body: Body) -> dict[str, JSON]:
    return {"boxes": [body["box"]]}


LATER = Converters({("touch", 1): seat_to_box, ("touch", 2): box_to_boxes})


def test_old_records_are_read_in_todays_form_and_still_prove_themselves(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.append([NewRecord("touch", "dealer.17", {"seat": 3}), SIGN_ON], UTC, checkpoint=True)
    with Journal.open(tmp_path / "journal.db", TABLE, KEY, converters=LATER) as journal:
        touch = journal.last("touch")
        assert touch is not None
        assert (touch.version, touch.body) == (1, {"boxes": [3]})
        sign_on = journal.last("sign_on")
        assert sign_on is not None
        assert sign_on.body == SIGN_ON.body


def test_new_records_carry_the_newest_version_and_stand_beside_old_ones(tmp_path: Path) -> None:
    with create(tmp_path / "journal.db") as journal:
        journal.append([NewRecord("touch", "dealer.17", {"seat": 3})], UTC)
    with Journal.open(tmp_path / "journal.db", TABLE, KEY, converters=LATER) as journal:
        journal.begin_boot("boot-2", "software-2")
        journal.append([NewRecord("touch", "dealer.17", {"boxes": [4, 5]})], UTC)
        touches = [(record.version, record.body) for record in journal.read(types=["touch"])]
    assert touches == [(1, {"boxes": [3]}), (3, {"boxes": [4, 5]})]


def test_a_step_missing_between_two_versions_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="'touch' has no converter from version 1"):
        Converters({("touch", 2): box_to_boxes})


def test_a_record_from_the_future_is_refused() -> None:
    with pytest.raises(JournalFault, match=r"record 12 \(touch\) has version 4, this software reads up to 3") as fault:
        LATER.to_newest("touch", 4, {}, 12, "software-9")
    assert (fault.value.code, fault.value.record) == ("newer-version", 12)


def test_every_type_of_this_release_is_written_in_its_newest_version() -> None:
    assert CONVERTERS.newest("wager") == 1
    assert LATER.newest("touch") == 3
