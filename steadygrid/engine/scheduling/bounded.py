"""Schedules whose period is bounded, by the user or because the exact one is too long to read."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil

from steadygrid.domain.schedule import MOST_LOST
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.counts import best_counts, fitted, rounded_down
from steadygrid.engine.scheduling.layout import Layout, Order
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.period import round_up, shortest_round
from steadygrid.engine.scheduling.slot_layout import slots_of_batches
from steadygrid.engine.scheduling.timeline import batches

TARGET_LOSS = MOST_LOST
"""What an automatic period may lose altogether."""
ROUNDING_LOSS = MOST_LOST * Fraction(9, 10)
"""What of this the rounding of the rates may take."""
SLACK = (Fraction(1, 50), Fraction(1, 10), Fraction(3, 10))
"""Parts of the period that are given up, in turn, so that fewer slots are needed."""
HEADROOM = Fraction(1, 10**6)
"""Left free where times are rounded up and the exact ones could not be printed."""
FACTORS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""How often the work of a period is repeated within a slot to make whole files matter less."""
MANY = 10
"""How much longer an automatic period is where transfers must be few."""
PERIOD_DIGITS = 3
"""Significant digits of an automatic period that cannot be a round number."""
BISECTIONS = 12
"""Trial periods for whole files,"""
LARGE_BISECTIONS = 4
"""and where there are `LARGE` operations."""
LARGE = 3_000
SHORTER = (Fraction(31, 32), Fraction(15, 16), Fraction(7, 8), Fraction(3, 4))
"""Parts of the period that are tried besides, where whole files fit into all of it."""
MOST_ADDITIONS = 200
"""Single instances that are tried one after the other on a small instance."""
SMALL = 60
"""Operations of a small instance."""


def bounded(case: Case, longest: Fraction) -> Arrangement | None:
    """Find a good schedule with a period of at most `longest`.

    Interruptions of transfers are free (unless files must stay whole), so it is enough to find
    counts that fit: `best_counts`. Whole files: see `_bounded_whole`. The throughput is at least
    that of rounding down, unless the slots would then list too many transfers. None if no instance
    fits.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    longest
        The bound on the period, in time units.
    """
    if case.whole and case.in_slots:
        return _bounded_whole(case, longest)
    rounded = Fraction(sum(_rounded_counts(case, longest))) / longest
    best = best_counts(case.rates, case.loads, longest, case.control)
    if best is None:
        return None
    if sets := case.violated(best.counts, best.period):
        return bounded(case.knowing(sets), longest)
    try:
        arrangement = case.fluid(best.counts, best.period)
        if arrangement.period <= longest and arrangement.throughput >= rounded:
            return arrangement
        if case.printable(best.period):
            return case.fluid(best.counts, best.period, exact=True)
        shorter = longest * (1 - HEADROOM)
        return case.fluid(_fitted_counts(case, shorter), shorter)
    except TooManyTransfers:
        return _with_few_transfers(case, longest)


def automatic(case: Case) -> Arrangement:
    """Find a schedule of a round period that loses little, `TARGET_LOSS` if possible.

    Whole files are arranged once, for a period where rounding loses half of that; then the
    slots are stretched by round factors until what is lost by keeping files whole fits, too. At
    worst the instances of one allocation run, each transfer by itself.
    """
    total = sum(case.rates)
    running = sum(1 for rate in case.rates if rate)

    def suits(period: Fraction) -> tuple[Fraction, list[int]] | None:
        counts = _fitted_counts(case, period)
        return (period, counts) if loses_little(counts, period * total) else None

    period, counts = shortest_round(Fraction(running) / (20 * total), suits)
    if sets := case.violated(counts, period):
        return automatic(case.knowing(sets))
    try:
        if case.whole and case.in_slots:
            return stretched(case, counts, period)
        return case.fluid(counts, period)
    except TooManyTransfers:
        return _with_few_transfers(case, MANY * period) or one_at_a_time(case)


def loses_little(counts: Sequence[int], due: Fraction) -> bool:
    """Tell whether rounding leaves enough instances.

    Parameters
    ----------
    counts
        Instances per period, by plan.
    due
        What the exact rates would do in the period.
    """
    return sum(counts) >= (1 - ROUNDING_LOSS) * due


def one_at_a_time(case: Case) -> Arrangement:
    """Run the least number of instances of the allocation of the largest rate that may run."""
    best = max(range(len(case.rates)), key=lambda plan: case.rates[plan])
    return in_batches(case, [s if plan == best else 0 for plan, s in enumerate(case.steps)])


def stretched(case: Case, counts: list[int], period: Fraction) -> Arrangement:
    """Repeat the work within each slot until keeping files whole costs little.

    What it costs in time hardly depends on the factor: one arrangement tells which will do.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    counts
        Instances per period, by plan.
    period
        Has room for the counts if transfers may be interrupted.
    """
    order = case.ordered(counts, period)
    goal = (1 - TARGET_LOSS) * sum(case.rates)
    grain = case.grain(period)
    left = list(FACTORS)
    while True:
        factor = left.pop(0)
        case.control.check()
        layout = order.whole(case.hops, _whole(case.files(counts)), factor, grain)
        length = case.room([factor * n for n in counts], layout)
        stretched = factor * period
        extra = max(Fraction(0), length - stretched)
        if extra:
            stretched = round_up(length, PERIOD_DIGITS)
        arrangement = Arrangement(tuple(factor * n for n in counts), stretched, layout)
        if arrangement.throughput >= goal or not left:
            return arrangement
        each = arrangement.throughput * stretched / factor
        while len(left) > 1 and left[0] * each < goal * (left[0] * period + extra):
            del left[0]


def _rounded_counts(case: Case, period: Fraction) -> list[int]:
    steps = rounded_down(case.rates, case.steps, period)
    return [n * s for n, s in zip(steps, case.steps, strict=True)]


def _fitted_counts(case: Case, period: Fraction) -> list[int]:
    steps = fitted(case.rates, case.loads, period)
    return [n * s for n, s in zip(steps, case.steps, strict=True)]


def _whole(files: Iterable[Fraction]) -> list[int]:
    return [number.numerator for number in files]


def _with_few_transfers(case: Case, longest: Fraction) -> Arrangement | None:
    """Give up throughput for a description of bounded length.

    With time to spare fewer matchings are enough. If they are still too many, every transfer
    runs once, in batches.
    """
    for slack in SLACK:
        counts = _fitted_counts(case, longest * (1 - slack))
        try:
            if case.whole:
                arrangement = following(case, counts, case.ordered(counts, longest))
            else:
                arrangement = case.fluid(counts, longest)
        except TooManyTransfers:
            continue
        if arrangement.period <= longest and any(counts):
            return arrangement
    return _longest_fitting(case, longest, lambda counts: [in_batches(case, counts)])


def _bounded_whole(case: Case, longest: Fraction) -> Arrangement | None:
    """Find a schedule with a period of at most `longest` that never interrupts a file.

    For all counts, the slots of the schedule with interruptions tell an order that whole
    files can follow (`whole_layout`), and so do batches of the longest transfers first. Both may
    come out longer than the largest load, so the period that the counts are made for is found by
    bisection; on small instances, single instances are then added as long as they fit.
    """
    try:
        plain = _rounded_whole(case, longest)
        arrange = _whole_arrangements
        best = _longest_fitting(case, longest, lambda counts: arrange(case, counts))
    except TooManyTransfers:
        return _with_few_transfers(case, longest)
    if best is not None and len(case.hops) <= SMALL:
        best = _add_instances(case, best, longest)
    if plain is not None and plain.period <= longest:
        best = plain if best is None else max(best, plain, key=lambda a: a.throughput)
    return best


def _rounded_whole(case: Case, longest: Fraction) -> Arrangement | None:
    """Round down the rates, and then the files of every slot. What is left over is lost."""
    counts = _rounded_counts(case, longest)
    if not any(counts):
        return None
    order = case.ordered(counts, longest)
    carried = order.rounded(case.hops, None, None).carried(len(case.hops))
    for hop, files in zip(case.hops, carried, strict=True):
        step = case.steps[hop.plan]
        instances = files / hop.share
        counts[hop.plan] = min(counts[hop.plan], int(instances) // step * step)
    grain = case.grain(order.period)
    layout = order.rounded(case.hops, _whole(case.files(counts)), grain)
    if not any(counts):
        return None
    return Arrangement(tuple(counts), _room(case, counts, layout, grain), layout)


def _room(case: Case, counts: Sequence[int], layout: Layout, grain: Fraction | None) -> Fraction:
    """Give the shortest period, a multiple of the grain, for both the slots and the computations."""
    steps = [n // s for n, s in zip(counts, case.steps, strict=True)]
    load = case.loads.largest(steps)
    load = max(load, case.room(counts, layout))
    return load if grain is None else ceil(load / grain) * grain


def following(case: Case, counts: Sequence[int], order: Order[Layout]) -> Arrangement:
    """Let whole files follow an order, in a period that may be longer than the order's.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    counts
        Instances per period, by plan.
    order
        The operations within a period.
    """
    grain = case.grain(order.period)
    layout = order.whole(case.hops, _whole(case.files(counts)), 1, grain)
    return Arrangement(tuple(counts), _room(case, counts, layout, grain), layout)


def in_batches(case: Case, counts: Sequence[int]) -> Arrangement:
    """Run every transfer once, side by side with others.

    Of runs of links the shortest of `Case.loose_orders`; slots take the longest transfers first,
    each side by side with others about as long.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    counts
        Instances per period, by plan.
    """
    files = _whole(case.files(counts))
    times = [count * hop.file_time for count, hop in zip(files, case.hops, strict=True)]
    longest = max(times, default=Fraction(0))
    grain = case.grain(longest) if longest else None
    if case.in_runs:
        orders = case.loose_orders(counts, longest)
        layouts = [order.whole(case.hops, files, 1, grain) for order in orders]
        layout: Layout = min(layouts, key=lambda one: one.length)
    else:
        places = {time: place for place, time in enumerate(sorted({t for t in times if t}), 1)}
        numbers = [places.get(time, 0) for time in times]
        pieces = batches(numbers, case.order.resources, case.order.capacities)
        layout = slots_of_batches([piece.operations for piece in pieces], times, files, grain)
    return Arrangement(tuple(counts), _room(case, counts, layout, grain), layout)


def _whole_arrangements(case: Case, counts: Sequence[int]) -> list[Arrangement]:
    steps = [n // s for n, s in zip(counts, case.steps, strict=True)]
    order = case.ordered(counts, case.loads.largest(steps))
    return [following(case, counts, order), in_batches(case, counts)]


def _longest_fitting(
    case: Case, longest: Fraction, arrange: Callable[[Sequence[int]], list[Arrangement]]
) -> Arrangement | None:
    """Bisect for the largest period whose counts can be arranged within `longest`.

    Where the whole length can be, some shorter periods are tried, too: their rates may round better.
    """
    best: Arrangement | None = None

    def fits(part: Fraction) -> bool:
        nonlocal best
        case.control.check()
        found = False
        for counts in _candidates(case, longest * part):
            for arrangement in arrange(counts):
                if arrangement.period <= longest:
                    found = True
                    best = arrangement if best is None else max(best, arrangement, key=_preferred)
        return found

    small = len(case.hops) < LARGE
    if fits(Fraction(1)):
        for part in SHORTER if small else ():
            fits(part)
        return best
    low, high = Fraction(0), Fraction(1)
    for _ in range(BISECTIONS if small else LARGE_BISECTIONS):
        part = (low + high) / 2
        if fits(part):
            low = part
        else:
            high = part
    return best


def _preferred(arrangement: Arrangement) -> tuple[Fraction, Fraction]:
    """Order by throughput; of equal ones a short period is better."""
    return arrangement.throughput, -arrangement.period


def _candidates(case: Case, period: Fraction) -> list[list[int]]:
    candidates = [_fitted_counts(case, period)]
    if len(case.hops) <= SMALL:
        found = best_counts(case.rates, case.loads, period, case.control)
        if found is not None:
            candidates.append(list(found.counts))
    return [counts for counts in candidates if any(counts)]


def _add_instances(case: Case, best: Arrangement, longest: Fraction) -> Arrangement:
    """Add instances one by one, as long as the period holds them and the throughput rises."""
    improving = True
    left = MOST_ADDITIONS
    while improving and left:
        improving = False
        for plan in range(len(case.plans)):
            if not case.rates[plan] or not left:
                continue
            left -= 1
            case.control.check()
            counts = list(best.counts)
            counts[plan] += case.steps[plan]
            try:
                arrangements = _whole_arrangements(case, counts)
            except TooManyTransfers:
                continue
            for arrangement in arrangements:
                if arrangement.period <= longest and arrangement.throughput > best.throughput:
                    best = arrangement
                    improving = True
    return best


def smallest_useful_period(case: Case) -> Fraction:
    """Give the shortest period that holds an instance of some allocation of positive rate."""
    plans = [plan for plan, rate in enumerate(case.rates) if rate]
    shortest = {plan: case.loads.single(plan) for plan in plans}
    if not case.whole or not case.in_slots:
        return min(shortest.values())
    best: Fraction | None = None
    for plan in sorted(plans, key=lambda a: shortest[a]):
        if best is not None and shortest[plan] >= best:
            break
        counts = [case.steps[plan] if a == plan else 0 for a in range(len(case.plans))]
        try:
            period = min(arrangement.period for arrangement in _whole_arrangements(case, counts))
        except TooManyTransfers:
            period = in_batches(case, counts).period
        best = period if best is None else min(best, period)
    return Fraction(0) if best is None else best
