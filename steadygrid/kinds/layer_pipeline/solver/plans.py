r"""Plans of a pipeline: what a copy holds in flight, and the least period of a plan.

Stage s holds some layers on :math:`r` copies of one device type; data set n goes to copy n modulo
r. All data sets take the same course, shifted by the period T. With the load :math:`t` of both
passes, transfer times :math:`c, c'` to the next stage and back, and the room of a device,

.. math::
    t \le r T, \qquad c, c' \le \min(r, r') T, \qquad
    2 \tfrac{r - 1}{r} \cdot \text{weights} / \text{reduce\_bandwidth} \le \text{update\_every} \cdot T
    \tag{1}

.. math:: \text{memory} + K \cdot \text{in\_flight} \le \text{room} \tag{2}

Let R be the time from the end of a stage's forward pass to the earliest start of its backward pass, and
:math:`P = r T`, so that its passes come each P on one copy. They do not overlap if and only if the
distance of their starts is, modulo P, at least that of the forward pass and leaves room for the
backward pass. The least time from the start of the one to the end of the other is then

.. math::
    R' = R + t \text{ if } R + t \le \lceil R / P \rceil P, \text{ else } \lceil R / P \rceil P + t,
    \qquad K = \lceil R' / P \rceil \tag{3}

and the stage before sees :math:`R' + c + c'`. R of the last stage is 0. (3) grows with R, so the least R
behind a stage is the best one. With no backward passes K is 1, and (3) is not needed.

Without transfers and copies, (3) packs the stages from the end into groups of a load of at most T, and the
g-th group from the end keeps g data sets in flight.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm
from typing import NamedTuple

from steadygrid.kinds.layer_pipeline.chain import Chain

ZERO = Fraction(0)
_HALVINGS = 24


class Stage(NamedTuple):
    """Layers from `first` to the one before `end`, on copies of a device type."""

    first: int
    end: int
    device_type: int
    copies: int


Plan = tuple[Stage, ...]


class Trip(NamedTuple):
    """The round trip behind a stage.

    Attributes
    ----------
    behind
        From the end of its forward pass to the earliest start of its backward pass.
    whole
        From the start of the one to the end of the other.
    turns
        ``ceil(behind / P)``: what starts of its forward pass, at most, come between.
    waits
        Whether the backward pass waits for a forward pass that is in its place.
    in_flight
        Data sets that a copy holds.
    """

    behind: Fraction
    whole: Fraction
    turns: int
    waits: bool
    in_flight: int


def boundary_times(chain: Chain, plan: Plan) -> list[tuple[Fraction, Fraction]]:
    """Give the times of the transfers behind each stage but the last, to the next and back."""
    return [
        chain.transfer(one.end - 1, one.device_type, other.device_type)
        for one, other in pairwise(plan)
    ]


def round_trips(chain: Chain, plan: Plan, period: Fraction) -> list[Trip]:
    """Give the least round trip behind each stage of a plan, by (3).

    Parameters
    ----------
    chain
        The instance in numbers.
    plan
        Its stages.
    period
        Time per data set.
    """
    behind = ZERO
    found: list[Trip] = []
    for stage, moved in zip(
        reversed(plan), [(ZERO, ZERO), *boundary_times(chain, plan)[::-1]], strict=True
    ):
        behind += moved[0] + moved[1]
        load, turn = chain.load(*stage[:3]), stage.copies * period
        turns = ceil(behind / turn)
        waits = behind + load > turns * turn
        whole = (turns * turn if waits else behind) + load
        in_flight = max(1, ceil(whole / turn)) if chain.trains else 1
        found.append(Trip(behind, whole, turns, waits, in_flight))
        behind = whole
    return found[::-1]


def middle(unit: int, low: Fraction, high: Fraction) -> Fraction:
    """Give a short number near the middle of two.

    Parameters
    ----------
    unit
        Its denominator is a multiple of this.
    low, high
        Below and above it.
    """
    between = (low + high) / 2
    while True:
        found = Fraction(floor(between * unit), unit)
        if low < found < high:
            return found
        unit *= 2


class Demand(NamedTuple):
    """A resource of a plan, and the least period at which it is not too busy."""

    name: str
    period: Fraction


def demands(chain: Chain, plan: Plan) -> Iterator[Demand]:
    """Give what each resource of a plan asks of the period, by (1); stages counted from 1."""
    update = chain.instance.update_every
    for i, stage in enumerate(plan, 1):
        yield Demand(f"stage {i} compute", chain.load(*stage[:3]) / stage.copies)
        yield Demand(f"reduce {i}", chain.reduce_time(*stage) / update)
    for i, (moved, ends) in enumerate(
        zip(boundary_times(chain, plan), pairwise(plan), strict=True), 1
    ):
        yield Demand(f"boundary {i}", max(moved) / min(stage.copies for stage in ends))


def just_below(chain: Chain, period: Fraction) -> Fraction:
    """Give a period so little shorter that a plan keeps it if one keeps any shorter period.

    Notes
    -----
    A test compares sums of times with sums of times and a multiple ``a T`` of the period. Times are
    written in whole numbers of 1/D, with D the common denominator of the times and of T. They
    differ by nothing,
    or by 1/D. Round trips are at most ``4 T`` per device by (1), so `a` is below 8 per device, and, for a
    reduction, at most `update_every` per device. With less than ``1 / (D a)`` taken off, each comparison
    has come out as it does for everything between.
    """
    devices = sum(device.count for device in chain.instance.devices)
    parts = (8 + chain.instance.update_every) * devices + 8
    common = lcm(chain.unit, period.denominator)
    return period - Fraction(1, common * parts)


def fits_alone(chain: Chain, plan: Plan) -> bool:
    """Tell whether every stage has room for one data set: then the plan has a period."""
    return all(chain.fits(*stage[:3]) for stage in plan)


def least_period(chain: Chain, plan: Plan) -> Fraction:
    """Give the least period that a plan can keep.

    Parameters
    ----------
    chain
        The instance in numbers.
    plan
        Its stages, each with room for one data set.

    Notes
    -----
    Between two breakpoints all round trips are ``L + a T`` with the same L and a, and a plan that lacks
    memory in between lacks it all along. So the period is raised from breakpoint to breakpoint until (2)
    holds. It begins with what (1) asks, or near the end: a period that is too short, by halving.
    """
    period = max(demand.period for demand in demands(chain, plan))
    if not chain.trains or not lacking(chain, plan, period):
        return period
    enough = 2 * period + round_trips(chain, plan, period)[0].whole
    for _ in range(_HALVINGS):
        tried = middle(chain.unit, period, enough)
        if lacking(chain, plan, tried):
            period = tried
        else:
            enough = tried
    while True:
        trips = round_trips(chain, plan, period)
        short = [i for i, trip in enumerate(trips) if not _has_room(chain, plan[i], trip)]
        if not short:
            return period
        period = min(
            point for point in _breakpoints(chain, plan, trips, short[-1]) if point > period
        )


def lacking(chain: Chain, plan: Plan, period: Fraction) -> list[int]:
    """Give the positions of the stages that lack memory at a period."""
    trips = round_trips(chain, plan, period)
    return [i for i, trip in enumerate(trips) if not _has_room(chain, plan[i], trip)]


def _has_room(chain: Chain, stage: Stage, trip: Trip) -> bool:
    return chain.fits(*stage[:3], trip.in_flight)


def _breakpoints(chain: Chain, plan: Plan, trips: Sequence[Trip], short: int) -> Iterator[Fraction]:
    """Give the periods at which a round trip, or whether there is room for it, may change.

    `short` is the last stage that lacks memory. What comes before it does not matter.
    """
    moved = [*boundary_times(chain, plan), (ZERO, ZERO)]
    fixed, turning = ZERO, 0  # the round trip is fixed + turning * T
    for i in range(len(plan) - 1, short - 1, -1):
        stage, trip = plan[i], trips[i]
        load, copies = chain.load(*stage[:3]), stage.copies
        fixed += sum(moved[i])
        fewer = (trip.turns - 1) * copies - turning
        if fewer > 0:
            yield fixed / fewer
        if trip.waits:
            until = trip.turns * copies - turning
            if until > 0:
                yield (fixed + load) / until
            fixed, turning = load, trip.turns * copies
        else:
            fixed += load
        if i == short:
            fewer = (trip.in_flight - 1) * copies - turning
            if fewer > 0:
                yield fixed / fewer
