"""Searches for mappings, against all mappings in all orders."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.faults import num_leaves
from steadygrid.kinds.replicated_workflow.referee_search import mapping_exists
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowResult
from steadygrid.kinds.replicated_workflow.solver.mappings import first, methods
from steadygrid.kinds.replicated_workflow.solver.mappings import space as spaces
from steadygrid.kinds.replicated_workflow.solver.mappings.bounds import by_prices, by_stages
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import by_copies
from steadygrid.kinds.replicated_workflow.solver.mappings.exhaustive import all_better
from steadygrid.kinds.replicated_workflow.solver.mappings.first import TooLong, first_mapping
from steadygrid.kinds.replicated_workflow.solver.mappings.greedy import greedy
from steadygrid.kinds.replicated_workflow.solver.mappings.local_search import (
    local_search,
    neighbours,
)
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples
from steadygrid.kinds.replicated_workflow.stages import able_on_all, listed_stages
from steadygrid.submissions.submission import Submission, parse_submission
from tests.draws import draws


def drawn(random: Random) -> dict[str, Any]:
    """Draw a problem of a few stages and processors, some of them alike, some links missing."""
    size = random.randint(2, 5)
    names = [f"P{i}" for i in range(size)]
    speeds = random.choices([1, 1, 2, "3/2"], k=size)
    density = random.choice([1, 1, 0.8])
    times = random.choice([[1], [1, 2], [0, 1, 3]])
    links = [
        {"source": a, "target": b, "unit_time": u, "duplex": "simplex"}
        for a, b in permutations(names, 2)
        if random.random() < density and (u := random.choice(times) or "1/3")
    ]
    tasks = ["a", "b", "c"][: random.randint(1, min(size, 3))]
    files = [
        {"source": k, "target": m, "size": random.randint(0, 3)}
        for i, k in enumerate(tasks)
        for m in tasks[i + 1 :]
        if random.random() < 0.7
    ]
    listed: list[dict[str, Any]] = []
    for name in tasks:
        task: dict[str, Any] = {"id": name}
        if random.random() < 0.5:
            task["work"] = random.randint(1, 9)
        else:
            able = random.sample(names, random.randint(1, size))
            task["times"] = {p: random.randint(1, 9) for p in able}
        listed.append(task)
    problem: dict[str, Any] = {
        "kind": "replicated_workflow",
        "ports": random.choice(["one_port", "no_overlap"]),
        "platform": {
            "processors": [{"id": n, "speed": s} for n, s in zip(names, speeds, strict=True)],
            "links": links,
        },
        "application": {"tasks": listed, "files": files},
        "method": "exact",
    }
    if random.random() < 0.4:
        problem["max_replicas"] = random.randint(1, 3)
    if random.random() < 0.2:
        problem["max_rows"] = random.choice([1, 2, 4])
    return {"problem": problem}


def accepted(random: Random) -> Submission:
    """Draw until admission takes one."""
    while True:
        try:
            return parse_submission(drawn(random), Limits())
        except (InstanceError, LimitError):
            continue


def everything(space: Space) -> Iterator[Tuples]:
    """All mappings in all orders, whose links are there."""

    def extended(mapping: Tuples) -> Iterator[Tuples]:
        k = len(mapping)
        if k == len(space.stages):
            if space.longest(mapping) is not None and space.fits(mapping):
                yield mapping
            return
        taken = {p for processors in mapping for p in processors}
        able = [p for p in space.times[k] if p not in taken]
        for size in range(1, min(space.most[k], len(able)) + 1):
            for one in permutations(able, size):
                yield from extended((*mapping, one))

    return extended(())


@pytest.mark.parametrize("seed", range(draws(5, 3_000)))
def test_no_mapping_is_better_than_what_is_found(seed: int) -> None:
    submission = accepted(Random(seed))
    control = Control(60)
    space = Space(submission.instance, control.check)
    least = min(map(space.period, everything(space)), default=None)
    start = first_mapping(space)
    assert (start is None) == (least is None)
    assert [space.period(one) for one in all_better(space, None)][-1:] == (
        [] if least is None else [least]
    )
    if start is None or least is None:
        return
    grown = [*greedy(space, start)]
    found = [*local_search(space, grown[-1], 0, kicks=3)]
    for mappings in (grown, found):
        periods = [space.period(one) for one in mappings]
        assert periods == sorted(set(periods), reverse=True)
        assert periods[-1] >= least
    assert list(all_better(space, least)) == []
    for bound in (
        by_stages(space),
        by_copies(space, control, None),
        by_prices(space, control, 10**6),
    ):
        assert bound is None or bound.value * least >= 1


@pytest.mark.parametrize("seed", range(draws(4, 1_000)))
@pytest.mark.parametrize("method", ["exact", "greedy", "local_search", "portfolio", "upper_bound"])
def test_the_referee_takes_what_searches_answer(seed: int, method: str) -> None:
    submission = accepted(Random(1_000 + seed))
    instance = submission.instance.model_copy(update={"method": method})
    body = {"problem": instance.model_dump(mode="json", exclude_none=True)}
    asked = parse_submission(body, Limits())
    result, schedule = run(asked, Control(60), Limits())
    assert isinstance(result, ReplicatedWorkflowResult)
    assert result.verified
    assert (schedule is None) == (result.objective is None)
    space = Space(instance, lambda: None)
    least = min(map(space.period, everything(space)), default=None)
    if least is None:
        assert result.outcome is Outcome.INFEASIBLE
    elif method in ("exact", "portfolio"):
        assert (result.outcome, result.period) == (Outcome.OPTIMAL, least)
    else:
        assert result.bound is not None
        assert result.bound.value * least >= 1


@pytest.mark.parametrize("method", ["exact", "greedy", "local_search", "portfolio", "upper_bound"])
def test_without_any_time_the_referee_takes_the_answer(method: str) -> None:
    result, _ = run(asked(chain(method)), Control(1e-9), Limits())
    assert isinstance(result, ReplicatedWorkflowResult)
    assert result.comparison is None
    assert len(result.notes) == 1
    assert (result.outcome is Outcome.BOUND_ONLY) == (method == "upper_bound")


@pytest.mark.parametrize("method", ["greedy", "portfolio"])
def test_searches_that_are_stopped_say_so(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "COUNT_SHARE", 0)
    monkeypatch.setattr(methods, "SEARCH_SHARE", 0)
    result, _ = run(asked(chain(method)), Control(60), Limits())
    assert isinstance(result, ReplicatedWorkflowResult)
    if method == "portfolio":
        assert result.outcome is Outcome.OPTIMAL
        assert result.notes == []
        assert result.comparison is not None
        notes = {row.method: row.note for row in result.comparison}
        assert notes["exact"] is None
        assert notes["greedy"] == notes["local_search"]
        assert notes["greedy"] == "it was stopped when its part of the time was over"
    else:
        assert result.outcome is Outcome.FEASIBLE
        assert result.notes[0].startswith("the time limit of 60 s ended a search early")


@pytest.mark.parametrize("method", ["greedy", "local_search"])
def test_searches_leave_out_what_cannot_be_listed(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = run(asked(chain(method)), Control(60), Limits())
    assert isinstance(whole, ReplicatedWorkflowResult)
    monkeypatch.setattr(spaces, "MOST_ROWS", 7)
    result, schedule = run(asked(chain(method)), Control(60), Limits())
    assert isinstance(result, ReplicatedWorkflowResult)
    assert schedule is not None
    assert schedule.counts["rows"] <= 7
    assert whole.period is not None
    assert result.period is not None
    assert result.period > whole.period


@pytest.mark.parametrize("most", [1, 10, 30, 100, 1_000])
def test_a_search_gives_up_where_the_referee_does(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chain of four tasks finds no way through two triangles."""
    names = [f"{side}{i}" for side in "AB" for i in range(3)]
    links = [
        {"source": a, "target": b, "unit_time": 1}
        for a, b in combinations(names, 2)
        if a[0] == b[0]
    ]
    body = chain("greedy")
    body["problem"]["platform"] = {
        "processors": [{"id": n, "speed": 1} for n in names],
        "links": links,
    }
    monkeypatch.setattr(first, "MOST_TRIED", most)
    space = Space(asked(body).instance, lambda: None)
    beside = [sum(1 << q for p, q in space.links if p == one) for one in range(6)]
    files = frozenset((e.sender, e.receiver) for e in space.exchanges)
    exists = mapping_exists([63] * 4, files, beside, beside, most)
    try:
        assert first_mapping(space) is None
        assert exists is False
    except TooLong:
        assert exists is None
    assert (exists is None) == (most < 100)


def chain(method: str) -> dict[str, Any]:
    """Give a chain of four tasks on six processors."""
    names = [f"P{i}" for i in range(6)]
    random = Random(1)
    tasks = [{"id": f"t{i}", "work": 60 + 3 * i} for i in range(4)]
    return {
        "problem": {
            "kind": "replicated_workflow",
            "platform": {
                "processors": [{"id": n, "speed": 1 + i // 4} for i, n in enumerate(names)],
                "links": [
                    {"source": a, "target": b, "unit_time": random.randint(1, 4)}
                    for a, b in combinations(names, 2)
                ],
            },
            "application": {
                "tasks": tasks,
                "files": [{"source": f"t{i}", "target": f"t{i + 1}", "size": 1} for i in range(3)],
            },
            "method": method,
        }
    }


def asked(body: dict[str, Any]) -> Submission:
    """Read a body."""
    return parse_submission(body, Limits())


@pytest.mark.parametrize("seed", range(draws(10, 1_000)))
def test_mappings_are_counted_from_above(seed: int) -> None:
    instance = accepted(Random(2_000 + seed)).instance
    space = Space(instance, lambda: None)
    platform = instance.platform.model_copy(
        update={
            "links": tuple(
                Link(source=a, target=b, unit_time=Fraction(1))
                for a, b in combinations(space.names, 2)
            )
        }
    )
    whole = instance.model_copy(update={"platform": platform, "max_rows": 10**12})
    counted = num_leaves(whole, able_on_all(whole, listed_stages(whole)))
    every = sum(1 for _ in everything(Space(whole, lambda: None)))
    assert every <= counted


def test_neighbours_are_one_change_away_and_can_run() -> None:
    space = Space(accepted(Random(7)).instance, lambda: None)
    mapping = first_mapping(space)
    assert mapping is not None
    for one in neighbours(space, mapping):
        placed = [p for processors in one for p in processors]
        assert len(placed) == len(set(placed))
        assert all(processors for processors in one)
        assert all(p in space.times[k] for k, processors in enumerate(one) for p in processors)
        assert one != mapping


def test_processors_that_may_change_places_are_of_one_kind() -> None:
    body = drawn(Random(3))
    names = ["A", "B", "C", "D"]
    body["problem"]["platform"] = {
        "processors": [{"id": n, "speed": 1} for n in names],
        "links": [
            {"source": a, "target": b, "unit_time": 2 if "D" in (a, b) else 1}
            for i, a in enumerate(names)
            for b in names[i + 1 :]
        ],
    }
    body["problem"]["application"] = {"tasks": [{"id": "a", "work": 1}]}
    space = Space(parse_submission(body, Limits()).instance, lambda: None)
    assert space.kinds == {0: 0, 1: 0, 2: 0, 3: 3}
    assert space.longest([(0, 1, 3)]) == Fraction(1, 3)


@pytest.mark.parametrize("seed", range(draws(10, 2_000)))
def test_kinds_are_those_of_all_that_may_change_places(seed: int) -> None:
    space = Space(accepted(Random(4_000 + seed)).instance, lambda: None)

    def may_change(p: int, q: int) -> bool:
        swap = {p: q, q: p}
        links = {(swap.get(a, a), swap.get(b, b)): t for (a, b), t in space.links.items()}
        return links == space.links and all(own.get(p) == own.get(q) for own in space.times)

    assert space.kinds == {
        p: next(q for q in space.kinds if q == p or may_change(q, p)) for p in space.kinds
    }
