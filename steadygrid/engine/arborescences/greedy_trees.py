"""Cheap trees that reach some members, however many, found step by step."""

from collections.abc import Callable, Collection, Mapping

from steadygrid.engine.arborescences.cheapest import cheapest_arborescence
from steadygrid.engine.arborescences.cuts import Arc, Number
from steadygrid.engine.arborescences.journeys import Journeys, SteinerTree


def nearest_receivers_trees(
    prices: Mapping[Arc, Number],
    ends: Mapping[int, Collection[int]],
    members: Collection[int],
    number: int,
    check: Callable[[], None] = lambda: None,
) -> dict[int, SteinerTree]:
    """Reach the receiver next to each tree, one after the other; then choose relays anew.

    Parameters and errors as of `cheapest_steiner_trees`, for any number of receivers.

    Parameters
    ----------
    prices
        By arc, at least 0.
    ends
        By root, a member: whom its tree reaches, members.
    members
        Who may copy.
    number
        The vertices are ``0..number-1``.
    check
        Called between steps; may raise.

    Notes
    -----
    H. Takahashi, A. Matsuyama, *An approximate solution for the Steiner problem in graphs*, 1980;
    here in directed networks, where nothing is proved about how much the tree costs more. Then
    members are left out or taken in, one by one, as long as the cheapest arborescence of those that
    are in gets cheaper.
    """
    journeys = Journeys(prices, members, number, check)
    trees = {}
    for root, receivers in ends.items():
        found = journeys.tree(root, _next_to_next(journeys, root, receivers), receivers)
        trees[root] = _with_other_relays(journeys, root, receivers, found, check)
    return trees


def _next_to_next(journeys: Journeys, root: int, receivers: Collection[int]) -> list[Arc]:
    goals = set(journeys.goals(root, receivers))
    reached = {journeys.position[root]: None}
    legs: list[Arc] = []
    while goals:
        _, start, goal = min((journeys.price[i, j], i, j) for i in reached for j in sorted(goals))
        legs.append((start, goal))
        passed = journeys.stops(start, goal)
        reached.update(dict.fromkeys(passed))
        goals.difference_update(passed)
    return legs


def _with_other_relays(
    journeys: Journeys,
    root: int,
    receivers: Collection[int],
    best: SteinerTree,
    check: Callable[[], None],
) -> SteinerTree:
    fixed = {root, *receivers}
    improved = True
    while improved:
        improved = False
        for relay in sorted(journeys.position.keys() - fixed):
            check()
            inside = fixed | {route[-1] for route in best.routes}
            tree = _tree_over(journeys, root, receivers, inside ^ {relay})
            if tree is not None and tree.cost < best.cost:
                best, improved = tree, True
    return best


def _tree_over(
    journeys: Journeys, root: int, receivers: Collection[int], inside: Collection[int]
) -> SteinerTree | None:
    places = [journeys.position[member] for member in inside]
    costs = {
        (i, j): int(journeys.price[i, j])
        for i in places
        for j in places
        if i != j and journeys.price[i, j] < journeys.never
    }
    try:
        found = cheapest_arborescence(costs, journeys.position[root], places)
    except ValueError:
        return None  # A relay that cannot be reached.
    return journeys.tree(root, found.arcs, receivers)
