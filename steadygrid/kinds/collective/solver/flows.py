"""Messages that differ: the program of flows, and what a single route for each can do."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Arc
from steadygrid.domain.preferred import Preferred
from steadygrid.engine.exact import CertifiedSolution, solve_certified
from steadygrid.engine.exact.optimal_face import OptimalFace
from steadygrid.engine.flows.cycles import without_cycles
from steadygrid.engine.flows.paths import paths_from
from steadygrid.engine.matching.shares import overfull_sets
from steadygrid.engine.scheduling.in_slots import Income
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.second_objective import (
    MORE_ALLOCATIONS,
    NO_PROOF,
    NO_TIME,
    time_for_second,
)
from steadygrid.kinds.collective.solver.answer import Cheaper, Delivery, Optimum, Path, busy_arcs
from steadygrid.kinds.collective.solver.grouped_messages import Network, Series, path_to
from steadygrid.kinds.collective.solver.model import build_model
from steadygrid.kinds.collective.solver.proof import Proof

WHOLE = Fraction(1)


def by_flows(network: Network, options: Options, control: Control) -> Optimum:
    """Give optimal flows, and of all of them those of least traffic where that is wanted.

    Parameters
    ----------
    options
        `prefer` is read.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    """
    program = solve_flows(network, control)
    prices = program.solution.prices_of(program.model.capacity)
    optimum = Optimum(program.routes, program.throughput, Proof(prices))
    if options.prefer == "any":
        return optimum
    return _with_least_traffic(program, optimum, options.prefer is not None, control)


@dataclass(frozen=True)
class SolvedFlows:
    """The program of flows, solved. Its flows fill no odd set too much."""

    network: Network
    model: Any
    solution: CertifiedSolution
    throughput: Fraction
    routes: list[Delivery]

    def price(self, component: str, index: Any) -> Fraction:
        """Give the price of a row by its names; 0 for rows that the program does not have."""
        rows = self.model.component(component)
        if index not in rows:
            return Fraction(0)
        return self.solution.prices_of({index: rows[index]}).get(index, Fraction(0))

    def least_traffic(self, control: Control) -> tuple[list[Delivery], int, dict[str, Fraction]]:
        """Find the optimal routes of least traffic, with what proves that, see `Preferred`."""
        network, model = self.network, self.model
        face = OptimalFace.of_solution(self.solution)
        while True:
            arcs = network.platform.arcs
            terms = [(arcs[index].unit_time, flow) for (_, index), flow in model.flow.items()]
            least = face.least(terms, control)
            routes = _decompose(network, least.values_of(model.flow), self.throughput)
            busy = busy_arcs(network, routes)
            found = overfull_sets(network.platform, network.ports, busy, control.check)
            if not found:
                return routes, least.worth, least.combined_prices_of(model.capacity)
            network = network.knowing(found)
            model = build_model(network, control.check)
            face = OptimalFace.of_model(model, self.price, control.check)


def solve_flows(network: Network, control: Control) -> SolvedFlows:
    """Solve the program, again as long as its flows are too much for an odd set of processors.

    Parameters
    ----------
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    """
    while True:
        model = build_model(network, control.check)
        solved = solve_certified(model, control)
        if solved.status != "optimal" or solved.objective is None or not solved.objective:
            raise AssertionError(f"messages can arrive, yet the program is {solved.status}")
        routes = _decompose(network, solved.values_of(model.flow), solved.objective)
        busy = busy_arcs(network, routes)
        found = overfull_sets(network.platform, network.ports, busy, control.check)
        if not found:
            return SolvedFlows(network, model, solved, solved.objective, routes)
        network = network.knowing(found)


def _with_least_traffic(
    program: SolvedFlows, optimum: Optimum, asked: bool, control: Control
) -> Optimum:
    """Give the optimal routes of least traffic. The first ones where these cannot be had, or are fewer."""
    before = traffic_of(program.network, optimum.routes)
    try:
        part = control.limited(time_for_second(control), silent=True)
        routes, worth, prices = program.least_traffic(part)
    except OutOfTime:
        return replace(optimum, notes=(NO_TIME,))
    except (CertificationError, SolverError):
        return replace(optimum, notes=(NO_PROOF,))
    value = traffic_of(program.network, routes)
    if value == before:
        routes = list(optimum.routes)
    elif not asked and len(routes) > len(optimum.routes):
        note = MORE_ALLOCATIONS.format(len(routes), len(optimum.routes))
        return replace(optimum, notes=(note,))
    preferred = Preferred(
        name="least_traffic",
        value=value,
        before=before,
        proof="exact",
        worth=Fraction(worth),
        prices=prices,
    )
    return replace(optimum, routes=routes, preferred=preferred)


def traffic_of(network: Network, routes: Iterable[Delivery]) -> Fraction:
    """Give the time per time unit for which links carry messages, summed up over all links.

    Parameters
    ----------
    network
        The part of the platform that messages may use, with the messages by their common ends.
    routes
        With their rates, in operations per time unit.
    """
    return sum(busy_arcs(network, routes).values(), Fraction(0))


def fastest_deliveries(network: Network) -> list[Delivery]:
    """Give each message the route on which it takes least time, once per time unit."""
    routes = []
    for series in network.series:
        found = network.reached(series)
        routes += [
            _delivery(series, end, path_to(series, found, end), WHOLE) for end in series.messages
        ]
    return routes


def cheapest_operation(network: Network, price: Callable[[Arc], Fraction]) -> Fraction:
    """Give what an operation costs, all messages on their cheapest routes, at prices of arcs.

    Parameters
    ----------
    network
        The part of the platform that messages may use, with the messages by their common ends.
    price
        Of a unit of data on an arc.
    """
    cost = Fraction(0)
    for series in network.series:
        found = network.reached(series, price)
        for end, message in series.messages.items():
            cost += message.size * found[end][0]
    return cost


def cheaper(network: Network) -> Cheaper:
    """Look for routes that cost less than a message is worth."""

    def look(
        _: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> list[Delivery]:
        def price(arc: Arc) -> Fraction:
            return worth.get(arc.index, Fraction(0)) * arc.unit_time

        routes = []
        for series in network.series:
            found = network.reached(series, price)
            routes += [
                _delivery(series, end, path_to(series, found, end), WHOLE)
                for end, message in series.messages.items()
                if message.size * found[end][0] < income(message.name)
            ]
        return routes

    return look


def _decompose(
    network: Network, flow: Mapping[tuple[int, int], Fraction], throughput: Fraction
) -> list[Delivery]:
    """Take the flows apart. What has no size takes its fastest route."""
    arcs = network.platform.arcs
    flows: list[dict[int, Fraction]] = [{} for _ in network.series]
    for (s, index), amount in flow.items():
        flows[s][index] = amount
    routes = []
    for series, carried in zip(network.series, flows, strict=True):
        straight = without_cycles(arcs, carried)
        found = paths_from(
            series.root,
            {series.ends(arcs[index]): amount for index, amount in straight.items()},
            {end: message.size * throughput for end, message in series.messages.items()},
        )
        fastest = None
        for end, message in series.messages.items():
            if message.size:
                for path, amount in found[end]:
                    travelled = tuple(reversed(path)) if series.home else path
                    routes.append(_delivery(series, end, travelled, amount / message.size))
            else:
                fastest = fastest or network.reached(series)
                routes.append(_delivery(series, end, path_to(series, fastest, end), throughput))
    return routes


def _delivery(series: Series, end: int, path: Path, rate: Fraction) -> Delivery:
    message = series.messages[end]
    return Delivery(message, path[0], ((message.origin, path),), rate)
