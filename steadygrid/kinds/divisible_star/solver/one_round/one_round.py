"""One round with latencies and without results: the best schedule, and what is proved of it."""

from collections.abc import Callable
from fractions import Fraction

from steadygrid.kinds.divisible_star.solver.one_round.local_search import improved
from steadygrid.kinds.divisible_star.solver.one_round.search import shorter
from steadygrid.kinds.divisible_star.solver.star.order_free import order_free_bound, truncated
from steadygrid.kinds.divisible_star.solver.star.sequence_load import (
    Order,
    Sending,
    best_alone,
    best_part,
)
from steadygrid.kinds.divisible_star.solver.star.star import Star

NEAR = Fraction(1, 200)
"""Gap from which on the search is about the best makespan itself."""


class OneRound:
    """A search that may be interrupted, and what it knows by then.

    Attributes
    ----------
    best
        The best schedule found.
    order_free
        What (10) of `order_free` proves.
    bound
        No schedule is shorter, or none in the order in which workers were chosen.
    nodes
        Partial sequences, or lines, that prove the bound; 0 where (10) does.
    """

    def __init__(self, star: Star) -> None:
        self.star = star
        self.best: Sending = best_alone(star)
        self.order_free = order_free_bound(star, self.best.makespan)
        self.bound = self.order_free
        self.nodes = 0

    def choose_along(self, order: Order, check: Callable[[], None]) -> None:
        """Choose participants who are sent to in an order, which is the only one that is allowed.

        All workers of the star are in the order.

        Parameters
        ----------
        order
            Workers in the order in which they are sent to, by place in the star.
        check
            May raise, which ends the work.
        """
        self.best, self.nodes = best_part(self.star, order, check)
        self.bound = self.best.makespan

    def improve(self, check: Callable[[], None]) -> None:
        """Search among the neighbours of the best schedule."""
        self.best = improved(self.star, self.best, check)

    def prove(self, check: Callable[[], None]) -> None:
        """Search until the best schedule is known to be optimal.

        Times between bound and makespan are excluded before the makespan is, since the search at a
        shorter time has fewer nodes: a search that is interrupted then knows something.
        """
        while self.bound < self.best.makespan:
            makespan = self.best.makespan
            aim = truncated(self.bound + (makespan - self.bound) / 3)
            if makespan - self.bound <= NEAR * makespan or aim <= self.bound:
                aim = makespan
            order, nodes = shorter(self.star, aim, check)
            if order is None:
                self.bound, self.nodes = aim, nodes
                continue
            self.best, _ = best_part(self.star, order, check)
            self.improve(check)
