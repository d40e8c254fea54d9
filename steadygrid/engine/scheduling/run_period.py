r"""The period of a schedule that runs for a number of instances, or until a horizon.

Long periods lose little by rounding, and short ones start and end soon. With q allocations, p periods
of start-up and N instances at the rate :math:`\rho` the time is about

.. math::

    \frac{N}{\rho} \left( 1 + \frac{q}{2 \rho T} \right) + p T,

which is least near :math:`T = \sqrt{q N / (2 p)} / \rho`. Periods around it are tried, those of few
instances, and the exact one. What each promises is compared exactly.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import floor, isqrt
from typing import NamedTuple

from steadygrid.domain.run import Run
from steadygrid.engine.scheduling.bounded import following, in_batches
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.completion import (
    Stream,
    streams_of,
    worth_in_run,
)
from steadygrid.engine.scheduling.counts import fitted
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.messages import counts_of_batches
from steadygrid.engine.scheduling.pooled import Found
from steadygrid.engine.scheduling.turns import lengthen_for_turns
from steadygrid.engine.scheduling.workload import allocation_of

GROWTH = Fraction(23, 20)
"""From one trial to the next."""
TRIALS = 30
"""On either side of the estimate;"""
FEW_TRIALS = 8
"""of pools, whose instances are dealt to members in each trial, with `WIDE_GROWTH`."""
WIDE_GROWTH = GROWTH**4
FEW_INSTANCES = 40
"""Up to which all numbers of instances in a period are tried."""
ARRANGED = 3
"""Of the best trials."""


Deal = Callable[[Fraction], tuple[Case, list[int]]]
"""Gives plans of the members of pools, and their instances in a period."""


class _Trial(NamedTuple):
    """Instances per period of each plan, and the least period that resources allow."""

    case: Case
    counts: list[int]
    period: Fraction


def period_for_run(
    case: Case, deal: Deal | None, run: Run, longest: Fraction | None
) -> Found | None:
    """Find the schedule that completes a run earliest, or that does most until its horizon.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    deal
        Deals what pools do in a period to their members; None where there are no pools.
    run
        What the schedule is for.
    longest
        A bound on the period, in time units; None: any will do.

    Returns
    -------
    Found or None
        None where no trial can be arranged within the limits.
    """
    trials = sorted(
        (rank(run, one.case, one.counts, one.period), place, one)
        for place, one in enumerate(_trials(case, deal, run))
        if longest is None or one.period <= longest
    )
    best: tuple[tuple[Fraction, int], Found] | None = None
    arranged = 0
    for _, _, trial in trials:
        case.control.check()
        for arrangement in _arranged(trial):
            lengthened = lengthen_for_turns(trial.case, arrangement)
            if longest is not None and lengthened.period > longest:
                continue
            key = rank(run, trial.case, lengthened.counts, lengthened.period)
            if best is None or key < best[0]:
                best = key, (trial.case, lengthened)
            arranged += 1
        if arranged >= ARRANGED:
            break
    return None if best is None else best[1]


def rank(run: Run, case: Case, counts: Sequence[int], period: Fraction) -> tuple[Fraction, int]:
    """Order what runs: first what a run wants, then fewer instances per period.

    Parameters
    ----------
    run
        What the schedule is for.
    case
        With the plans.
    counts
        Instances per period, by plan.
    period
        In time units.
    """
    return worth_in_run(run, streams_of_counts(case, counts), period), sum(counts)


def streams_of_counts(case: Case, counts: Sequence[int]) -> list[Stream]:
    """Collect what is counted on its own, of plans that run.

    Parameters
    ----------
    case
        With the plans.
    counts
        Instances per period, by plan.
    """
    workload = case.workload
    files = tuple(workload.file_sizes) if workload.files is None else workload.files
    allocations = (
        allocation_of(index, plan, count)
        for index, (plan, count) in enumerate(zip(case.plans, counts, strict=True))
    )
    return streams_of(files, workload.ports, allocations, workload.mix)


def _trials(case: Case, deal: Deal | None, run: Run) -> Iterator[_Trial]:
    rate = sum(case.rates, Fraction(0)) / case.per_instance
    if not rate:
        return
    wanted = run.instances or floor(rate * (run.horizon or 0))
    running = [int(rate > 0) for rate in case.rates]
    lengths = [n for one in streams_of_counts(case, running) for _, n in one.counts]
    estimate = isqrt(len(lengths) * max(wanted, 1) // (2 * max(1, max(lengths) - 1))) + 1
    seen: set[tuple[int, ...]] = set()
    for instances in _sizes(estimate, max(wanted, 1), deal is not None):
        case.control.check()
        period = instances / rate
        trial = _trial(case, deal, period)
        if tuple(trial.counts) in seen or not _is_complete(trial):
            continue
        seen.add(tuple(trial.counts))
        if deal is None and (sets := case.violated(trial.counts, trial.period)):
            yield from _trials(case.knowing(sets), deal, run)
            return
        yield trial


def _trial(case: Case, deal: Deal | None, period: Fraction) -> _Trial:
    """Fill a period with instances, in proportion to the rates."""
    if deal is not None:
        case, counts = deal(period)
    elif len(case.messages) > 1:
        counts = counts_of_batches(case, period)
    else:
        steps = fitted(case.rates, case.loads, period)
        counts = [n * s for n, s in zip(steps, case.steps, strict=True)]
    steps = [n // s for n, s in zip(counts, case.steps, strict=True)]
    return _Trial(case, counts, case.loads.largest(steps))


def _is_complete(trial: _Trial) -> bool:
    """Tell whether every message has an allocation that runs."""
    streams = streams_of_counts(trial.case, trial.counts)
    return all(any(n for n, _ in one.counts) for one in streams)


def _sizes(estimate: int, most: int, few: bool) -> list[int]:
    """Give the numbers of instances in a period that are tried."""
    growth, trials = (WIDE_GROWTH, FEW_TRIALS) if few else (GROWTH, TRIALS)
    found = set(range(1, FEW_INSTANCES + 1, FEW_INSTANCES // FEW_TRIALS if few else 1))
    for k in range(-trials, trials + 1):
        found.add(round(estimate * growth**k))
    return sorted(size for size in found if 1 <= size <= most) or [1]


def _arranged(trial: _Trial) -> Iterator[Arrangement]:
    """Arrange a trial in the ways there are; none if they list too many transfers."""
    case, counts, period = trial
    try:
        if case.whole and case.in_slots:
            yield following(case, counts, case.ordered(counts, period))
            yield in_batches(case, counts)
        else:
            yield case.fluid(counts, period, exact=case.printable(period))
    except TooManyTransfers:
        return
