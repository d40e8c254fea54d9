"""From trees to what travels on them, and where it is combined."""

from fractions import Fraction

from steadygrid.domain.combination import Combination
from steadygrid.kinds.collective.solver.answer import Delivery
from steadygrid.kinds.collective.solver.copies import Copies, Tree


def travelling(copies: Copies, tree: Tree, rate: Fraction) -> Delivery:
    """Let a message travel on its tree, away from the root or, combined on the route, to it.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    tree
        Of one message.
    rate
        In operations per time unit.
    """
    names = [processor.id for processor in copies.platform.processors]
    if not copies.network.series[0].combined:
        moves = tuple((tree.message.origin, route) for route in tree.routes)
        return Delivery(tree.message, tree.root, moves, rate)
    has = {copies.platform.index_by_id[name]: [name] for name in tree.message.sources}
    combinations: list[Combination] = []
    moved = []
    for route in (*reversed(tree.routes), (tree.root,)):
        operands = has[route[-1]]
        data = operands[0]
        if len(operands) > 1:
            place = names[route[-1]]
            combinations.append(Combination(len(combinations), place, tuple(operands)))
            data = combinations[-1].outcome
        if len(route) > 1:
            has.setdefault(route[0], []).append(data)
            moved.append((data, tuple(reversed(route))))
    return Delivery(tree.message, tree.root, tuple(moved), rate, tuple(combinations))
