"""A round voided by a floorperson: under which clauses, and what goes back."""

import pytest
from hcf_rounds import clause, worked_round

from firmware.rules.money import UNITS_PER_CENT
from firmware.rules.procedure.events import CardsRacked, RoundVoided


@pytest.mark.parametrize("until", ["counting", "dealing", "decisions", "forfeits", "settling"])
def test_X_08_a_voided_round_takes_every_contribution_back_exactly(until):
    table = worked_round(until=until)
    table.feed(RoundVoided(clause("13.B"), "two cards face up"))
    assert [fact["seat"] for fact in table.decisions("contribution_reversed")] == [1, 3, 5]
    assert table.meter == 1_234_567 * UNITS_PER_CENT
    assert not any(table.run.postings().values())
    assert table.refused(RoundVoided(clause("13.B"), "again")).clause == clause("13.B")
    table.confirm()
    assert table.run.finished
    (closed,) = table.decisions("closed")
    assert closed["voided"] == clause("13.B")
    assert "X-08" in closed["readings"]
    assert table.refused(CardsRacked()).message == "the round is closed"


def test_only_a_clause_that_voids_a_round_voids_it():
    table = worked_round(until="decisions")
    assert RoundVoided.BY == "floorperson"
    for wrong in (clause("13.A"), clause("11.C"), "nonsense"):
        assert clause("13.B") in table.refused(RoundVoided(wrong, "because")).message
    assert "Ante and Raise only" in table.refused(RoundVoided(clause("13.E"), "because")).message
    for automated in ("10.E.1", "13.H"):
        assert "automated shoe" in table.refused(RoundVoided(clause(automated), "because")).message


@pytest.mark.parametrize(("tail", "leaves"), [("08.J.1", False), ("08.J.2", True), ("13.D", False)])
def test_MD_HCF_08_J_2_the_deck_leaves_the_table_whoever_voids_the_round(tail, leaves):
    table = worked_round(until="decisions")
    table.feed(RoundVoided(clause(tail), "said so"))
    (voided,) = table.decisions("voided")
    assert voided["removes_deck"] is leaves
    assert ("deck leaves" in table.step.says) is leaves


def test_a_round_with_a_settled_seat_is_not_voided():
    table = worked_round().show(5)
    table.confirm()
    assert table.refused(RoundVoided(clause("13.D"), "too late"))
