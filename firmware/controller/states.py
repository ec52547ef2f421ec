"""Every state the table can be in, one row each: what a power cut leaves, what the dealer sees, who moves it on.

The state of an open round is that of the step its script waits for; the rows for permits follow the shoe. A test
reads the steps from the scripts, fails on a state without a row, and cuts the power in each.
"""

from typing import NamedTuple


class Row(NamedTuple):
    state: str
    survives: str
    dealer_sees: str
    moved_on_by: str


TABLE_STATES = (
    Row("closed", "deck, meters, faults", "sign on", "dealer with PIN"),
    Row("no deck", "dealer, meters, faults", "open a deck", "dealer"),
    Row("stopped", "everything recorded before the fault", "the fault and what to do", "whoever clears the fault"),
    Row("held", "the open round of another software or table file", "finish or void it", "floorperson"),
    Row("loading", "dealer and deck", "shuffle, cut, load", "dealer"),
    Row("betting", "keyed wagers; chips are read again by level", "bets are open", "lock-out button"),
    Row("locked out", "the latched chips and what was asked", "the open question", "dealer"),
    Row("counting", "accepted wagers and contributions", "count the chips", "dealer, or floorperson striking a chip"),
    Row("dealing", "cards read; the shoe is asked about its permit", "which card goes where", "shoe"),
    Row("stub", "the deal", "rack or count the stub", "dealer"),
    Row("decisions", "decisions so far", "whose turn it is", "dealer"),
    Row("forfeits", "all decisions", "what to take and what to leave", "dealer"),
    Row("reveal", "all decisions", "turn up your cards", "dealer"),
    Row("settling", "what is turned up and settled so far", "the seat's verdicts", "dealer"),
    Row("hit recognised", "the locked amount, off the meter", "check hand and light", "dealer"),
    Row("hit pending", "the locked amount", "floorperson to validate", "floorperson"),
    Row("hit validated", "the locked amount and who validated", "pay", "dealer"),
    Row("hit refused", "the meter as before the hit", "correct, show again or deny", "dealer or floorperson"),
    Row("envy", "who is owed what", "pay Envy", "dealer"),
    Row("difference", "what was paid and what was due", "floorperson to put it right", "floorperson"),
    Row("racking", "every verdict", "rack the cards", "dealer"),
    Row("void", "reversed contributions and what goes back", "return every wager", "dealer"),
)  # fmt: skip

PERMIT_STATES = (
    Row("permit waiting", "the permit; the shoe's gate is open", "draw the first card", "shoe"),
    Row("permit active", "cards read so far; the shoe gives the rest", "draw on", "shoe"),
    Row("permit done", "all its cards", "the next step", "the controller acknowledges"),
    Row("permit unknown", "cards read so far", "say what lies on the felt", "dealer, confirmed by a floorperson"),
)  # fmt: skip

STATES = {row.state: row for row in TABLE_STATES + PERMIT_STATES}
