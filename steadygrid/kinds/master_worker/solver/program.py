"""The program of rates, solved: the most tasks, and of all such rates those of least traffic."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.pools import Pools
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.exact import CertifiedSolution, solve_certified
from steadygrid.engine.exact.optimal_face import OptimalFace
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.matching.shares import overfull_sets
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Term
from steadygrid.kinds.master_worker.pools import pooled_instance, pools_of
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.members import of_members
from steadygrid.kinds.master_worker.solver.model import CAPACITIES, build_model
from steadygrid.kinds.master_worker.solver.rates import Rates, busy, straighten


class LeastTraffic(NamedTuple):
    """Optimal rates of least traffic, and what proves that. See `Preferred`."""

    rates: Rates
    worth: int
    prices: Mapping[str, Fraction]


@dataclass(frozen=True)
class SolvedProgram:
    """A program with proved optimal rates.

    Attributes
    ----------
    legs
        With the odd sets that the program knows.
    rates
        Without cycles. They fill no odd set too much.
    """

    instance: MasterWorkerInstance
    legs: Legs
    model: Any
    solution: CertifiedSolution
    rates: Rates

    @property
    def throughput(self) -> Fraction:
        """The optimum: tasks per time unit."""
        assert self.solution.objective is not None
        return self.solution.objective

    @property
    def prices(self) -> dict[str, Fraction]:
        """What proves the optimum, by resource."""
        prices: dict[str, Fraction] = {}
        for component in ("compute", *CAPACITIES):
            found = self.solution.prices_of(self.model.component(component))
            for index, price in found.items():
                prices[resource_name(self.instance, component, index)] = price
        return prices

    def least_traffic(self, control: Control) -> LeastTraffic:
        """Find the optimal rates that keep links busy for the least time.

        Parameters
        ----------
        control
            Deadline, cancellation and progress of this search.

        Raises
        ------
        Cancelled, OutOfTime, CertificationError, SolverError
            See `OptimalFace.least`.
        """
        instance, legs, model = self.instance, self.legs, self.model
        face = OptimalFace.of_solution(self.solution)
        while True:
            least = face.least(_traffic(instance, legs, model), control)
            rates = _rates(model, least, legs)
            found = _overfull(instance, legs, rates, control)
            if not found:
                break
            # A row for a set that the first rates do not overfill has no price there.
            legs = legs.knowing(found)
            model = build_model(instance, legs, control.check)
            face = OptimalFace.of_model(model, self._price, control.check)
        prices = {
            resource_name(instance, component, index): price
            for component in ("compute", *CAPACITIES)
            for index, price in least.combined_prices_of(model.component(component)).items()
        }
        return LeastTraffic(rates, least.worth, prices)

    def _price(self, component: str, index: Any) -> Fraction:
        """Give the price of a row by its names; 0 for rows that the program does not have."""
        rows = self.model.component(component)
        if index not in rows:
            return Fraction(0)
        return self.solution.prices_of({index: rows[index]}).get(index, Fraction(0))


@dataclass(frozen=True)
class PooledProgram:
    """The program of an instance, solved on the platform of its pools.

    Attributes
    ----------
    rates
        Of all members. They prove the optimum.
    """

    solved: SolvedProgram
    pools: Pools
    rates: Rates

    @classmethod
    def solve(cls, instance: MasterWorkerInstance, legs: Legs, control: Control) -> "PooledProgram":
        """Solve the program, and deal what pools do to their members.

        Parameters
        ----------
        instance
            Without faults.
        legs
            What files can travel in one go, of this instance.
        control
            Deadline, cancellation and progress of the solve.
        """
        pools = pools_of(instance)
        if pools.classes:
            instance = pooled_instance(instance, pools)
            legs = Legs.from_instance(instance, control.check).of_pools(pools.shares)
        solved = solve_rates(instance, legs, control)
        return cls(solved, pools, _dealt(solved, pools, solved.rates))

    def rates_of_members(self, rates: Rates) -> Rates:
        """Deal other rates of the program to the members."""
        return _dealt(self.solved, self.pools, rates)

    def prices_of_members(self, prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Give each member its part of the prices of its pool, and leave zeros out."""
        return {name: p for name, p in self.pools.prices_of_members(prices).items() if p}


def _dealt(solved: SolvedProgram, pools: Pools, rates: Rates) -> Rates:
    return of_members(solved.instance, solved.legs, pools, rates) if pools.classes else rates


def solve_rates(instance: MasterWorkerInstance, legs: Legs, control: Control) -> SolvedProgram:
    """Solve the program, again as long as its rates are too much for an odd set of processors.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    control
        Deadline, cancellation and progress of the solve.
    """
    while True:
        model = build_model(instance, legs, control.check)
        solved = solve_certified(model, control)
        if solved.status != "optimal" or solved.objective is None:
            raise AssertionError(f"master_worker is feasible and bounded, yet {solved.status}")
        rates = _rates(model, solved, legs)
        found = _overfull(instance, legs, rates, control)
        if not found:
            return SolvedProgram(instance, legs, model, solved, rates)
        legs = legs.knowing(found)


def resource_name(instance: MasterWorkerInstance, component: str, index: object) -> str:
    """Name the resource of a row.

    Parameters
    ----------
    component
        Name of the constraint.
    index
        Of the row: a processor, or the name of a resource.
    """
    if component == "compute" and isinstance(index, int):
        return compute_resource(instance.platform.processors[index].id)
    return str(index)


def _rates(model: Any, solved: CertifiedSolution, legs: Legs) -> Rates:
    found = (model.computed, model.input_sent, model.output_sent)
    return straighten(Rates(*map(solved.values_of, found)), legs)


def _overfull(
    instance: MasterWorkerInstance, legs: Legs, rates: Rates, control: Control
) -> list[OddSet]:
    shares = busy(instance, legs, rates)
    return overfull_sets(instance.platform, instance.ports, shares, control.check)


def _traffic(instance: MasterWorkerInstance, legs: Legs, model: Any) -> Iterator[Term]:
    """Give the time for which links are busy, as terms of flows."""
    task = instance.task
    for flows, size in ((model.input_sent, task.input_size), (model.output_sent, task.output_size)):
        for leg, variable in flows.items():
            yield size * sum((arc.unit_time for arc in legs.arcs(leg)), Fraction(0)), variable
