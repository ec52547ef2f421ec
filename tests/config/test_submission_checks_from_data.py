"""Another rulebook file, other bounds: the checks hold no figure of their own."""

from fractions import Fraction
from pathlib import Path

import pytest

from firmware.rules.rulebook import Rulebook, parse_rulebook
from firmware.rules.submission_checks import check_submission
from firmware.rules.submission_draft import Complaint, Draft, Equipment, KeyPath, Value

RULEBOOK = Path(__file__).parents[2] / "firmware/rulebooks/md_high_card_flush.toml"
TEXT = RULEBOOK.read_text()
HOUR_NS = 3600 * 10**9

LEGAL: dict[KeyPath, Value] = {
    ("table", "seats"): 6,
    ("table", "boxes_per_player"): 2,
    ("table", "layout_reference"): "approval 7",
    ("cards", "dealing_method"): "manual shoe",
    ("limits", "ante", "min"): 5_00,
    ("limits", "ante", "max"): 100_00,
    ("limits", "flush_bonus", "min"): 5_00,
    ("limits", "flush_bonus", "max"): 100_00,
    ("limits", "progressive", "min"): 1_00,
    ("limits", "progressive", "max"): 1_00,
    ("paytables", "flush_bonus"): "A",
    ("paytables", "progressive"): "C",
    ("payout", "limit_per_hand"): 50_000_00,
    ("meters", "progressive", "rate"): Fraction(1, 5),
    ("meters", "progressive", "initial"): 5_000_00,
    ("meters", "progressive", "reset"): 5_000_00,
    ("meters", "progressive", "limit"): 1_000_000_00,
    ("meters", "progressive", "stake"): 1_00,
}


def rulebook(*replacements: tuple[str, str]) -> Rulebook:
    text = TEXT
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return parse_rulebook(text)


def complaints(book: Rulebook, *changes: tuple[KeyPath, Value]) -> list[Complaint]:
    values = LEGAL | dict(changes)
    sections = {path[:length] for path in values for length in range(1, len(path))}
    return check_submission(Draft(values, frozenset(sections)), book, Equipment(7, lockout_button=True))


def test_a_legal_submission_has_no_complaint() -> None:
    assert complaints(rulebook()) == []


@pytest.mark.parametrize(
    ("replacement", "path", "last_legal", "first_illegal", "clause"),
    [
        (('seats = [6, "02.A"]', 'seats = [5, "99.A"]'), ("table", "seats"), 5, 6, "MD-HCF-99.A"),
        (
            ('boxes_per_player = [6, "07.G"]', 'boxes_per_player = [3, "99.B"]'),
            ("table", "boxes_per_player"),
            3,
            4,
            "MD-HCF-99.B",
        ),
        (
            ('cut_at_least = [10, "05.E"]', 'cut_at_least = [12, "99.C"]'),
            ("cards", "cut_at_least"),
            12,
            11,
            "MD-HCF-99.C",
        ),
        (
            ('deck_hours_shoe = [8, "03.C.2"]', 'deck_hours_shoe = [6, "99.D"]'),
            ("cards", "deck_life"),
            6 * HOUR_NS,
            6 * HOUR_NS + 1,
            "MD-HCF-99.D",
        ),
        (
            ('C = ["$5,000", "12.E.2.b.ii"]', 'C = ["$4,000", "99.E"]'),
            ("meters", "progressive", "reset"),
            4_000_00,
            3_999_99,
            "MD-HCF-99.E",
        ),
        (
            ('payout_limit = ["$50,000", "12.D.1"]', 'payout_limit = ["$60,000", "12.D.1"]'),
            ("payout", "limit_per_hand"),
            60_000_00,
            50_000_00,
            "MD-HCF-12.D",
        ),
    ],
    ids=["seats", "boxes", "cut", "deck life", "reset", "payout limit"],
)
def test_bounds_and_clauses_come_from_the_rulebook(
    replacement: tuple[str, str], path: KeyPath, last_legal: int, first_illegal: int, clause: str
) -> None:
    book = rulebook(replacement)
    own = [complaint for complaint in complaints(book, (path, last_legal)) if complaint.where == path]
    assert own == []
    (complaint,) = (found for found in complaints(book, (path, first_illegal)) if found.where == path)
    assert complaint.clause == clause


def test_a_figure_that_a_rulebook_does_not_print_is_not_enforced() -> None:
    book = rulebook(('deck_hours_shoe = [8, "03.C.2"]', ""))
    assert complaints(book, (("cards", "deck_life"), 100 * HOUR_NS)) == []


def test_MD_HCF_03_C_1_decks_dealt_by_hand_last_four_hours() -> None:
    by_hand = ((("cards", "dealing_method"), "hand"), (("cards", "shuffler"), "plain"))
    life = ("cards", "deck_life")
    assert complaints(rulebook(), *by_hand, (life, 4 * HOUR_NS)) == []
    (complaint,) = complaints(rulebook(), *by_hand, (life, 4 * HOUR_NS + 1))
    assert (complaint.where, complaint.clause) == (life, "MD-HCF-03.C.1")
    assert complaint.legal == 'Highest legal: "4 h"'


def test_MD_HCF_03_B_two_decks_take_turns_with_a_shuffler() -> None:
    decks, turns, shuffler = ("cards", "decks"), ("cards", "two_decks"), ("cards", "shuffler")
    assert complaints(rulebook(), (decks, 2), (turns, True), (shuffler, "plain")) == []
    (complaint,) = complaints(rulebook(), (decks, 2), (turns, False), (shuffler, "plain"))
    assert (complaint.where, complaint.clause) == (turns, "MD-HCF-03.B")
    (complaint,) = complaints(rulebook(), (turns, True))
    assert (complaint.where, complaint.clause) == (turns, "MD-HCF-03.B")
    assert complaint.legal == 'Legal: false, or true with [cards] shuffler = "plain" or "counting"'


def test_a_table_without_a_progressive_still_needs_its_seats_on_the_board() -> None:
    values = {path: value for path, value in LEGAL.items() if "progressive" not in path}
    sections = frozenset(path[:length] for path in values for length in range(1, len(path)))
    found = check_submission(Draft(values, sections), rulebook(), Equipment(5, lockout_button=False))
    assert [(complaint.where, complaint.clause) for complaint in found] == [
        (("table", "seats"), None),
        (("table", "board"), None),
    ]
