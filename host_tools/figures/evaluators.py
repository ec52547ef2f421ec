"""Seven-card evaluations per second, ours beside treys, eval7, phevaluator and pokerkit, each doing its own.

They answer different questions (a flush game's hand here, the best five cards of poker there), so this compares
what a table pays for looking at seven cards, not one algorithm with another. All see the same hands, converted
beforehand into what each takes, and take turns, so that whatever else the machine does falls on all alike.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from firmware.rules.cards import DECK, Card, card_text
from firmware.rules.hands import evaluate

HANDS = 2_000
PURE, COMPILED = "pure Python", "compiled"

Hands = Sequence[tuple[Card, ...]]
Entrant = tuple[str, str, Callable[[Any], object], Sequence[Any]]
"""Name, how it is made, its evaluation, and the hands as it takes them."""


def random_hands(number: int, seed: int = 7) -> Hands:
    rng = random.Random(seed)
    return [tuple(rng.sample(DECK, 7)) for _ in range(number)]


def made_of(package: str) -> str:
    """Whether an installed package brings compiled code."""
    folder = Path(import_module(package).__file__ or "").parent
    compiled = any(path.name.endswith(tuple(EXTENSION_SUFFIXES)) for path in folder.iterdir())
    return COMPILED if compiled else PURE


def ours(hands: Hands) -> Entrant:
    """Flush strength and the longest straight flush, as every settlement needs them."""
    return "feltlock", PURE, partial(evaluate, ace_low=False), hands


def treys(hands: Hands) -> Entrant:
    from treys import Card as TreysCard
    from treys import Evaluator

    best = Evaluator().evaluate
    converted = [[TreysCard.new(card_text(card)) for card in hand] for hand in hands]
    return "treys", made_of("treys"), lambda cards: best(*cards), [(cards[:2], cards[2:]) for cards in converted]


def eval7(hands: Hands) -> Entrant:
    import eval7 as library

    converted = [[library.Card(card_text(card)) for card in hand] for hand in hands]
    return "eval7", made_of("eval7"), library.evaluate, converted


def phevaluator(hands: Hands) -> Entrant:
    """Its card numbers are ours: rank times four and suit, clubs first."""
    from phevaluator import evaluate_cards

    return "phevaluator", made_of("phevaluator"), lambda cards: evaluate_cards(*cards), hands


def pokerkit(hands: Hands) -> Entrant:
    from pokerkit import Card as PokerkitCard
    from pokerkit import StandardHighHand

    best = StandardHighHand.from_game
    converted = [tuple(PokerkitCard.parse("".join(map(card_text, hand)))) for hand in hands]
    return "pokerkit", made_of("pokerkit"), lambda cards: best(*cards), [(cards[:2], cards[2:]) for cards in converted]


ENTRANTS = (ours, treys, eval7, phevaluator, pokerkit)


def measure(seconds: float = 1.0) -> list[tuple[str, str, float]]:
    """Name, pure Python or compiled, evaluations per second; each runs for that long, in turns."""
    hands = random_hands(HANDS)
    return race([entrant(hands) for entrant in ENTRANTS], seconds)


def race(entrants: Sequence[Entrant], seconds: float, turns: int = 5) -> list[tuple[str, str, float]]:
    done = [0] * len(entrants)
    spent = [0.0] * len(entrants)
    for _ in range(turns):
        for place, (_, _, act, inputs) in enumerate(entrants):
            runs, took = _one_turn(act, inputs, seconds / turns)
            done[place] += runs
            spent[place] += took
    return [(name, made, runs / took) for (name, made, _, _), runs, took in zip(entrants, done, spent, strict=True)]


def _one_turn(act: Callable[[Any], object], inputs: Sequence[Any], seconds: float) -> tuple[int, float]:
    runs = 0
    start = time.perf_counter()
    end = start + seconds
    while True:
        for place in range(0, len(inputs), 50):
            batch = inputs[place : place + 50]
            for item in batch:
                act(item)
            runs += len(batch)
            now = time.perf_counter()
            if now >= end:
                return runs, now - start
