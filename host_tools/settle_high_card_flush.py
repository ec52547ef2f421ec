"""A High Card Flush case of `feltlock settle`, read and settled."""

from collections.abc import Sequence
from typing import Any

from firmware.rules.cards import Card, card_text
from firmware.rules.games.high_card_flush import WAGERS, HighCardFlush, SeatPlayed, settle_round
from firmware.rules.hands import FlushHand, evaluate
from firmware.rules.paytable import MeterShare, Paytable
from firmware.rules.rulebook import Rulebook, RulebookError
from firmware.rules.submission import Submission
from firmware.rules.verdicts import RuleError, Stake
from host_tools.case import (
    ROUND_FIELDS,
    SEAT_FIELDS,
    TABLE_FIELDS,
    Case,
    cards_field,
    cents_field,
    flag_field,
    shown,
)
from host_tools.verdict_json import seat_json

METERS = {"main"}
Json = dict[str, Any]


def settle_case(rulebook: Rulebook, case: Case) -> Json:
    case.only(ROUND_FIELDS, ROUND_FIELDS - {"community"})
    table = case.part("table")
    game = HighCardFlush(_submission(rulebook, table))
    irregularity = _irregularity(rulebook, case)
    effect = rulebook.irregularities[irregularity] if irregularity else "play on"
    seats, seen = _seats(game, case, effect)
    dealer = _dealer(game, case, effect, seen)
    meters = _amounts(table, "meters")
    resets = _resets(game, table)
    if not meters:
        _refuse_missing_meter(game, seats, effect)
    verdict = settle_round(game, dealer, seats, meters, resets, irregularity)
    answer: Json = {}
    if dealer is not None:
        answer["dealer"] = {"hand": dealer.name, "qualifies": game.dealer_qualifies(dealer)}
    answer["seats"] = [seat_json(seat) for seat in verdict.seats]
    if meters:
        answer["meters"] = dict(verdict.meters)
    return answer


def _submission(rulebook: Rulebook, table: Case) -> Submission:
    table.only(TABLE_FIELDS, TABLE_FIELDS - {"draws"})
    options = table.part("options")
    options.only({"ace_low_straight_flush"}, {"ace_low_straight_flush"})
    confirmed = table.data.get("confirmed", [])
    if not isinstance(confirmed, list) or not all(
        isinstance(name, str) and name in rulebook.readings for name in confirmed
    ):
        raise RuleError(f"table: confirmed names a reading that {rulebook.id} does not have")
    limit = cents_field(table, "payout_limit", 1) if table.get("payout_limit") is not None else None
    return Submission(
        rulebook=rulebook,
        paytables=_paytables(rulebook, table.part("paytables")),
        payout_limit=limit,
        ace_low=flag_field(options, "ace_low_straight_flush", False),
    )


def _paytables(rulebook: Rulebook, chosen: Case) -> dict[str, Paytable]:
    with_paytable = [name for name, rules in rulebook.wagers.items() if rules.paytables]
    chosen.only(rulebook.wagers, with_paytable)
    paytables = {}
    for wager in with_paytable:
        if not chosen.has(wager):
            continue
        letter = chosen.get(wager)
        try:
            paytables[wager] = rulebook.wagers[wager].paytable(letter if isinstance(letter, str) else shown(letter))
        except RulebookError as error:
            raise RuleError(f"table: {error}", rulebook.wagers[wager].table_clause) from None
    return paytables


def _irregularity(rulebook: Rulebook, case: Case) -> str | None:
    clause = case.get("irregularity")
    if clause is None:
        return None
    if not isinstance(clause, str) or clause not in rulebook.irregularities:
        raise RuleError(f"irregularity: {shown(clause)} is no irregularity of {rulebook.id}")
    return clause


def _seats(game: HighCardFlush, case: Case, effect: str) -> tuple[list[SeatPlayed], dict[Card, str]]:
    listed = case.get("seats")
    if not isinstance(listed, list) or not listed:
        raise RuleError("seats: missing, or no seat in play")
    seen: dict[Card, str] = {}
    seats: list[SeatPlayed] = []
    most = game.rulebook.figures["seats"]
    for position, data in enumerate(listed, 1):
        seat_case = Case(data, f"seats[{position}]")
        number = seat_case.get("seat")
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most.value:
            raise RuleError(f"{seat_case.where}: seat {shown(number)} is not one of 1 to {most.value}", most.clause)
        seat_case.where = f"seat {number}"
        if any(seat.seat == number for seat in seats):
            raise RuleError(f"seat {number} stands twice")
        seats.append(_seat(game, seat_case, number, effect, seen))
    return seats, seen


def _seat(game: HighCardFlush, case: Case, number: int, effect: str, seen: dict[Card, str]) -> SeatPlayed:
    case.only(SEAT_FIELDS, {"seat", "cards", "wagers", "folded", "player"})
    player = case.get("player")
    if player is not None and not isinstance(player, str):
        raise RuleError(f"{case.where}: player is not a string")
    folded = flag_field(case, "folded", False)
    wagers = _wagers(game, case)
    hand = _hand(game, cards_field(case, "cards"), case.where, effect, seen)
    clause = game.rulebook.clause
    if folded and "raise" in wagers:
        raise RuleError(f"{case.where}: folded, yet it has a raise", clause("01.B.1"))
    if effect == "play on" and not folded and "raise" not in wagers:
        raise RuleError(f"{case.where}: neither raised nor folded", clause("11.B"))
    if hand is not None and "raise" in wagers:
        refusal = game.verify_raise(hand.length, wagers["ante"], wagers["raise"])
        if refusal is not None:
            raise RuleError(f"{case.where}: {refusal.message}", refusal.clause)
    return SeatPlayed(number, hand, folded, wagers, player)


def _wagers(game: HighCardFlush, case: Case) -> dict[str, Stake]:
    book = game.rulebook
    placed = case.part("wagers")
    wagers: dict[str, Stake] = {}
    for name in placed.data:
        if name not in WAGERS:
            raise RuleError(f"{case.where}: there is no wager {name!r} in this game", book.clause("07.F"))
        rules = book.wagers[name]
        if not game.submission.offers(name):
            letters = sorted(rules.paytables)
            raise RuleError(
                f"{case.where}: {name} has no paytable: name one of {letters[0]} to {letters[-1]} in table.paytables",
                rules.table_clause,
            )
        wagers[name] = None if placed.data[name] is None else cents_field(placed, name, 1)
        if rules.stake and wagers[name] not in (None, rules.stake.value):
            raise RuleError(
                f"{case.where}: {name} of {wagers[name]} cents: only {rules.stake.value}", rules.stake.clause
            )
    if "ante" not in wagers:
        raise RuleError(f"{case.where}: no ante", book.clause("07.F.1"))
    return {name: wagers[name] for name in WAGERS if name in wagers}


def _hand(
    game: HighCardFlush, cards: Sequence[Card], where: str, effect: str, seen: dict[Card, str]
) -> FlushHand | None:
    for card in cards:
        if card in seen:
            raise RuleError(
                f"{where}: {card_text(card)} was dealt to {seen[card]} already", game.rulebook.clause("03.A")
            )
        seen[card] = where
    if len(cards) == game.hand_cards:
        return evaluate(cards, game.submission.ace_low)
    if effect == "play on":
        raise RuleError(
            f"{where}: {len(cards)} cards, not {game.hand_cards}: a wrong count voids the round",
            game.rulebook.clause("13.D"),
        )
    return None


def _dealer(game: HighCardFlush, case: Case, effect: str, seen: dict[Card, str]) -> FlushHand | None:
    return _hand(game, cards_field(case, "dealer"), "the dealer", effect, seen)


def _amounts(table: Case, name: str) -> dict[str, int]:
    part = table.part(name)
    part.only(METERS, METERS)
    return {meter: cents_field(part, meter) for meter in part.data}


def _resets(game: HighCardFlush, table: Case) -> dict[str, int]:
    """The submitted reset, or else the lowest the rulebook allows for the paytable."""
    resets = _amounts(table, "reset")
    paytable = game.submission.paytables.get("progressive")
    if paytable is None:
        return resets
    least = game.rulebook.wagers["progressive"].minimum_reset[paytable.letter]
    if resets.get("main", least.value) < least.value:
        raise RuleError(f"table: reset.main {resets['main']} is below the minimum of {least.value} cents", least.clause)
    return {"main": least.value} | resets


def _refuse_missing_meter(game: HighCardFlush, seats: Sequence[SeatPlayed], effect: str) -> None:
    for seat in seats:
        if effect == "void all" or seat.hand is None or "progressive" not in seat.wagers:
            continue
        line = game.progressive_line(seat.hand)
        if line is not None and isinstance(line.award, MeterShare):
            raise RuleError(f"seat {seat.seat} wins {line.award}, but table.meters.main is not given", line.clause)
