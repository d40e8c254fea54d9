r"""The period of a schedule that runs for a number of instances, or until a horizon.

Long periods lose little by rounding, and short ones start and end soon. With q allocations, p periods
of start-up and N instances at the rate :math:`\rho` the time is about

.. math::

    \frac{N}{\rho} \left( 1 + \frac{q}{2 \rho T} \right) + p T,

which is least near :math:`T = \sqrt{q N / (2 p)} / \rho`. Periods around it are tried, those of few
instances, and the exact one. What each schedule promises is compared exactly.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import ceil, floor, isqrt
from typing import NamedTuple

from steadygrid.domain.run import RunGoal
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.scheduling.bounded import LARGE, following, in_batches
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.completion import Stream, length_of, stream_of, worth_in_run
from steadygrid.engine.scheduling.computations import in_order
from steadygrid.engine.scheduling.counts import fitted
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.messages import counts_of_batches
from steadygrid.engine.scheduling.pooled import Found
from steadygrid.engine.scheduling.turns import lengthen_for_turns
from steadygrid.engine.scheduling.workload import allocation_of

COARSE, FINE = Fraction(3, 2), Fraction(11, 10)
"""From one trial to the next, first around the estimate, then around the best."""
COARSE_TRIALS, FINE_TRIALS = 9, 4
"""On either side."""
FEW_INSTANCES = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40)
"""In a period. These numbers are always tried."""
FEW_PERIODS = range(1, 41)
"""That end with the horizon."""
SPREAD = 8
"""Of periods in which some allocation runs whole instances: as far from the estimate,"""
MOST_RATES = 12
"""of as many different rates,"""
MOST_WHOLE = 600
"""as many together,"""
MOST_WORK = 60_000
"""and fewer where these have more transfers and allocations together."""
REFINEMENTS = 2
"""Times that periods around the best are tried."""
MOST_ALONE = 200
"""Allocations that are tried alone where there are few instances."""
ARRANGED, ARRANGED_LARGE = 60, 4
"""Trials that are arranged at most, the best first, and where there are `LARGE` transfers."""

Deal = Callable[[Fraction], tuple[Case, list[int]]]
"""Gives plans of the members of pools, and their instances in a period."""
Rank = tuple[Fraction, int]
"""What a run wants, the less the better; then instances per period."""


class _Trial(NamedTuple):
    """Instances per period of each plan, and the least period that resources allow."""

    rank: Rank
    place: int
    """Among all trials: of equal ones the first counts."""
    case: Case
    counts: list[int]
    period: Fraction


class _Violated(Exception):
    """Counts need room for sets of processors that were not known."""

    def __init__(self, sets: Sequence[OddSet]) -> None:
        super().__init__()
        self.sets = sets


def period_for_run(
    case: Case, deal: Deal | None, run: RunGoal, longest: Fraction | None
) -> Found | None:
    """Find the schedule that completes a run earliest, or that does most until its horizon.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    deal
        Deals what pools do in a period to their members. None where there are no pools.
    run
        What the schedule is for.
    longest
        A bound on the period, in time units. None: any will do.

    Returns
    -------
    Found or None
        None where no trial can be arranged within the limits.
    """
    try:
        trials = _Search(case, deal, run, longest).trials
    except _Violated as violated:
        return period_for_run(case.knowing(violated.sets), deal, run, longest)
    best: tuple[Rank, Found] | None = None
    most = ARRANGED if len(case.hops) < LARGE else ARRANGED_LARGE
    for trial in sorted(trials, key=lambda one: (one.rank, one.place))[:most]:
        if best is not None and trial.rank >= best[0]:
            break  # no arrangement takes less than the resources need
        for arrangement in _arranged(trial):
            lengthened = lengthen_for_turns(trial.case, arrangement)
            if longest is not None and lengthened.period > longest:
                continue
            key = rank(run, trial.case, lengthened.counts, lengthened.period)
            if best is None or key < best[0]:
                best = key, (trial.case, lengthened)
        if best is not None and not case.control.remaining:
            break
    return None if best is None else best[1]


def rank(run: RunGoal, case: Case, counts: Sequence[int], period: Fraction) -> Rank:
    """Order what runs: first what a run wants, then fewer instances per period.

    Parameters
    ----------
    run
        What the schedule is for.
    case
        With the plans.
    counts
        Instances per period, by plan. Each message has some.
    period
        In time units.
    """
    return worth_in_run(run, _streams(case, _lengths(case), counts), period), sum(counts)


def _lengths(case: Case) -> list[int]:
    """Give the number of periods that an instance of each plan takes."""
    workload = case.workload
    files = tuple(workload.file_sizes) if workload.files is None else workload.files
    allocations = [in_order(workload, allocation_of(0, plan, 1), files) for plan in case.plans]
    return [length_of(one, files, workload.ports, workload.mix) for one in allocations]


def _streams(case: Case, lengths: Sequence[int], counts: Sequence[int]) -> list[Stream]:
    return [
        stream_of(part, ((counts[plan], lengths[plan]) for plan in plans))
        for plans, part in zip(case.messages, case.parts, strict=True)
    ]


class _Search:
    """All trials for a run.

    Raises
    ------
    _Violated
        If counts need room for odd sets.
    """

    def __init__(
        self, case: Case, deal: Deal | None, run: RunGoal, longest: Fraction | None
    ) -> None:
        self._case, self._deal, self._run, self._longest = case, deal, run, longest
        self._seen: set[tuple[int, ...]] = set()
        self.trials: list[_Trial] = []
        if any(case.rates):
            self._try_around()

    @cached_property
    def _lengths(self) -> list[int]:
        return _lengths(self._case)

    def _try_around(self) -> None:
        """Try periods around the estimate, then around the best of them."""
        case = self._case
        rate = sum(case.rates, Fraction(0)) / case.per_instance
        wanted = max(1, floor(self._run.instances_at(rate)))
        lengths = [self._lengths[plan] for plan, rate in enumerate(case.rates) if rate]
        estimate = isqrt(len(lengths) * wanted // (2 * max(1, max(lengths) - 1))) + 1
        coarse = [estimate * COARSE**k for k in range(-COARSE_TRIALS, COARSE_TRIALS + 1)]
        sizes = (*map(Fraction, FEW_INSTANCES), *coarse)
        self._try_all(round(size) / rate for size in sizes)
        if self._deal is None:
            self._try_all(self._whole_periods(estimate / rate))
        if self._run.horizon is not None:
            self._try_all(self._run.horizon / number for number in FEW_PERIODS)
        for _ in range(REFINEMENTS):
            if not self.trials:
                break
            best = min(self.trials, key=lambda one: (one.rank, one.place)).period
            fine = [best * FINE**k for k in range(-FINE_TRIALS, FINE_TRIALS + 1)]
            self._try_all([*fine, best / 2, best / 3, 2 * best, best - 1 / rate, best + 1 / rate])
        if self._deal is None and len(case.messages) == 1 and wanted <= FEW_INSTANCES[-1]:
            for plan in islice((plan for plan, rate in enumerate(case.rates) if rate), MOST_ALONE):
                self._try_counts(case, [s * (k == plan) for k, s in enumerate(case.steps)])

    def _whole_periods(self, estimate: Fraction) -> list[Fraction]:
        """Give periods in which some allocation runs whole instances, those near the estimate."""
        rates = sorted({rate for rate in self._case.rates if rate}, reverse=True)
        work = len(self._case.hops) + len(self._case.plans)
        most = min(MOST_WHOLE, max(MOST_WORK // work, 1))
        found = set()
        for rate in rates[:MOST_RATES]:
            first, last = ceil(estimate / SPREAD * rate), floor(estimate * SPREAD * rate)
            step = max(1, (last - first) * min(len(rates), MOST_RATES) // most)
            found |= {k / rate for k in (*range(1, 5), *range(max(first, 1), last + 1, step))}
        near = sorted(found, key=lambda period: max(period / estimate, estimate / period))
        return near[:most]

    def _try_all(self, periods: Iterable[Fraction]) -> None:
        for period in sorted({period for period in periods if period > 0}):
            self._case.control.check()
            self._try_period(period)

    def _try_period(self, period: Fraction) -> None:
        """Fill a period with instances, in proportion to the rates."""
        case = self._case
        if self._deal is not None:
            case, counts = self._deal(period)
        elif len(case.messages) > 1:
            counts = counts_of_batches(case, period)
        else:
            steps = fitted(case.rates, case.loads, period)
            counts = [n * s for n, s in zip(steps, case.steps, strict=True)]
        self._try_counts(case, counts)

    def _try_counts(self, case: Case, counts: list[int]) -> None:
        """Note counts, but those that are known, lack a message or take too long."""
        key = tuple(counts)
        lengths = self._lengths if self._deal is None else _lengths(case)
        streams = _streams(case, lengths, counts)
        if key in self._seen or not all(one.counts for one in streams):
            return
        self._seen.add(key)
        load = case.loads.largest([n // s for n, s in zip(counts, case.steps, strict=True)])
        if self._longest is not None and load > self._longest:
            return
        if self._deal is None and (sets := case.violated(counts, load)):
            raise _Violated(sets)
        worth = worth_in_run(self._run, streams, load), sum(counts)
        self.trials.append(_Trial(worth, len(self.trials), case, counts, load))


def _arranged(trial: _Trial) -> Iterator[Arrangement]:
    """Give the arrangements of a trial. None if they list too many transfers."""
    case, counts, period = trial.case, trial.counts, trial.period
    try:
        if case.whole and case.in_slots:
            yield following(case, counts, case.ordered(counts, period))
            yield in_batches(case, counts)
        else:
            yield case.fluid(counts, period, exact=case.printable(period))
    except TooManyTransfers:
        return
