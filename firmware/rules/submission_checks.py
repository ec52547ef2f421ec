"""What makes a Rules Submission illegal, judged against the figures of its rulebook.

Every bound is a figure of the rulebook with its clause, so another jurisdiction is another data file; a figure
that a rulebook does not print is not enforced.
"""

from collections.abc import Iterator

from firmware.rules.regulations import regulations_of
from firmware.rules.rulebook import Rulebook
from firmware.rules.submission_draft import Complaint, Draft, Equipment, KeyPath, amount, either, quoted
from firmware.rules.submission_wager_checks import check_wagers

NS_PER_HOUR = 3600 * 10**9
DEALING_METHODS = ("manual shoe", "hand", "automated shoe", "double shoe", "continuous shuffler")
# Readings that stay off until the operator shows an approval.
CONFIRMED_BY = {"ace_low_straight_flush": "MD-10"}


def check_submission(draft: Draft, rulebook: Rulebook, equipment: Equipment | None) -> list[Complaint]:
    """Every complaint at once. `equipment` is None when the board could not be read."""
    checks = _Checks(draft, rulebook)
    complaints = [
        *checks.table(),
        *checks.dealing(),
        *checks.decks(),
        *checks.deck_care(),
        *checks.game(),
        *checks.confirmations(),
        *checks.people(),
        *check_wagers(draft, rulebook),
    ]
    if equipment is not None:
        complaints += checks.equipment(equipment)
    return complaints


class _Checks:
    def __init__(self, draft: Draft, rulebook: Rulebook) -> None:
        self.draft = draft
        self.rulebook = rulebook

    def clause(self, figure: str) -> str | None:
        bound = self.rulebook.figures.get(figure)
        return None if bound is None else bound.clause

    def figure(self, name: str) -> int | None:
        bound = self.rulebook.figures.get(name)
        return None if bound is None else bound.value

    def missing(self, path: KeyPath, why: str, figure: str) -> Iterator[Complaint]:
        if not self.draft.written(*path):
            yield Complaint(path, f"missing: {why}", self.clause(figure))

    def at_least_one(self, path: KeyPath, clause: str | None) -> Iterator[Complaint]:
        number = self.draft.number(*path)
        if number is not None and number < 1:
            yield Complaint(path, "must be at least 1", clause, "Lowest legal: 1")

    def at_most(self, path: KeyPath, figure: str, what: str) -> Iterator[Complaint]:
        number, most = self.draft.number(*path), self.figure(figure)
        if number is not None and most is not None and number > most:
            message = f"above the maximum of {most} {what}"
            yield Complaint(path, message, self.clause(figure), f"Highest legal: {most}")

    def table(self) -> Iterator[Complaint]:
        seats, boxes = ("table", "seats"), ("table", "boxes_per_player")
        yield from self.missing(seats, "say how many betting positions the table has", "seats")
        yield from self.at_least_one(seats, self.clause("seats"))
        yield from self.at_most(seats, "seats", "betting positions")
        yield from self.missing(boxes, "say on how many adjacent boxes one player may bet", "boxes_per_player")
        yield from self.at_least_one(boxes, self.clause("boxes_per_player"))
        seat_count, box_count = self.draft.number(*seats), self.draft.number(*boxes)
        most = self.figure("boxes_per_player")
        if seat_count is not None and seat_count >= 1 and (most is None or seat_count < most):
            if box_count is not None and box_count > seat_count:
                message = f"more boxes than this table has seats, {seat_count}"
                yield Complaint(boxes, message, self.clause("boxes_per_player"), f"Highest legal: {seat_count}")
        else:
            yield from self.at_most(boxes, "boxes_per_player", "adjacent boxes")
        layout = ("table", "layout_reference")
        yield from self.missing(layout, "give the reference of the layout's approval", "layout_approvals")

    def dealing(self) -> Iterator[Complaint]:
        path = ("cards", "dealing_method")
        yield from self.missing(path, "say how the cards are dealt", "dealing_methods")
        method = self.draft.text(*path)
        if method is None:
            return
        game, allowed = self.rulebook.title, self.dealing_methods()
        if method not in allowed:
            message = f"no dealing method of {game}"
            yield Complaint(path, message, self.clause("dealing_methods"), f"Legal: {either(allowed)}")
        elif method == "hand" and not self.has_shuffler():
            message = "dealing by hand needs an automated shuffler"
            legal = f'Set [cards] shuffler to {either(("plain", "counting"))}, or dealing_method to "manual shoe"'
            yield Complaint(path, message, self.clause("hand_dealing_shufflers"), legal)
        elif method == "continuous shuffler" and not self.draft.written("cards", "device_approval"):
            message = "a device that reshuffles by itself needs its approval"
            legal = "Give its reference in [cards] device_approval"
            yield Complaint(path, message, self.clause("dealing_continuous_shuffler"), legal)
        order = ("cards", "automated_order")
        if self.draft.text(*order) == "dealer first" and self.figure("automated_dealer_last"):
            message = "the dealer's stack comes after the players'"
            yield Complaint(order, message, self.clause("automated_dealer_last"), 'Legal: "dealer last"')

    def dealing_methods(self) -> tuple[str, ...]:
        figures = self.rulebook.figures
        return tuple(name for name in DEALING_METHODS if f"dealing_{name.replace(' ', '_')}" in figures)

    def has_shuffler(self) -> bool:
        """An unreadable entry is complained of by itself; it is not also held to be `none`."""
        kind = self.draft.text("cards", "shuffler")
        return ("cards", "shuffler") in self.draft.unreadable or kind not in (None, "none")

    def decks(self) -> Iterator[Complaint]:
        decks, alternating = ("cards", "decks"), ("cards", "two_decks")
        count, alternate = self.draft.number(*decks), self.draft.flag(*alternating)
        alone, with_shuffler = self.figure("decks"), self.figure("decks_with_shuffler")
        if alone is None or with_shuffler is None:
            return
        clause = self.clause("decks_with_shuffler")
        shuffled = 'with [cards] shuffler = "plain" or "counting"'
        yield from self.at_least_one(decks, self.clause("decks"))
        yield from self.at_most(decks, "decks_with_shuffler", "decks")
        if count is not None and alone < count <= with_shuffler and not self.has_shuffler():
            message = f"{count} decks need an automated shuffler"
            yield Complaint(decks, message, clause, f"Legal: {alone}, or {with_shuffler} {shuffled}")
        if alternate is True and count is None and not self.has_shuffler():
            message = "two decks in turn need an automated shuffler"
            yield Complaint(alternating, message, clause, f"Legal: false, or true {shuffled}")
        if alternate is True and count == alone:
            yield Complaint(alternating, f"contradicts [cards] decks = {count}", clause, "Legal: false")
        if alternate is False and count is not None and alone < count <= with_shuffler:
            message = f"contradicts [cards] decks = {count}: the decks take turns"
            yield Complaint(alternating, message, clause, "Legal: true")

    def deck_care(self) -> Iterator[Complaint]:
        life = ("cards", "deck_life")
        life_ns = self.draft.number(*life)
        by_hand = self.draft.text("cards", "dealing_method") == "hand"
        name, dealt = ("deck_hours_hand", "by hand") if by_hand else ("deck_hours_shoe", "from a shoe")
        hours = self.figure(name)
        if life_ns is not None and life_ns < 10**9:
            yield Complaint(life, "must be at least 1 s", self.clause(name), 'Lowest legal: "1 s"')
        if life_ns is not None and hours is not None and life_ns > hours * NS_PER_HOUR:
            message = f"above the maximum of {hours} h for decks dealt {dealt}"
            yield Complaint(life, message, self.clause(name), f'Highest legal: "{hours} h"')

        stub = ("cards", "stub_count_every")
        yield from self.at_least_one(stub, self.clause("stub_count_every"))
        if self.draft.text("cards", "shuffler") != "counting":
            yield from self.at_most(stub, "stub_count_every", "rounds, unless the shuffler counts the cards")

        cut, least, cards = ("cards", "cut_at_least"), self.figure("cut_at_least"), self.figure("deck_cards")
        depth = self.draft.number(*cut)
        if depth is not None and least is not None and depth < least:
            message = f"below the minimum of {least} cards from the top"
            yield Complaint(cut, message, self.clause("cut_at_least"), f"Lowest legal: {least}")
        if depth is not None and cards is not None and depth >= cards:
            message = f"no cut is that deep: the deck has {cards} cards"
            yield Complaint(cut, message, self.clause("deck_cards"), f"Highest legal: {cards - 1}")

    def game(self) -> Iterator[Complaint]:
        for name in self.draft.names("game"):
            path = ("game", name)
            figure = self.rulebook.figures.get(name)
            if figure is None:
                yield Complaint(path, f"no rule of {self.rulebook.title}", None, "Remove the line")
            elif self.draft.flag(*path) is True and figure.value == 0:
                reading = CONFIRMED_BY.get(name)
                if reading is None or not self.draft.written("confirmed", reading):
                    message = f"not provided for without an approval (note {reading})"
                    legal = f'Legal: false, or true with [confirmed] "{reading}" = "reference of the approval"'
                    yield Complaint(path, message, figure.clause, legal)

    def confirmations(self) -> Iterator[Complaint]:
        for name in self.draft.names("confirmed"):
            if name not in self.rulebook.readings:
                known = tuple(sorted(set(CONFIRMED_BY.values()) & set(self.rulebook.readings)))
                legal = f"To be confirmed in this rulebook: {either(known)}" if known else None
                yield Complaint(("confirmed", name), f"no reading of {self.rulebook.title}", None, legal)

    def people(self) -> Iterator[Complaint]:
        regulations = regulations_of(self.rulebook)
        for name, bound, who in (
            ("surveillance_from", regulations.surveillance_from, "surveillance is told of"),
            ("pit_manager_from", regulations.pit_manager_from, "the pit manager signs for"),
        ):
            path = ("people", name)
            cents = self.draft.number(*path)
            if bound is not None and cents is not None and cents > bound.value:
                message = f"{who} payouts from {amount(bound.value)} at the latest"
                yield Complaint(path, message, bound.clause, f"Highest legal: {quoted(amount(bound.value))}")

    def equipment(self, equipment: Equipment) -> Iterator[Complaint]:
        wagers = self.rulebook.wagers.values()
        progressive = any(rules.stake and self.draft.written("paytables", rules.name) for rules in wagers)
        seats, path = self.draft.number("table", "seats"), ("table", "seats")
        board = ("table", "board")
        most = self.figure("seats")
        if seats is not None and seats > equipment.bet_sensors and (most is None or seats <= most):
            message = f"the board has {equipment.bet_sensors} bet sensors, one is needed for each seat"
            clause = self.clause("bet_sensors_per_seat") if progressive else None
            yield Complaint(path, message, clause, f"Highest for this board: {equipment.bet_sensors}")
        if not equipment.lockout_button:
            clause = self.clause("lockout_buttons") if progressive else None
            message = "the board has no lock-out button, which is what closes the betting"
            yield Complaint(board, message, clause, "Map lockout_button and lockout_lamp in the board file's [pins]")
