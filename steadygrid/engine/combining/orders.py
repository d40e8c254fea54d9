"""Orders of sources in which neighbours are cheap to combine, where there are too many for all parts."""

from collections.abc import Callable, Sequence
from random import Random

from steadygrid.engine.combining.parts import intervals
from steadygrid.engine.combining.table import Combined, Places, Price, Prices, Table

TURNS = 12
"""Orders that are tried, each for the best tree so far."""


def cheap_trees(
    places: Places,
    prices: Prices,
    joining: Sequence[Price],
    known: Sequence[Combined],
    random: Random,
    check: Callable[[], None],
) -> list[tuple[Price, Combined]]:
    """Find trees that are cheap at some prices, from known ones and from sources in any order.

    Each is the cheapest of those that combine neighbours in some order. The first order is that of
    the leaves of a known tree, then with the operands of some of its joins exchanged, which keeps
    it among the trees that are possible.

    Parameters
    ----------
    places
        Where the data of the sources lies, where it may be combined, and where it goes.
    prices
        Of data, by arc; at least 0.
    joining
        Price of a combination, by combiner; at least 0.
    known
        Trees whose orders of leaves are tried first.
    random
        Draws one more order, and the joins whose operands are exchanged.
    check
        Called while trees are computed; may raise.

    Returns
    -------
    list
        Prices and trees, the cheapest first.
    """
    count = len(places.owners)
    starts = [leaves(tree) for tree in known] + [tuple(random.sample(range(count), count))]
    best: list[tuple[Price, Combined]] = []
    for order in starts:
        found = Table(intervals(order), places, prices, joining, check).trees(1)
        for _ in range(TURNS):
            turned = leaves(found[0][1], random)
            other = Table(intervals(turned), places, prices, joining, check).trees(1)
            found = min(found, other, key=lambda each: each[0][0])
        best += found
    return sorted(dict.fromkeys(best), key=lambda each: each[0])


def leaves(tree: Combined, random: Random | None = None) -> tuple[int, ...]:
    """List the sources of a tree from left to right, operands exchanged at random.

    Parameters
    ----------
    tree
        A tree of combinations.
    random
        Draws the joins whose operands are exchanged. None: none are.
    """
    found: list[int] = []
    waiting = [~(len(tree.joins) - 1)] if tree.joins else [0]
    while waiting:
        data = waiting.pop()
        if data >= 0:
            found.append(data)
            continue
        join = tree.joins[~data]
        operands = [join.second, join.first]
        if random is not None and random.random() < 0.5:
            operands.reverse()
        waiting += operands
    return tuple(found)
