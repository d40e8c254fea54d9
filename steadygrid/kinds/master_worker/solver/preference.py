"""Which of all optimal rates are answered: the first that are found, or those of least traffic."""

from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.preferred import Preferred
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.second_objective import (
    MORE_ALLOCATIONS,
    NO_PROOF,
    NO_TIME,
    time_for_second,
)
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.half_duplex import needs_own_slots
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.program import PooledProgram
from steadygrid.kinds.master_worker.solver.rates import Rates, busy, plans

_OWN_SLOTS = (
    "the optimal rates of least traffic use half-duplex links in both directions off a tree, where"
    " slots may not carry them: least_traffic was left out"
)


class Preference(NamedTuple):
    """The rates that are answered, what is said of their traffic, and notes."""

    rates: Rates
    preferred: Preferred | None
    notes: tuple[str, ...] = ()


def with_least_traffic(
    instance: MasterWorkerInstance,
    legs: Legs,
    program: PooledProgram,
    asked: bool,
    control: Control,
) -> Preference:
    """Give the optimal rates of least traffic, or the first ones where these cannot be had.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    program
        Of this instance, solved.
    asked
        Whether it is asked for; else the first rates are kept where they take fewer allocations.
    control
        Of the whole solve. The search gets a part of its time, see `time_for_second`.

    Raises
    ------
    Cancelled
        If the solve was cancelled.
    """
    part = control.limited(time_for_second(control), silent=True)
    before = traffic_of(instance, legs, program.rates)

    def first(why: str) -> Preference:
        told = Preferred.unproved("least_traffic", before) if asked else None
        return Preference(program.rates, told, (why,))

    try:
        least = program.solved.least_traffic(part)
        rates = program.rates_of_members(least.rates)
        value = traffic_of(instance, legs, rates)
        if value == before:
            rates = program.rates
        if needs_own_slots(instance, legs, rates):
            return first(_OWN_SLOTS)
        if not asked and rates is not program.rates:
            more, fewer = (len(plans(instance, legs, one)) for one in (rates, program.rates))
            if more > fewer:
                return first(MORE_ALLOCATIONS.format(more, fewer))
    except OutOfTime:
        return first(NO_TIME)
    except (CertificationError, SolverError):
        return first(NO_PROOF)
    preferred = Preferred(
        name="least_traffic",
        value=value,
        before=before,
        proof="exact",
        worth=Fraction(least.worth),
        prices=program.prices_of_members(least.prices),
    )
    return Preference(rates, preferred)


def traffic_of(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> Fraction:
    """Give the time per time unit for which links carry files, summed up over all links.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    rates
        Steady-state rates of the processors and legs of this instance.
    """
    return sum(busy(instance, legs, rates).values(), Fraction(0))
