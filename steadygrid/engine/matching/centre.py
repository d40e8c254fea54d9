"""Where to look for columns: between the prices of a program that grows and those of its bound."""

from math import inf

from steadygrid.engine.solving.scaling import Floats


class Centre:
    """The prices with the best bound so far, near which the next ones are looked for.

    Prices of a program that has few of its columns jump to and fro; between them and those that
    prove most there are better matchings, and fewer are needed. Source: Wentges, *Weighted
    Dantzig-Wolfe decomposition for linear mixed-integer programming*, 1997.
    """

    def __init__(self, room: Floats) -> None:
        self._room = room
        self._best: Floats | None = None
        self._bound = inf

    def between(self, prices: Floats, weight: float) -> Floats:
        """Go from these prices a part of the way to the centre.

        Parameters
        ----------
        prices
            By edge, and one more at the end, which the bound does not count.
        weight
            0 stays at these prices, 1 goes to the centre.
        """
        return prices if self._best is None else weight * self._best + (1 - weight) * prices

    def learn(self, prices: Floats, heaviest: float) -> None:
        """Take over prices whose bound is better: what edges are worth, and the heaviest matching.

        Parameters
        ----------
        prices
            By edge, and one more at the end, which the bound does not count.
        heaviest
            Weight of the heaviest matching at these prices.
        """
        bound = float(prices[:-1] @ self._room[:-1]) + max(heaviest, 0.0)
        if bound < self._bound:
            self._best, self._bound = prices, bound
