r"""Matchings of great weight, many times in one graph, by a linear program that stays warm.

.. math::
   \max \sum_e v_e x_e \quad\text{s.t.}\quad \sum_{e \ni i} x_e \le 1 \;\forall i, \qquad
   \sum_{e \subseteq B} x_e \le \frac{|B| - 1}{2} \;\forall B \text{ odd and known}, \quad x \ge 0

Without the second rows a vertex of the polytope is made of edges and of odd cycles of halves. These
cycles become known sets, and so do odd components of what is fractional later. Source: Edmonds,
*Maximum matching and a polyhedron with 0,1-vertices*, 1965.
"""

from collections.abc import Iterable, Sequence

import networkx as nx

from steadygrid.engine.matching.odd_sets import Pair
from steadygrid.engine.solving.float_reoptimize import ReweighedProgram
from steadygrid.engine.solving.scaling import Floats

_ROUNDS = 10
"""How often sets may become known before what is fractional is rounded."""
_WHOLE = 1e-6
"""Distance from a whole number of what is taken to be one, in floats."""


class HeavyMatchings:
    """The edges of a graph, of which matchings are wanted again and again.

    Parameters
    ----------
    edges
        In the order in which they are weighed.
    """

    def __init__(self, edges: Sequence[Pair]) -> None:
        self._edges = edges
        self._known: set[frozenset[int]] = set()
        self._program = ReweighedProgram(len(edges))
        at: dict[int, list[int]] = {}
        for k, edge in enumerate(edges):
            for vertex in edge:
                at.setdefault(vertex, []).append(k)
        for _, around in sorted(at.items()):
            self._program.limit(around, 1)

    def find(self, weights: Sequence[float] | Floats) -> tuple[Pair, ...]:
        """Find a matching that is probably the heaviest; edges without weight are no part of it.

        Raises
        ------
        SolverError
            If HiGHS ends without an optimum.
        """
        self._program.weigh(weights)
        values = self._program.solve()
        for _ in range(_ROUNDS):
            if not self._learn(values):
                break
            values = self._program.solve()
        return self._rounded(values, weights)

    def _learn(self, values: Sequence[float]) -> bool:
        """Add odd sets of vertices in which there are more halves than a matching has edges."""
        parts = nx.Graph(
            edge
            for edge, value in zip(self._edges, values, strict=True)
            if _WHOLE < value < 1 - _WHOLE
        )
        learned = False
        for component in map(frozenset, nx.connected_components(parts)):
            inner = [k for k, edge in enumerate(self._edges) if component.issuperset(edge)]
            most = (len(component) - 1) // 2
            odd = len(component) % 2 == 1 and component not in self._known
            if odd and sum(values[k] for k in inner) > most + _WHOLE:
                self._known.add(component)
                self._program.limit(inner, most)
                learned = True
        return learned

    def _rounded(
        self, values: Sequence[float], weights: Sequence[float] | Floats
    ) -> tuple[Pair, ...]:
        """Take what is most of an edge first, then what is heaviest."""
        order: Iterable[int] = sorted(
            range(len(values)), key=lambda k: (-round(values[k], 6), -weights[k], k)
        )
        taken: set[int] = set()
        chosen = []
        for k in order:
            if weights[k] > 0 and taken.isdisjoint(self._edges[k]):
                taken.update(self._edges[k])
                chosen.append(self._edges[k])
        return tuple(sorted(chosen))
