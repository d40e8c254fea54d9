"""Periods that no mapping undercuts, and where the searches give up."""

from fractions import Fraction

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.referee_search import cheapest
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.schemas import CellInstance
from steadygrid.kinds.cell.solver import bounds, local_search
from steadygrid.kinds.cell.solver.bounds import (
    PeriodBound,
    best_bound,
    bound_of_core_types,
    bound_of_times,
)
from steadygrid.kinds.cell.solver.chunks import in_pieces
from steadygrid.kinds.cell.solver.local_search import LocalSearch
from steadygrid.kinds.cell.solver.tables import Tables
from tests.kinds.cell.bodies import body, both, chain
from tests.kinds.cell.enumeration import shortest_period
from tests.kinds.cell.random_instances import random_body


def tables_of(asked: dict[str, object]) -> Tables:
    return Tables(CellInstance.model_validate(asked["problem"]))


def assert_proved(tables: Tables, bound: PeriodBound | None) -> None:
    assert bound is not None
    assert sum(bound.prices.values()) == bound.throughput
    assert cheapest(RefereeView(tables.instance), bound.prices) >= 1


@pytest.mark.parametrize("seed", range(15))
def test_prices_of_both_bounds_prove_them_and_the_relaxation_is_the_better_one(seed: int) -> None:
    tables = tables_of(random_body(seed, largest=4))
    if not all(tables.able):
        return
    relaxed, plain = bound_of_core_types(tables, Fraction(1), Control()), bound_of_times(tables)
    assert_proved(tables, relaxed)
    assert_proved(tables, plain)
    shortest = shortest_period(tables.instance)
    assert relaxed is not None
    assert plain is not None
    assert shortest is None or 1 / relaxed.throughput <= shortest
    assert relaxed.throughput <= plain.throughput


def test_files_that_must_move_count_in_the_relaxation() -> None:
    tasks = {"a": {"time_ppe": 1}, "b": {"time_spe": 1}}
    bound = bound_of_core_types(tables_of(body(tasks, {"a b": 7}, spes=1)), Fraction(1), Control())
    assert bound is not None
    assert bound.throughput == Fraction(1, 7)


def test_large_instances_and_those_without_time_get_the_plain_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = tables_of(chain(spes=3))
    assert best_bound(tables, Fraction(1), Control(0)) == bound_of_times(tables)
    monkeypatch.setattr(bounds, "MOST_TERMS", 3)
    assert best_bound(tables, Fraction(1), Control()) == bound_of_times(tables)
    cancelled = Control()
    cancelled.cancel()
    monkeypatch.setattr(bounds, "MOST_TERMS", 100)
    with pytest.raises(Cancelled):
        best_bound(tables, Fraction(1), cancelled)


def test_the_plain_bound_takes_memory_where_nothing_is_computed() -> None:
    tables = tables_of(body({"a": both(0, write=6)}, {}, spes=2, bandwidth=2))
    bound = bound_of_times(tables)
    assert bound is not None
    assert bound.prices == {f"{core}.out": Fraction(1, 3) for core in tables.cores}
    assert bound_of_times(tables_of(body({"a": both(0)}, {}))) is None


def test_a_relaxation_of_no_time_bounds_nothing() -> None:
    tables = tables_of(body({"a": both(0), "b": both(0)}, {"a b": 4}))
    assert bound_of_core_types(tables, Fraction(1), Control()) is None


def test_long_prices_are_rounded_to_the_safe_side(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tables_of(body({"a": {"time_ppe": 3, "time_spe": 7}, "b": both(5)}, {}, spes=3))
    exact = bound_of_core_types(tables, Fraction(1), Control())
    monkeypatch.setattr(bounds, "LONGEST_BITS", 1)
    rounded = bound_of_core_types(tables, Fraction(1), Control())
    assert exact is not None
    assert rounded is not None
    assert 0 < rounded.throughput - exact.throughput < Fraction(1, 10**300)
    assert_proved(tables, rounded)


def test_pieces_follow_the_files_and_share_the_work() -> None:
    tasks = {f"t{i}": both(1) for i in range(6)}
    tables = tables_of(body(tasks, {f"t{i} t{i + 1}": 1 for i in range(5)}, spes=2))
    assert in_pieces(tables, [0, 1, 2]) == [0, 0, 1, 1, 2, 2]
    assert in_pieces(tables, [1, 2, 0]) == [1, 1, 2, 2, 0, 0]


def test_a_task_of_the_other_sort_does_not_end_a_piece() -> None:
    tasks = {"a": both(), "p": {"time_ppe": 1}, "b": both(), "c": both(), "d": both()}
    tables = tables_of(body(tasks, {}, spes=2))
    assert in_pieces(tables, [1, 2, 0]) == [1, 0, 1, 2, 2]


def test_pieces_that_fit_nowhere_are_put_where_least_is_computed() -> None:
    tables = tables_of(chain(ppes=0, spes=2, local_store=5))
    assert sorted(set(in_pieces(tables, [0, 1]))) == [0, 1]


def test_the_local_search_of_many_cores_compares_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_search, "MOST_CANDIDATES", 2)
    tables = tables_of(body({f"t{i}": both(i + 1) for i in range(4)}, {}, spes=3))
    mapping = LocalSearch(tables, Control()).run([])
    assert mapping is not None
    assert tables.period(mapping) == 4


def test_a_local_search_without_time_keeps_the_start() -> None:
    tables = tables_of(chain(spes=2))
    assert LocalSearch(tables, Control(0)).run([[0, 0, 0, 0]]) is not None


def test_a_cancelled_local_search_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_search, "CHECKED", 1)
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        LocalSearch(tables_of(chain(spes=2)), control).run([[0, 0, 0, 0]])
