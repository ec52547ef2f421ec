"""Verdicts as `feltlock settle` writes them."""

from typing import Any

from firmware.rules.verdicts import BonusAward, SeatVerdict, Verdict

Json = dict[str, Any]


def seat_json(verdict: SeatVerdict) -> Json:
    answer: Json = {"seat": verdict.seat}
    if verdict.hand is not None:
        answer["hand"] = verdict.hand
    if verdict.net is not None:
        answer["net"] = verdict.net
    answer["wagers"] = {item.wager: _wager_json(item) for item in verdict.wagers}
    answer["awards"] = [_award_json(award) for award in verdict.awards]
    return answer


def _wager_json(verdict: Verdict) -> Json:
    answer: Json = {"result": verdict.result}
    if verdict.profit is not None:
        answer["profit"] = verdict.profit
    if verdict.pays is not None:
        answer["pays"] = verdict.pays
    if verdict.hand:
        answer["hand"] = verdict.hand
    answer["clause"] = verdict.clause
    return answer


def _award_json(award: BonusAward) -> Json:
    return award._asdict()
