"""A period that no mapping undercuts, proved by prices in exact arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.safe_rounding import rounded_prices, too_long
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.solver.model_of_core_types import build_model
from steadygrid.kinds.cell.solver.tables import USES, Tables

MOST_TERMS = 20_000
"""Tasks, and twice the files, up to which the relaxation is solved."""
LONGEST_BITS = 3_000
"""Of a price; longer ones are rounded up, and prove a bound that is a little weaker."""


@dataclass(frozen=True)
class PeriodBound:
    """No mapping has a shorter period.

    Attributes
    ----------
    throughput
        1 over that period: the sum of the prices.
    prices
        By resource, zero ones left out: one instance costs at least 1 on any mapping.
    """

    throughput: Fraction
    prices: Mapping[str, Fraction]


def best_bound(tables: Tables, unit: Fraction, control: Control) -> PeriodBound | None:
    """Give the bound of the relaxation, or where that takes too long the plain one.

    None where neither says anything.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    unit
        Time, in units of the machine, that is 1 in the program.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        Only when cancelled.
    CertificationError
        If no proof was found.
    """
    if len(tables.tasks) + 2 * len(tables.files) <= MOST_TERMS:
        try:
            return bound_of_core_types(tables, unit, control.limited(control.remaining / 3))
        except OutOfTime:
            pass
    return bound_of_times(tables)


def bound_of_times(tables: Tables) -> PeriodBound | None:
    """Share the least times of all tasks among all cores. None where nothing takes time.

    With the same price for one use of every core: of computing where that takes time, else of
    reading or writing.
    """
    least = sum(min(time for time in times if time is not None) for times in tables.compute)
    for use, total in zip(USES, (least, sum(tables.read), sum(tables.write)), strict=True):
        if total:
            price = 1 / (total * tables.unit)
            prices = {f"{core}.{use}": price for core in sorted(tables.cores)}
            return PeriodBound(price * len(prices), prices)
    return None


def bound_of_core_types(tables: Tables, unit: Fraction, control: Control) -> PeriodBound | None:
    """Solve the relaxation exactly. None where it allows a period of 0.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    unit
        Time, in units of the machine, that is 1 in the program.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        When cancelled or out of time.
    CertificationError
        If no proof was found.

    Notes
    -----
    The prices of the relaxation's rows per type of core, each over the optimum, are those of
    every core of the type.
    """
    model = build_model(tables, unit)
    solved = solve_certified(model, control)
    if solved.objective is None or solved.objective == 0:
        return None
    ppes = tables.num_ppes
    cores = (tables.cores[:ppes], tables.cores[ppes:])
    prices: dict[str, Fraction] = {}
    for name, use in zip(("compute", "bytes_in", "bytes_out"), USES, strict=True):
        for core_type, price in solved.prices_of(model.component(name)).items():
            each = abs(price) / (solved.objective * unit)
            prices |= {f"{core}.{use}": each for core in cores[core_type]}
    if too_long(prices.values(), LONGEST_BITS):
        prices = rounded_prices(prices)
    return PeriodBound(sum(prices.values(), Fraction(0)), dict(sorted(prices.items())))
