"""Pools of interchangeable workers: the optimum of the whole platform, by few of them."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.pools import Pools
from steadygrid.domain.twins import twin_classes
from steadygrid.kinds.master_worker.pools import pools_of
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver import methods
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.draws import draws
from tests.solved import Solved, solve
from tests.twins import planted


def drawn(seed: int, *choices: str) -> dict[str, Any]:
    """Draw a platform with twins and a master somewhere on it."""
    random = Random(seed)
    ports = random.choice(choices)
    platform = planted(random, ports)
    masters = [p["id"] for p in platform["processors"] if not p.get("switch")]
    task = {"work": 1, "input_size": 1, "output_size": random.choice([0, 1, "1/2"])}
    if random.random() < 0.3:
        task["times"] = {name: random.choice([1, 2]) for name in masters}
        task.pop("work")
    problem = {
        "kind": "master_worker",
        "platform": platform,
        "master": random.choice(masters),
        "task": task,
        "ports": ports,
        "method": "lp",
    }
    return {"problem": problem}


def over_all(body: dict[str, Any], monkeypatch: pytest.MonkeyPatch, **options: Any) -> Solved:
    """Solve without pools."""

    def none(instance: MasterWorkerInstance) -> Pools:
        return Pools(instance.platform, instance.ports, ())

    with monkeypatch.context() as patched:
        patched.setattr(methods, "pools_of", none)
        return solve(body, **options)


@pytest.mark.parametrize("choices", [("one_port", "multiport"), SINGLE_PORT])
def test_pools_have_the_optimum_of_all_workers(
    choices: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    pooled = 0
    for seed in range(draws(40, 3_000)):
        body = drawn(seed, *choices)
        if not any("unit_time" in p for p in body["problem"]["platform"]["processors"]):
            continue
        submission = parse_submission(body, Limits())
        pooled += bool(size_submission(submission, Limits()).sizes["classes"])
        options: dict[str, Any] = {"max_period": "exact", "whole_files": False}
        pools, all_ = solve(body, **options), over_all(body, monkeypatch, **options)
        assert pools.result.bound == all_.result.bound, seed
        assert pools.result.outcome is all_.result.outcome, seed
    assert pooled > 10


def test_pools_are_the_classes_of_leaves() -> None:
    found = 0
    for seed in range(draws(40, 3_000)):
        instance = parse_submission(drawn(seed, "one_port", "multiport"), Limits()).instance
        platform, times = instance.platform, instance.compute_times
        neighbours: list[set[str]] = [set() for _ in platform.processors]
        for link in platform.links:
            neighbours[platform.index_by_id[link.source]].add(link.target)
            neighbours[platform.index_by_id[link.target]].add(link.source)
        master = (platform.index_by_id[instance.master],)
        classes = twin_classes(platform, instance.ports, times, fixed_routes=False, single=master)
        leaves = [one for one in classes if len(neighbours[one.members[0]]) == 1]
        assert list(pools_of(instance).classes) == leaves, seed
        found += len(leaves)
    assert found > 10


def cluster(workers: int, **more: Any) -> dict[str, Any]:
    """A master and equal workers behind a switch, of which 5/2 can be fed with results to return."""
    names = [f"w{k}" for k in range(workers)]
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [
                    {"id": "m"},
                    {"id": "s", "switch": True},
                    *({"id": name, "unit_time": 5} for name in names),
                ],
                "links": [
                    {"source": "m", "target": "s", "unit_time": 2},
                    *({"source": "s", "target": name, "unit_time": 1} for name in names),
                ],
            },
            "master": "m",
            "task": {"work": 1, "output_size": 1},
            **more,
        }
    }


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_as_few_members_work_as_can(ports: str) -> None:
    solved = solve(cluster(2_000, ports=ports))
    assert solved.result.objective.value == Fraction(1, 2)
    assert solved.result.computed == {
        "w0": Fraction(1, 5),
        "w1": Fraction(1, 5),
        "w2": Fraction(1, 10),
    }
    priced = solved.result.certificate.prices
    assert sum(priced.values()) == Fraction(1, 2)
    sizes = size_submission(parse_submission(cluster(2_000), Limits()), Limits()).sizes
    assert (sizes["workers"], sizes["classes"], sizes["variables"]) == (2_000, 1, 7)


def test_a_port_that_also_computes_is_shared_once() -> None:
    """A task holds the port of a worker for 7, and its master's for 4: one worker works, and a part."""
    solved = solve(cluster(2_000, ports="no_overlap"))
    assert solved.result.objective.value == Fraction(1, 4)
    assert solved.result.computed == {"w0": Fraction(1, 7), "w1": Fraction(3, 28)}
    few = solve(cluster(1, ports="no_overlap")), solve(cluster(2, ports="no_overlap"))
    assert [one.result.objective.value for one in few] == [Fraction(1, 7), Fraction(1, 4)]


def test_members_share_what_all_are_needed_for() -> None:
    """Two workers together take what the master can send, and not one of them alone."""
    solved = solve(cluster(2))
    assert solved.result.objective.value == Fraction(2, 5)
    assert solved.result.computed == {"w0": Fraction(1, 5), "w1": Fraction(1, 5)}
    assert set(solved.result.certificate.prices) == {"w0.compute", "w1.compute"}


def test_unfinished_prices_of_pools_are_shared_by_their_members(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program of the pools knows the first worker only, third of its platform."""
    body = cluster(2, method="lp")
    interruption = OutOfTime()
    interruption.duals = {("compute", 2): 0.4}

    def late(*_: object) -> None:
        raise interruption

    monkeypatch.setattr(methods, "solve_program", late)
    result, _ = solve(body)
    assert result.bound.value == Fraction(2, 5)
    assert result.certificate.prices == {"w0.compute": Fraction(1, 5), "w1.compute": Fraction(1, 5)}
