"""Pairs of processors that have no route: no file goes there, even if links join them."""

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import REFERENCES, SCHEDULED
from steadygrid.kinds.mono_allocation.solver.programs.search import search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.draws import draws
from tests.kinds.mono_allocation.contended import alike, restricted, spread
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.drawn_limits import chained, limited, pipeline
from tests.kinds.mono_allocation.enumeration import Enumeration, fault_of, period_of
from tests.solved import solve


def closed(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """Let some pairs of processors have no route."""
    names = [processor["id"] for processor in document["platform"]["processors"]]
    pairs = list(permutations(names, 2))
    number = random.choice((1, len(pairs) // 3, 3 * len(pairs) // 4))
    routes = [
        {"source": source, "target": target, "missing": True}
        for source, target in random.sample(pairs, number)
    ]
    return document | {"platform": document["platform"] | {"routes": routes}, "routing": "fixed"}


@pytest.mark.parametrize("duplication", ["none", "tasks"])
def test_the_best_mapping_is_that_of_trying_all(duplication: str) -> None:
    impossible = hindered = 0
    for seed in range(draws(18, 400)):
        random = Random(seed)
        draw = (restricted, drawn, spread)[seed % 3]
        document = draw(random, 4 if duplication == "none" else 3, 4, duplication=duplication)
        asked = instance(closed(document, random))
        found = search_program(MonoTables(asked), Control())
        best = Enumeration(asked).best()
        assert found.period == best
        assert found.proved
        impossible += best is None
        hindered += best != Enumeration(instance(document | {"routing": "fixed"})).best()
        if found.allocation is not None:
            assert fault_of(asked, found.allocation) is None
            assert period_of(asked, found.allocation) == best
            for transfer in found.allocation.transfers:
                assert (transfer.path[0], transfer.path[-1]) not in asked.platform.missing_routes
    assert impossible
    assert hindered


@pytest.mark.parametrize("method", sorted(SCHEDULED - {"given"} | REFERENCES | {"upper_bound"}))
def test_no_method_sends_a_file_where_routes_are_missing(method: str) -> None:
    answered = impossible = 0
    for seed in range(draws(8, 200)):
        random = Random(seed)
        draw = (restricted, drawn, spread)[seed % 3]
        document = closed(draw(random, 4, 4), random)
        best = Enumeration(instance(document)).best()
        result = solve(
            {"problem": {"kind": "mono_allocation", **document, "method": method}}
        ).result
        if result.bound is not None and result.objective is not None:
            assert result.bound.value >= result.objective.value
        if best is None:
            assert result.outcome in ("infeasible", "unknown")
            impossible += 1
        elif result.outcome != "unknown":
            answered += 1
            if method not in REFERENCES and result.objective is not None:
                assert result.objective.value <= 1 / best
            if result.bound is not None:
                assert result.bound.value >= 1 / best
    assert answered
    assert impossible


def test_limits_hold_beside_missing_routes() -> None:
    impossible = 0
    for seed in range(draws(45, 900)):
        random = Random(seed)
        document = (limited, chained, pipeline)[seed % 3](
            random, random.randint(2, 5), random.randint(2, 4)
        )
        asked = instance(closed(document, random))
        if asked.duplication == "tasks_and_files":
            continue
        best = Enumeration(asked).best()
        body = {"problem": asked.model_dump(mode="json", exclude_none=True)}
        try:
            result = solve(body).result
        except InstanceError:  # there is no room for the tasks on any routes
            continue
        if best is None:
            assert result.outcome == "infeasible"
            impossible += 1
        else:
            assert result.objective.value == 1 / best
    assert impossible


def test_interchangeable_processors_stay_so_where_all_routes_among_them_are_missing() -> None:
    for seed in range(draws(8, 100)):
        document = alike(Random(seed), 3, (3, 2), ports="multiport", routing="fixed")
        names = [f"H0{i}" for i in range(3)]
        pairs = list(permutations(names, 2))
        for number in (len(pairs), 1):
            routes = [{"source": a, "target": b, "missing": True} for a, b in pairs[:number]]
            asked = document | {"platform": document["platform"] | {"routes": routes}}
            result = solve({"problem": {"kind": "mono_allocation", **asked}}).result
            assert result.outcome == "optimal"
            assert result.objective.value == 1 / Enumeration(instance(asked)).best()


STAR: dict[str, Any] = {
    "kind": "mono_allocation",
    "platform": {
        "processors": [
            {"id": "a", "speed": 1},
            {"id": "b", "speed": 1},
            {"id": "c", "speed": 1},
            {"id": "s", "switch": True},
        ],
        "links": [{"source": name, "target": "s", "bandwidth": 1} for name in "abc"],
        "routes": [
            {"source": "a", "target": "b", "missing": True},
            {"source": "b", "target": "a", "missing": True},
        ],
    },
    "application": {
        "tasks": [
            {"id": "make", "work": 1, "allowed": ["a"]},
            {"id": "use", "work": 1, "allowed": ["b"]},
        ],
        "files": [{"source": "make", "target": "use", "size": 1}],
    },
}


def test_a_job_that_needs_a_missing_route_is_infeasible_and_says_so() -> None:
    result = solve({"problem": STAR}).result
    assert result.outcome == "infeasible"
    assert any("routes are missing, such as that from 'a' to 'b'" in note for note in result.notes)
    assert solve({"problem": STAR | {"routing": "free"}}).result.outcome == "optimal"
    tasks = [task | {"allowed": None} for task in STAR["application"]["tasks"]]
    anywhere = STAR | {"application": STAR["application"] | {"tasks": tasks}}
    result = solve({"problem": anywhere}).result
    assert result.objective.value == Fraction(1)
    assert {*result.mapping["make"], *result.mapping["use"]} != {"a", "b"}


def test_pairs_without_a_route_are_counted() -> None:
    submission = parse_submission({"problem": STAR}, Limits())
    (warning,) = [w for w in size_submission(submission, Limits()).warnings if "pairs" in w]
    assert warning.startswith(
        "2 pairs of processors have no route between them, such as 'a' to 'b'"
    )


def test_routers_that_copy_files_are_refused_beside_missing_routes() -> None:
    with pytest.raises(InstanceError, match="some routes are missing"):
        parse_submission({"problem": STAR | {"duplication": "tasks_and_files"}}, Limits())
    free = STAR | {"duplication": "tasks_and_files", "routing": "free"}
    assert parse_submission({"problem": free}, Limits()).instance.routing == "free"
