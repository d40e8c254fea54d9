"""What circuits need together, where each firing moves one token."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, gcd, lcm

from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.kinds.dataflow.schemas import CountedRow, DataflowInstance


class WrongRowError(Exception):
    """Rows prove nothing.

    Attributes
    ----------
    row
        The number of the first that is no circuit. None if that is not why.
    """

    def __init__(self, row: int | None = None) -> None:
        super().__init__(row)
        self.row = row


def needed_together(
    instance: DataflowInstance,
    graph: Graph,
    rows: Sequence[CountedRow],
    target: Fraction,
    weights: Mapping[str, Fraction],
    least: Mapping[str, int],
) -> Fraction:
    """Add up what circuits need at a period.

    A circuit advances by as many iterations as there are tokens on it, so at a period T it has as many
    as its time over T, rounded up. Free places are tokens, too: those of a channel are its places less
    its tokens. Where rows count a place for no more than its weight, the weighted places are at least
    the sum of what the rows need, and what is not counted of a weight times the least places.

    Parameters
    ----------
    instance
        That asks for the fewest places.
    graph
        Its actors and channels.
    rows
        Circuits with their factors.
    target
        Period to be reached.
    weights, least
        Of the channels whose places are counted, by name: what a place counts, and the fewest places.

    Returns
    -------
    Fraction
        Weighted places, rounded up to what whole places add up to.

    Raises
    ------
    WrongRowError
        If a row is no circuit, actors have phases or other rates, or rows count a place for more than
        its weight.
    """
    rates = {
        rate
        for channel in instance.graph.channels
        for given in (channel.production, channel.consumption)
        for rate in (given if isinstance(given, tuple) else (given,))
    }
    if rates - {1} or any(phases != 1 for phases in graph.phases):
        raise WrongRowError
    left, total = {**weights}, Fraction(0)
    for number, row in enumerate(rows):
        counts = dict.fromkeys(weights, 0)
        need = _need(instance, graph, row, target, counts)
        if need is None:
            raise WrongRowError(number)
        total += row.factor * need
        for name, count in counts.items():
            left[name] -= row.factor * count
    if any(rest < 0 for rest in left.values()):
        raise WrongRowError
    total += sum((rest * least[name] for name, rest in left.items()), Fraction(0))
    scale = lcm(*(weight.denominator for weight in weights.values()))
    unit = Fraction(gcd(*(int(weight * scale) for weight in weights.values())), scale)
    return unit * ceil(total / unit)


def _need(
    instance: DataflowInstance,
    graph: Graph,
    row: CountedRow,
    target: Fraction,
    counts: dict[str, int],
) -> int | None:
    """Give the places that a circuit needs, and count its channels. None where it is none."""
    if len(row.actors) != len(row.channels) or max(row.actors) >= len(graph.names):
        return None
    given, time, tokens = instance.capacities or {}, Fraction(0), 0
    for j, (actor, number) in enumerate(zip(row.actors, row.channels, strict=True)):
        maker = row.actors[j - 1]
        time += graph.time(actor, 0)
        if number < 0:
            if not graph.sequential or maker != actor:
                return None
            tokens += 1
            continue
        if number >= 2 * len(graph.channels):
            return None
        channel = graph.channels[number % len(graph.channels)]
        ends = channel.source, channel.target
        if number < len(graph.channels):
            tokens += channel.initial
        else:
            ends = ends[::-1]
            tokens -= channel.initial
            if channel.name in given:
                tokens += given[channel.name]
            elif channel.name in counts:
                counts[channel.name] += 1
            else:
                return None
        if ends != (maker, actor):
            return None
    return ceil(time / target) - tokens
