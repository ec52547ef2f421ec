"""What the rule core answers: refusals and verdicts, each resting on a clause."""

from typing import NamedTuple

WIN, LOSE, PUSH, VOID = "win", "lose", "push", "void"

Stake = int | None
"""Cents, or None where nobody has said how much lies there."""


class Refusal(NamedTuple):
    """Why something is not done. The clause is None where no rule is broken, only sense or spelling."""

    message: str
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.message} ({self.clause})" if self.clause else self.message


class RuleError(Exception):
    """A refusal that ends the whole question, such as a settle case that cannot be settled."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.refusal = Refusal(message, clause)


class Verdict(NamedTuple):
    """One wager's end. `profit` leaves out the returned stake and is None while the stake is unknown."""

    wager: str
    result: str
    stake: Stake
    profit: int | None
    pays: str | None
    hand: str
    clause: str


class BonusAward(NamedTuple):
    """What a seat wins without a wager of its own deciding it."""

    kind: str
    from_seat: int
    profit: int
    clause: str


class SeatVerdict(NamedTuple):
    seat: int
    hand: str | None
    wagers: tuple[Verdict, ...]
    awards: tuple[BonusAward, ...] = ()

    @property
    def net(self) -> int | None:
        """The seat's whole result, None while any stake that matters is unknown."""
        total = sum(award.profit for award in self.awards)
        for verdict in self.wagers:
            if verdict.profit is None:
                return None
            total += verdict.profit
        return total


def lost(wager: str, stake: Stake, hand: str, clause: str) -> Verdict:
    return Verdict(wager, LOSE, stake, None if stake is None else -stake, None, hand, clause)


def returned(wager: str, result: str, stake: Stake, hand: str, clause: str) -> Verdict:
    """A push or a void: the stake goes back whatever it is, so the profit is known to be nothing."""
    return Verdict(wager, result, stake, 0, None, hand, clause)
