"""The search for slots on half-duplex links in cycles, against all slots there are."""

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, CertificationError, OutOfTime, SolverError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Arc, Platform
from steadygrid.problems.master_worker.schemas import MasterWorkerInstance
from steadygrid.problems.submission import parse_submission
from tests.problems.master_worker.solving import solve
from tests.solved import Solved
from workers.exact import solve_certified
from workers.problems.master_worker import half_duplex, methods, slots
from workers.problems.master_worker.legs import Legs
from workers.problems.master_worker.model import build_slot_model
from workers.problems.master_worker.slots import heaviest_slot
from workers.solving.control import Control

F = Fraction
NANOSECONDS = F(10**3)
"""A unit of data takes so many; with files of 1 MB and more prices of transfers are below 1e-9."""


def ring(seed: int, unit: Fraction = F(1), size: int = 1) -> dict[str, Any]:
    """Draw a small platform of half-duplex links with a cycle, results returning."""
    draw = random.Random(seed)
    count = draw.randint(3, 4)
    pairs = list(itertools.combinations(range(count), 2))
    chosen = {(i, i + 1) for i in range(count - 1)} | {(0, count - 1)}
    chosen |= {pair for pair in pairs if draw.random() < 0.3}
    processors: list[dict[str, Any]] = [{"id": "P0"}]
    processors += [
        {"id": f"P{i}", "unit_time": str(draw.randint(1, 6) * unit * size)} for i in range(1, count)
    ]
    links = [
        {
            "source": f"P{a}",
            "target": f"P{b}",
            "unit_time": str(draw.randint(1, 4) * unit),
            "duplex": draw.choice(["half", "half", "full"]),
        }
        for a, b in sorted(chosen)
    ]
    task = {"work": 1, "input_size": size, "output_size": draw.randint(1, 2) * size}
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": processors, "links": links},
            "master": "P0",
            "task": task,
        }
    }


def instance_of(body: dict[str, Any]) -> MasterWorkerInstance:
    instance = parse_submission(body, Limits()).instance
    assert isinstance(instance, MasterWorkerInstance)
    return instance


def all_slots(platform: Platform) -> list[frozenset[int]]:
    """List every set of transfers that may run side by side, by the rules as they are written."""

    def side_by_side(first: Arc, second: Arc) -> bool:
        switches = [processor.switch for processor in platform.processors]
        one_sender = first.source == second.source and not switches[first.source]
        one_receiver = first.target == second.target and not switches[first.target]
        both_ways = first.link == second.link and platform.links[first.link].duplex == "half"
        return not (one_sender or one_receiver or both_ways)

    found: list[frozenset[int]] = [frozenset()]
    for arc in platform.arcs:
        found += [
            slot | {arc.index}
            for slot in found
            if all(side_by_side(arc, platform.arcs[other]) for other in slot)
        ]
    return found


def optimum_over_all_slots(body: dict[str, Any]) -> Fraction:
    instance = instance_of(body)
    model = build_slot_model(instance, Legs.of(instance), all_slots(instance.platform))
    solved = solve_certified(model, Control())
    assert solved.objective is not None
    return solved.objective


RINGS = (99, 13, 65, 77, 92, 105, 169, 223)
"""Seeds of platforms on which the first slots are not enough."""


def searched(answer: Solved) -> Fraction:
    """Give the throughput of an answer."""
    assert answer.result.objective is not None
    return answer.result.objective.value


@pytest.mark.parametrize("seed", [*range(16), *RINGS])
def test_the_throughput_is_that_of_all_slots(seed: int) -> None:
    body = ring(seed)
    assert searched(solve(body)) == optimum_over_all_slots(body)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", RINGS)
def test_real_units_hide_no_slot(seed: int, exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exact:
        monkeypatch.setattr(slots, "MOST_ARCS", 0)
    plain = searched(solve(ring(seed)))
    size = 10**7
    assert searched(solve(ring(seed, NANOSECONDS, size))) == plain / NANOSECONDS / size
    assert plain == optimum_over_all_slots(ring(seed))


@pytest.mark.parametrize("seed", range(60))
def test_the_heaviest_slot_is_that_of_all(seed: int) -> None:
    draw = random.Random(seed)
    body = ring(seed)
    for processor in body["problem"]["platform"]["processors"][1:]:
        if draw.random() < 0.2:
            del processor["unit_time"]
            processor["switch"] = True
    platform = Platform.model_validate(body["problem"]["platform"])
    worth = {
        arc.index: F(draw.randint(-1, 9), draw.choice([1, 3, 10**15])) for arc in platform.arcs
    }
    best = heaviest_slot(platform, worth, Control())
    assert best is not None
    every = all_slots(platform)
    assert best in every
    totals = [sum((worth[index] for index in slot), F(0)) for slot in every]
    assert sum((worth[index] for index in best), F(0)) == max(totals)


def complete(count: int) -> dict[int, Fraction]:
    draw = random.Random(count)
    return {index: F(draw.randint(1, 10**6)) for index in range(count * (count - 1))}


def everybody_with_everybody(count: int) -> Platform:
    return Platform.model_validate(
        {
            "processors": [{"id": f"P{i}"} for i in range(count)],
            "links": [
                {"source": f"P{a}", "target": f"P{b}", "unit_time": 1, "duplex": "half"}
                for a, b in itertools.combinations(range(count), 2)
            ],
        }
    )


def test_a_search_without_an_end_in_sight_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = everybody_with_everybody(8)
    assert heaviest_slot(platform, complete(8), Control()) is not None
    monkeypatch.setattr(slots, "MOST_STEPS", 100)
    assert heaviest_slot(platform, complete(8), Control()) is None
    assert heaviest_slot(everybody_with_everybody(18), complete(18), Control()) is None


def test_the_search_for_a_slot_heeds_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "STEPS_BETWEEN_CHECKS", 1)
    with pytest.raises(OutOfTime):
        heaviest_slot(everybody_with_everybody(8), complete(8), Control(0))


def failing(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("seed", RINGS[:3])
def test_the_proved_bound_is_kept_when_the_time_ends_in_the_search(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved = solve(ring(seed)).result
    monkeypatch.setattr(half_duplex, "solve_certified", failing(OutOfTime()))
    result = solve(ring(seed)).result
    assert result.bound == proved.bound
    assert result.certificate == proved.certificate
    assert result.outcome == "feasible"
    assert 0 < searched(solve(ring(seed))) <= proved.objective.value
    assert any("time limit" in note for note in result.notes)


@pytest.mark.parametrize("error", [SolverError("it stopped"), CertificationError("no basis")])
@pytest.mark.parametrize("part", ["heaviest_slot", "solve_certified"])
def test_an_error_of_the_solver_costs_the_search_and_not_the_job(
    part: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved = solve(ring(RINGS[0])).result
    monkeypatch.setattr(half_duplex, part, failing(error))
    result, schedule = solve(ring(RINGS[0]))
    assert result.bound == proved.bound
    assert result.outcome == "feasible"
    assert 0 < result.objective.value <= proved.objective.value
    assert schedule is not None
    assert any("solver failed" in note for note in result.notes)


def test_a_cancelled_search_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_duplex, "solve_certified", failing(Cancelled()))
    with pytest.raises(Cancelled):
        instance = instance_of(ring(RINGS[0]))
        methods.solve_program(instance, Legs.of(instance), Control())
