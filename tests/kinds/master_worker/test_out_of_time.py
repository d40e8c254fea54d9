"""Answers when there was no time at all: something is done wherever something can be done."""

from fractions import Fraction
from math import inf
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.solver import SOLVER, methods
from steadygrid.kinds.master_worker.solver.fallback import greedy_rates
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.nearest import AT_LEAST, legs_of_master
from steadygrid.submissions.submission import Submission, parse_submission, size_submission
from tests.draws import draws
from tests.kinds.master_worker.solving import solve
from tests.kinds.master_worker.test_fixed_routing import drawn

PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")


class Late(Control):
    """Its time is over from the start, and no grace makes it longer."""

    def restart(self) -> None:
        """Begin long ago."""
        super().restart()
        self._started -= 1000
        self._deadline = self._started

    def extend(self, seconds: float) -> None:
        """Wait for the referee only."""
        if seconds == inf:
            super().extend(seconds)


def variant(seed: int, routing: str, ports: str) -> dict[str, Any]:
    """Draw links of all sorts; of every third platform some routes are missing."""
    problem = drawn(seed, missing=seed % 3 == 0)["problem"]
    platform = problem["platform"]
    if ports != "multiport":
        platform.pop("media", None)
    platform["links"] = [
        link
        | ({} if ports == "multiport" else {"media": []})
        | ({"duplex": "half"} if seed % 2 and link["duplex"] == "full" else {})
        for link in platform["links"]
    ]
    return {"problem": problem | {"routing": routing, "ports": ports}}


def late_answer(body: dict[str, Any]) -> Any:
    answer = run(
        parse_submission(body | {"options": {"time_limit": 1}}, Limits()), Late(1), Limits()
    )
    assert answer.result.verified
    return answer.result


def without_solver(submission: Submission) -> Any:
    sizing = size_submission(submission, Limits())
    given = submission.instance, submission.options, sizing, Control(0), OutOfTime()
    return SOLVER.best_without_solver(*given).result


@pytest.mark.parametrize("routing", ["free", "fixed"])
@pytest.mark.parametrize("ports", PORTS)
def test_something_is_done_wherever_the_bound_is_not_0(routing: str, ports: str) -> None:
    nothing = 0
    for seed in range(draws(6, 300)):
        body = variant(seed, routing, ports)
        best = solve(body).result
        found = without_solver(parse_submission(body, Limits()))
        for result in (found, late_answer(body)):
            assert result.objective.value <= best.bound.value
            assert result.bound.value >= best.objective.value
            done, doable = result.objective.value > 0, best.objective.value > 0
            assert done == doable == (result.bound.value > 0)
        nothing += not doable
    assert nothing > 0


def star(workers: int, **problem: Any) -> dict[str, Any]:
    """Every worker hangs on the master; the first are the nearest."""
    names = [f"w{i}" for i in range(workers)]
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": name, "unit_time": 1} for name in ("m", *names)],
                "links": [
                    {"source": "m", "target": name, "unit_time": 1 + i}
                    for i, name in enumerate(names)
                ],
            },
            "master": "m",
            "ports": "multiport",
            "task": {"work": 1},
        }
        | problem
    }


@pytest.mark.parametrize("routing", ["free", "fixed"])
def test_the_master_and_the_nearest_workers_are_served_however_late_it_is(routing: str) -> None:
    submission = parse_submission(star(30, routing=routing), Limits())
    nearest = {"m", *(f"w{i}" for i in range(AT_LEAST))}
    assert set(without_solver(submission).computed) == nearest
    instance: Any = submission.instance
    assert len(greedy_rates(instance, Legs.from_instance(instance)).computed) == 31


def test_the_routes_of_the_master_are_found_as_long_as_there_is_time() -> None:
    instance: Any = parse_submission(star(30, routing="fixed"), Limits()).instance
    assert len(legs_of_master(instance).input) == 30
    assert len(legs_of_master(instance, lambda: True).input) == AT_LEAST


def test_one_worker_is_served_where_results_can_return_on_another_path_only() -> None:
    """The half-duplex link carries both, and is on a cycle with links of one direction."""
    one_way = {"unit_time": 1, "duplex": "simplex"}
    links = [
        {"source": "m", "target": "a", "unit_time": 1, "duplex": "half"},
        {"source": "a", "target": "w", **one_way},
        {"source": "w", "target": "b", **one_way},
        {"source": "b", "target": "a", **one_way},
    ]
    platform = {
        "processors": [{"id": "m"}, {"id": "a"}, {"id": "b"}, {"id": "w", "unit_time": 1}],
        "links": links,
    }
    task = {"work": 1, "output_size": 1}
    problem = {"kind": "master_worker", "platform": platform, "master": "m", "task": task}
    for routing in ("free", "fixed"):
        body = {"problem": problem | {"routing": routing}}
        assert late_answer(body).objective.value == Fraction(1, 5)


def hidden_link() -> dict[str, Any]:
    """m to w: the link is quick, the given route is not."""
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "m"}, {"id": "r"}, {"id": "w", "unit_time": "1/9"}],
                "links": [
                    {"source": "m", "target": "w", "unit_time": "1/5"},
                    {"source": "m", "target": "r", "unit_time": 1},
                    {"source": "r", "target": "w", "unit_time": 1},
                ],
                "routes": [{"source": "m", "via": ["r"], "target": "w"}],
            },
            "master": "m",
            "ports": "multiport",
            "routing": "fixed",
            "task": {"work": 1},
        }
    }


def test_a_referee_that_is_late_leaves_a_bound_that_needs_no_routes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert solve(hidden_link()).result.bound.value == 1
    monkeypatch.setattr(pipeline, "VERIFICATION_GRACE", -inf)
    result, schedule = solve(hidden_link())
    assert (result.outcome, result.objective.value) == ("feasible", 1)
    assert 6 <= result.bound.value < 6 + Fraction(1, 10**9)
    assert schedule.throughput == 1
    assert sum("fixed routes" in note for note in result.notes) == 1
    assert solve(hidden_link(), routing="free").result.outcome == "optimal"
    _, schedule = solve({**hidden_link(), "options": {"run": {"horizon": 6}}})
    assert schedule.run.instances_at_least <= 6
    assert 30 < schedule.run.instances_at_most <= 36


def test_what_relays_could_do_counts_for_the_bound_without_time() -> None:
    """The route from m to w is slow; a relay would be quick, and the answer uses none."""
    body = hidden_link()
    platform = body["problem"]["platform"]
    platform["processors"].append({"id": "h", "unit_time": 100})
    platform["links"] += [
        {"source": a, "target": b, "unit_time": "1/3"} for a, b in (("m", "h"), ("h", "w"))
    ]
    optimum = solve(body).result.objective.value
    assert optimum > 3
    answer = late_answer(body)
    assert 1 <= answer.objective.value < optimum <= answer.bound.value


def test_the_solver_of_fixed_routes_leaves_time_to_the_referee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = []
    solve_program = methods.solve_program

    def watched(*given: Any) -> Any:
        left.append(given[-1].remaining)
        return solve_program(*given)

    monkeypatch.setattr(methods, "solve_program", watched)
    submission = parse_submission(hidden_link() | {"options": {"time_limit": 50}}, Limits())
    run(submission, Control(50), Limits())
    free: dict[str, Any] = {"problem": hidden_link()["problem"] | {"routing": "free"}}
    run(parse_submission(free, Limits()), Control(50), Limits())
    assert left[0] <= 50 - methods.LEAST_FOR_REFEREE < left[1]


def missing(*pairs: tuple[str, str]) -> dict[str, Any]:
    """m, h, and w are joined by links; some routes are missing, and only w can compute the task."""
    names = ("m", "h", "w")
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": name, "unit_time": 1} for name in names],
                "links": [
                    {"source": a, "target": b, "unit_time": 1}
                    for a, b in (("m", "h"), ("h", "w"), ("m", "w"))
                ],
                "routes": [{"source": a, "target": b, "missing": True} for a, b in pairs],
            },
            "master": "m",
            "routing": "fixed",
            "task": {"times": {"w": 1}, "output_size": 1},
        }
    }


@pytest.mark.parametrize("pair", [("m", "w"), ("w", "m")])
def test_a_worker_that_only_a_relay_reaches_is_served_without_time(pair: tuple[str, str]) -> None:
    answer = late_answer(missing(pair))
    assert answer.objective.value > 0
    assert (*pair, "input" if pair[0] == "m" else "output") not in {
        (routed.source, routed.target, routed.file) for routed in answer.routed
    }


@pytest.mark.parametrize(
    "pairs",
    [
        (("m", "w"), ("h", "w")),
        (("w", "m"), ("w", "h")),
        (("w", "m"), ("w", "h"), ("h", "m"), ("h", "w")),
    ],
)
def test_a_late_referee_still_proves_that_nothing_can_be_done(
    pairs: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No route leads to the worker, or none from it: then no result comes back."""
    monkeypatch.setattr(pipeline, "VERIFICATION_GRACE", -inf)
    result, _ = solve(missing(*pairs))
    assert (result.outcome, result.bound.value) == ("optimal", 0)
