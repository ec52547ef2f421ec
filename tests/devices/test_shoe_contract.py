"""What holds for every shoe: acts once per permit, keeps the result, and says what became of it."""

import pytest
from device_rigs import RIGS, Rig, on

from firmware.devices.shoe import CardDrawn, PermitRefused, PermitReport, ShoeFault
from firmware.devices.simulated_shoe import GateShut
from firmware.rules.cards import DECK, parse_cards

every_rig = pytest.mark.parametrize("rig_name", RIGS)
CARDS = parse_cards(["4c", "Td", "Ah", "2s", "9h", "Kc"])


@every_rig
def test_cards_come_out_in_order_under_their_permit(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        assert await rig.shoe.permit(7, "deal", 2) == PermitReport("waiting", ())
        assert rig.mechanism.draw() == CARDS[:1]
        assert await rig.shoe.became_of(7) == PermitReport("active", CARDS[:1])
        assert rig.mechanism.draw() == CARDS[1:2]
        assert await rig.shoe.became_of(7) == PermitReport("done", CARDS[:2])
        await rig.settle()
        assert rig.events == [CardDrawn(7, 0, CARDS[0]), CardDrawn(7, 1, CARDS[1])]

    on(rig_name, body)


@every_rig
def test_the_gate_is_shut_without_a_permit_and_once_it_is_used_up(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        with pytest.raises(GateShut):
            rig.mechanism.draw()
        await rig.shoe.permit(1, "burn", 1)
        rig.mechanism.draw()
        with pytest.raises(GateShut):
            rig.mechanism.draw()
        assert rig.mechanism.remaining() == len(CARDS) - 1

    on(rig_name, body)


@every_rig
def test_the_same_permit_again_moves_nothing_and_answers_the_same(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        await rig.shoe.permit(1, "deal", 1)
        rig.mechanism.draw()
        assert await rig.shoe.permit(1, "deal", 1) == PermitReport("done", CARDS[:1])
        assert not rig.mechanism.gate_open()
        with pytest.raises(PermitRefused, match="permit 1 was issued to deal 1 cards, not to deal 2"):
            await rig.shoe.permit(1, "deal", 2)

    on(rig_name, body)


@every_rig
def test_an_older_number_is_refused(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        await rig.shoe.permit(5, "deal", 1)
        rig.mechanism.draw()
        with pytest.raises(PermitRefused, match="permit 4 is not newer than 5"):
            await rig.shoe.permit(4, "deal", 1)
        await rig.shoe.acknowledge(5)
        with pytest.raises(PermitRefused, match="permit 5 is not newer than 5"):
            await rig.shoe.permit(5, "deal", 1)
        assert not rig.mechanism.gate_open()

    on(rig_name, body)


@every_rig
def test_one_permit_is_open_at_a_time(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        await rig.shoe.permit(1, "deal", 3)
        with pytest.raises(PermitRefused, match="permit 1 is still open"):
            await rig.shoe.permit(2, "deal", 1)
        assert await rig.shoe.became_of(2) == PermitReport("unknown", ())

    on(rig_name, body)


@every_rig
def test_a_permit_for_no_card_is_refused(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        with pytest.raises(PermitRefused, match="one card or more"):
            await rig.shoe.permit(1, "deal", 0)
        assert not rig.mechanism.gate_open()

    on(rig_name, body)


@every_rig
def test_an_acknowledgement_lets_the_result_go_and_shuts_the_gate(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        await rig.shoe.permit(1, "deal", 3)
        rig.mechanism.draw()
        await rig.shoe.acknowledge(1)
        assert not rig.mechanism.gate_open()
        assert await rig.shoe.became_of(1) == PermitReport("unknown", ())
        await rig.shoe.acknowledge(1)
        assert await rig.shoe.permit(2, "count", 5) == PermitReport("waiting", ())

    on(rig_name, body)


@every_rig
def test_a_result_is_kept_until_acknowledged_whatever_follows(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        for number in (1, 2):
            await rig.shoe.permit(number, "deal", 1)
            rig.mechanism.draw()
        assert await rig.shoe.became_of(1) == PermitReport("done", CARDS[:1])
        assert await rig.shoe.became_of(2) == PermitReport("done", CARDS[1:2])

    on(rig_name, body)


@every_rig
def test_a_power_cut_forgets_every_permit_but_moves_no_card(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        await rig.shoe.permit(3, "deal", 2)
        rig.mechanism.draw()
        rig.mechanism.lose_power()
        assert await rig.shoe.became_of(3) == PermitReport("unknown", ())
        assert not rig.mechanism.gate_open()
        assert rig.mechanism.remaining() == len(CARDS) - 1

    on(rig_name, body)


@every_rig
def test_a_card_that_cannot_be_read_is_unread_and_still_counts(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        rig.mechanism.misread_next()
        await rig.shoe.permit(1, "deal", 2)
        assert rig.mechanism.draw() == CARDS[:1]
        rig.mechanism.draw()
        assert await rig.shoe.became_of(1) == PermitReport("done", (None, CARDS[1]))
        await rig.settle()
        assert rig.events == [CardDrawn(1, 0, None), CardDrawn(1, 1, CARDS[1])]

    on(rig_name, body)


@every_rig
def test_a_jam_and_an_empty_shoe_are_told_and_give_no_card(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS[:1])
        await rig.shoe.permit(1, "deal", 2)
        rig.mechanism.jam()
        assert rig.mechanism.draw() == ()
        rig.mechanism.jam(False)
        assert rig.mechanism.draw() == CARDS[:1]
        assert rig.mechanism.draw() == ()
        await rig.settle()
        assert rig.events == [ShoeFault("jam", 1), CardDrawn(1, 0, CARDS[0]), ShoeFault("empty", 1)]

    on(rig_name, body)


@every_rig
@pytest.mark.parametrize("permitted", [1, 2, 3])
def test_a_double_feed_shows_both_cards_even_past_the_permit(rig_name: str, permitted: int) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        rig.mechanism.double_feed_next()
        await rig.shoe.permit(1, "deal", permitted)
        assert rig.mechanism.draw() == CARDS[:2]
        state = "active" if permitted == 3 else "done"
        assert await rig.shoe.became_of(1) == PermitReport(state, (CARDS[0], None))
        assert rig.mechanism.gate_open() == (permitted == 3)
        await rig.settle()
        assert rig.events == [CardDrawn(1, 0, CARDS[0]), CardDrawn(1, 1, None), ShoeFault("double feed", 1)]

    on(rig_name, body)


@every_rig
def test_a_face_up_card_is_dealt_and_told(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        rig.mechanism.load(CARDS)
        rig.mechanism.face_up_next()
        await rig.shoe.permit(1, "deal", 2)
        rig.mechanism.draw()
        rig.mechanism.draw()
        await rig.settle()
        assert rig.events == [CardDrawn(1, 0, CARDS[0]), ShoeFault("face up", 1), CardDrawn(1, 1, CARDS[1])]

    on(rig_name, body)


@every_rig
def test_a_seeded_deck_is_a_whole_deck_and_the_same_each_time(rig_name: str) -> None:
    async def body(rig: Rig) -> None:
        decks = []
        for number, seed in enumerate((11, 11, 12), start=1):
            rig.mechanism.load_seeded(seed)
            await rig.shoe.permit(number, "count", 52)
            for _ in range(52):
                rig.mechanism.draw()
            decks.append((await rig.shoe.became_of(number)).drawn)
        assert decks[0] == decks[1] != decks[2]
        assert set(decks[0]) == set(DECK)

    on(rig_name, body)
