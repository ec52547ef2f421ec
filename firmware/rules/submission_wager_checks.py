"""The money side of a Rules Submission: which wagers are offered, their limits, tables and meters."""

from collections.abc import Iterator
from difflib import get_close_matches
from fractions import Fraction

from firmware.rules.money import UNITS_PER_CENT, Odds, percent
from firmware.rules.paytable import Paytable
from firmware.rules.regulations import regulations_of
from firmware.rules.rulebook import Rulebook, WagerRules
from firmware.rules.submission_draft import Complaint, Draft, KeyPath, amount, quoted

ALWAYS_OFFERED = "ante"
FOLLOWS_THE_ANTE = "raise"


def check_wagers(draft: Draft, rulebook: Rulebook) -> list[Complaint]:
    checks = _WagerChecks(draft, rulebook)
    return [*checks.paytables(), *checks.limits(), *checks.payout(), *checks.meters(), *checks.wheel()]


def limited_wagers(rulebook: Rulebook) -> tuple[WagerRules, ...]:
    """The wagers that the payout limit covers: paid by odds from a chosen table (note MD-02)."""
    return tuple(rules for rules in rulebook.wagers.values() if rules.paytables and rules.stake is None)


def top_odds(paytable: Paytable) -> Odds:
    """The best line at odds."""
    odds = [line.award for line in paytable.lines.values() if isinstance(line.award, Odds)]
    return max(odds, key=lambda award: Fraction(award.win, award.per))


class _WagerChecks:
    def __init__(self, draft: Draft, rulebook: Rulebook) -> None:
        self.draft = draft
        self.rulebook = rulebook

    def clause(self, figure: str) -> str | None:
        bound = self.rulebook.figures.get(figure)
        return None if bound is None else bound.clause

    def unknown_wager(self, where: KeyPath, name: str) -> Complaint:
        close = get_close_matches(name, list(self.rulebook.wagers), n=1)
        legal = f"Did you mean {quoted(close[0])}?" if close else f"Wagers: {', '.join(self.rulebook.wagers)}"
        return Complaint(where, f"no wager of {self.rulebook.title}", self.clause("wagers"), legal)

    def paytable(self, wager: str) -> Paytable | None:
        rules, letter = self.rulebook.wagers.get(wager), self.draft.text("paytables", wager)
        return None if rules is None or letter is None else rules.paytables.get(letter)

    def paytables(self) -> Iterator[Complaint]:
        for wager in self.draft.names("paytables"):
            path = ("paytables", wager)
            rules = self.rulebook.wagers.get(wager)
            if rules is None:
                yield self.unknown_wager(path, wager)
                continue
            if not rules.paytables:
                message = f"{rules.title} has one printed table and needs no letter"
                yield Complaint(path, message, rules.table_clause, "Remove the line")
                continue
            letters = sorted(rules.paytables)
            letter = self.draft.text(*path)
            if letter is not None and letter not in rules.paytables:
                message = f"{rules.title} has no such paytable"
                legal = f"Legal: {quoted(letters[0])} to {quoted(letters[-1])}"
                yield Complaint(path, message, rules.table_clause, legal)
            if not self.draft.written("limits", wager):
                yield Complaint(path, f"offered without limits: write [limits.{wager}] with min and max")
            if rules.stake is not None and not self.draft.written("meters", wager):
                message = f"offered without a meter: write [meters.{wager}] with rate, initial, reset, limit and stake"
                yield Complaint(path, message, self.clause("progressive_meters"))

    def limits(self) -> Iterator[Complaint]:
        if not self.draft.written("limits", ALWAYS_OFFERED):
            yield Complaint(("limits", ALWAYS_OFFERED), "missing: post the Ante's min and max")
        for wager in self.draft.names("limits"):
            section = ("limits", wager)
            rules = self.rulebook.wagers.get(wager)
            if rules is None:
                yield self.unknown_wager(section, wager)
            elif wager == FOLLOWS_THE_ANTE:
                message = "the Raise has no limits of its own: it follows the Ante"
                yield Complaint(section, message, self.clause("raise_cap_four"), "Remove the section")
            elif wager != ALWAYS_OFFERED and not self.draft.written("paytables", wager):
                message = f"{rules.title} is not offered: [paytables] does not name it"
                yield Complaint(section, message, None, "Name its paytable, or remove the section")
            elif section not in self.draft.unreadable:
                yield from self.one_limit(rules)

    def one_limit(self, rules: WagerRules) -> Iterator[Complaint]:
        for name in ("min", "max"):
            path = ("limits", rules.name, name)
            cents = self.draft.number(*path)
            if not self.draft.written(*path):
                yield Complaint(path, f"missing: post both limits of the {rules.title}")
            elif cents is not None and rules.stake is not None and cents != rules.stake.value:
                stake = amount(rules.stake.value)
                message = f"the {rules.title} wager is exactly {stake}"
                yield Complaint(path, message, rules.stake.clause, f"Legal: {quoted(stake)}")
            elif cents is not None and rules.stake is None and cents <= 0:
                yield Complaint(path, "must be above $0", None, 'Lowest legal: "$0.01"')
        least, most = self.draft.number("limits", rules.name, "min"), self.draft.number("limits", rules.name, "max")
        if rules.stake is None and least is not None and most is not None and 0 < most < least:
            message = f"below the minimum of {amount(least)} that stands beside it"
            yield Complaint(("limits", rules.name, "max"), message, None, f"Lowest legal: {quoted(amount(least))}")

    def payout(self) -> Iterator[Complaint]:
        per_hand, per_round = ("payout", "limit_per_hand"), ("payout", "limit_per_round")
        floor = self.rulebook.figures.get("payout_limit")
        clause = self.clause("payout_limit_hands")
        if floor is None or clause is None:
            return
        if self.draft.written(*per_round):
            yield Complaint(per_round, "the limit is one for each hand", clause, "Write limit_per_hand instead")
        offered = [rules for rules in limited_wagers(self.rulebook) if self.draft.written("paytables", rules.name)]
        terms, most = [], 0
        for rules in offered:
            paytable, least = self.paytable(rules.name), self.draft.number("limits", rules.name, "min")
            if paytable is None or least is None:
                return
            odds = top_odds(paytable)
            most += odds.profit(least)
            terms.append(f"{rules.title} {paytable.letter} {odds} on {amount(least)}")
        due = max(floor.value, most)
        sum_text = f"{' + '.join(terms)} = {amount(most)}" if terms else "no bonus wager offered"
        reason = f"the greater of {amount(floor.value)} and the most that minimum bets win ({sum_text})"
        cents = self.draft.number(*per_hand)
        if offered and not self.draft.written(*per_hand):
            message = f"missing: it is {amount(due)}, {reason}"
            yield Complaint(per_hand, message, clause, f"Legal: {quoted(amount(due))}")
        elif cents is not None and cents != due:
            message = f"must be exactly {amount(due)}, {reason}"
            yield Complaint(per_hand, message, clause, f"Legal: {quoted(amount(due))}")

    def meters(self) -> Iterator[Complaint]:
        for wager in self.draft.names("meters"):
            section = ("meters", wager)
            rules = self.rulebook.wagers.get(wager)
            if rules is None:
                yield self.unknown_wager(section, wager)
            elif rules.stake is None:
                yield Complaint(section, f"{rules.title} has no meter", rules.clause, "Remove the section")
            elif not self.draft.written("paytables", wager):
                message = f"{rules.title} is not offered: [paytables] does not name it"
                yield Complaint(section, message, None, "Name its paytable, or remove the section")
            elif section not in self.draft.unreadable:
                yield from self.one_meter(rules, rules.stake.value)

    def one_meter(self, rules: WagerRules, stake: int) -> Iterator[Complaint]:
        section = ("meters", rules.name)
        clause = self.clause("progressive_meters")
        regulations = regulations_of(self.rulebook)
        for level in self.draft.names(*section):
            if (*section, level) in self.draft.sections:
                yield Complaint((*section, level), "this game's progressive has one meter", clause, "Remove the level")
        for name, what, because in (
            ("rate", "the rate of progression", self.clause("meter_rate_percent")),
            ("initial", "the amount the meter starts with", self.clause("meter_amounts")),
            ("reset", "the amount after a full award", self.clause("meter_amounts")),
            ("limit", "the most the meter may reach", regulations.meter_limit_clause),
            ("stake", "the size of the wager", rules.stake.clause if rules.stake else None),
        ):
            if not self.draft.written(*section, name):
                yield Complaint((*section, name), f"missing: state {what}", because)
        if self.draft.written(*section, "secondary_rate"):
            yield Complaint((*section, "secondary_rate"), "there is no second meter to feed", clause, "Remove the line")
        if self.draft.written(*section, "fixed_prize"):
            message = "the awards are those of the chosen paytable"
            yield Complaint((*section, "fixed_prize"), message, rules.table_clause, "Remove the line")
        cents = self.draft.number(*section, "stake")
        if rules.stake is not None and cents is not None and cents != stake:
            message = f"the {rules.title} wager is exactly {amount(stake)}"
            yield Complaint((*section, "stake"), message, rules.stake.clause, f"Legal: {quoted(amount(stake))}")
        yield from self.rate(section, stake)
        yield from self.amounts(rules)

    def rate(self, section: KeyPath, stake: int) -> Iterator[Complaint]:
        path, rate = (*section, "rate"), self.draft.rate(*section, "rate")
        most = self.rulebook.figures.get("meter_rate_percent")
        if rate is None or most is None:
            return
        units = stake * UNITS_PER_CENT * rate
        low, high = (self.rulebook.figures.get(f"meter_rate_usual_{end}") for end in ("from", "to"))
        legal_range = f'Legal: over "0%" up to "{most.value}%"'
        if rate <= 0:
            yield Complaint(path, "a meter that does not grow is no progressive", most.clause, legal_range)
        elif rate > Fraction(most.value, 100):
            yield Complaint(path, f"above the maximum of {most.value}%", most.clause, legal_range)
        elif units.denominator != 1:
            nearest = Fraction(max(1, round(units)), stake * UNITS_PER_CENT)
            message = f"{percent(rate)} of {amount(stake)} is not a whole number of 1/10,000 cents"
            yield Complaint(path, message, None, f"Nearest legal: {quoted(percent(nearest))}")
        elif low is not None and high is not None and not low.value <= rate * 100 <= high.value:
            message = f"legal, but outside the usual {low.value}% to {high.value}% of note MD-32"
            yield Complaint(path, message, low.clause, "Check the submission", warning=True)

    def amounts(self, rules: WagerRules) -> Iterator[Complaint]:
        section = ("meters", rules.name)
        regulations = regulations_of(self.rulebook)
        letter = self.draft.text("paytables", rules.name)
        least = rules.minimum_reset.get(letter) if letter is not None else None
        highest = 0
        for name in ("initial", "reset"):
            cents = self.draft.number(*section, name)
            if cents is None:
                continue
            highest = max(highest, cents)
            if least is not None and cents < least.value:
                message = f"below the minimum of {amount(least.value)} for paytable {letter}"
                legal = f"Lowest legal: {quoted(amount(least.value))}"
                yield Complaint((*section, name), message, least.clause, legal)
        limit = self.draft.number(*section, "limit")
        if limit is None:
            return
        if limit < highest:
            message = f"below {amount(highest)}, which the meter starts or resets with"
            yield Complaint((*section, "limit"), message, None, f"Lowest legal: {quoted(amount(highest))}")
        elif limit > regulations.meter_limit:
            shown = amount(regulations.meter_limit)
            message = f"above {shown}, the most that the display shows"
            legal = f"Highest legal: {quoted(shown)}"
            yield Complaint((*section, "limit"), message, regulations.meter_limit_clause, legal)

    def wheel(self) -> Iterator[Complaint]:
        if self.draft.written("wheel"):
            message = f"no wager of {self.rulebook.title} has a wheel"
            yield Complaint(("wheel",), message, self.clause("wagers"), "Remove the section")
