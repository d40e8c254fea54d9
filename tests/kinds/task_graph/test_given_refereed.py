"""What is wrong in an answer about given allocations is found by the referee."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Bound, Options, relative_gap
from steadygrid.domain.schedule import USUAL_LIMITS
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphResult
from tests import solved

PROBLEM_OF_TWO: dict[str, Any] = {
    "kind": "task_graph",
    "platform": {
        "processors": [{"id": "P"}, {"id": "Q"}],
        "links": [{"source": "P", "target": "Q", "unit_time": 1}],
    },
    "application": {
        "tasks": [{"id": "b", "times": {"P": 3, "Q": 4}}, {"id": "c", "times": {"P": 1, "Q": 1}}]
    },
    "method": "given",
    "allocations": [{"tasks": {"b": "P", "c": "P"}, "rate": 2}],
}
"""Of tasks without files: on P alone an instance every 4, and Q does nothing."""

Change = Callable[[dict[str, Any]], None]


def codes(change: Change, **members: Any) -> set[str]:
    """Change the document of an answer, and give the codes of what the referee finds then."""
    problem = PROBLEM_OF_TWO | members
    answer = solved.solve({"problem": problem})
    document = answer.result.model_dump(mode="json")
    change(document)
    result = TaskGraphResult.model_validate(document)
    instance = TaskGraphInstance.model_validate(problem)
    try:
        PROBLEM.validate(instance, Options(), result, answer.schedule, USUAL_LIMITS)
    except InvalidScheduleError as refused:
        return {fault.code for fault in refused.faults}
    return set()


def setting(*path: Any, to: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def bound(value: Fraction, prices: dict[str, str]) -> Change:
    """State another bound with prices that sum to it."""

    def change(document: dict[str, Any]) -> None:
        document["bound"] = Bound.from_value(value, exact=True).model_dump(mode="json")
        document["gap"] = str(relative_gap(Fraction(1, 4), value))
        document["distance"] = document["gap"]
        document["certificate"]["bound_prices"] = prices

    return change


def missing(b: str, c: str, cost: str, *, cheapest: bool) -> Change:
    told = {
        "tasks": {"b": b, "c": c},
        "transfers": [],
        "cost": cost,
        "reduced_cost": str(1 - Fraction(cost)),
        "cheapest": cheapest,
    }
    return setting("missing", to=told)


RESTRICTED: list[tuple[Change, str]] = [
    (setting("certificate", "prices", to={"P.compute": "1/5"}), "cheap_given"),
    (setting("certificate", "prices", to={"P.compute": "1/3"}), "not_the_best_rates"),
    (setting("certificate", "prices", to={"P.compute": "1/4", "X.compute": "0"}), "ghost_resource"),
    (setting("certificate", "prices", to={}), "missing_without_prices"),
    (setting("certificate", "bound_prices", to={"P.compute": "1/4"}), "prices_miss_bound"),
    (bound(Fraction(2, 5), {"P.compute": "1/5", "Q.compute": "1/5"}), "cheap_allocation"),
    (setting("certificate", "classes", to=[["P", "Q"]]), "joined_twins"),
    (setting("certificate", "bound_classes", to=[["P", "Q"]]), "joined_twins"),
    (setting("missing", "cost", to="1/8"), "wrong_cost"),
    (setting("missing", "reduced_cost", to="1/2"), "wrong_cost"),
    (missing("Q", "P", "1/4", cheapest=True), "not_the_cheapest"),
    (missing("P", "P", "1", cheapest=False), "no_improvement"),
    (missing("Q", "X", "0", cheapest=True), "task_not_allowed"),
    (setting("given_rates", to=["1/5"]), "wrong_given_rates"),
    (setting("given_rates", to=None), "wrong_given_rates"),
    (setting("factor", to="1/8"), "wrong_factor"),
    (setting("bottlenecks", to=[]), "wrong_bottlenecks"),
    (setting("bottlenecks", to=["P.compute", "Q.compute"]), "wrong_bottlenecks"),
    (setting("bottlenecks", to=None), "wrong_bottlenecks"),
    (setting("distance", to="1/2"), "wrong_distance"),
    (setting("distance", to=None), "wrong_distance"),
    (setting("allocations", 0, "tasks", "c", to="Q"), "not_given"),
]


@pytest.mark.parametrize(("change", "code"), RESTRICTED)
def test_a_fault_in_a_judgement_is_found(change: Change, code: str) -> None:
    assert code in codes(change)


def test_what_is_merely_less_good_is_believed() -> None:
    assert not codes(lambda _: None)
    assert not codes(missing("Q", "P", "1/4", cheapest=False))
    assert not codes(setting("missing", to=None))
    loose = {"P.compute": "1/2", "Q.compute": "1/2"}
    assert not codes(bound(Fraction(1), loose))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (setting("factor", to="1/9"), "rate_not_given"),
        (setting("factor", to=None), "wrong_factor"),
        (setting("bottlenecks", to=[]), "factor_not_largest"),
        (setting("certificate", "prices", to={"P.compute": "1/4"}), "prices_of_given_rates"),
    ],
)
def test_a_fault_in_given_rates_is_found(change: Change, code: str) -> None:
    assert code in codes(change, rates="given")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("given_rates", ["1"]),
        ("factor", "1"),
        ("bottlenecks", []),
        ("distance", "0"),
        ("missing", {"tasks": {}, "transfers": [], "cost": 0, "reduced_cost": 1, "cheapest": True}),
        ("certificate", {"type": "restricted"}),
    ],
)
def test_nothing_is_said_of_given_allocations_where_there_are_none(name: str, value: Any) -> None:
    assert "nothing_given" in codes(setting(name, to=value), method="column_generation")


def test_an_optimal_answer_misses_nothing() -> None:
    both = [{"tasks": {"b": b, "c": c}} for b in ("P", "Q") for c in ("P", "Q")]
    change = missing("P", "P", "1", cheapest=False)
    assert "nothing_missing" in codes(change, allocations=both)
    assert not codes(lambda _: None, allocations=both)
    assert (
        DualityCertificate().type
        == solved.solve({"problem": PROBLEM_OF_TWO | {"allocations": both}}).result.certificate.type
    )


def star(**members: Any) -> dict[str, Any]:
    """A makes what one of two equal workers needs, over a direct link; links lead on among them."""
    ends = [("A", "P"), ("A", "Q"), ("A", "R"), ("R", "P"), ("R", "Q")]
    return {
        "platform": {
            "processors": [{"id": name} for name in "APQR"],
            "links": [
                {"source": a, "target": b, "unit_time": "1/9", "duplex": "simplex"} for a, b in ends
            ],
        },
        "application": {
            "tasks": [{"id": "b", "times": {"A": "1/9"}}, {"id": "c", "times": {"P": 3, "Q": 3}}],
            "files": [{"source": "b", "target": "c", "size": 1}],
        },
        **members,
    }


def on(worker: str) -> dict[str, Any]:
    path = ["A", worker]
    return {
        "tasks": {"b": "A", "c": worker},
        "transfers": [{"file": ["b", "c"], "path": path, "share": 1}],
    }


def test_each_member_in_its_turn_costs_enough() -> None:
    change = setting("certificate", "prices", to={"P.compute": "1/3"})
    problem = star(allocations=[on("P")], classes=[["P", "Q"]])
    problem["application"]["tasks"][1]["times"]["R"] = 2
    assert not codes(lambda _: None, **problem)
    assert "cheap_given" in codes(change, **problem)


def test_what_is_missing_keeps_to_the_routes() -> None:
    problem = star(allocations=[on("P")], routing="fixed")
    path = ["A", "R", "Q"]
    change = setting("missing", "transfers", 0, "path", to=path)
    assert not codes(lambda _: None, **problem)
    assert "off_route" in codes(change, **problem)
    assert "off_route" not in codes(change, **problem | {"routing": "free"})


def test_an_odd_set_that_has_a_price_is_a_bottleneck() -> None:
    """Files go around a triangle: no port is busy all the time, but the three processors are."""
    ring = {
        "platform": {
            "processors": [{"id": "P"}, {"id": "Q"}, {"id": "R"}],
            "links": [{"source": a, "target": b, "unit_time": 1} for a, b in ("PQ", "QR", "RP")],
        },
        "application": {
            "tasks": [{"id": t, "times": {"P": 1, "Q": 1, "R": 1}} for t in "bcde"],
            "files": [{"source": a, "target": b, "size": 1} for a, b in ("bc", "cd", "de")],
        },
        "ports": "send_or_receive",
        "allocations": [
            {
                "tasks": {"b": "P", "c": "Q", "d": "R", "e": "P"},
                "transfers": [
                    {"file": list(file), "path": list(path)}
                    for file, path in (("bc", "PQ"), ("cd", "QR"), ("de", "RP"))
                ],
            }
        ],
    }
    assert not codes(setting("bottlenecks", to=["P--Q--R.odd"]), **ring)
    assert codes(setting("bottlenecks", to=[]), **ring) == {"wrong_bottlenecks"}
