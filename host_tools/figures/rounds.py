"""Settled rounds per second, ours beside pokerkit's simulation of a full hand.

Ours: six seats with every wager, the seven hands evaluated and all settled to the cent with their clauses.
Pokerkit's: six players of no-limit hold'em with everything automated that it can automate, all checking or calling
to the showdown.
"""

import random
from collections.abc import Callable, Mapping, Sequence

from firmware.config.rulebooks import load_rulebook
from firmware.rules.cards import DECK, Card
from firmware.rules.games.high_card_flush import HighCardFlush, RoundVerdict, SeatPlayed, settle_round
from firmware.rules.hands import evaluate
from firmware.rules.submission import Submission
from firmware.rules.verdicts import Stake
from host_tools.figures.evaluators import PURE, Entrant, made_of, race

SEATS = 6
CARDS = 7
PAYTABLES = {"flush_bonus": "A", "straight_flush_bonus": "A", "progressive": "C"}
WAGERS: Mapping[str, Stake] = {
    "ante": 1_000,
    "raise": 1_000,
    "flush_bonus": 500,
    "straight_flush_bonus": 500,
    "progressive": 100,
}
METER, RESET = {"main": 1_234_567}, {"main": 500_000}


def make_settler() -> Callable[[Sequence[Card]], RoundVerdict]:
    """A function that settles one dealt deck: seats 1 to 6, then the dealer, seven cards each."""
    book = load_rulebook("md-high-card-flush")
    chosen = {wager: book.wagers[wager].paytable(letter) for wager, letter in PAYTABLES.items()}
    game = HighCardFlush(Submission(book, chosen, payout_limit=book.figures["payout_limit"].value))

    def settle(deck: Sequence[Card]) -> RoundVerdict:
        hands = [evaluate(deck[start : start + CARDS], False) for start in range(0, CARDS * (SEATS + 1), CARDS)]
        seats = [SeatPlayed(seat, hands[seat - 1], False, dict(WAGERS)) for seat in range(1, SEATS + 1)]
        return settle_round(game, hands[SEATS], seats, METER, RESET)

    return settle


def ours() -> Entrant:
    rng = random.Random(7)
    decks = [tuple(rng.sample(DECK, len(DECK))) for _ in range(500)]
    return "feltlock", PURE, make_settler(), decks


def pokerkit() -> Entrant:
    from pokerkit import Automation, NoLimitTexasHoldem

    everything = tuple(Automation)

    def play(_number: int) -> None:
        state = NoLimitTexasHoldem.create_state(everything, True, 0, (1, 2), 2, 200, SEATS)
        while state.status:
            state.check_or_call()

    return "pokerkit", made_of("pokerkit"), play, range(50)


def measure(seconds: float = 1.0) -> list[tuple[str, str, float]]:
    """Name, pure Python or compiled, settled rounds per second; each runs for that long, in turns."""
    return race([ours(), pokerkit()], seconds)
