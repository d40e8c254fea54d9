r"""Cases of who computes what: the referee's own reading of which constraints hold in them.

A load is complete when the processors that compute some of it have done so. A bound has to hold
for every choice of them, so that a price counts only on a constraint that holds in its case:

* *A load completes no earlier than a processor passes installment t* of a group of which it
  computes some. With t the last of the group that is right even where that one is empty. An
  installment that stays empty behind some link arrives there with what went before it in the
  group, and a processor that computes that is done no earlier. Under ``strict_one_port`` links
  further down may hold an empty installment up longer. But not for the first processor, nor for the
  last two.
* *A load completes no earlier than any processor passes the loads up to it* if it completes last
  of these. The same holds of loads behind it, if each of them completes earlier than some load
  before. For all that reaches the processor is computed by then, or is empty and
  arrived with what was computed. A processor has to be available: no later than some of these
  loads is released, or because it computes some group of them.
* *A load completes no earlier than it would alone on the chain*, in the time of its shares.
* *The first processor starts no computation before the release* of a load of which it computes
  some. Of others only what is released before all that may still come.

Cases that leave nothing out are what a tree of such decisions has as its leaves.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.divisible_chain.schemas import CaseGroup, ProofCase
from steadygrid.kinds.divisible_chain.terms import Terms
from steadygrid.verification.findings import Findings

MOST_CASES = 1_000
"""That are looked at: the work grows with the square."""

Group = tuple[int, int]
"""A processor, and the position of the first installment of its group."""
Decision = Group | int
"""Of a group: whether any of it is computed; of a load: whether it completes last so far."""


@dataclass(frozen=True)
class Case:
    """What is decided, and what may still be computed.

    Attributes
    ----------
    decided
        True where a group is computed in part, or where a load closes.
    able
        By processor, the installments that it may compute, in order.
    releases
        By installment that the first processor may compute, the first date at which that one or a
        later one is released.
    """

    decided: Mapping[Decision, bool]
    able: Mapping[int, Sequence[int]]
    releases: Mapping[int, Fraction]

    def may_compute(self, i: int, t: int) -> bool:
        """Tell whether a processor may compute some of an installment.

        Parameters
        ----------
        i
            Position of the processor along the chain.
        t
            Position of the installment in the sequence.
        """
        row = self.able.get(i, ())
        place = bisect_left(row, t)
        return place < len(row) and row[place] == t


class Reading:
    """The chain as cases see it.

    Parameters
    ----------
    workers
        Who may compute; in no case do the others.
    """

    def __init__(self, terms: Terms, workers: Collection[int]) -> None:
        self._terms = terms
        self.workers = sorted(workers)
        self.load_of = [load for load, _ in terms.sequence]
        self._steps = {key: t for t, key in enumerate(terms.sequence)}
        self.groups = {i: self._groups(i) for i in self.workers}
        self._group_of = {
            (i, t): (i, first)
            for i, groups in self.groups.items()
            for first, group in groups.items()
            for t in group
        }
        self.in_one_round = self.load_of == sorted(self.load_of)

    def _groups(self, i: int) -> dict[int, list[int]]:
        """Give the groups of a processor by their first installments."""
        terms = self._terms
        single = terms.strict and 0 < i < len(terms.ids) - 2
        groups: list[list[int]] = []
        for t, load in enumerate(self.load_of):
            if terms.work[i][load] is None:
                continue
            if single or not groups or groups[-1][-1] != t - 1 or self.load_of[t - 1] != load:
                groups.append([])
            groups[-1].append(t)
        return {group[0]: group for group in groups}

    def case(self, given: ProofCase | None) -> Case | None:
        """Read a case. None where it is of groups or loads that the chain has not."""
        decided: dict[Decision, bool] = {}
        if given is not None:
            groups = [(True, given.computes), (False, given.skips)]
            for value, listed in groups:
                for one in listed:
                    group = self._found(one)
                    if group is None or group in decided:
                        return None
                    decided[group] = value
            for value, names in ((True, given.closing), (False, given.overtaking)):
                for name in names:
                    load = self._terms.loads.index(name) if name in self._terms.loads else 0
                    if not load or load in decided or not self.in_one_round:
                        return None
                    decided[load] = value
        able = {
            i: [
                t for first, group in groups.items() if decided.get((i, first), True) for t in group
            ]
            for i, groups in self.groups.items()
        }
        return Case(decided, able, self._releases(able.get(0, ())))

    def _releases(self, row: Sequence[int]) -> dict[int, Fraction]:
        """Give what is released first, from each installment of the first processor on."""
        least: dict[int, Fraction] = {}
        date: Fraction | None = None
        for t in reversed(row):
            own = self._terms.released[self.load_of[t]]
            least[t] = date = own if date is None else min(date, own)
        return least

    def _found(self, one: CaseGroup) -> Group | None:
        ids, loads = list(self._terms.ids), list(self._terms.loads)
        i = ids.index(one.processor) if one.processor in ids else -1
        load = loads.index(one.load) if one.load in loads else -1
        t = self._steps.get((load, one.installment), -1)
        return (i, t) if t in self.groups.get(i, ()) else None

    def is_possible(self, case: Case) -> bool:
        """Tell whether every load has a processor that may compute it."""
        loads = {self.load_of[t] for row in case.able.values() for t in row}
        return len(loads) == len(self._terms.loads)

    def computes_group_of(self, case: Case, i: int, t: int) -> bool:
        """Tell whether a processor computes some of the group of an installment.

        Parameters
        ----------
        case
            What is decided of who computes what.
        i
            Position of the processor along the chain.
        t
            Position of the installment in the sequence.
        """
        return bool(case.decided.get(self._group_of[i, t]))

    def completes(self, case: Case, load: int, i: int, t: int) -> bool:
        """Tell whether a load completes no earlier than a processor passes an installment.

        Parameters
        ----------
        case
            What is decided of who computes what.
        load
            Position of the load.
        i
            Position of the processor along the chain.
        t
            Position of the installment in the sequence.
        """
        if not case.may_compute(i, t):
            return False
        if load == self.load_of[t] and self.computes_group_of(case, i, t):
            return True
        if not self._closes(case, load, self.load_of[t]):
            return False
        terms, passed = self._terms, range(max(load, self.load_of[t]) + 1)
        if terms.available[i] <= max(terms.released[k] for k in passed):
            return True
        return any(self.load_of[g] in passed and case.decided.get((i, g)) for g in self.groups[i])

    def _closes(self, case: Case, load: int, upto: int) -> bool:
        """Tell whether a load completes last of all up to it, and up to another."""
        last = not load or case.decided.get(load) is True
        behind = range(load + 1, upto + 1)
        return self.in_one_round and last and all(case.decided.get(k) is False for k in behind)

    def date(self, case: Case, i: int, t: int) -> Fraction:
        """Give the date before which a processor starts nothing from an installment on.

        Parameters
        ----------
        case
            What is decided of who computes what.
        i
            Position of the processor along the chain.
        t
            Position of the installment in the sequence.
        """
        terms = self._terms
        if i:
            return terms.available[i]
        own = terms.released[self.load_of[t]]
        certain = self.computes_group_of(case, i, t)
        return max(terms.available[i], own if certain else case.releases[t])


def leave_nothing_out(cases: Sequence[Mapping[Decision, bool]]) -> bool:
    """Tell whether cases are the leaves of a tree that decides one thing after the other."""
    branches = [list(cases)]
    while branches:
        branch = branches.pop()
        if any(not decided for decided in branch):
            continue
        shared = set(branch[0]).intersection(*branch[1:]) if branch else set()
        if not shared:
            return False
        over = next(iter(shared))
        branches += [
            [
                {key: value for key, value in decided.items() if key != over}
                for decided in branch
                if decided[over] is side
            ]
            for side in (True, False)
        ]
    return True


def read_cases(
    reading: Reading, given: Sequence[ProofCase], at: Pointer, findings: Findings
) -> list[Case] | None:
    """Read the cases of a proof, and check that they leave nothing out.

    Parameters
    ----------
    reading
        The chain, and who may compute.
    given
        As the answer has them. None where nothing is decided.
    at
        Place of the cases in the answer.
    findings
        Collects the faults that are found.

    Returns
    -------
    list of Case or None
        One case in which nothing is decided if none are given. None where something is wrong.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ================
    1  there are at most `MOST_CASES` cases                               `too_many_cases`
    2  each decides on installments and loads of the chain, on none twice `unknown_case`
    3  together they leave nothing out                                    `cases_missing`
    == ================================================================== ================
    """
    if len(given) > MOST_CASES:
        findings.add(at, "too_many_cases", f"More than {MOST_CASES:,} cases are not looked at.")
        return None
    if not given:
        whole = reading.case(None)
        assert whole is not None
        return [whole]
    cases = []
    for place, one in enumerate(given):
        case = reading.case(one)
        if case is None:
            findings.add(
                (*at, place),
                "unknown_case",
                "The case decides on installments or loads that the chain has not, or twice.",
            )
            return None
        cases.append(case)
    if not leave_nothing_out([case.decided for case in cases]):
        findings.add(at, "cases_missing", "The cases leave out some choices of who computes what.")
        return None
    return cases
