"""What the referee says of memory and intervals, against trying everything, and planted faults."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Bound, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.mapping.limits import Limits as Kept
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation import validator
from steadygrid.kinds.mono_allocation.referee_intervals import intervals_exist
from steadygrid.kinds.mono_allocation.referee_limits import packing_exists, read_limits
from steadygrid.kinds.mono_allocation.referee_search import beaten_by
from steadygrid.kinds.mono_allocation.schemas import (
    ComparedMethod,
    IntervalsCertificate,
    MonoAllocationInstance,
)
from steadygrid.kinds.mono_allocation.solver.bounds.packing import Host, _Heaviest, _holds_as_much
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.packing import Memory, heaviest_sets
from steadygrid.verification.placement import Places
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from tests.draws import draws
from tests.kinds.mono_allocation.answers import empty
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.drawn_limits import chained, limited, pipeline
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.verification.answers import Answer

TINY = Fraction(1, 10**30)


def seen(asked: MonoAllocationInstance) -> SteadyInstance:
    """See an instance as the referee does, without processors that are too small for a task."""
    steady = steady_instance(asked)
    return replace(steady, times=read_limits(asked).alone(steady.times))


def test_processors_too_small_for_a_task_cannot_run_it() -> None:
    """Solvers and referee derive the same, each by itself, as the contract says."""
    shorter = 0
    for seed in range(draws(40, 1000)):
        asked = instance((limited, chained)[seed % 2](Random(seed), 4, 3))
        tried = Enumeration(asked)
        room = {p.id: p.memory for p in asked.platform.processors}
        for k, task in enumerate(asked.application.tasks):
            expected = {
                name: time
                for name, time in tried.times[k].items()
                if (limit := room[name]) is None or (task.memory or 0) <= limit
            }
            assert expected == seen(asked).times[task.id]
            row = zip(tried.names, asked.times[k], strict=True)
            assert expected == {name: time for name, time in row if time is not None}
            shorter += len(expected) < len(tried.times[k])
        held = any(task.memory for task in asked.application.tasks)
        assert asked.memory == tuple(p.memory if held else None for p in asked.platform.processors)
    assert shorter


@pytest.mark.parametrize("ports", ["multiport", "one_port", "send_or_receive", "no_overlap"])
def test_intervals_are_shorter_than_a_period_where_enumeration_says_so(ports: str) -> None:
    bounded = 0
    for seed in range(draws(24, 500)):
        random = Random(seed)
        draw = (chained, pipeline)[seed % 2]
        asked = instance(draw(random, random.randint(1, 6), random.randint(2, 4), ports=ports))
        tried = Enumeration(asked)
        tried.slotted = False
        best = tried.best()
        steady, limits = seen(asked), read_limits(asked)
        given = asked.platform.routes
        ways = FixedRoutes(steady.network, given)
        assert intervals_exist(steady, limits, ways, given, None) == (best is not None)
        if best:
            bounded += 1
            assert intervals_exist(steady, limits, ways, given, best) is False
            assert intervals_exist(steady, limits, ways, given, best + TINY)
            assert intervals_exist(steady, limits, ways, given, best, most_steps=0) is None
            assert beaten_by(steady, ways, best, limits) is None
            assert beaten_by(steady, ways, best + TINY, limits) in (best, None)
    assert bounded


def test_tasks_are_packed_where_enumeration_says_so() -> None:
    impossible = 0
    for seed in range(draws(50, 800)):
        random = Random(seed)
        asked = instance(limited(random, random.randint(1, 5), random.randint(2, 4)))
        tried = Enumeration(asked)
        mappings = [*tried.all_places()]
        exists = any(tried.best_ways(places, {}, None) is not None for places in mappings)
        steady, limits = seen(asked), read_limits(asked)
        places = Places.from_hops(sorted(steady.network.processors), steady.network.hops)
        assert packing_exists(steady, limits, places) == exists
        assert packing_exists(steady, limits, None) == bool(mappings)
        impossible += not exists
        if limits.within_memory and exists:
            assert packing_exists(steady, limits, places, most_steps=0) is None
            best = tried.best()
            if best is not None and asked.ports == "multiport":
                ways = FixedRoutes(steady.network, asked.platform.routes)
                assert beaten_by(steady, ways, best, limits) is None
                assert beaten_by(steady, ways, best + TINY, limits) == best
    assert impossible


def test_the_heaviest_sets_fit_into_memory() -> None:
    for seed in range(draws(250, 5000)):
        random = Random(seed)
        number = random.randint(1, 6)
        times, needs = ([random.randint(0, 4) for _ in range(number)] for _ in range(2))
        weights = [random.randint(0, 9) for _ in range(number)]
        room, memory = random.randint(0, 8), random.randint(0, 6)
        expected = max(
            sum(w for w, taken in zip(weights, choice, strict=True) if taken)
            for choice in product((False, True), repeat=number)
            if sum(t for t, taken in zip(times, choice, strict=True) if taken) <= room
            and sum(n for n, taken in zip(needs, choice, strict=True) if taken) <= memory
        )
        host = Host(tuple(times), room, None, 0, memory)
        search = _Heaviest(host, [], weights, lambda: None, needs=needs)
        search.run()
        assert search.weight == expected
        network = seen(instance(pipeline(Random(0), 1, 1))).network
        steady = SteadyInstance(
            network, {f"T{k}": {"P0": Fraction(t)} for k, t in enumerate(times)}, {}
        )
        held = Memory({f"T{k}": Fraction(n) for k, n in enumerate(needs)}, {"P0": Fraction(memory)})
        listed = {f"T{k}": Fraction(w) for k, w in enumerate(weights)}
        assert heaviest_sets(steady, listed, Fraction(room) + Fraction(1, 2), held) == expected
        assert _holds_as_much(host._replace(most_memory=None), host)
        assert not _holds_as_much(host, host._replace(most_memory=memory + 1))


def answered(document: Mapping[str, Any], **fields: Any) -> Answer:
    """Answer an instance as a worker does, to change it then."""
    body = {"problem": {"kind": "mono_allocation", **document, **fields}}
    submission = parse_submission(body, Limits())
    result, schedule = run(submission, Control(20), Limits())
    assert isinstance(schedule, Schedule)
    return Answer(submission.instance, submission.options, result, schedule)


def line(**fields: Any) -> dict[str, Any]:
    """Four tasks for three processors with room for two of them each."""
    return {
        "platform": {
            "processors": [
                {"id": "S", "switch": True},
                *({"id": name, "speed": 1, "memory": 2} for name in "ABC"),
            ],
            "links": [{"source": name, "target": "S", "bandwidth": 4} for name in "ABC"],
        },
        "application": {
            "tasks": [{"id": name, "work": 2, "memory": 1} for name in "abcd"],
            "files": [
                {"source": source, "target": target, "size": 1}
                for source, target in ("ab", "bc", "cd")
            ],
        },
        "contiguous": True,
    } | fields


def with_limits(answer: Answer, **changes: Any) -> Answer:
    """Give the same answer to an instance with other limits."""
    return answer._replace(instance=answer.instance.model_copy(update=changes))


def test_planted_faults_of_memory_and_intervals_are_found() -> None:
    right = answered(line())
    assert right.result.certificate.type == "intervals"
    assert right.faults() == []
    free = answered(line(contiguous=False) | {"platform": roomy(line()["platform"])})
    tight = [
        p if p.memory is None else p.model_copy(update={"memory": Fraction(1)})
        for p in right.instance.platform.processors
    ]
    platform = right.instance.platform.model_copy(update={"processors": tuple(tight)})
    assert "too_little_memory" in with_limits(right, platform=platform).codes()
    mixed = {"a": ["A"], "b": ["B"], "c": ["A"], "d": ["B"]}
    crossed = free.change("result/mapping", mixed)
    assert "not_contiguous" not in crossed.codes()
    faults = with_limits(crossed, contiguous=True).faults()
    told = [fault.detail for fault in faults if fault.code == "not_contiguous"]
    assert told == [
        "'A' runs 'a' and 'c', but not all between them.",
        "'B' runs 'b' and 'd', but not all between them.",
    ]


def roomy(platform: Mapping[str, Any]) -> dict[str, Any]:
    processors = [{**p, "memory": 9} if "speed" in p else p for p in platform["processors"]]
    return {**platform, "processors": processors}


def test_bounds_by_intervals_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    right = answered(line())
    value = right.result.bound.value
    looser = Bound.from_value(2 * value, exact=True)
    feasible = right.change("result/bound", looser).change("result/gap", Fraction(1, 2))
    feasible = feasible.change("result/outcome", Outcome.FEASIBLE)
    assert feasible.codes() == set()
    tighter = right.change("result/bound", Bound.from_value(value * Fraction(9, 10), exact=True))
    assert "shorter_intervals" in tighter.codes()
    assert "wrong_certificate" in with_limits(right, contiguous=False).codes()
    assert "wrong_certificate" in with_limits(right, routing="free").codes()
    assert "wrong_bound_source" in right.change("result/bound_source", "search").codes()
    monkeypatch.setattr(validator, "intervals_exist", partial(intervals_exist, most_steps=0))
    assert right.codes() == {"not_proved"}


@pytest.mark.parametrize("contiguous", [True, False])
def test_that_nothing_fits_is_proved_anew(contiguous: bool) -> None:
    document = line(contiguous=contiguous)
    asked = instance(document)
    claimed = Answer(asked, answered(line()).options, empty(asked, method="portfolio"), None)
    assert claimed.codes() == {"not_infeasible"}
    for task in document["application"]["tasks"]:
        task["memory"] = 3
    asked = instance(document)
    assert claimed._replace(instance=asked).codes() == set()
    for processor in document["platform"]["processors"][1:]:
        processor["memory"] = 4
    for task in document["application"]["tasks"]:
        task["memory"] = "5/2"
    asked = instance(document)
    assert claimed._replace(instance=asked).codes() == set()


def test_with_copies_only_memory_or_routes_prove_that_nothing_fits() -> None:
    document = line(contiguous=False, duplication="tasks")
    asked = instance(document)
    claimed = Answer(asked, answered(line()).options, empty(asked, method="portfolio"), None)
    assert claimed.codes() == {"not_proved"}
    del document["platform"]["links"][:]
    document["application"]["tasks"][0]["allowed"] = ["A"]
    document["application"]["tasks"][1]["allowed"] = ["B"]
    assert claimed._replace(instance=instance(document)).codes() == set()
    document = line(contiguous=False, duplication="tasks")
    for task in document["application"]["tasks"]:
        task["memory"] = 2
    assert claimed._replace(instance=instance(document)).codes() == set()


def test_a_bound_without_proof_is_beaten_only_within_the_limits() -> None:
    """All on one processor takes 8; the memory forbids that, and the bound of 4 stands."""
    asked = instance(line(contiguous=False))
    steady, limits = seen(asked), read_limits(asked)
    ways = FixedRoutes(steady.network, ())
    assert beaten_by(steady, ways, Fraction(100), limits) == 4
    assert beaten_by(steady, ways, Fraction(4), limits) is None


def test_a_reference_that_knows_no_limits_has_no_throughput() -> None:
    right = answered(line(), method="compare", instances=3)
    assert right.faults() == []
    rows = [
        ComparedMethod(
            method=row.method,
            throughput=right.result.bound.value if row.method == "heft" else row.throughput,
            ratio_to_bound=Fraction(1) if row.method == "heft" else row.ratio_to_bound,
            latency=row.latency,
            seconds=row.seconds,
            note=row.note,
        )
        for row in right.result.comparison
    ]
    assert right.change("result/comparison", rows).codes() == {"wrong_comparison"}
    held = answered(line(contiguous=False), method="compare", instances=3)
    assert held.faults() == []
    rows = [
        row.model_copy(update={"throughput": Fraction(1, 8), "ratio_to_bound": Fraction(1, 2)})
        if row.method == "clustering"
        else row
        for row in held.result.comparison
    ]
    assert held.change("result/comparison", rows).codes() == {"wrong_comparison"}


def test_prices_need_not_know_of_processors_that_are_too_small() -> None:
    """The fast processor holds no task: a price of the slow one alone proves the bound."""
    document = line(contiguous=False)
    document["platform"]["processors"][1] |= {"speed": 9, "memory": "1/2"}
    document["application"] = {
        "tasks": [{"id": "a", "work": 2, "memory": 1, "allowed": ["A", "B"]}]
    }
    right = answered(document)
    assert right.result.bound.exact
    assert right.result.period == 2
    assert right.result.certificate.prices == {"B.compute": Fraction(1, 2)}
    assert right.faults() == []


def test_certificates_of_intervals_carry_no_prices() -> None:
    right = answered(line())
    priced = IntervalsCertificate(prices={"A.compute": Fraction(1)})
    assert "wrong_certificate" in right.change("result/certificate", priced).codes()


def test_tasks_between_two_of_a_processor_have_to_follow_them() -> None:
    one = Fraction(1)
    kept = Kept([one] * 3, [2 * one, None], [[0, 1]] * 3, [0, 1, 2])
    assert not kept.allow([0, None, None], kept.held([0, None, None]), {2: 0})
    assert kept.allow([1, None, None], kept.held([1, None, None]), {2: 1})
    able = Kept([one] * 3, [None, None], [[0, 1], [0], [0, 1]], [0, 1, 2])
    assert not able.allow([1, None, None], able.held([1, None, None]), {2: 1})


def test_solvers_judge_whole_mappings_as_the_referee_does() -> None:
    asked = instance(line())
    labels = [[1, 2, 3]] * 4
    kept = Kept(asked.needs, asked.memory, labels, [0, 1, 2, 3])
    assert kept.fit([(1,), (1,), (2,), (3,)])
    assert not kept.fit([(1,), (1,), (1,), (3,)])
    assert not kept.fit([(1,), (2,), (1,), (3,)])
    assert Kept(asked.needs, asked.memory, labels).fit([(1, 2), (1,), (2,), (3,)])
