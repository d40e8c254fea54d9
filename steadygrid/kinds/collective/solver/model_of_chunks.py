r"""The integer program of whole chunks, where more than links limits.

With :math:`y_e` whole chunks on the link e, :math:`a_{re}` the time of resource r that one takes there,
:math:`n_i` chunks of root i and T the time of an operation:

.. math::

   \min T \tag{24}

   \sum_e a_{re} y_e \le T \quad \forall r \tag{25}

   \sum_{e \text{ leaves } S} y_e \ge \sum_{i \in S} n_i \quad \forall S \tag{26}

   \sum_{e \text{ enters } w} y_e = \sum_{e \text{ leaves } w} y_e \quad \forall w \text{ that only forwards} \tag{27}

(26) has the sets that were found to matter; by Edmonds, and Bang-Jensen, Frank and Jackson, trees for all
chunks then fit into y. Of an allreduce each chunk is combined on the tree on which it is spread, and
:math:`y_e` in (25) is what goes in both directions. Feasible, since all chunks of a root can be sent
along one tree, unless an allreduce has links in one direction only; bounded.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

import pyomo.core as pyo

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.arborescences.cuts import violated
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import search_mixed_integer
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.copies import Copies

Arc = tuple[int, int]


class ChunkProgram:
    """Program (24)-(27) as it grows, by a row of (26) at a time.

    ============== ===== ======================= ==============================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ==============================================
    ``carried``    Var   arc                     y, whole chunks
    ``time``       Var                           T, per unit of the size of a chunk
    ``shortest``   Obj                           (24)
    ``capacity``   Con   resource name           (25), time
    ``kept``       Con   processor               (27), chunks
    ``crossed``    Con   position                (26), chunks
    ============== ===== ======================= ==============================================

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    chunks
        By root.
    both
        Whether each chunk goes in both directions.
    """

    def __init__(self, copies: Copies, chunks: Mapping[int, int], *, both: bool) -> None:
        self._copies, self._chunks = copies, chunks
        self._arcs = [
            arc for arc in copies.arcs if not both or copies.ends(arc)[::-1] in copies.arc_between
        ]
        self._known: set[frozenset[int]] = set()
        self.model = model = pyo.ConcreteModel(name="chunks")
        model.carried = pyo.Var([arc.index for arc in self._arcs], domain=pyo.NonNegativeIntegers)
        model.time = pyo.Var(domain=pyo.NonNegativeReals)
        model.shortest = pyo.Objective(expr=linear([(1, model.time)]), sense=pyo.minimize)
        busy: dict[str, Terms] = defaultdict(lambda: [(-1, model.time)])
        kept: dict[int, Terms] = defaultdict(list)
        for arc in self._arcs:
            carried = model.carried[arc.index]
            back = copies.arc_between.get(copies.ends(arc)[::-1]) if both else None
            for used in (arc, back) if back is not None else (arc,):
                for resource, time in copies.uses(used):
                    busy[resource].append((time, carried))
            for end, sign in zip(copies.ends(arc), (-1, 1), strict=True):
                if end not in copies.members:
                    kept[end].append((sign, carried))
        model.capacity = pyo.Constraint(list(busy), rule=lambda _, r: linear(busy[r]) <= 0)
        model.kept = pyo.Constraint(list(kept), rule=lambda _, w: linear(kept[w]) == 0)
        model.crossed = pyo.Constraint(pyo.NonNegativeIntegers)
        complete = frozenset(range(copies.number))
        self.add([complete - {end} for end in copies.receivers])
        self.add([frozenset({root}) for root in chunks])

    def add(self, cuts: Collection[frozenset[int]]) -> int:
        """Add rows of (26) for sets that some chunks have to leave; give how many are new."""
        model, copies, number = self.model, self._copies, 0
        for cut in cuts:
            needed = sum(count for root, count in self._chunks.items() if root in cut)
            if cut in self._known or not needed or cut >= copies.receivers:
                continue
            crossing: Terms = [
                (1, model.carried[arc.index])
                for arc in self._arcs
                if copies.ends(arc)[0] in cut and copies.ends(arc)[1] not in cut
            ]
            model.crossed[len(self._known)] = linear(crossing) >= needed
            self._known.add(cut)
            number += 1
        return number

    def solve(self, control: Control) -> dict[Arc, int] | None:
        """Give the whole chunks on arcs of a solution. None where none was found in time.

        Parameters
        ----------
        control
            Ends the search.
        """
        copies = self._copies
        try:
            while (found := search_mixed_integer(self.model, control).best) is not None:
                carried = {
                    copies.ends(copies.platform.arcs[index]): round(amount)
                    for index, amount in found.values_of(self.model.carried).items()
                }
                cuts = violated(copies.number, carried, self._chunks, copies.receivers)
                if not self.add(cuts):
                    return carried
        except (OutOfTime, SolverError):
            return None
        return None
