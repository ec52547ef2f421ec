"""`feltlock settle` as a laboratory uses it: the open examples, the command, what a verdict looks like."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from host_tools.settle import settle_line

EXAMPLES = [json.loads(line) for line in (Path(__file__).parent / "settle_examples.jsonl").read_text().splitlines()]

DEALER = ["Kh", "Th", "8h", "6h", "3h", "7c", "2d"]
P1 = ["4c", "5c", "6c", "9d", "Jd", "2h", "Qs"]
P2 = ["Kd", "Td", "8d", "5d", "3d", "2s", "Ah"]
P3 = ["6s", "7s", "8s", "9s", "Ts", "Js", "4h"]


def worked_case(**changes):
    """The Maryland worked round of the notes, afresh each time."""
    return deepcopy({
        "id": "worked",
        "rulebook": "md-high-card-flush",
        "table": {
            "paytables": {"flush_bonus": "A", "straight_flush_bonus": "A", "progressive": "C"},
            "payout_limit": 5_000_000,
            "meters": {"main": 1_234_627},
            "reset": {"main": 500_000},
        },
        "dealer": DEALER,
        "seats": [
            {"seat": 1, "cards": P1, "folded": True, "player": "P1",
             "wagers": {"ante": 1000, "flush_bonus": 500, "straight_flush_bonus": 500, "progressive": 100}},
            {"seat": 3, "cards": P2, "player": "P2",
             "wagers": {"ante": 1000, "raise": 2000, "flush_bonus": 500, "progressive": 100}},
            {"seat": 5, "cards": P3, "folded": False, "player": "P3",
             "wagers": {"ante": 1000, "raise": 3000, "flush_bonus": 500, "straight_flush_bonus": 500,
                        "progressive": 100}},
        ],
    } | changes)  # fmt: skip


def settle(case):
    return settle_line(json.dumps(case).encode())


def feltlock(*args, stdin=None):
    return subprocess.run(
        [sys.executable, "-m", "host_tools.cli", *args], input=stdin, capture_output=True, check=False, timeout=60
    )


def fixed_parts(expected, found, where="verdict"):
    """Everything the example fixes stands in the answer; lists match item by item."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert name in found, f"{where}.{name} is missing"
            fixed_parts(value, found[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(expected) == len(found), where
        for number, (value, other) in enumerate(zip(expected, found, strict=True)):
            fixed_parts(value, other, f"{where}[{number}]")
    else:
        assert expected == found, where


# --- verdicts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["round"]["id"] for example in EXAMPLES])
def test_an_open_example_settles_as_it_is_fixed(example):
    fixed_parts(example["verdict"], settle(example["round"]))


def test_the_worked_round_is_answered_in_full():
    answer = settle(worked_case())
    assert list(answer) == ["id", "dealer", "seats", "meters"]
    assert answer["dealer"] == {"hand": "five-card flush, king high", "qualifies": True}
    assert answer["meters"] == {"main": 500_000}
    assert {seat["seat"]: seat["net"] for seat in answer["seats"]} == {1: 22_200, 3: 21_900, 5: 1_788_527}
    assert answer["seats"][0] == {
        "seat": 1,
        "hand": "three-card flush, six high",
        "net": 22_200,
        "wagers": {
            "ante": {
                "result": "lose", "profit": -1_000, "hand": "three-card flush, six high", "clause": "MD-HCF-11.B",
            },
            "flush_bonus": {
                "result": "lose", "profit": -500, "hand": "three-card flush, six high", "clause": "MD-HCF-07.F.2",
            },
            "straight_flush_bonus": {
                "result": "win", "profit": 3_500, "pays": "7 to 1", "hand": "three-card straight flush",
                "clause": "MD-HCF-12.C.1.e",
            },
            "progressive": {
                "result": "win", "profit": 200, "pays": "$3.00", "hand": "three-card straight flush",
                "clause": "MD-HCF-12.E.1.c.v",
            },
        },
        "awards": [{"kind": "envy", "from_seat": 5, "profit": 20_000, "clause": "MD-HCF-12.E.5.a.ii"}],
    }  # fmt: skip


def test_seats_of_one_player_bring_each_other_no_envy():
    case = worked_case()
    case["seats"][1]["player"] = "P3"
    answer = settle(case)
    assert [len(seat["awards"]) for seat in answer["seats"]] == [1, 0, 0]


def test_seats_are_answered_by_number_whatever_order_they_come_in():
    case = worked_case()
    case["seats"].reverse()
    assert settle(case) == settle(worked_case())


def test_an_unknown_amount_gives_odds_and_no_profit_and_no_net():
    case = worked_case()
    case["seats"][2]["wagers"] |= {"ante": None, "raise": None, "flush_bonus": None}
    seat = settle(case)["seats"][2]
    assert "net" not in seat
    assert seat["wagers"]["ante"] == {
        "result": "win", "pays": "1 to 1", "hand": "six-card flush, jack high", "clause": "MD-HCF-11.B.5.d.ii",
    }  # fmt: skip
    assert seat["wagers"]["flush_bonus"]["pays"] == "100 to 1"
    assert "profit" not in seat["wagers"]["flush_bonus"]
    assert seat["wagers"]["progressive"]["profit"] == 1_234_527


def test_every_base_amount_unknown_is_settled_too():
    case = worked_case()
    for seat in case["seats"]:
        seat["wagers"] = dict.fromkeys(seat["wagers"])
    answer = settle(case)
    assert "error" not in answer
    assert all("profit" not in wager for seat in answer["seats"] for wager in seat["wagers"].values())
    assert answer["meters"] == {"main": 500_000}


def test_a_pushed_or_void_unknown_amount_has_a_profit_of_nothing():
    case = worked_case(irregularity="MD-HCF-13.B")
    for seat in case["seats"]:
        seat["wagers"] = dict.fromkeys(seat["wagers"])
    answer = settle(case)
    assert [seat["net"] for seat in answer["seats"]] == [0, 0, 0]


def test_without_a_reset_the_meter_goes_back_to_the_lowest_the_rulebook_allows():
    case = worked_case()
    del case["table"]["reset"]
    assert settle(case)["meters"] == {"main": 500_000}


def test_without_meters_there_are_none_in_the_answer():
    case = worked_case(table={"paytables": {"flush_bonus": "B", "straight_flush_bonus": "G"}})
    for seat in case["seats"]:
        del seat["wagers"]["progressive"]
    answer = settle(case)
    assert "meters" not in answer
    assert answer["seats"][2]["wagers"]["straight_flush_bonus"]["profit"] == 200 * 500


def test_a_fixed_progressive_award_needs_no_meter():
    case = worked_case(table={"paytables": {"progressive": "C"}})
    case["seats"] = [{"seat": 2, "cards": P1, "folded": True, "wagers": {"ante": 1000, "progressive": 100}}]
    assert settle(case)["seats"][0]["wagers"]["progressive"]["profit"] == 200


def test_the_payout_limit_is_paid_in_full_flush_bonus_first():
    case = worked_case()
    case["table"]["payout_limit"] = 60_000
    wagers = settle(case)["seats"][2]["wagers"]
    assert (wagers["flush_bonus"]["profit"], wagers["straight_flush_bonus"]["profit"]) == (50_000, 10_000)
    assert wagers["straight_flush_bonus"]["clause"] == "MD-HCF-12.D"


@pytest.mark.parametrize(
    ("irregularity", "nets", "meter"),
    [
        pytest.param("MD-HCF-13.E", (23_200, 24_900, 1_784_527), 500_000, id="13.E: Ante and Raise come back"),
        pytest.param("MD-HCF-13.F", (23_200, 24_900, 1_784_527), 500_000, id="13.F: the same event"),
        pytest.param("MD-HCF-13.D", (0, 0, 0), 1_234_627, id="13.D: everything comes back"),
        pytest.param("MD-HCF-08.J.1", (0, 0, 0), 1_234_627, id="08.J.1"),
        pytest.param("MD-HCF-08.J.2", (0, 0, 0), 1_234_627, id="08.J.2"),
        pytest.param("MD-HCF-13.A", (22_200, 21_900, 1_788_527), 500_000, id="13.A: play goes on"),
    ],
)
def test_an_irregularity_is_followed(irregularity, nets, meter):
    answer = settle(worked_case(irregularity=irregularity))
    assert tuple(seat["net"] for seat in answer["seats"]) == nets
    assert answer["meters"] == {"main": meter}


def test_a_void_round_may_have_any_number_of_cards_and_decisions():
    case = worked_case(irregularity="MD-HCF-13.D", dealer=DEALER[:6])
    case["seats"][0]["cards"] = P1[:5]
    del case["seats"][1]["wagers"]["raise"]
    answer = settle(case)
    assert "dealer" not in answer
    assert "hand" not in answer["seats"][0]
    assert {wager["result"] for seat in answer["seats"] for wager in seat["wagers"].values()} == {"void"}


def test_an_exposed_dealer_card_settles_the_optional_wagers_of_whole_hands_only():
    case = worked_case(irregularity="MD-HCF-13.E", dealer=DEALER[:3])
    case["seats"][0]["cards"] = P1[:5]
    answer = settle(case)
    assert {wager["result"] for wager in answer["seats"][0]["wagers"].values()} == {"void"}
    assert answer["seats"][2]["wagers"]["flush_bonus"]["result"] == "win"


def test_ace_low_is_an_option_of_the_table():
    case = worked_case(table={"paytables": {"straight_flush_bonus": "A"}})
    case["seats"] = [
        {"seat": 2, "cards": ["Ac", "2c", "3c", "9d", "Jd", "Qs", "7s"], "folded": True,
         "wagers": {"ante": 1000, "straight_flush_bonus": 500}},
    ]  # fmt: skip
    assert settle(case)["seats"][0]["wagers"]["straight_flush_bonus"]["result"] == "lose"
    case["table"]["options"] = {"ace_low_straight_flush": True}
    assert settle(case)["seats"][0]["wagers"]["straight_flush_bonus"]["profit"] == 3_500


def test_an_id_is_given_back_and_may_be_left_out():
    assert settle(worked_case(id="Tisch 7 · \U0001f0cf"))["id"] == "Tisch 7 · \U0001f0cf"
    case = worked_case()
    del case["id"]
    assert settle(case)["id"] is None


def test_fields_of_other_games_may_stand_empty():
    case = worked_case(community=[])
    case["table"]["draws"] = {}
    case["seats"][0]["hands"] = []
    assert "error" not in settle(case)


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_settles_a_file_and_exits_0(tmp_path):
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text("".join(json.dumps(example["round"]) + "\n" for example in EXAMPLES))
    result = feltlock("settle", str(rounds))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.returncode, result.stderr) == (0, b"")
    for example, answer in zip(EXAMPLES, answers, strict=True):
        fixed_parts(example["verdict"], answer)


def test_standard_input_keeps_its_order_and_one_bad_line_fails_alone():
    good = [json.dumps(worked_case(id=f"round {number}")).encode() for number in range(3)]
    lines = [good[0], b"nonsense", b"", good[1], b'{"id": "\xff"}', good[2]]
    result = feltlock("settle", stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["round 0", None, "round 1", None, "round 2"]
    assert ["error" in answer for answer in answers] == [False, True, False, True, False]
    assert "UTF-8" in answers[3]["error"]["message"]
    assert (result.returncode, result.stderr) == (1, b"")


def test_standard_input_without_a_line_is_settled_and_windows_line_ends_are_read():
    assert (feltlock("settle", stdin=b"").returncode, feltlock("settle", stdin=b"\n \n").stdout) == (0, b"")
    result = feltlock("settle", "-", stdin=json.dumps(worked_case()).encode() + b"\r\n")
    assert (result.returncode, json.loads(result.stdout)["id"]) == (0, "worked")


def test_a_file_that_cannot_be_read_is_one_line_on_standard_error(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        result = feltlock("settle", str(path))
        assert (result.returncode, result.stdout) == (1, b"")
        assert result.stderr.startswith(b"feltlock: cannot read ")
        assert result.stderr.count(b"\n") == 1
