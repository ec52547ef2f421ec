"""The dealer's keys: every command is understood, every misspelling is answered with what would be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.controller.key_lines import (
    ACTS,
    ENTRIES,
    Act,
    By,
    Confirm,
    Correct,
    KeySpelling,
    Play,
    parse_line,
)
from firmware.rules.cards import parse_card, parse_cards
from firmware.rules.procedure import events as ev
from firmware.rules.procedure.run import Correction

SEVEN = "4c 5c 6c 9d Jd 2h Qs"
UNDERSTOOD = [
    ("", Confirm()),
    ("confirm", Confirm()),
    ("  confirm  ", Confirm()),
    ("seat 3", Play(ev.WagerKeyed(3, "ante"))),
    ("seat 3 ante $10", Play(ev.WagerKeyed(3, "ante", 1000))),
    ("seat 3 ante 10", Play(ev.WagerKeyed(3, "ante", 1000))),
    ("seat 3 flush 5.50", Play(ev.WagerKeyed(3, "flush_bonus", 550))),
    ("seat 3 straight", Play(ev.WagerKeyed(3, "straight_flush_bonus"))),
    ("clear 3 flush", Play(ev.WagerCleared(3, "flush_bonus"))),
    ("same 2 3 4", Play(ev.BoxesShared((2, 3, 4)))),
    ("ante 3", Play(ev.AnteAnswered(3, True))),
    ("no-ante 3", Play(ev.AnteAnswered(3, False))),
    ("count 3", Play(ev.ChipsCounted(3))),
    ("strike 3 no chip there", Play(ev.ChipStruck(3, "no chip there"))),
    ("stub 24", Play(ev.StubCounted(24))),
    ("hands 1=7 3=8 dealer=7", Play(ev.HandsCounted(((1, 7), (3, 8), (0, 7))))),
    ("raise 5", Play(ev.Raised(5))),
    ("raise 5 $30", Play(ev.Raised(5, 3000))),
    ("fold 5", Play(ev.Folded(5))),
    (f"dealer {SEVEN}", Play(ev.DealerShown(parse_cards(SEVEN.split())))),
    (f"cards 5 {SEVEN}", Play(ev.HandShown(5, parse_cards(SEVEN.split())))),
    ("card Ks", Play(ev.CardDealt(parse_card("Ks")))),
    ("cut-raise 5", Play(ev.RaiseCut(5))),
    ("validate 5", Play(ev.HitValidated(5))),
    ("refuse 5 light out", Play(ev.HitRefused(5, "light out"))),
    ("deny 5 light out", Play(ev.HitDenied(5, "light out"))),
    ("resolve 5 paid the rest", Play(ev.DifferenceResolved(5, "paid the rest"))),
    ("void MD-HCF-13.D two cards", Play(ev.RoundVoided("MD-HCF-13.D", "two cards"))),
    ("felt 9", Play(ev.FeltStated(9))),
    ("sign on dealer-1 4711", Act("sign on", ("dealer-1", "4711"))),
    ("sign off", Act("sign off")),
    ("relief rob 1122", Act("relief", ("rob", "1122"))),
    ("deck red-1", Act("deck", ("red-1",))),
    ("entries", Act("entries")),
    ("show", Act("show")),
    ("help", Act("help")),
    ("retry", Act("retry")),
    ("finish", Act("finish")),
    ("set-time 2026-11-18T09:00:00Z", Act("set-time", ("2026-11-18T09:00:00Z",))),
    ("clear-fault sensor seat 3", Act("clear-fault", ("sensor", "seat", "3"))),
    ("unlock dealer-1", Act("unlock", ("dealer-1",))),
    ("by floor-1 2580 validate 5", By("floor-1", "2580", Play(ev.HitValidated(5)))),
    ("by floor-1 2580 finish", By("floor-1", "2580", Act("finish"))),
    ("correct 40 remove because twice", Correct(Correction(40, None, "twice"))),
    ("correct 40 with fold 3 because keyed wrong", Correct(Correction(40, ev.Folded(3), "keyed wrong"))),
    ("correct add seat 3 flush because it lay there",
     Correct(Correction(None, ev.WagerKeyed(3, "flush_bonus"), "it lay there"))),
]  # fmt: skip


@pytest.mark.parametrize(("line", "command"), UNDERSTOOD, ids=[line or "(empty)" for line, _ in UNDERSTOOD])
def test_the_line_is_understood(line: str, command: object) -> None:
    assert parse_line(line) == command


def test_every_key_there_is_has_a_line_here() -> None:
    spoken = {line.split()[0] for line, _ in UNDERSTOOD if line}
    assert spoken == {*ENTRIES, *ACTS, "confirm", "correct", "by"}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("seet 3", "'seet' is no key: seat, clear"),
        ("seat", "write: seat N [WAGER [$]]"),
        ("seat x", "write: seat N [WAGER [$]]"),
        ("seat 3 ante 10 20", "write: seat N [WAGER [$]]"),
        ("seat 3 ante ten", "$ten"),
        ("seat 3 ante 10.005", "$10.005"),
        ("clear 3", "write: clear N WAGER"),
        ("same 3", "write: same N M"),
        ("count", "write: count N"),
        ("count 3 4", "write: count N"),
        ("count -3", "write: count N"),
        ("strike 3", "say why: strike N REASON"),
        ("hands 1:7", "write: hands SEAT=N ... dealer=N"),
        ("raise five", "write: raise N [$]"),
        ("cards 5 1x", "1x"),
        ("card Ks Qs", "write: card CARD"),
        ("refuse 5", "say why: refuse SEAT REASON"),
        ("void MD-HCF-13.D", "write: void CLAUSE REASON"),
        ("felt", "write: felt N"),
        ("sign in dealer-1 4711", "write: sign on NAME PIN, sign off"),
        ("sign on dealer-1", "write: sign on NAME PIN, sign off"),
        ("relief rob", "write: relief NAME PIN"),
        ("deck", "write: deck NAME"),
        ("deck red 1", "write: deck NAME"),
        ("entries now", "write: entries"),
        ("clear-fault", "write: clear-fault CODE [WHERE]"),
        ("by floor-1", "by whom, and what? Write: by NAME PIN COMMAND"),
        ("by floor-1 2580 by floor-1 2580 confirm", "one person at a time: by NAME PIN COMMAND"),
        ("correct 40 remove", "write: correct RECORD with ENTRY because WHY"),
        ("correct 40 remove because", "write: correct RECORD with ENTRY because WHY"),
        ("correct add because", "write: correct RECORD with ENTRY because WHY"),
        ("correct forty with fold 3 because x", "write: correct RECORD with ENTRY because WHY"),
    ],
)
def test_a_misspelled_line_is_answered_with_what_would_be_right(line: str, answer: str) -> None:
    with pytest.raises(KeySpelling) as refused:
        parse_line(line)
    assert answer in str(refused.value)
    assert "\n" not in str(refused.value)


JOINTS = ("with", "add", "remove", "because", "on", "off", "confirm", "correct", "by", "dealer=7", "1=7", "٣=٧")
VALUES = ("1", "7", "-1", "99999", "$5", "5.5", "$", "Ks", "10c", "Kd", "²", "١", "\x00", "=", "'")
WORDS = st.sampled_from([*ENTRIES, *ACTS, *JOINTS, *VALUES])


@given(st.lists(WORDS | st.text(max_size=6), max_size=9).map(" ".join) | st.text(max_size=60))
def test_whatever_is_keyed_is_a_command_or_a_spelling_error(line: str) -> None:
    try:
        command: object = parse_line(line)
    except KeySpelling as error:
        command = error
    assert isinstance(command, Play | Confirm | Act | Correct | By | KeySpelling)


@given(st.lists(WORDS, max_size=9).map(" ".join))
def test_what_is_understood_survives_its_own_record(line: str) -> None:
    """Every event that can be keyed goes to the journal and comes back the same."""
    try:
        command = parse_line(line)
    except KeySpelling:
        return
    if isinstance(command, By):
        command = command.command
    if isinstance(command, Play):
        assert ev.event_from_json(ev.event_json(command.event)) == command.event
