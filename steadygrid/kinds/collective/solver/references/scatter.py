"""A multicast as a scatter of equal messages."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.job import Options
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.best_trees import Packing
from steadygrid.kinds.collective.solver.copies import Copies, Path, Tree, message_of
from steadygrid.kinds.collective.solver.flows import by_flows


def scatter(copies: Copies, control: Control) -> Packing:
    """Find flows that bring each target a message of its own, and send the message along them.

    It comes once to each processor that is on several paths to targets and may copy. The throughput
    is that of messages which differ.

    Parameters
    ----------
    copies
        With one message.
    control
        Deadline, cancellation and progress of the solve.
    """
    (series,) = copies.series
    message = message_of(series)
    platform = copies.platform
    own = {
        end: message._replace(
            name=platform.processors[end].id, receivers=(platform.processors[end].id,)
        )
        for end in series.messages
    }
    alone = replace(copies.network, series=[replace(series, messages=own)])
    found = by_flows(alone, Options(prefer="any"), control)
    paths: dict[int, list[tuple[Path, Fraction]]] = {end: [] for end in own}
    for route in found.routes:
        ((_, path),) = route.moves
        paths[path[-1]].append((path, route.rate))
    rates: Amounts[Tree] = Amounts()
    for routes, rate in _side_by_side([*paths.values()]):
        rates[copies.regrown(Tree(message, series.root, routes))] += rate
    return Packing([*rates.items()], found.throughput)


def _side_by_side(
    listed: Sequence[Sequence[tuple[Path, Fraction]]],
) -> list[tuple[tuple[Path, ...], Fraction]]:
    """Put rates of paths that have the same sum side by side: a path of each, as often as all last."""
    ends = [list(accumulate(rate for _, rate in paths)) for paths in listed]
    marks = sorted({Fraction(0)}.union(*ends))
    places = [0] * len(listed)
    found = []
    for low, high in pairwise(marks):
        for k, until in enumerate(ends):
            while until[places[k]] <= low:
                places[k] += 1
        routes = tuple(paths[place][0] for paths, place in zip(listed, places, strict=True))
        found.append((routes, high - low))
    return found
