"""Circuits of more firings than are listed: what their numbers say, and what the referee checks."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.long_circuits import all_steps
from steadygrid.kinds.dataflow.schemas import (
    MOST_LISTED,
    CircuitArrays,
    CircuitCertificate,
    CircuitStep,
    DataflowResult,
)
from steadygrid.kinds.dataflow.solver.methods import solve
from steadygrid.kinds.dataflow.view import view
from tests.kinds.dataflow.bodies import graph
from tests.kinds.dataflow.judged import CIRCUIT, F, R, built, codes, with_result, with_step
from tests.kinds.dataflow.unfolded import Answer

ARRAYS = f"{R}/certificate/circuit"


@cache
def long(concurrency: str = "sequential") -> Answer:
    """Rates without a common divisor, and few places; a third actor comes first."""
    instance = graph(
        {"c": F(1, 2), "a": 1, "b": 1},
        "b 1>6001 c; a 6000>6001 b; b 6001>6000 a 12000",
        concurrency=concurrency,
    )
    found = solve(instance, Options(), Sizing("k_periodic", {}), Control())
    assert isinstance(found.result, DataflowResult)
    return Answer(instance, Options(), found.result, found.schedule)  # type: ignore[arg-type]


def arrays(given: Answer) -> CircuitArrays:
    assert isinstance(given.result.certificate, CircuitCertificate)
    assert given.result.certificate.circuit is not None
    return given.result.certificate.circuit


def with_arrays(given: Answer, **changed: Sequence[int]) -> Answer:
    told = CircuitArrays(**arrays(given).model_dump() | changed)
    return with_result(given, certificate=CircuitCertificate(circuit=told))


def with_number(given: Answer, name: str, at: int, number: int) -> Answer:
    numbers = [*getattr(arrays(given), name)]
    numbers[at] = number
    return with_arrays(given, **{name: numbers})


def test_all_firings_are_there_and_the_first_are_listed() -> None:
    right = long()
    told = arrays(right)
    assert right.result.outcome is Outcome.OPTIMAL
    assert len(right.result.critical_circuit or ()) == MOST_LISTED
    count = len(told.firings)
    assert count > MOST_LISTED
    assert right.result.notes[0].startswith(f"the critical circuit has {count:,} firings")
    assert not codes(right)
    assert {*told.actors} <= {1, 2}
    steps = all_steps(right.instance, right.result)
    assert len(steps) == count
    assert sum(step.time for step in steps) / right.result.iterations == right.result.period
    assert not codes(long("auto"))


def test_what_people_are_told_counts_all_firings() -> None:
    right = long()
    count = len(arrays(right).firings)
    told = view(*right)
    assert told.cycle is not None
    assert len(told.cycle.steps) == count
    assert told.cycle.time == right.result.period * right.result.iterations
    assert f"{count:,} firings" in str(told.facts)


def test_a_circuit_of_an_earlier_version_lists_all_firings() -> None:
    right = long()
    steps = all_steps(right.instance, right.result)
    whole = with_result(right, critical_circuit=steps, certificate=CircuitCertificate())
    assert not codes(whole)
    cut = with_result(right, certificate=CircuitCertificate())
    assert codes(cut)
    stored = right.result.model_dump(mode="json") | {"certificate": {"type": "cycle_ratio"}}
    stored["critical_circuit"] = [step.model_dump(mode="json") for step in steps]
    assert not codes(right._replace(result=DataflowResult.model_validate(stored)))


def test_numbers_and_list_go_together() -> None:
    right, short = long(), built(graph({"a": 1, "b": 1}, "a 1>1 b; b 1>1 a 1"))
    few = CircuitCertificate(circuit=CircuitArrays(actors=[0, 1], firings=[0, 0], channels=[1, 0]))
    assert codes(with_result(short, certificate=few)) == [("wrong_circuit", ARRAYS)]
    told = arrays(right)
    assert codes(with_arrays(right, firings=told.firings[:-1])) == [("wrong_circuit", ARRAYS)]
    steps = right.result.critical_circuit or []
    for listed in (steps[:-1], all_steps(right.instance, right.result)):
        assert codes(with_result(right, critical_circuit=listed)) == [("wrong_circuit", ARRAYS)]
    nothing = with_result(right, critical_circuit=None, iterations=None, bound=None)
    assert ("wrong_circuit", ARRAYS) in codes(nothing)


@pytest.mark.parametrize("at", [3, MOST_LISTED + 3])
@pytest.mark.parametrize(
    ("name", "number", "code"),
    [
        ("actors", 3, "wrong_circuit"),
        ("channels", -2, "wrong_circuit"),
        ("channels", 3, "wrong_circuit"),
    ],
)
def test_numbers_are_those_of_the_graph(name: str, number: int, code: str, at: int) -> None:
    assert codes(with_number(long(), name, at, number)) == [(code, f"{ARRAYS}/{name}/{at}")]


def test_a_firing_is_not_negative() -> None:
    told = arrays(long())
    firings = [*told.firings]
    firings[4] = -1
    wrong = CircuitArrays.model_construct(
        actors=told.actors, firings=firings, channels=told.channels
    )
    found = codes(
        with_result(long(), certificate=CircuitCertificate.model_construct(circuit=wrong))
    )
    assert found == [("wrong_firing", f"{ARRAYS}/firings/4")]


def test_the_list_is_the_beginning_of_the_numbers() -> None:
    right = long()
    told = arrays(right)
    assert codes(with_number(right, "firings", 5, told.firings[5] + 1)) == [
        ("wrong_circuit", f"{CIRCUIT}/5")
    ]
    assert codes(with_step(right, 7, firing=told.firings[7] + 1)) == [
        ("wrong_circuit", f"{CIRCUIT}/7")
    ]


@pytest.mark.parametrize("place", [MOST_LISTED, -1])
def test_a_firing_that_is_not_listed_waits_for_the_one_before_it(place: int) -> None:
    right = long()
    told = arrays(right)
    at = place % len(told.firings)
    found = codes(with_number(right, "firings", at, told.firings[at] + 7))
    assert found
    # The last firing is what the first one waits for.
    assert {pointer for _, pointer in found} <= {
        f"{ARRAYS}/firings/{at}",
        f"{ARRAYS}/firings/{at + 1}",
        f"{CIRCUIT}/0/token",
        f"{CIRCUIT}/0/firing",
    }
    changed = with_number(right, "channels", at, 0)
    assert ("wrong_channel", f"{ARRAYS}/firings/{at}") in codes(changed)
    assert codes(with_number(right, "actors", at, 0))


def test_only_what_proves_a_bound_has_numbers() -> None:
    def given(**changed: Any) -> list[tuple[str, str]]:
        return codes(with_result(long(), **changed))

    assert ("wrong_bound", f"{R}/bound") in given(
        bound=long().result.bound.model_copy(update={"value": F(1, 2)})
    )
    free = CircuitStep(actor="a", firing=0, channel=None, token=None, time=F(1))
    assert ("wrong_circuit", ARRAYS) in given(critical_circuit=[free])
