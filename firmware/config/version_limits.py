"""What rulebooks allow but this version of the firmware does not do: refused plainly, never half done."""

from collections.abc import Iterator

from firmware.rules.submission_draft import Complaint, Draft

PLAYED_METHOD = "manual shoe"
STAND_ALONE = "this version is stand-alone"


def check_version(draft: Draft) -> Iterator[Complaint]:
    method = draft.text("cards", "dealing_method")
    if method is not None and method != PLAYED_METHOD:
        message = "this version deals from the manual shoe only"
        yield Complaint(("cards", "dealing_method"), message, None, f'Write "{PLAYED_METHOD}"')
    if draft.written("cards", "automated_order"):
        message = "this version deals from the manual shoe only, which has no automated order"
        yield Complaint(("cards", "automated_order"), message, None, "Remove the line")
    if (draft.number("cards", "decks") or 1) > 1:
        yield Complaint(("cards", "decks"), "this version plays one deck", None, "Write 1")
    elif draft.flag("cards", "two_decks"):
        yield Complaint(("cards", "two_decks"), "this version plays one deck", None, "Write false")
    if draft.written("link"):
        yield Complaint(("link",), STAND_ALONE, None, "Remove the section")
    for path in draft.values:
        if path[0] == "meters" and path[-1] == "linked":
            yield Complaint(path, STAND_ALONE, None, "Remove the line")
