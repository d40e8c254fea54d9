"""From shares and prices to the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.one_shot import Idleness
from steadygrid.domain.rational import approximate
from steadygrid.domain.rounding import magnitude
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.scheduling.one_shot_events import load_event
from steadygrid.engine.solver import Solution
from steadygrid.kinds.divisible_star.schemas import (
    LOAD,
    DivisibleStarInstance,
    DivisibleStarResult,
    StarShare,
)
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS, divide_rounded
from steadygrid.kinds.divisible_star.solver.tree.tree import ZERO, Division, Tree

DATE_BITS = 256
"""Binary digits of rounded dates, relative to the makespan, for each of the processors."""
ROUNDED = "the exact numbers have more than a thousand digits: shares, dates and prices are rounded"
NOTHING_TAKES_TIME = "nothing takes any time"


@dataclass(frozen=True)
class _Dates:
    """What happens when, and the unit of the starts where they are rounded."""

    events: list[Event]
    makespan: Fraction
    unit: Fraction | None


def answer(
    instance: DivisibleStarInstance, tree: Tree, method: str, division: Division
) -> Solution:
    """Date the shares, and state what they and the prices prove.

    Parameters
    ----------
    instance
        Without faults.
    tree
        Processors with their times, and the order in which each sends.
    method
        Name of the one that ran.
    division
        Who computes how much, and prices that prove a bound.
    """
    returns = bool(instance.load.return_volume)
    dates = _dates(tree, division, returns=returns)
    if division.exact and too_long(_numbers(dates), LONGEST_BITS):
        division = divide_rounded(tree.with_round_trips)
        dates = _dates(tree, division, returns=returns)
    value = dates.makespan
    bound = _bound(tree.with_round_trips, division, dates.unit) if value else ZERO
    prices = division.prices if bound else ()
    timeline = Timeline(instance.ports, value, tuple(dates.events))
    taking = [i for i, share in enumerate(division.shares) if share]
    result = DivisibleStarResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method=method,
        objective=Objective(name="makespan", value=value, approx=approximate(value)),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=DualityCertificate(
            prices={tree.price_name(i): price for i, price in enumerate(prices) if price}
        ),
        makespan=value,
        participants=[tree.ids[i] for i in taking],
        order=list(tree.ids[1:]),
        return_order=list(tree.ids[:0:-1]) if returns else None,
        rounds=1,
        shares=[
            StarShare(processor=tree.ids[i], round=1, fraction=division.shares[i], items=None)
            for i in taking
        ],
        timeline=[load_event(event) for event in timeline.events],
        idle=[
            Idleness(processor=tree.ids[i], computing=time, idle=value - time)
            for i in taking
            for time in (division.shares[i] * _known(tree.work[i]),)
        ],
        order_proof="theorem" if instance.order is None else "given",
        bound_source="program" if method == "lp" else "theorem",
        proved_bound=None,
        any_rounds_bound=None,
        guarantee=None,
        notes=list(_notes(value, division)),
    )
    return Solution(result, schedule=timeline)


def _notes(value: Fraction, division: Division) -> Iterator[str]:
    if not value:
        yield NOTHING_TAKES_TIME
    if not division.exact:
        yield ROUNDED


def _numbers(dates: _Dates) -> Iterator[Fraction]:
    yield dates.makespan
    for event in dates.events:
        yield event.end
        yield event.share


def _dates(tree: Tree, division: Division, *, returns: bool) -> _Dates:
    """Let everything start as early as it can. Where shares are rounded, at short dates."""
    shares = division.shares
    through = tree.through(shares)
    unit = None if division.exact else _unit(tree.with_round_trips, through, shares)
    arrived, done = [ZERO] * len(tree.ids), [ZERO] * len(tree.ids)
    events: list[Event] = []
    for i in tree.downwards:
        name, work = tree.ids[i], tree.work[i]
        if shares[i] and work is not None:
            events.append(_event(name, arrived[i], shares[i], work, unit))
            done[i] = events[-1].end
        free = arrived[i]
        for j in tree.children[i]:
            if part := through[j]:
                events.append(_event((name, tree.ids[j]), free, part, tree.wire[j], unit))
                arrived[j] = free = events[-1].end
    if returns:
        events += _results(tree, through, done, unit)
    events.sort(key=lambda event: (event.start, event.end))
    return _Dates(events, max(event.end for event in events), unit)


def _results(
    tree: Tree, through: Sequence[Fraction], done: list[Fraction], unit: Fraction | None
) -> Iterator[Event]:
    """Send results back in reverse order, each when all of them are there.

    Parameters
    ----------
    done
        The ends of computations, which become those of computations and results.
    """
    for i in reversed(tree.downwards):
        free = ZERO
        for j in reversed(tree.children[i]):
            if part := through[j]:
                link_ends = (tree.ids[j], tree.ids[i])
                event = _event(link_ends, max(done[j], free), part, tree.back[j], unit)
                free = event.end
                yield event
        done[i] = max(done[i], free)


def _event(
    place: str | tuple[str, str],
    earliest: Fraction,
    share: Fraction,
    time: Fraction,
    unit: Fraction | None,
) -> Event:
    start = earliest if unit is None else _round_up(earliest, unit)
    return Event(start, start + share * time, place, LOAD, 1, share)


def _unit(tree: Tree, through: Sequence[Fraction], shares: Sequence[Fraction]) -> Fraction:
    """Give a time so short that waiting for a multiple of it, each time, costs nothing."""
    sent = zip(through, tree.wire, strict=True)
    computed = ((share, work or ZERO) for share, work in zip(shares, tree.work, strict=True))
    longest = max(
        (magnitude(part) + magnitude(time) for part, time in (*sent, *computed) if part and time),
        default=0,
    )
    return Fraction(2) ** (longest - DATE_BITS - len(tree.ids).bit_length())


def _known(time: Fraction | None) -> Fraction:
    return ZERO if time is None else time


def _round_up(value: Fraction, unit: Fraction) -> Fraction:
    """Round up to a multiple of a unit whose numerator or denominator is 1."""
    scaled = value.numerator * unit.denominator
    return Fraction(
        -(-scaled // (value.denominator * unit.numerator)) * unit.numerator, unit.denominator
    )


def _round_down(value: Fraction, unit: Fraction) -> Fraction:
    """Round down likewise."""
    return -_round_up(-value, unit)


def _bound(tree: Tree, division: Division, unit: Fraction | None) -> Fraction:
    """Give what the prices prove: the least cost of the load at one place.

    That is its computation at the price of the processor, and its route there at the prices of all
    whom each message delays; rounded down where dates are rounded, which it would be longer than.
    """
    delayed = tree.through(division.prices)
    cost = [ZERO] * len(tree.ids)
    least: list[Fraction] = []
    for i in tree.downwards:
        work = tree.work[i]
        if work is not None:
            least.append(cost[i] + work * division.prices[i])
        waiting = ZERO
        for j in reversed(tree.children[i]):
            waiting += delayed[j]
            cost[j] = cost[i] + tree.wire[j] * waiting
            if unit is not None and tree.children[j]:
                cost[j] = _round_down(cost[j], unit)
    return min(least)
