"""A round of High Card Flush from the manual dealing shoe, as the rulebook's chapters tell it."""

from firmware.rules.postings import reverse
from firmware.rules.procedure.betting import METER, count_chips, load_shoe, lock_out, take_bets
from firmware.rules.procedure.dealing import deal_one_at_a_time, retire_stub
from firmware.rules.procedure.events import WagersReturned
from firmware.rules.procedure.play import ask_decisions, reveal_dealer, take_forfeits
from firmware.rules.procedure.round import Round
from firmware.rules.procedure.settling import rack_cards, resolve_differences, settle_seats
from firmware.rules.procedure.steps import Script, Step, VoidRound


def round_from_manual_shoe(table: Round) -> Script:
    try:
        yield from load_shoe(table)  # 08.B
        yield from take_bets(table)  # 07.D
        yield from lock_out(table)  # 08.C.1
        yield from count_chips(table)  # 08.C.2
        yield from deal_one_at_a_time(table)  # 08.E
        yield from retire_stub(table)  # 08.F to 08.J
        yield from ask_decisions(table)  # 11.B.1 to 11.B.3
        yield from take_forfeits(table)  # 11.B.4.a
        yield from reveal_dealer(table)  # 11.B.4.b
        yield from settle_seats(table)  # 11.B.5 to 11.B.9
        yield from resolve_differences(table)
        yield from rack_cards(table)  # 11.C
    except VoidRound as void:
        yield from hand_back(table, void)
    table.decide(
        "closed", voided=table.void_clause, stub_counted=table.stub_counted, readings=sorted(table.readings_used)
    )


def hand_back(table: Round, void: VoidRound) -> Script:
    """A void round returns every wager, the progressive chips too, and takes the contributions back (note X-08)."""
    table.void_clause = void.clause
    table.rests_on("X-08")
    deck_out = void.clause in table.game.rulebook.removes_deck
    for seat, postings in sorted(table.contributions.items()):
        table.decide(
            "contribution_reversed", reverse(postings), seat=seat, meter=METER, why="round void", clause=void.clause
        )
    table.decide(
        "voided", clause=void.clause, why=void.reason, removes_deck=deck_out,
        returned={str(seat): dict(wagers) for seat, wagers in sorted(table.wagers.items()) if wagers},
    )  # fmt: skip
    says = f"Round void: {void.reason}. Return every wager, progressive chips too, and gather all cards to reshuffle"
    if deck_out:
        says += ". The deck leaves the table"
    yield Step("void", "dealer", says, void.clause, (WagersReturned,), confirm=WagersReturned())
