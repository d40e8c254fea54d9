"""A packing program that grows stays the same program in Pyomo and in HiGHS."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.errors import Cancelled, SolverError
from steadygrid.engine.allocations.model import Master
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control


def grown(master: Master, random: Random, rows: int, columns: int) -> None:
    for _ in range(columns):
        chosen = random.sample(range(rows), random.randint(1, rows))
        master.add({row: Fraction(random.randint(1, 50), random.randint(1, 9)) for row in chosen})


@pytest.mark.parametrize("seed", range(5))
def test_every_solve_agrees_with_the_exact_optimum_of_the_pyomo_model(seed: int) -> None:
    random = Random(seed)
    rows = 8
    master = Master([f"r{row}" for row in range(rows)], Control())
    for _ in range(4):
        grown(master, random, rows, 6)
        master.program.solve()
        exact = solve_certified(master.model, Control())
        assert exact.objective is not None
        value = float(exact.objective)
        assert master.program.value == pytest.approx(value)
        assert master.program.prices.sum() == pytest.approx(value)
        assert master.program.rates.sum() == pytest.approx(value)
        assert master.program.costs.min() >= 1 - 1e-6
        used = master.program.costs[master.program.rates > 1e-9]
        assert used == pytest.approx(1.0)
    master.program.close()


@pytest.mark.parametrize("unit", [Fraction(1, 10**25), Fraction(10**25)])
def test_times_of_any_size_are_solved(unit: Fraction) -> None:
    master = Master(["a", "b"], Control())
    master.add({0: unit, 1: 2 * unit})
    master.add({0: 2 * unit, 1: unit})
    master.program.solve()
    assert master.program.value == pytest.approx(float(2 / (3 * unit)))
    assert master.program.prices == pytest.approx([float(1 / (3 * unit))] * 2)


def test_an_unbounded_program_is_refused() -> None:
    master = Master(["a"], Control())
    with pytest.raises(SolverError):
        master.program.solve()


def test_a_cancelled_control_ends_the_solve() -> None:
    control = Control()
    master = Master(["a"], control)
    master.add({0: Fraction(1)})
    control.cancel()
    with pytest.raises(Cancelled):
        master.program.solve()


def test_dropped_columns_leave_both_programs_until_they_are_restored() -> None:
    master = Master(["a", "b"], Control())
    for uses in ({0: 1, 1: 2}, {0: 2, 1: 2}, {0: 2, 1: 1}, {0: 3, 1: 3}):
        master.add({row: Fraction(time) for row, time in uses.items()})
    program = master.program
    program.solve()
    assert program.value == pytest.approx(2 / 3)
    assert program.costs == pytest.approx([1, 4 / 3, 1, 2])
    program.drop([])
    program.drop([1, 3])
    program.tighten()
    program.solve()
    assert program.rates == pytest.approx([1 / 3, 0, 1 / 3, 0])
    assert program.costs == pytest.approx([1, float("inf"), 1, float("inf")])
    assert [master.model.rate[k].fixed for k in range(4)] == [False, True, False, True]
    assert solve_certified(master.model, Control()).objective == Fraction(2, 3)
    program.restore(1)
    program.solve()
    assert program.costs == pytest.approx([1, 4 / 3, 1, float("inf")])
    assert not master.model.rate[1].fixed
    assert solve_certified(master.model, Control()).objective == Fraction(2, 3)
