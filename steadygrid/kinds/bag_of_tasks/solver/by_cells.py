r"""Bags whose tasks are dealt out by cells of sizes and works: a value, and a bound for all policies.

The cells of a bag are boxes; with the probability of each, programs (1)-(5) of `model` are stated for
classes of one of two sizes and works:

- the greatest of the cell, ``approximation``: by (5.3) its optimum is :math:`\rho^{up}`, what tasks
  that are rounded up get; rounded down, (5.5), they get exactly :math:`(1 + \epsilon) \rho^{up}`, so

  .. math:: \rho^{up} \le \rho^* \le (1 + \epsilon) \rho^{up}

- their mean, ``means``: each worker gets tasks of a cell of any size in it, in the long run the
  mean of the cell, so that

  .. math:: \rho^{up} \le \rho^{mean} \le \rho^* \tag{17}

  The prices of this program, divided by what a task is expected to cost at them where it is cheapest,
  prove a bound (16). A cell loses something only where different workers are cheapest for its tasks.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section
5.3.2; (17) is Jensen's inequality.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase, relative_gap
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.grid import MOST_CELLS
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance
from steadygrid.kinds.bag_of_tasks.solver.cells import (
    Cell,
    grid_cells,
    means,
    refined,
    upper_ends,
    whole_cells,
)
from steadygrid.kinds.bag_of_tasks.solver.fallback import (
    Prices,
    Rates,
    envelope,
    even_rates,
    expected_cost,
    proved_prices,
)
from steadygrid.kinds.bag_of_tasks.solver.model import build_model
from steadygrid.kinds.bag_of_tasks.solver.star import Star

CELL_METHODS = frozenset({"means", "approximation"})
COARSE_GAP = Fraction(1, 100)
"""Of cells from which only prices are wanted."""
MOST_COLUMNS = 2_000
"""Cells times workers of their program."""
OUT_OF_TIME = "the time ended before the gap was as small as mip_gap asks"
OUT_OF_CELLS = f"the gap is larger than mip_gap asks: {MOST_CELLS:,} cells are the most"


@dataclass(frozen=True)
class Dealt:
    """Rates of cells, and prices that prove a bound on any policy."""

    star: Star
    cells: Sequence[Cell]
    rates: Rates
    prices: Prices
    notes: tuple[str, ...] = ()

    @property
    def gap(self) -> Fraction:
        """The relative distance of bound and value."""
        value = sum(self.rates.values(), Fraction(0))
        return relative_gap(value, sum(self.prices.values(), Fraction(0)))


def approximation(instance: BagOfTasksInstance, control: Control) -> Dealt:
    """Deal out tasks as if each were the greatest of its cell.

    Parameters
    ----------
    instance
        Without faults.
    control
        Deadline, cancellation and progress of the solve.
    """
    cells = grid_cells(instance, control.check, is_exact=True)
    star = Star(instance, upper_ends(instance, cells))
    rates, prices = _optimum(star, control)
    ratio = 1 + instance.epsilon
    return Dealt(star, cells, rates, {name: ratio * price for name, price in prices.items()})


def by_means(instance: BagOfTasksInstance, mip_gap: Fraction, control: Control) -> Dealt:
    """Deal out tasks by the means of cells, which are refined until the gap is small, if that is asked.

    Parameters
    ----------
    instance
        Without faults.
    mip_gap
        Gap at which refining ends, relative to the bound; 0 where none is asked for.
    control
        Deadline, cancellation and progress of the solve.
    """
    first = _dealt(instance, grid_cells(instance, control.check, is_exact=False), control)
    return _refined(first, mip_gap, MOST_CELLS, control)


def long_run_prices(instance: BagOfTasksInstance, control: Control) -> Prices:
    """Find prices that prove a bound on any policy in the long run, from the means of few cells.

    Parameters
    ----------
    instance
        Without faults.
    control
        Of the solve; at most a quarter of what is left is used.
    """
    control = control.limited(control.remaining / 4, silent=True)
    try:
        first = _dealt(instance, whole_cells(instance), control)
    except OutOfTime as interruption:
        return proved_prices(Star(instance), interruption)
    most = MOST_COLUMNS // len(first.star.workers)
    return _refined(first, COARSE_GAP, most, control).prices


def _refined(first: Dealt, gap: Fraction, most: int, control: Control) -> Dealt:
    """Cut cells, up to so many, until the gap is as small, if that is asked."""
    best = finer = first
    control = control.limited(control.remaining / 2)
    while best.gap > gap > 0:
        try:
            control.phase(Phase.BUILDING)
            cells = refined(finer.cells, _losses(finer, control), most)
            if cells is None:
                return _noted(best, OUT_OF_CELLS)
            finer = _dealt(first.star.instance, cells, control)
        except OutOfTime:
            return _noted(best, OUT_OF_TIME)
        prices = min(finer.prices, best.prices, key=lambda prices: sum(prices.values()))
        best = Dealt(finer.star, finer.cells, finer.rates, prices)
    return best


def without_solver(
    instance: BagOfTasksInstance, method: str, interruption: OutOfTime, control: Control
) -> Dealt:
    """Deal out all cells alike, with the best bound that prices prove.

    Parameters
    ----------
    instance
        Without faults.
    method
        ``approximation`` or ``means``.
    interruption
        What ended the solve, with the floating-point dual values that were known.
    control
        Grace time that is left, and cancellation.

    Raises
    ------
    Cancelled, OutOfTime
        If even the grace time is over before the cells are made.
    """
    cells = grid_cells(instance, control.check, is_exact=method == "approximation")
    classes = means(instance, cells) if method == "means" else upper_ends(instance, cells)
    star = Star(instance, classes)
    return Dealt(star, cells, even_rates(star), proved_prices(star, interruption))


def _noted(dealt: Dealt, note: str) -> Dealt:
    return Dealt(dealt.star, dealt.cells, dealt.rates, dealt.prices, (note,))


def _dealt(instance: BagOfTasksInstance, cells: Sequence[Cell], control: Control) -> Dealt:
    star = Star(instance, means(instance, cells))
    rates, prices = _optimum(star, control)
    cost = expected_cost(star, prices)
    return Dealt(star, cells, rates, {name: price / cost for name, price in prices.items()})


def _optimum(star: Star, control: Control) -> tuple[Rates, Prices]:
    """Solve the program with all tasks of a class as its unit: shares and means have long denominators.

    Those of their products are those of the bounds.
    """
    wholes = [
        one._replace(
            share=Fraction(1), input_size=one.share * one.input_size, work=one.share * one.work
        )
        for one in star.classes
    ]
    model = build_model(Star(star.instance, wholes), control.check)
    solved = solve_certified(model, control)
    if solved.status != "optimal":
        raise AssertionError(f"bag_of_tasks is feasible and bounded, yet {solved.status}")
    rates = {
        (k, i): star.classes[k].share * rate
        for (k, i), rate in solved.values_of(model.computed).items()
        if rate
    }
    prices = {str(name): price for name, price in solved.prices_of(model.capacity).items()}
    return rates, {name: price for name, price in prices.items() if price}


def _losses(dealt: Dealt, control: Control) -> list[Fraction]:
    """Tell what each cell loses at the prices, by its priority."""
    lines, bags = envelope(dealt.star, dealt.prices), dealt.star.instance.bags
    found = []
    for cell in dealt.cells:
        control.check()
        found.append(bags[cell.bag].priority * cell.loss(lines))
    return found
