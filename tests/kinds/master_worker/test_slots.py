"""The search for slots on half-duplex links in cycles, against all slots there are."""

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.slots import heaviest, search
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver import half_duplex, methods
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import build_slot_model
from steadygrid.submissions.submission import parse_submission
from tests.engine.slots.every_slot import every_slot
from tests.kinds.master_worker.solving import solve
from tests.solved import Solved

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


def optimum_over_all_slots(body: dict[str, Any]) -> Fraction:
    instance = instance_of(body)
    model = build_slot_model(instance, Legs.from_instance(instance), every_slot(instance.platform))
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
        monkeypatch.setattr(heaviest, "MOST_ARCS", 0)
    plain = searched(solve(ring(seed)))
    size = 10**7
    assert searched(solve(ring(seed, NANOSECONDS, size))) == plain / NANOSECONDS / size
    assert plain == optimum_over_all_slots(ring(seed))


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
@pytest.mark.parametrize("part", [(search, "heaviest_slot"), (half_duplex, "solve_certified")])
def test_an_error_of_the_solver_costs_the_search_and_not_the_job(
    part: tuple[Any, str], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved = solve(ring(RINGS[0])).result
    monkeypatch.setattr(*part, failing(error))
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
        methods.solve_program(instance, Options(), Legs.from_instance(instance), Control())
