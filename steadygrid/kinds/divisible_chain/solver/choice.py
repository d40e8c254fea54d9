"""Who computes what: searched for by cases, each proved by prices of its own.

Cases are split until the shares that are best in the case with the lowest bound need no more than
the program said. All of them together prove the optimum over every choice; whenever the search
ends, the lowest bound of those cases that it has come to holds for every choice.
"""

import heapq
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain.solver.cases import Case, Group, Rules, groups_of
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain, Shares
from steadygrid.kinds.divisible_chain.solver.goal import Goal
from steadygrid.kinds.divisible_chain.solver.program import Optimum, Unproved, solve_case
from steadygrid.kinds.divisible_chain.solver.proof import (
    Found,
    Part,
    Proof,
    holds,
    proof_of,
    value_of,
)
from steadygrid.kinds.divisible_chain.solver.timing import earliest

MOST_CASES = 500
"""Of a proof."""
MOST_PRICES = 100_000
"""Of a proof, over all its cases."""


def solve_program(chain: Chain, goal: Goal, control: Control) -> Found:
    """Find the best shares over all choices of who computes what.

    For the makespan the processors are let in by their availability, while that lies before the
    best makespan known. A schedule with a shorter makespan cannot use the others.

    Returns
    -------
    Found
        Optimal, unless the cases became too many. Its bound holds in any case.

    Raises
    ------
    Cancelled, OutOfTime
        `Unproved` where the time is over.
    """
    if goal.name != "makespan":
        return _Search(chain, goal, chain.workers, control).run()
    best: Found | None = None
    for date in sorted({chain.available[i] for i in chain.workers}):
        if best is not None and date >= best.value:
            break
        workers = tuple(i for i in chain.workers if chain.available[i] <= date)
        if not chain.can_compute_all(workers):
            continue
        earlier = best.proof if best else _prove_no_earlier_end(chain, goal, date)
        search = _Search(chain, goal, workers, control)
        try:
            best = _better(chain, goal, best, search.run(), earlier)
        except Unproved as unproved:
            found = unproved.found
            if found is not None or best is not None:
                found = _better(chain, goal, best, found, earlier)
            raise Unproved(unproved.known, found) from unproved
    if best is None:
        raise AssertionError("every load has a processor")
    return best


def _prove_no_earlier_end(chain: Chain, goal: Goal, date: Fraction) -> Proof:
    """Prove that nothing ends before a date, since no processor can compute some load before."""
    early = tuple(i for i in chain.workers if chain.available[i] < date)
    return proof_of(chain, goal, early, [Part(Rules(chain, goal, early), None, {})])


def _better(
    chain: Chain, goal: Goal, known: Found | None, found: Found | None, earlier: Proof
) -> Found:
    """Take the better shares, and the higher of the bounds that hold."""
    best = min((one for one in (found, known) if one is not None), key=lambda one: one.value)
    proofs = [earlier, *([] if found is None else [found.proof])]
    valid = [proof for proof in proofs if holds(chain, goal, proof)]
    return replace(best, proof=max(valid, key=lambda proof: proof.value))


class _Search:
    """The search over the cases of some processors, the lowest bound first."""

    def __init__(
        self,
        chain: Chain,
        goal: Goal,
        workers: tuple[int, ...],
        control: Control,
    ) -> None:
        self.chain = chain
        self.goal = goal
        self.workers = workers
        self.control = control
        self.best: tuple[Fraction, Shares] | None = None
        self.open: list[tuple[Fraction, int, Optimum]] = []
        self.impossible: list[Part] = []
        self.number = count()
        self.prices = 0

    def run(self) -> Found:
        """Search until nothing better is left, or there are too many cases.

        Raises
        ------
        Cancelled, OutOfTime
            `Unproved`, with what was found before.
        """
        try:
            root = Rules(self.chain, self.goal, self.workers)
            if not root.is_decided:
                for case in self._usual_cases():
                    self._solve(replace(root, case=case))
            self._keep(self._solve(root))
            while self._split_lowest():
                pass
        except Unproved as unproved:
            raise Unproved(unproved.known, self._found()) from unproved
        found = self._found()
        assert found is not None
        return found

    def _found(self) -> Found | None:
        if self.best is None:
            return None
        parts = [Part(optimum.rules, optimum.value, optimum.prices) for _, _, optimum in self.open]
        if not parts:
            rules = Rules(self.chain, self.goal, self.workers)
            parts = [Part(rules, -self.goal.constant, {})]
        proof = proof_of(self.chain, self.goal, self.workers, [*parts, *self.impossible])
        return Found(self.best[1], self.best[0], proof)

    def _usual_cases(self) -> Iterator[Case]:
        """Give those in which all processors available by some date compute some of everything."""
        chain = self.chain
        groups = [group for i in self.workers for group in groups_of(chain, i)]
        for date in sorted({chain.available[i] for i in self.workers}):
            if self.best is not None and self._least(date) >= self.best[0]:
                return
            early = [i for i in self.workers if chain.available[i] <= date]
            if chain.can_compute_all(early):
                computes = frozenset(group for group in groups if group.processor in early)
                closing = frozenset(range(1, chain.num_loads))
                yield Case(computes, frozenset(groups) - computes, closing)

    def _least(self, date: Fraction) -> Fraction:
        return self.goal.value(date, [date] * self.chain.num_loads)

    def _solve(self, rules: Rules) -> Optimum:
        """Solve a case, and keep its shares if they are the best."""
        optimum = solve_case(rules, self.control)
        value = value_of(self.chain, self.goal, optimum.shares)
        if self.best is None or value < self.best[0]:
            self.best = value, optimum.shares
        self.control.progress(value=self.best[0])
        return optimum

    def _keep(self, optimum: Optimum) -> None:
        self.prices += len(optimum.prices)
        heapq.heappush(self.open, (optimum.value, next(self.number), optimum))

    def _split_lowest(self) -> bool:
        """Split the case with the lowest bound, unless that is enough or the proof too long."""
        assert self.best is not None
        value, _, optimum = self.open[0]
        if value >= self.best[0] or len(self.open) >= MOST_CASES or self.prices > MOST_PRICES:
            return False
        rules = optimum.rules
        children: list[Optimum | Rules] = []
        for case in rules.case.split(_undecided(optimum)):
            child = replace(rules, case=case)
            children.append(self._solve(child) if child.is_possible else child)
        heapq.heappop(self.open)
        self.prices -= len(optimum.prices)
        for solved in children:
            if isinstance(solved, Optimum):
                self._keep(solved)
            else:
                self.impossible.append(Part(solved, None, {}))
        if self.goal.name != "makespan":  # else others may come, and end earlier
            self.control.progress(bound=self.open[0][0])
        return True


def _undecided(optimum: Optimum) -> Group | int:
    """Give what the program got wrong: a load that closes or not, or a group."""
    rules = optimum.rules
    chain, case = rules.chain, rules.case
    timing = earliest(chain, optimum.shares)
    groups = [
        group
        for i in rules.workers
        for group in groups_of(chain, i)
        if group not in case.computes and any((i, t) in timing.computed for t in group.steps)
    ]
    for load, completion in optimum.completions.items():
        if timing.completions[load] <= completion or not rules.goal.weights[load]:
            continue
        if chain.in_one_round and load and load not in case.closing | case.overtaking:
            return load
        late = {
            group: max(timing.computed.get((group.processor, t), ZERO) for t in group.steps)
            for group in groups
            if chain.sequence[group.steps[0]].load == load
        }
        if late and (worst := max(late, key=late.__getitem__)) and late[worst] > completion:
            return worst
    # Only what the first processor computed before its release is left.
    return next(
        group
        for group in groups
        if group.processor == 0
        and rules.waits[group.steps[0]] < chain.released[chain.sequence[group.steps[0]].load]
    )


def finish_together(chain: Chain, control: Control) -> dict[int, Fraction]:
    """Divide the only load of a chain, in one installment, so that it is done soonest.

    Parameters
    ----------
    chain
        With one load, in one installment.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    dict
        Fraction of the load by position of the processor.
    """
    found = solve_program(chain, Goal("makespan"), control)
    return {i: share for (i, _), share in found.shares.items()}
