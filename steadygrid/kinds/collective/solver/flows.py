"""Messages that differ: the program of flows, and what a single way for each can do."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from steadygrid.domain.platform import Arc
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.flows.cycles import without_cycles
from steadygrid.engine.flows.paths import paths_from
from steadygrid.engine.matching.shares import overfull_sets
from steadygrid.engine.scheduling.in_slots import Income
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.answer import Cheaper, Delivery, Optimum, Path, busy_arcs
from steadygrid.kinds.collective.solver.grouped_messages import Network, Series, path_to
from steadygrid.kinds.collective.solver.model import build_model
from steadygrid.kinds.collective.solver.proof import Proof

WHOLE = Fraction(1)


def by_flows(network: Network, control: Control) -> Optimum:
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
        ways = _decompose(network, solved.values_of(model.flow), solved.objective)
        busy = busy_arcs(network, ways)
        found = overfull_sets(network.platform, network.ports, busy, control.check)
        if not found:
            return Optimum(ways, solved.objective, Proof(solved.prices_of(model.capacity)))
        network = network.knowing(found)


def fastest_deliveries(network: Network) -> list[Delivery]:
    """Give each message the way on which it takes least time, once per time unit."""
    ways = []
    for series in network.series:
        found = network.reached(series)
        ways += [
            _delivery(series, end, path_to(series, found, end), WHOLE) for end in series.messages
        ]
    return ways


def cheapest_operation(network: Network, price: Callable[[Arc], Fraction]) -> Fraction:
    """Give what an operation costs, all messages on their cheapest ways, at prices of arcs.

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
    """Look for ways that cost less than a message is worth."""

    def look(
        _: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> list[Delivery]:
        def price(arc: Arc) -> Fraction:
            return worth.get(arc.index, Fraction(0)) * arc.unit_time

        ways = []
        for series in network.series:
            found = network.reached(series, price)
            ways += [
                _delivery(series, end, path_to(series, found, end), WHOLE)
                for end, message in series.messages.items()
                if message.size * found[end][0] < income(message.name)
            ]
        return ways

    return look


def _decompose(
    network: Network, flow: Mapping[tuple[int, int], Fraction], throughput: Fraction
) -> list[Delivery]:
    """Take the flows apart; what has no size takes its fastest way."""
    arcs = network.platform.arcs
    flows: list[dict[int, Fraction]] = [{} for _ in network.series]
    for (s, index), amount in flow.items():
        flows[s][index] = amount
    ways = []
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
                    ways.append(_delivery(series, end, travelled, amount / message.size))
            else:
                fastest = fastest or network.reached(series)
                ways.append(_delivery(series, end, path_to(series, fastest, end), throughput))
    return ways


def _delivery(series: Series, end: int, path: Path, rate: Fraction) -> Delivery:
    message = series.messages[end]
    return Delivery(message, path[0], ((message.origin, path),), rate)
