"""The simulated dealer: presses what the screen highlights, else answers what it asks; sometimes gets it wrong."""

import random
import re
from collections.abc import Callable

from firmware.rules.cards import DECK, card_text
from firmware.status.table_status import SeatStatus
from host_tools.simulate.betting import Betting
from host_tools.simulate.felt import DEALER, Felt
from host_tools.simulate.floor import Floor
from host_tools.simulate.players import Players
from host_tools.simulate.staff import Staff
from host_tools.simulate.table_side import TableSide

BETWEEN_ROUNDS = ("closed", "no deck", "stopped", "loading")


class Dealer:
    def __init__(
        self,
        side: TableSide,
        felt: Felt,
        players: Players,
        betting: Betting,
        floor: Floor,
        staff: Staff,
        chance: random.Random,
    ) -> None:
        self._side = side
        self._felt = felt
        self._players = players
        self._betting = betting
        self._floor = floor
        self._staff = staff
        self._chance = chance
        self._decks = 0
        self._tries = 0
        self._answers: dict[str, Callable[[], None]] = {
            "closed": self._sign_on,
            "no deck": self._open_deck,
            "stopped": self._have_mended,
            "held": floor.finish_round,
            "permit unknown": floor.count_felt,
            "loading": self._load,
            "betting": betting.go_on,
            "locked out": self._answer,
            "counting": self._count_chips,
            "dealing": self._deal,
            "stub": self._count_stub,
            "decisions": self._ask,
            "reveal": self._reveal,
            "settling": self._settle,
            "hit pending": lambda: floor.hit(self._side.status.seat),
            "difference": lambda: floor.resolve(self._side.status.seat),
            "void": self._return_wagers,
        }

    def work(self, tries: int) -> None:
        """One act. `tries` says how often this step has been tried in vain: slips happen at the first try only."""
        self._tries = tries
        answer = self._answers.get(self._side.status.state)
        if answer is not None:
            answer()
        elif self._side.status.confirm:
            self._side.confirm()
        else:
            self._side.key("show")

    def _slips(self, probability: float) -> bool:
        return self._tries == 0 and self._chance.random() < probability

    # --- between rounds -----------------------------------------------------------------------------------------

    def _sign_on(self) -> None:
        self._side.sign("sign on", self._staff.dealer)

    def be_relieved(self) -> None:
        fresh = self._staff.relief if self._side.status.dealer == self._staff.dealer.name else self._staff.dealer
        self._side.tell(f"{fresh.name} relieves {self._side.status.dealer}")
        self._side.sign("relief", fresh)

    def _open_deck(self) -> None:
        self._decks += 1
        self._side.key(f"deck {self._chance.choice(('red', 'blue'))}-{self._side.status.round + self._decks}")

    def _have_mended(self) -> None:
        faults = self._side.status.faults
        if not faults:
            self._side.key("retry")
        for fault in faults:
            self._floor.mend(fault.code, fault.line)

    def _load(self) -> None:
        self._betting.clear()
        self._felt.gather()
        cards = list(DECK)
        self._chance.shuffle(cards)
        self._side.tell("the dealer shuffles, cuts and loads the shoe", 2)
        self._side.load_shoe(cards)
        self._side.confirm()

    def _return_wagers(self) -> None:
        self._betting.clear()
        self._side.confirm()

    # --- before the cards ---------------------------------------------------------------------------------------

    def _answer(self) -> None:
        seat = self._side.status.seat
        if seat is not None:
            self._betting.answer_ante(seat)
        else:
            down = [seat for seat, bet in self._betting.bets.items() if bet.ante]
            self._side.key(f"seat {down[0]}")

    def _count_chips(self) -> None:
        missing = self._betting.collect()
        counted = len(self._felt.collected)
        if self._tries and missing:
            self._floor.strike(missing[0])
        elif self._slips(0.05):
            self._side.key(f"count {counted + 1}")
        else:
            self._side.key(f"count {counted}")

    def _deal(self) -> None:
        place = self._side.status.seat or DEALER
        self._felt.deal(place, self._side.draw())

    def _count_stub(self) -> None:
        stub = self._side.cards_in_shoe()
        if self._side.status.confirm:
            self._side.confirm()
        elif self._slips(0.1):
            self._side.key(f"stub {stub - 1}")
        else:
            self._side.key(f"stub {stub}")

    # --- play ---------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        status = self._side.status
        seat = status.seat or 0
        player, bet = self._players.at.get(seat), self._betting.bets.get(seat)
        if player is None or bet is None or self._tries > 1:
            self._side.key(f"fold {seat}")
            return
        if self._slips(0.03):
            self._side.key(f"fold {seat % len(status.seats) + 1}")  # the neighbour is not asked yet
        raised = player.raises(self._felt.hands.get(seat, ()), bet.ante, self._chance)
        if self._tries:
            self._side.tell(f"seat {seat} takes the excess back")
            raised = bet.ante
        if not raised:
            self._side.key(f"fold {seat}")
            return
        amount = f" ${raised}" if self._screen_seat(seat).wagers.get("ante") is not None else ""
        bet.raised = raised
        if self._slips(0.04):
            self._fold_by_mistake(seat, f"raise {seat} ${bet.ante}" if amount else f"raise {seat}")
            bet.raised = bet.ante
        else:
            self._side.key(f"raise {seat}{amount}")

    def _fold_by_mistake(self, seat: int, meant: str) -> None:
        """The table lists its entries by record; the dealer finds the wrong one there."""
        self._side.key(f"fold {seat}")
        self._side.key("entries")
        records = [re.match(rf"record (\d+): seat {seat} folds", said.text) for said in self._side.said]
        for record in filter(None, records):
            self._side.key(f"correct {record[1]} with {meant} because keyed fold by mistake")

    def _reveal(self) -> None:
        self._felt.turn_up(DEALER)
        self._confirm_or_key(DEALER, "dealer")

    def _settle(self) -> None:
        status = self._side.status
        seat = self._screen_seat(status.seat or 0)
        if status.who == "floorperson":
            self._floor.cut_raise(seat.seat)
        elif "??" in seat.cards:
            self._felt.turn_up(seat.seat)
            self._confirm_or_key(seat.seat, f"cards {seat.seat}")
        elif (stake := self._unknown_stake(seat)) and self._slips(0.6):
            self._side.key(stake)
        else:
            self._side.confirm()

    def _confirm_or_key(self, place: int, entry: str) -> None:
        """Where the table does not know all cards, the dealer keys what lies there."""
        if self._side.status.confirm:
            self._side.confirm()
        else:
            self._side.key(" ".join([entry, *map(card_text, self._felt.hands.get(place, ()))]))

    def _unknown_stake(self, seat: SeatStatus) -> str | None:
        """The key line for a winning wager whose amount nobody has keyed, so that odds become dollars."""
        bet = self._betting.bets.get(seat.seat)
        if bet is None:
            return None
        stakes = {
            "ante": ("ante", bet.ante),
            "raise": ("raise", bet.raised),
            "flush_bonus": ("flush", bet.flush),
            "straight_flush_bonus": ("straight", bet.straight),
        }
        for wager, (word, dollars) in stakes.items():
            won = any(text.startswith(f"{wager.replace('_', ' ')} wins") for text in seat.verdicts)
            if won and dollars and seat.wagers.get(wager, 0) is None:
                return f"seat {seat.seat} {word} ${dollars}"
        return None

    def _screen_seat(self, number: int) -> SeatStatus:
        return next(seat for seat in self._side.status.seats if seat.seat == number)
