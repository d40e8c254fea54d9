"""What an operation costs whose message is combined two by two: in time, or in a fixed order."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from steadygrid.kinds.collective.referee_cuts import scaled_prices
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.referee_views import Moving
from steadygrid.verification.cheapest_combinations import (
    any_two,
    cheapest_combination,
    neighbours,
    pairs_of_any,
    pairs_of_neighbours,
)
from steadygrid.verification.cheapest_trees import Price
from steadygrid.verification.network import Network

MOST_SUMS = 20_000_000
"""Of two parts, at all who combine, that the referee tries itself."""
MOST_SOURCES = 12
"""Of which it makes all parts."""


def cheapest_reduction(
    network: Network, movement: Movement, prices: Mapping[str, Fraction]
) -> Fraction | None:
    """Price the cheapest method to combine the message. None where that cannot be told.

    Rules, in order: where there are not too many sources, the cheapest places for the combinations of
    neighbours, or of any two if the order may be any, and the cheapest paths to them. Where there
    are, n - 1 combinations by the cheapest processor.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        With one message, that is combined.
    prices
        By resource. What is not named is free.
    """
    ((sources, (receiver,), size),) = movement.messages.values()
    own = movement.combining
    times = dict.fromkeys(movement.copiers, Fraction(0)) if own is None else own
    each = {
        name: time * prices.get(network.computing(name), Fraction(0)) if time else Fraction(0)
        for name, time in times.items()
    }
    number = len(sources)
    pairs = pairs_of_neighbours(number) if movement.ordered else pairs_of_any(number)
    if pairs * len(times) > MOST_SUMS or (number > MOST_SOURCES and not movement.ordered):
        cost = (number - 1) * size * min(each.values(), default=Fraction(0))
        return cost if cost >= 1 else None
    hops, common = scaled_prices(network, prices, each.values())
    arcs: dict[str, list[tuple[str, Price]]] = {}
    for (here, there), price in hops.items():
        arcs.setdefault(here, []).append((there, price))
    joining: dict[str, Price] = {name: price * common for name, price in each.items()}
    whole = {n: p.numerator if p.denominator == 1 else p for n, p in joining.items()}
    parts = neighbours(number) if movement.ordered else any_two(number)
    cost_of_unit = cheapest_combination(arcs, sources, whole, receiver, parts)
    return Fraction(1) if cost_of_unit is None else size * cost_of_unit / common


def none_combines(
    network: Network, movement: Movement, message: Moving, inside: Collection[str]
) -> bool:
    """Tell whether none of some processors can combine all, as not everything gets there.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their route.
    message
        The one that is combined.
    inside
        Names of processors.
    """
    if movement.combining is None or len(message.sources) < 2:
        return False
    leaving: dict[str, list[str]] = {}
    for here, there in network.hops:
        leaving.setdefault(here, []).append(there)
    able = movement.combining.keys() & set(inside)
    for source in message.sources:
        reached, waiting = {source}, [source]
        for here in waiting:
            new = [there for there in leaving.get(here, ()) if there not in reached]
            reached.update(new)
            waiting += new
        able &= reached
    return not able
