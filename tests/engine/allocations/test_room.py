"""Room for labelling tables: memory, time, and what goes on when either is exhausted."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from benchmarks.generators import random_task_graph
from steadygrid.domain.job import Outcome
from steadygrid.engine.allocations import exact_pricing, generation, optimum, room
from steadygrid.engine.allocations.elimination import LABEL_BYTES, eliminate
from steadygrid.engine.allocations.exact_pricing import cheapest_allocation
from steadygrid.engine.allocations.generation import Generation
from steadygrid.engine.allocations.initial_bound import first_guess
from steadygrid.engine.allocations.labelling import Labelling
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.room import Exhausted, Pace, Room
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.solver import by_arcs
from steadygrid.kinds.task_graph.solver.column_generation import solve
from tests import solved
from tests.kinds.task_graph.enumeration import check_plans, enumerated
from tests.kinds.task_graph.random_instances import SHAPES, random_instance

TRIANGLE = ((0, 1), (0, 2), (1, 2))


class Hourglass(Control):
    """A control with so many seconds left, whatever the clock says."""

    def __init__(self, left: float) -> None:
        super().__init__(None)
        self.left = left

    @property
    def remaining(self) -> float:
        return self.left


def costs(number: int) -> tuple[list[Any], dict[tuple[int, int], Any]]:
    """Give three tasks of so many labels, with a file between any two."""
    random = np.random.default_rng(number)
    single = [random.random(number) for _ in range(3)]
    return single, {pair: random.random((number, number)) for pair in TRIANGLE}


def clock(monkeypatch: pytest.MonkeyPatch, times: Sequence[float]) -> None:
    told = iter(times)
    monkeypatch.setattr(room, "monotonic", lambda: next(told))


def without_room(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
    """Let so many labellings be made, and none afterwards."""
    made = 0
    labelling = Room.labelling

    def counted(self: Room, *arguments: Any, **options: Any) -> Labelling:
        nonlocal made
        made += 1
        if made > after:
            raise Exhausted("of a test")
        return labelling(self, *arguments, **options)

    monkeypatch.setattr(Room, "labelling", counted)


def test_tables_may_take_half_of_the_memory_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    single, pairs = costs(20)
    order = eliminate(3, TRIANGLE, [20] * 3)
    assert order.held([20] * 3) == 20**2 + 20 + 1
    needed = order.most_bytes([20] * 3, 8, kept=False)
    assert needed == (20**2 + 20) * (8 + LABEL_BYTES)
    own = Room(Control())
    monkeypatch.setattr(room, "memory_left", lambda: 2 * needed)
    assert own.entries(8) == needed // 8
    assert own.labelling(order, single, pairs).cost < 3
    with pytest.raises(Exhausted, match=r"more than half of the .* that this process may still"):
        own.labelling(order, single, pairs, marginal=True)
    monkeypatch.setattr(room, "memory_left", lambda: 2 * needed - 1)
    with pytest.raises(Exhausted, match="GB"):
        own.labelling(order, single, pairs)


def test_tables_are_removed_once_that_of_their_parent_is_full() -> None:
    single, pairs = costs(9)
    order = eliminate(3, TRIANGLE, [9] * 3)
    assert len(Labelling(order, single, pairs, lambda _: None)._tables) == 1
    assert len(Labelling(order, single, pairs, lambda _: None, marginal=True)._tables) == 3
    kept, removed = (order.most_bytes([9] * 3, 8, kept=kept) for kept in (True, False))
    assert kept - removed == 8 + LABEL_BYTES


def test_tables_that_would_not_be_full_in_time_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock(monkeypatch, [0, 0.4, 1, 2, 3])
    pace = Pace(Hourglass(10), work=100)
    pace(1)  # nothing is said of the first moments
    pace(24)
    pace(10)
    with pytest.raises(Exhausted, match="5 s more, more than half of the 10 s"):
        pace(2)


def test_without_a_limit_no_tables_are_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    clock(monkeypatch, [0, 10**6])
    Pace(Control(), work=10**12)(1)


def test_memory_that_is_not_found_is_exhausted_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(room, "Labelling", broken)
    single, pairs = costs(3)
    with pytest.raises(Exhausted, match="found no memory") as exhausted:
        Room(Control()).labelling(eliminate(3, TRIANGLE, [3] * 3), single, pairs)
    assert exhausted.value.__context__ is None


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_integer_programs_go_on_where_tables_end(
    shape: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(2):
        instance = random_instance(shape, seed)
        best = enumerated(instance)
        with monkeypatch.context() as patch:
            without_room(patch, after)
            answer = solve(instance, Control())
        assert answer.throughput == best
        check_plans(instance, answer.plans)
        if answer.warnings:
            assert answer.warnings == ("of a test: integer programs price allocations instead",)
            assert answer.bound is not None
            assert answer.bound >= best
        else:
            assert answer.bound == (best or None)
        if not after and best:
            assert answer.warnings


def test_a_memory_error_in_tables_is_a_warning_of_an_optimum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = random_instance("mesh", 0)
    monkeypatch.setattr(room, "Labelling", lambda *_, **__: [0] * 10**15)
    found = solved.solve({"problem": instance.model_dump(mode="json", exclude_none=True)}).result
    assert found.outcome is Outcome.OPTIMAL
    assert found.objective is not None
    assert found.objective.value == enumerated(instance)
    assert "labelling tables found no memory: integer programs price allocations instead" in (
        found.warnings
    )


def test_a_bound_that_tables_proved_stays_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two bounds the better one counts, with what it rests on."""
    instance = random_instance("layered", 2)
    state = Generation(Problem(instance, instance.routing), Control())
    state.run()
    assert state.exact
    state.price_by_programs("of a test")
    state._price(state.problem.level_prices, None)
    assert state.exact
    state.bound = 2 * (state.bound or Fraction(0))
    state._price(state._prices, None)
    assert not state.exact
    state.close()


def test_what_no_program_can_price_is_answered_with_what_is_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(optimum, "MOST_PAIRS_OF_A_PROGRAM", 0)
    instance = random_instance("mesh", 2)
    best = enumerated(instance)
    warned = []
    for after in range(1, 6):
        with monkeypatch.context() as patch:
            without_room(patch, after)
            body = {"problem": instance.model_dump(mode="json", exclude_none=True)}
            found = solved.solve(body).result
        assert found.bound is not None
        assert found.bound.exact
        assert found.objective is not None
        assert found.objective.value <= best <= found.bound.value
        warned += [w for w in found.warnings if "programs would be too large as well" in w]
        assert warned or found.outcome is Outcome.OPTIMAL
    assert warned


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_tables_of_the_labels_that_may_pay_tell_what_tables_of_all_tell(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instances = [random_instance(shape, seed) for seed in range(6)]
    answers = [solve(instance, Control()) for instance in instances]
    monkeypatch.setattr("steadygrid.engine.allocations.problem.MUCH_WORK", -1)
    monkeypatch.setattr("steadygrid.engine.allocations.problem.WIDE", -1)
    monkeypatch.setattr(generation, "MOST_COMBINATIONS", 0)
    for instance, answer in zip(instances, answers, strict=True):
        found = solve(instance, Control())
        assert (found.throughput, found.bound) == (answer.throughput, answer.bound)


def test_the_exact_table_is_no_larger_than_the_referee_s(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = random_instance("fork_join", 2)
    problem = Problem(instance, instance.routing)
    prices = [Fraction(1, 1000)] * len(problem.network.resources)
    assert cheapest_allocation(problem, prices, Room(Control())) is not None
    monkeypatch.setattr(exact_pricing, "MOST_ENTRIES", 0)
    with pytest.raises(Exhausted, match="table of integers"):
        cheapest_allocation(problem, prices, Room(Control()))


def test_a_first_guess_needs_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = random_instance("fork_join", 0)
    problem = Problem(instance, instance.routing)
    with_tables = first_guess(problem, Control())
    without_room(monkeypatch)
    assert first_guess(problem, Control()).bound >= with_tables.bound


def test_130_processors_are_priced_by_labelling() -> None:
    """The largest table is worked out of 285,610,000 sums, were it filled for all labels."""
    instance = random_task_graph(0, 10, 130, 3)
    found = solved.solve({"problem": instance.model_dump(mode="json", exclude_none=True)}).result
    assert found.outcome is Outcome.OPTIMAL
    assert found.method == "column_generation"
    assert found.bound is not None
    assert found.bound.exact
    assert found.certificate.type == "lp_duality"
    assert found.warnings == []


def test_slots_are_found_with_the_allocations_that_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = random_instance("fork_join", 0)
    without_room(monkeypatch)
    price = by_arcs.price_by_arcs(instance, None, Control())
    assert price({}, {}, {}) == ()  # type: ignore[arg-type]
