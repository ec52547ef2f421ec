"""A card not yet turned up is on no screen and in nothing said: held against a known deck, byte by byte."""

import contextlib
import io
import json
import re
from pathlib import Path

from table_drivers import DEALERS, P1, P3, TWO_SEATS, open_bets, watched

from host_tools.proofs.watched_table import WatchedTable
from host_tools.replay import replay

CARD = re.compile(r"\b(?:[2-9TJQKA]|10)[cdhs]\b")
HANDS = {1: set(P1.split()), 3: set(P3.split()), 0: set(DEALERS.split())}


def shown_cards(lines: list[str]) -> set[str]:
    return {card for line in lines for card in CARD.findall(line)}


def told_by(table: WatchedTable, *lines: str) -> list[str]:
    """Everything printed in answer, statuses included."""
    known = len(table.printed)
    table.keys(*lines)
    return table.printed[known:]


def test_the_pattern_finds_cards_in_a_status() -> None:
    assert shown_cards([json.dumps({"cards": "4c 5c Ts", "says": "seat 3"})]) == {"4c", "5c", "Ts"}


def test_no_card_is_shown_before_its_hand_is_turned_up_in_a_whole_round(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out(1, 3)
        table.lift(1, 3)
        table.keys("count 2")
        table.draw(21)
        table.keys("confirm", "entries", "show", "raise 3", "raise 1 99", "fold 1", "raise 3 10")
        table.restart()
        table.keys("entries", "confirm", "entries")
        assert table.status["state"] == "reveal"
        assert shown_cards(table.printed) == set()
        assert table.status["dealer_hand"] == ""

        known = len(table.printed)
        table.keys("confirm", "entries", "show")
        assert table.status["dealer_cards"].split() == DEALERS.split()
        assert shown_cards(table.printed[known:]) == HANDS[0]

        known = len(table.printed)
        table.keys("confirm", "entries", "show")
        assert table.status["state"] == "settling"
        assert shown_cards(table.printed[known:]) == HANDS[0] | HANDS[3]


def test_a_refusal_tells_nothing_about_a_hand_that_lies_face_down(tmp_path: Path) -> None:
    """Cards keyed on suspicion are answered alike whether they lie in a hand or in the stub."""
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out()
        table.draw(21)
        table.keys("confirm", "raise 1 10", "raise 3 10")
        assert table.status["state"] == "reveal"
        in_a_hand = "Kh Th 8h 6h 3h 7c 4c"
        in_the_stub = "Kh Th 8h 6h 3h 7c As"
        wrong = [
            "\n".join(told_by(table, f"dealer {cards}")).replace(cards[-2:], "XX") for cards in (in_a_hand, in_the_stub)
        ]
        assert wrong[0] == wrong[1]
        said = told_by(table, "dealer As Ks Qs 2s 3s 4s 5s")
        assert shown_cards(said) & (HANDS[0] | HANDS[1] | HANDS[3]) == set()


def test_a_misread_card_a_correction_and_its_refusals_name_no_hidden_card(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out()
        table.bench.shoe.load([*table.bench.shoe._cards[:1] * 2, *table.bench.shoe._cards[1:]])  # one card twice
        table.draw(21)
        dealt = [record.seq for record in table.records("round_event") if "CardDealt" in str(record.body["event"])]
        table.keys("confirm", f"correct {dealt[4]} with card 9h because misread", "entries")
        table.by_floorperson(f"correct {dealt[4]} with card 9h because misread")
        table.by_floorperson(f"correct {dealt[5]} with card 9h because misread")
        table.by_floorperson(f"correct {dealt[6]} with fold 1 because misread")
        table.keys("entries", "show")
        assert "corrected: misread" in table.said
        assert shown_cards(table.printed) == set()


def test_the_replay_of_an_open_round_keeps_hidden_cards_hidden(tmp_path: Path) -> None:
    with watched(tmp_path) as table:
        open_bets(table, 1, 3)
        table.lock_out()
        table.draw(21)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            replay([str(tmp_path)])
        assert "round" in printed.getvalue()
        assert shown_cards(printed.getvalue().splitlines()) == set()


def test_the_deck_of_these_tests_deals_the_hands_they_name() -> None:
    assert len(set(" ".join(TWO_SEATS).split())) == 21
