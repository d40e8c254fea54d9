"""The referee of divisible_star accepts right answers and finds every planted fault."""

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_star.schemas import DivisibleStarResult
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.kinds.divisible_star.bodies import random_tree, result_of, star, tree, with_results
from tests.solved import solve

F = Fraction
Change = tuple[str, Any]
"""A path through the answer, and what to put there; a function changes what is there."""


def late(document: dict[str, Any], factor: str = "1") -> dict[str, Any]:
    """Give latencies to the workers P1 and P2, and to the links to them."""
    platform = document["problem"]["platform"]
    for part, times in (("links", (2, 1)), ("processors", (0, 0, 4))):
        for one, time in zip(platform[part], times, strict=True):
            one["latency"] = str(time * F(factor))
    return document


DOCUMENTS = {
    "star": star([1, 2, 3], [3, 2, 1]),
    "given": star([1, 2, 3], [3, 2, 1], order=["P3", "P2", "P1"]),
    "bus": star([1, 1], [2, 3], own=4),
    "tree": tree(
        {"M": 4, "R": None, "P": 2, "Q": 3, "S": 1},
        {("M", "R"): 1, ("R", "P"): 1, ("R", "Q"): 2, ("M", "S"): 2},
    ),
    "tree back": tree(
        {"M": 4, "R": 5, "P": 2, "Q": 3, "S": 1},
        {("M", "R"): 1, ("R", "P"): 1, ("R", "Q"): 2, ("M", "S"): 2},
        load={"communication_volume": 1, "computation_volume": 1, "return_volume": "1/2"},
        return_orders="lifo",
    ),
    "rounds": star([1, 2], [4, 3], own=9, order=["P1", "P2"], rounds=2),
    "affine": late(star([2, 3], [5, 5], order=["P1", "P2"], rounds=2)),
    "any order": late(star([2, 3], [5, 5], rounds=2)),
    "umr": star([1, 2], [9, 8], own=30, method="umr", max_rounds=4),
    "periodic": late(star([1, 2], [9, 8], order=["P2", "P1"], method="periodic"), "1/20"),
    "at bound": star([1, 1], [1, 2], data=0, method="umr"),
    "at bound of one round": late(star([1, 1], [1, 2], data=0, work=0)),
    "at once": late(star([1, 1], [1, 2], data=0, work=0, method="umr")),
    "tried": with_results([6, 7, 12], [8, 6, 5], [6, 7, 12]),
    "as sent": with_results([1, 2, 3], [3, 2, 1], [2, 4, 6], return_orders="fifo"),
    "bus with results": with_results([1, 1], [2, 5], [3, 3], ports="one_port"),
    "reversed": with_results([1, 2, 3], [3, 2, 1], [2, 4, 6], own=9, return_orders="lifo"),
    "reversed late": with_results(
        [1, 2], [3, 2], [2, 1], latencies=[(1, 0, 1), (0, 1, 0)], return_orders="lifo"
    ),
    "both given": with_results(
        [6, 7], [8, 6], [6, 7], order=["P1", "P2"], return_orders=["P2", "P1"]
    ),
    "five tried": with_results([1, 2, 3, 4, 5], [5, 9, 7, 8, 6], [5, 3, 4, 1, 2], ports="one_port"),
    "by speed": {
        "problem": {
            "kind": "divisible_star",
            "platform": {
                "processors": [{"id": "M", "speed": 1}, {"id": "R"}, {"id": "P", "speed": "1/2"}],
                "links": [
                    {"source": "M", "target": "R", "bandwidth": 3, "duplex": "simplex"},
                    {"source": "R", "target": "P", "bandwidth": 5, "duplex": "half"},
                ],
            },
            "master": "M",
            "load": {"communication_volume": 1, "computation_volume": 1},
        }
    },
    "alone": star([], [], own=2),
    "free": star([1], [1], own=1, work=0),
}


@cache
def _solved(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    document = DOCUMENTS[name]
    answer = solve(copy.deepcopy(document))
    return document, answer.result.model_dump(mode="json"), answer.schedule.document


def codes(name: str, *changes: Change, keep: bool = True) -> set[str]:
    """Judge an answer after some changes to it."""
    document, result, schedule = copy.deepcopy(_solved(name))
    whole = {"problem": document["problem"], "result": result, "schedule": schedule}
    for path, value in changes:
        *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        part: Any = whole
        for step in way:
            part = part[step]
        part[last] = value(part[last]) if callable(value) else value
    submission = parse_submission({"problem": whole["problem"]}, Limits())
    try:
        validate(
            submission.instance,
            submission.options,
            DivisibleStarResult.model_validate(whole["result"]),
            Timeline.from_document(whole["schedule"]) if keep else None,
        )
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def events(change: Callable[[list[dict[str, Any]]], Any]) -> tuple[Change, Change]:
    """Change the timeline of the result and the events of the schedule alike."""

    def changed(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
        change(listed)
        return listed

    return ("result/timeline", changed), ("schedule/events", changed)


def more(value: str) -> str:
    return str(F(value) * F(10**9 + 1, 10**9))


def less(value: str) -> str:
    return str(F(value) * F(10**9 - 1, 10**9))


def setting(place: int, **members: Any) -> tuple[Change, Change]:
    return events(lambda listed: listed[place].update(members))


def back(whose: str, shift: str = "0", **members: Any) -> tuple[Change, Change]:
    """Change the result of a processor on its way back, or when it is sent."""

    def change(listed: list[dict[str, Any]]) -> None:
        senders = [event["link"][0] if event.get("link") else None for event in listed]
        place = len(senders) - 1 - senders[::-1].index(whose)
        event = listed[place]
        for end in ("start", "end"):
            event[end] = str(F(event[end]) + F(shift))
        event |= members

    return events(change)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_right_answers_are_accepted(name: str) -> None:
    assert codes(name) == set()
    without = codes(name, ("result/notes", ["stored elsewhere"]), keep=False)
    assert without == (set() if name == "free" else {"no_schedule"})


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("star", [("result/outcome", "infeasible")], {"always_feasible"}),
        ("star", [("result/outcome", "unknown")], {"always_feasible"}),
        ("star", [("result/order", ["P1", "P2"])], {"wrong_order"}),
        ("star", [("result/order", ["P1", "P2", "P2"])], {"wrong_order"}),
        ("star", [("result/order", ["P1", "P2", "P4"])], {"wrong_order"}),
        ("given", [("result/order", ["P1", "P2", "P3"])], {"wrong_order"}),
        ("star", [("problem/order", ["P1", "P2", "P3"])], {"wrong_order_proof"}),
        ("star", [("result/order_proof", None)], {"wrong_order_proof"}),
        # The best of the given order would pass for the best of all.
        (
            "given",
            [("problem/order", None), ("result/order_proof", "theorem")],
            {"order_not_by_link_time"},
        ),
        ("star", [("result/shares/0/processor", "M")], {"cannot_compute"}),
        ("star", [("result/shares/0/processor", "nobody")], {"cannot_compute"}),
        ("star", [("result/shares/0/processor", "P2")], {"share_twice"}),
        ("star", [("result/shares/0/fraction", "0")], {"share_not_positive"}),
        ("star", [("result/shares/0/fraction", "7/17")], {"load_not_whole"}),
        ("star", [("result/shares", lambda listed: listed[::-1])], {"shares_unsorted"}),
        ("star", [("result/participants", ["P1", "P2"])], {"wrong_participants"}),
        ("star", [("result/timeline/0/kind", "compute")], {"wrong_kind_of_event"}),
        ("star", [("schedule/ports", "one_port")], {"wrong_ports"}),
        ("star", [("schedule/makespan", "2")], {"makespans_disagree"}),
        ("star", [("schedule/events/0/load", "other")], {"timelines_disagree"}),
        ("star", setting(0, load="other"), {"unknown_load"}),
        ("star", setting(0, installment=2), {"idle_event", "missing_event"}),
        ("star", events(lambda listed: listed.insert(0, listed[0])), {"event_twice"}),
        ("star", events(lambda listed: listed.reverse()), {"events_unsorted"}),
        ("star", events(lambda listed: listed.pop(0)), {"missing_event"}),
        (
            "star",
            events(lambda listed: listed.insert(0, {**listed[0], "link": ["P1", "P2"]})),
            {"idle_event"},
        ),
        ("star", setting(0, share="1/17"), {"wrong_share"}),
        ("star", setting(0, end="7/17"), {"wrong_duration"}),
        ("star", setting(1, start="7/17", end="19/17"), {"too_early"}),
        ("star", [("result/makespan", "33/17")], {"wrong_makespan"}),
        ("star", [("result/objective/value", "33/17")], {"wrong_value"}),
        ("star", [("result/idle/0/idle", "0")], {"wrong_idle"}),
        ("star", [("result/idle", [])], {"wrong_idle"}),
        ("star", [("result/certificate/prices/M.compute", "0")], {"unknown_price"}),
        ("star", [("result/certificate/prices/P1.message2", "0")], {"unknown_price"}),
        ("star", [("result/certificate/prices/P1.message1", "6/17")], {"prices_not_one"}),
        (
            "star",
            [
                ("result/certificate/prices/P1.message1", "6/17"),
                ("result/certificate/prices/P2.message1", "3/17"),
            ],
            {"bound_not_proved"},
        ),
        ("star", [("result/certificate/prices", {})], {"bound_not_proved"}),
        ("star", [("result/certificate/type", "none")], {"unproved_bound"}),
        ("star", [("result/shares/0/round", 2)], {"wrong_round"}),
        ("star", [("result/shares/0/items", 1)], {"wrong_round"}),
        ("rounds", [("result/order", ["P2", "P1"])], {"wrong_order"}),
        ("rounds", [("result/order", ["P1"])], {"wrong_order"}),
        ("rounds", [("result/order_proof", "theorem")], {"wrong_order_proof"}),
        ("rounds", [("result/return_order", ["P1", "P2"])], {"wrong_return_order"}),
        ("rounds", [("result/shares/1/processor", "P3")], {"cannot_compute"}),
        ("rounds", [("result/shares/1/round", 3)], {"cannot_compute"}),
        ("rounds", [("result/shares/0/round", 2)], {"cannot_compute"}),
        ("rounds", [("result/shares/1/round", 2)], {"share_twice"}),
        ("rounds", [("result/shares/1/fraction", "0")], {"share_not_positive"}),
        ("rounds", [("result/shares/1/fraction", "1")], {"load_not_whole"}),
        ("rounds", [("result/shares/1/items", 1)], {"wrong_items"}),
        ("rounds", [("result/shares", lambda listed: listed[::-1])], {"shares_unsorted"}),
        ("rounds", [("result/participants", ["M", "P2", "P1"])], {"wrong_participants"}),
        ("rounds", [("result/idle/1/idle", "0")], {"wrong_idle"}),
        ("rounds", setting(0, installment=3), {"missing_event", "idle_event"}),
        ("rounds", setting(2, start="0"), {"too_early", "wrong_duration"}),
        ("rounds", [("result/makespan", "3")], {"wrong_makespan"}),
        ("rounds", [("result/certificate/prices", {"M.compute": "1"})], {"bound_not_proved"}),
        ("rounds", [("result/certificate/prices/M.port", "0")], {"unknown_price"}),
        ("rounds", [("result/certificate/prices/P1.message3", "0")], {"unknown_price"}),
        ("rounds", [("result/certificate/prices/M.compute", "0")], {"prices_not_one"}),
        ("tried", [("result/order_proof", "given")], {"wrong_order_proof"}),
        ("tried", [("result/order_proof", "theorem")], {"wrong_order_proof"}),
        ("tried", [("result/proved_bound", "10382/789")], {"bound_not_proved"}),
        ("tried", [("problem/ports", "one_port")], {"bound_not_proved"}),
        ("tried", [("result/return_order", None)], {"wrong_return_order"}),
        ("tried", [("result/return_order", ["P1"])], {"wrong_return_order"}),
        # More pairs of orders than the referee tries.
        (
            "five tried",
            [("result/certificate/type", "enumeration"), ("result/certificate/solver", None)],
            {"not_repeated"},
        ),
        ("by speed", [("problem/platform/links/0/bandwidth", 4)], {"wrong_duration"}),
        ("by speed", [("problem/platform/processors/2/speed", 1)], {"wrong_duration"}),
        ("tried", [("problem/order", ["P1", "P2", "P3"])], set()),
        ("tried", [("problem/return_orders", "lifo")], {"wrong_return_order"}),
        (
            "tried",
            [("result/certificate/type", "lp_duality"), ("result/order_proof", "theorem")],
            {"no_theorem"},
        ),
        (
            "tried",
            [
                ("problem/ports", "one_port"),
                ("result/certificate", {"type": "lp_duality", "prices": {"P1.message1": "1"}}),
            ],
            {"prices_of_participants"},
        ),
        ("as sent", [("result/order_proof", "exhaustive")], {"wrong_order_proof"}),
        ("as sent", [("problem/return_orders", "any")], {"no_theorem"}),
        ("as sent", [("problem/platform/links/0/unit_time", "4")], {"no_theorem"}),
        ("as sent", [("problem/platform/links/3/unit_time", "1/9")], {"no_theorem"}),
        (
            "as sent",
            [("problem/platform/processors/1/latency", "1")],
            {"no_theorem", "prices_of_participants"},
        ),
        ("as sent", [("result/certificate/prices/M.port", "0")], {"bound_not_proved"}),
        (
            "bus with results",
            [("problem/platform/links/2/unit_time", "4")],
            {"no_theorem"},
        ),
        (
            "bus with results",
            [("problem/platform/processors/1/latency", "1")],
            {"no_theorem"},
        ),
        ("reversed", [("problem/platform/links/0/unit_time", "9")], {"no_theorem"}),
        ("reversed late", [("problem/platform/processors/1/latency", "9")], {"wrong_duration"}),
        ("reversed late", [("problem/platform/links/3/latency", "2")], {"wrong_duration"}),
        ("reversed late", [("result/bound/value", "9")], {"bound_not_proved"}),
        ("both given", [("result/order_proof", "theorem")], {"wrong_order_proof"}),
        ("both given", [("result/return_order", ["P1", "P2"])], {"wrong_return_order"}),
        ("tree", [("result/bound_source", "any_rounds")], {"wrong_bound_source"}),
        ("tree", [("result/bound_source", None)], {"wrong_bound_source"}),
        ("tree", [("result/return_order", ["R", "S", "P", "Q"])], {"wrong_return_order"}),
        ("tree", [("result/rounds", 2)], {"wrong_rounds"}),
        ("tree back", [("result/return_order", None)], {"wrong_return_order"}),
        ("tree back", [("result/return_order", ["R", "S", "P", "Q"])], {"wrong_return_order"}),
        ("tree back", [("problem/load/return_volume", "0")], {"idle_event", "wrong_return_order"}),
        ("tree back", [("problem/load/return_volume", "1/3")], {"wrong_duration"}),
        ("tree back", back("P", shift="-1/1000"), {"too_early"}),
        ("tree back", back("S", shift="-1/1000"), {"too_early"}),
        ("tree back", back("R", shift="-1/1000"), {"too_early"}),
        ("tree back", back("Q", share="1/1000"), {"wrong_share"}),
        ("tree back", back("S", link=["S", "R"]), {"missing_event", "idle_event"}),
        ("tree back", back("R", end="9"), {"wrong_duration"}),
        ("tree back", [("result/bound/value", more)], {"bound_not_proved"}),
        ("tree back", [("result/proved_bound", "1")], {"stray_bound"}),
        ("tree back", [("result/order_proof", "given")], {"wrong_order_proof"}),
        ("tree back", [("problem/platform/links/0/unit_time", "3")], {"order_not_by_link_time"}),
        ("tree", [("result/order", ["S", "R", "P", "Q"])], {"order_not_by_link_time"}),
        ("tree", [("result/order", ["R", "S", "Q", "P"])], {"order_not_by_link_time"}),
    ],
)
def test_a_planted_fault_is_found(name: str, changes: list[Change], expected: set[str]) -> None:
    assert expected <= codes(name, *changes)


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("umr", [("result/rounds", 9)], "wrong_rounds"),
        ("umr", [("problem/max_rounds", 1)], "cannot_compute"),
        ("umr", [("result/any_rounds_bound", "1")], "wrong_any_rounds_bound"),
        ("umr", [("result/any_rounds_bound", None)], "wrong_any_rounds_bound"),
        ("umr", [("result/proved_bound", "1")], "wrong_proved_bound"),
        # Prices of a program say nothing about a method that chooses its messages.
        ("umr", [("result/bound_source", "program")], "wrong_bound_source"),
        ("umr", [("result/bound_source", "order_free")], "wrong_bound_source"),
        ("umr", [("result/bound_source", None)], "wrong_bound_source"),
        ("umr", [("result/certificate/prices", {"M.port": "1"})], "bound_not_proved"),
        ("umr", [("result/certificate/prices/P1.message1", "0")], "unknown_price"),
        ("umr", [("result/certificate/prices/M.compute", "0")], "prices_not_one"),
        ("umr", [("result/bound/value", more)], "bound_not_proved"),
        ("umr", [("result/guarantee", {"bound": "99", "of": "periodic"})], "wrong_guarantee"),
        ("umr", [("result/guarantee", {"bound": "99", "of": "rounding"})], "guarantee_not_proved"),
        (
            "umr",
            [("result/guarantee", {"bound": "9", "of": "single_round"})],
            "guarantee_not_proved",
        ),
        ("periodic", [("result/guarantee/of", "single_round")], "wrong_guarantee"),
        ("periodic", [("result/guarantee/bound", less)], "guarantee_not_proved"),
        # A true makespan is no guarantee: the theorem promises less.
        ("periodic", [("result/guarantee/bound", "7")], "guarantee_not_proved"),
        # Bounds are of all who may take part, not of those who are listed.
        ("at once", [("result/order", ["P1"])], "wrong_order"),
        ("at once", [("result/bound/value", more)], "bound_not_proved"),
        ("at once", [("result/guarantee/bound", more)], "guarantee_not_proved"),
        ("at once", [("result/bound_source", "any_rounds")], "wrong_bound_source"),
        ("rounds", [("problem/order", None)], "wrong_bound_source"),
        ("rounds", [("result/any_rounds_bound", "1")], "wrong_any_rounds_bound"),
        ("affine", [("result/bound_source", "any_rounds")], "wrong_bound_source"),
        ("affine", [("result/bound_source", "theorem")], "wrong_bound_source"),
        ("affine", [("problem/order", None)], "wrong_bound_source"),
        ("any order", [("problem/order", ["P2", "P1"])], "wrong_order"),
        ("any order", [("result/order_proof", "theorem")], "wrong_order_proof"),
        ("any order", [("result/order_proof", "bound")], "wrong_order_proof"),
        ("at bound", [("result/order_proof", "none")], "wrong_order_proof"),
        ("at bound of one round", [("result/order_proof", "search")], "wrong_order_proof"),
    ],
)
def test_a_planted_fault_of_several_rounds_is_found(
    name: str, changes: list[Change], expected: str
) -> None:
    assert expected in codes(name, *changes)


def test_prices_of_the_best_order_do_not_prove_another() -> None:
    """A chosen order is believed for its link times only: the prices have to hold at it."""
    swapped = ("result/order", ["P2", "P1", "P3"])
    assert {"order_not_by_link_time", "bound_not_proved"} <= codes("star", swapped)


def test_no_random_prices_prove_more_than_the_optimum() -> None:
    """Weak duality, at any prices: the referee never accepts a bound above a schedule."""
    random = Random(5)
    for _ in range(40):
        document = random_tree(random, 5)
        answer = solve(document)
        if not answer.result.makespan:
            continue
        names = [
            f"{p['id']}.message1" if i else f"{p['id']}.compute"
            for i, p in enumerate(document["problem"]["platform"]["processors"])
            if "unit_time" in p
        ]
        weights = [random.randint(0, 5) for _ in names]
        weights[0] += 1
        result = answer.result.model_copy(deep=True)
        result.certificate.prices = {
            name: F(weight, sum(weights)) for name, weight in zip(names, weights, strict=True)
        }
        result.bound.value = result.makespan * F(1001, 1000)
        submission = parse_submission(document, Limits())
        with pytest.raises(InvalidScheduleError) as refused:
            validate(submission.instance, submission.options, result, answer.schedule)
        assert "bound_not_proved" in {fault.code for fault in refused.value.faults}


@pytest.mark.parametrize(
    ("name", "of"), [("star", "P1.message1 P2.message1"), ("umr", "P1.compute P2.compute")]
)
def test_prices_below_zero_are_refused(name: str, of: str) -> None:
    """No document has them, but a program may make such a result."""
    answer = solve(DOCUMENTS[name])
    one, other = of.split()
    answer.result.certificate.prices[one] -= 1
    answer.result.certificate.prices[other] += 1
    submission = parse_submission(DOCUMENTS[name], Limits())
    with pytest.raises(InvalidScheduleError) as refused:
        validate(submission.instance, submission.options, answer.result, answer.schedule)
    assert "negative_price" in {fault.code for fault in refused.value.faults}


def test_an_answer_of_another_tree_is_refused() -> None:
    turned = {"source": "P1", "target": "M", "unit_time": "1", "duplex": "simplex"}
    result = result_of(DOCUMENTS["star"])
    document = copy.deepcopy(DOCUMENTS["star"])
    document["problem"]["platform"]["links"][0] = turned
    document["problem"]["platform"]["processors"][1].pop("unit_time")
    submission = parse_submission(document, Limits())
    with pytest.raises(InvalidScheduleError) as refused:
        validate(submission.instance, submission.options, result, None)
    assert "wrong_order" in {fault.code for fault in refused.value.faults}


def test_costs_of_very_long_numbers_are_rounded_down() -> None:
    """Prices of 10,000 bits prove the makespan of their tree but for one part in 10^300."""
    unit = 3**7000
    document = tree(
        {"M": None, "R": None, "P": 1, "Q": 1}, {("M", "R"): 1, ("R", "P"): 1, ("R", "Q"): 1}
    )
    answer = solve(document)
    result = answer.result.model_copy(deep=True)
    prices = result.certificate.prices
    assert len(prices) == 2
    one, other = sorted(prices)
    prices[one], prices[other] = prices[one] + F(1, unit), prices[other] - F(1, unit)
    submission = parse_submission(document, Limits())

    def judge() -> set[str]:
        try:
            validate(submission.instance, submission.options, result, answer.schedule)
        except InvalidScheduleError as refused:
            return {fault.code for fault in refused.faults}
        return set()

    assert judge() == {"bound_not_proved"}
    assert result.bound is not None
    result.bound.value *= 1 - F(1, 10**300)
    assert "bound_not_proved" not in judge()
