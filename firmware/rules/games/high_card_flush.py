"""High Card Flush: what a seat's wagers come to.

`HighCardFlush` is made once for a table's Submission and keeps its paytables indexed by what a hand can hold, so
that settling is look-ups and integer sums. The rulebook gives the figures and the clause ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from firmware.rules.hands import LENGTH_NAMES as LENGTHS
from firmware.rules.hands import FlushHand, has_four_of_a_kind, has_suited_nine_to_ace
from firmware.rules.money import UNITS_PER_CENT, Odds, dollars, whole_cents
from firmware.rules.paytable import FixedAward, Line, Paytable
from firmware.rules.progressive import lock_award
from firmware.rules.submission import Submission
from firmware.rules.verdicts import (
    PUSH,
    VOID,
    WIN,
    BonusAward,
    Refusal,
    SeatVerdict,
    Stake,
    Verdict,
    lost,
    returned,
)

NINE_TO_ACE = "suited 9-10-J-Q-K-A"
FOUR_OF_A_KIND = "four of a kind"
BASE = ("ante", "raise")
BONUS = ("flush_bonus", "straight_flush_bonus")
WAGERS = (*BASE, *BONUS, "progressive")
OPTIONAL = (*BONUS, "progressive")


class SeatPlayed(NamedTuple):
    """A seat at settlement. A wager whose amount nobody keyed has the value None; `hand` is None when void."""

    seat: int
    hand: FlushHand | None
    folded: bool
    wagers: Mapping[str, Stake]
    player: str | None = None


class HighCardFlush:
    """The game at one table."""

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        self.rulebook = submission.rulebook
        figures = self.rulebook.figures
        self.hand_cards = figures["hand_cards"].value
        self._qualifying = figures["dealer_flush"].value << 13 | 1 << (figures["dealer_high"].value - 2)
        self._flush_lines = self._by_flush(submission.paytables.get("flush_bonus"))
        self._straight_lines = self._by_straight(submission.paytables.get("straight_flush_bonus"))
        self._progressive_lines = self._by_straight(submission.paytables.get("progressive"))
        progressive = submission.paytables.get("progressive")
        envy = self.rulebook.wagers["progressive"].envy
        self._envy_lines = envy.get(progressive.letter, {}) if progressive else {}
        clause = self.rulebook.clause
        self._fold = clause("11.B")
        self._not_qualified = clause("11.B.5.c")
        self._lower, self._higher, self._equal = (clause(f"11.B.5.d.{n}") for n in ("i", "ii", "iii"))
        self._limit = clause("12.D")
        self._lost_clause = {name: self.rulebook.wagers[name].clause for name in OPTIONAL}

    # --- hands -------------------------------------------------------------------------------------------

    def dealer_qualifies(self, hand: FlushHand) -> bool:
        """At least a nine-high three-card flush; longer flushes always qualify (note X-01)."""
        return hand.strength >= self._qualifying

    @staticmethod
    def _by_flush(paytable: Paytable | None) -> tuple[Line | None, ...]:
        lines = paytable.lines if paytable else {}
        return tuple(lines.get(f"{LENGTHS[length]}-card flush") for length in range(8))

    @staticmethod
    def _by_straight(paytable: Paytable | None) -> Mapping[tuple[int, bool, bool], Line | None]:
        """The paying line for every combination of run length, four of a kind and suited nine to ace."""
        lines = list(paytable.lines.values()) if paytable else []
        index: dict[tuple[int, bool, bool], Line | None] = {}
        for length in range(8):
            run = f"{LENGTHS[length]}-card straight flush"
            for four in (False, True):
                for top_six in (False, True):
                    held = {run} | ({FOUR_OF_A_KIND} if four else set()) | ({NINE_TO_ACE} if top_six else set())
                    index[length, four, top_six] = next((line for line in lines if line.hand in held), None)
        return index

    def _straight_key(self, hand: FlushHand) -> tuple[int, bool, bool]:
        bits = hand.bits
        return hand.straight, has_four_of_a_kind(bits), hand.straight >= 6 and has_suited_nine_to_ace(bits)

    def progressive_line(self, hand: FlushHand) -> Line | None:
        return self._progressive_lines[self._straight_key(hand)]

    def envy_line(self, hand: FlushHand) -> Line | None:
        """The Envy line of a qualifying hand: its progressive line must have one (note MD-07)."""
        line = self.progressive_line(hand)
        return self._envy_lines.get(line.hand) if line else None

    # --- the raise ---------------------------------------------------------------------------------------

    def raise_cap(self, length: int) -> tuple[int, str]:
        """How many times the Ante a flush of that length may raise, and the clause."""
        bound = self.rulebook.figures[
            "raise_cap_four" if length < 5 else "raise_cap_five" if length == 5 else "raise_cap_six"
        ]
        return bound.value, bound.clause

    def verify_raise(self, length: int, ante: Stake, amount: Stake) -> Refusal | None:
        """What is known is enforced; an unknown Ante or Raise sets no limit."""
        if ante is None or amount is None:
            return None
        cap, clause = self.raise_cap(length)
        if ante <= amount <= cap * ante:
            return None
        name = f"{LENGTHS[length]}-card flush"
        legal = dollars(ante) if cap == 1 else f"from {dollars(ante)} to {dollars(cap * ante)}"
        return Refusal(
            f"a raise of {dollars(amount)} on an Ante of {dollars(ante)} with a {name}: legal is {legal}",
            clause,
        )

    # --- a seat's verdicts -------------------------------------------------------------------------------

    def base_verdicts(self, seat: SeatPlayed, dealer: FlushHand) -> list[Verdict]:
        hand = seat.hand
        assert hand is not None
        wagers = seat.wagers
        name = hand.name
        if seat.folded:
            return [lost("ante", wagers["ante"], name, self._fold)]
        if dealer.strength < self._qualifying:
            return [
                self._even("ante", wagers["ante"], name, self._not_qualified),
                returned("raise", PUSH, wagers.get("raise"), name, self._not_qualified),
            ]
        if hand.strength > dealer.strength:
            return [self._even(wager, wagers.get(wager), name, self._higher) for wager in BASE]
        if hand.strength < dealer.strength:
            return [lost(wager, wagers.get(wager), name, self._lower) for wager in BASE]
        return [returned(wager, PUSH, wagers.get(wager), name, self._equal) for wager in BASE]

    @staticmethod
    def _even(wager: str, stake: Stake, hand: str, clause: str) -> Verdict:
        return Verdict(wager, WIN, stake, stake, "1 to 1", hand, clause)

    def bonus_verdicts(self, seat: SeatPlayed) -> list[Verdict]:
        """Flush Bonus, then Straight Flush Bonus up to what the payout limit leaves (12.D, note MD-02)."""
        hand = seat.hand
        assert hand is not None
        verdicts = []
        left = self.submission.payout_limit
        for wager in BONUS:
            if wager not in seat.wagers:
                continue
            verdict = self.bonus_verdict(wager, hand, seat.wagers[wager], left)
            if left is not None and verdict.result == WIN and verdict.profit is not None:
                left -= verdict.profit
            verdicts.append(verdict)
        return verdicts

    def bonus_verdict(self, wager: str, hand: FlushHand, stake: Stake, left: int | None = None) -> Verdict:
        if wager == "flush_bonus":
            line = self._flush_lines[hand.length]
            name = hand.name
        else:
            line = self._straight_lines[self._straight_key(hand)]
            name = line.hand if line else self._straight_name(hand)
        if line is None:
            return lost(wager, stake, name, self._lost_clause[wager])
        assert isinstance(line.award, Odds)
        if stake is None:
            return Verdict(wager, WIN, None, None, str(line.award), name, line.clause)
        profit = line.award.profit(stake)
        if left is not None and profit > left:
            return Verdict(wager, WIN, stake, left, str(line.award), name, self._limit)
        return Verdict(wager, WIN, stake, profit, str(line.award), name, line.clause)

    @staticmethod
    def _straight_name(hand: FlushHand) -> str:
        return f"{LENGTHS[hand.straight]}-card straight flush" if hand.straight >= 3 else "no straight flush"

    def progressive_verdict(self, hand: FlushHand, stake: Stake, award: int | None) -> Verdict:
        """The stake was collected before the deal and is never returned (note X-10)."""
        line = self.progressive_line(hand)
        if line is None:
            return lost("progressive", stake, self._straight_name(hand), self._lost_clause["progressive"])
        profit = None if stake is None or award is None else award - stake
        return Verdict("progressive", WIN, stake, profit, str(line.award), line.hand, line.clause)

    def void_verdicts(self, seat: SeatPlayed, wagers: Iterable[str], clause: str) -> list[Verdict]:
        name = seat.hand.name if seat.hand else ""
        return [returned(wager, VOID, seat.wagers[wager], name, clause) for wager in wagers if wager in seat.wagers]

    @staticmethod
    def hand_stays(seat: SeatPlayed) -> bool:
        """A folded hand is racked unseen, unless an optional wager keeps its cards on the table (11.B.4.a)."""
        return not seat.folded or any(wager in seat.wagers for wager in OPTIONAL)

    def envy_awards(self, seat: SeatPlayed, holders: Sequence[SeatPlayed]) -> tuple[BonusAward, ...]:
        """What other players' hands bring this seat; nothing comes from one's own box (note MD-13)."""
        if "progressive" not in seat.wagers:
            return ()
        awards = []
        for holder in holders:
            own_box = holder.seat == seat.seat or (seat.player is not None and holder.player == seat.player)
            if own_box or holder.hand is None or not self.hand_stays(holder):
                continue
            line = self.envy_line(holder.hand)
            if line is not None:
                assert isinstance(line.award, FixedAward)
                awards.append(BonusAward("envy", holder.seat, line.award.cents, line.clause))
        return tuple(awards)


class RoundVerdict(NamedTuple):
    """Every seat in order of seat number, and the meters in cents as they stand afterwards."""

    seats: tuple[SeatVerdict, ...]
    meters: Mapping[str, int]


def settle_round(
    game: HighCardFlush,
    dealer: FlushHand | None,
    seats: Sequence[SeatPlayed],
    meters: Mapping[str, int],
    resets: Mapping[str, int],
    irregularity: str | None = None,
) -> RoundVerdict:
    """Settle a complete round from the highest seat down, each progressive award on the meter left by the last."""
    effect = game.rulebook.irregularities[irregularity] if irregularity else "play on"
    units = {meter: cents * UNITS_PER_CENT for meter, cents in meters.items()}
    seats = sorted(seats, key=lambda played: played.seat)
    verdicts = []
    for seat in reversed(seats):
        if effect == "void all" or seat.hand is None:
            assert irregularity is not None
            void = game.void_verdicts(seat, WAGERS, irregularity)
            verdicts.append(SeatVerdict(seat.seat, seat.hand.name if seat.hand else None, tuple(void)))
            continue
        if effect == "void base":
            assert irregularity is not None
            wagers = game.void_verdicts(seat, BASE, irregularity)
        else:
            assert dealer is not None
            wagers = game.base_verdicts(seat, dealer)
        wagers += game.bonus_verdicts(seat)
        if "progressive" in seat.wagers:
            award = _take_award(game, seat.hand, units, resets)
            wagers.append(game.progressive_verdict(seat.hand, seat.wagers["progressive"], award))
        envy = game.envy_awards(seat, seats)
        verdicts.append(SeatVerdict(seat.seat, seat.hand.name, tuple(wagers), envy))
    verdicts.reverse()
    return RoundVerdict(tuple(verdicts), {meter: whole_cents(value) for meter, value in units.items()})


def _take_award(game: HighCardFlush, hand: FlushHand, units: dict[str, int], resets: Mapping[str, int]) -> int | None:
    line = game.progressive_line(hand)
    if line is None:
        return None
    award = lock_award(line, units.get("main", 0), resets.get("main", 0), "main")
    for posting in award.postings:
        if posting.account == "meter":
            units[posting.meter] += posting.units
    return award.cents
