"""Whole schedules, from rates to slots."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import Cancelled, SchedulingError
from steadygrid.domain.job import Options
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.scheduling import (
    Plan,
    ScheduleLimits,
    UnitSlot,
    Workload,
    reconstruct,
)
from steadygrid.engine.solving.control import Control
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_periodic
from steadygrid.verification.steady import SteadyInstance, views_of_one_application
from tests.draws import draws
from tests.engine.scheduling.checks import (
    INPUT,
    OUTPUT,
    figure_3,
    listed,
    platform,
    random_tree,
    rebuild,
    scaled_to_fit,
    way_plan,
)


def network(
    seed: int, size: int = 8, ports: str = "one_port", long: bool = False
) -> tuple[Workload, list[Plan]]:
    """A ring with chords, inputs on random ways; some resource is always busy."""
    choose = random.Random(seed)
    ids = [f"N{i}" for i in range(size)]
    pairs = {frozenset(p) for p in pairwise([*ids, ids[0]])}
    pairs |= {frozenset(choose.sample(ids, 2)) for _ in range(size)}

    def number() -> Fraction:
        if long:
            return Fraction(choose.randrange(10**50, 10**52), choose.randrange(10**50, 10**51))
        return Fraction(choose.randint(1, 9), choose.randint(1, 3))

    links = [
        {"source": a, "target": b, "unit_time": number(), "media": ["bus"] * (ports == "multiport")}
        for a, b in sorted(sorted(p) for p in pairs)
    ]
    neighbours = {
        i: [
            next(iter(p - {i}))
            for p in sorted(map(sorted, pairs))
            if i in p
            for p in [frozenset(p)]
        ]
        for i in ids
    }
    world = platform(
        [{"id": i, "bandwidth_out": 2 if ports == "multiport" else None} for i in ids],
        links,
        media=[{"id": "bus", "bandwidth": 3}],
    )
    times = {i: number() for i in ids}
    workload = Workload(
        world, ports, lambda task, processor: times[processor], {INPUT: number(), OUTPUT: number()}
    )
    plans = []
    for _ in range(2 * size):
        way = [ids[0]]
        for _ in range(choose.randint(0, 4)):
            onward = [n for n in neighbours[way[-1]] if n not in way]
            if onward:
                way.append(choose.choice(onward))
        rate = Fraction(choose.randint(1, 30), choose.randint(1, 30))
        plans.append(way_plan(rate, way, way[::-1]))
    return workload, scaled_to_fit(workload, plans)


def test_figure_3_of_the_report_computes_21_tasks_in_a_multiple_of_40() -> None:
    schedule = rebuild(*figure_3()).schedule
    assert schedule.throughput == Fraction(21, 40)
    assert schedule.period % 40 == 0
    assert schedule.loss == 0
    assert schedule.rounding_loss is None
    assert not schedule.preempted
    # P1 -> P2 in period 1, P2 -> P4 in period 2, computed in period 3.
    assert (schedule.prologue_periods, schedule.latency_periods) == (2, 3)
    assert [c.processor for c in schedule.computations] == ["P1", "P2", "P3", "P4", "P4"]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_exact_schedules_lose_nothing(seed: int, ports: str) -> None:
    workload, plans = network(seed, 5, ports)
    schedule = rebuild(workload, plans, whole_files=False, max_period="exact").schedule
    assert schedule.loss == 0
    whole = rebuild(workload, plans, max_period="exact").schedule
    assert not whole.preempted
    assert whole.loss <= Fraction(1, 100)
    if whole.rounding_loss is None:
        assert (whole.period / schedule.period).denominator == 1


@pytest.mark.parametrize("seed", range(draws(3, 120)))
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("longest", [Fraction(7, 2), Fraction(50), Fraction(3000)])
@pytest.mark.parametrize("whole", [False, True])
def test_bounded_periods_are_never_exceeded(
    seed: int, ports: str, longest: Fraction, whole: bool
) -> None:
    workload, plans = network(seed, 4, ports)
    schedule = rebuild(workload, plans, max_period=longest, whole_files=whole).schedule
    assert schedule.period <= longest
    if whole:
        assert not schedule.preempted
    elif schedule.rounding_loss is not None:
        rates = sum(plan.rate for plan in plans)
        floors = sum(plan.rate * longest // 1 for plan in plans)
        assert schedule.rounding_loss == 1 - floors / longest / rates


def test_a_bound_longer_than_the_exact_period_loses_nothing() -> None:
    schedule = rebuild(*figure_3(), max_period=1000).schedule
    assert (schedule.period, schedule.loss, schedule.rounding_loss) == (40, 0, None)


def test_the_search_beats_rounding_down() -> None:
    schedule = rebuild(*figure_3(), max_period=39).schedule
    assert schedule.rounding_loss == 1 - Fraction(16, 39) / Fraction(21, 40)
    assert schedule.period <= 39
    assert schedule.throughput == Fraction(1, 2)


def test_a_period_that_holds_no_instance_says_which_one_would() -> None:
    for whole in (False, True):
        answer = rebuild(*figure_3(), max_period="7/2", whole_files=whole)
        schedule = answer.schedule
        assert (schedule.throughput, schedule.loss, schedule.period) == (0, 1, Fraction(7, 2))
        assert schedule.slots == ()
        assert schedule.computations == ()
        assert [a.instances_per_period for a in schedule.allocations] == [0] * 5
        assert "the smallest useful period among these allocations is 4" in answer.notes[0]


def test_without_plans_the_schedule_is_empty() -> None:
    workload, plans = figure_3()
    for none in ([], [plans[0]._replace(rate=Fraction(0))]):
        schedule = rebuild(workload, none).schedule
        assert (schedule.period, schedule.throughput, schedule.loss) == (1, 0, 0)
        assert (schedule.prologue_periods, schedule.latency_periods) == (0, 1)
    assert rebuild(workload, [], max_period="1/2").schedule.period == Fraction(1, 2)


def test_a_file_of_size_0_takes_its_period_but_no_slot() -> None:
    workload, plans = figure_3()
    empty = Workload(workload.platform, "one_port", workload.task_time, {INPUT: Fraction(0)})
    schedule = rebuild(empty, plans).schedule
    assert schedule.slots == ()
    assert schedule.latency_periods == 3


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("whole", [None, False])
def test_a_period_too_long_to_read_is_replaced_by_a_round_one(
    ports: str, whole: bool | None
) -> None:
    workload, plans = network(5, 8, ports)
    limits = ScheduleLimits(max_period_digits=6)
    answer = rebuild(workload, plans, limits=limits, whole_files=whole)
    schedule = answer.schedule
    assert num_digits(schedule.period) <= 6
    assert 0 < schedule.loss <= Fraction(1, 100)
    assert [a.rate for a in schedule.allocations] == [plan.rate for plan in plans]
    assert "digits" in answer.notes[0]
    assert "max_period" in answer.notes[0]
    if whole is None:
        assert not schedule.preempted


@pytest.mark.parametrize(("seed", "size"), [(0, 5), (8, 5), (13, 6)])
def test_whole_files_follow_an_order_that_cuts_one_in_the_same_period(seed: int, size: int) -> None:
    workload, plans = network(seed, size)
    cut = rebuild(workload, plans, whole_files=False, max_period="exact").schedule
    assert cut.preempted
    whole = rebuild(workload, plans, max_period="exact").schedule
    assert (whole.period, whole.loss, whole.preempted) == (cut.period, 0, False)


def test_whole_files_that_make_the_period_too_long_are_kept_at_a_small_loss() -> None:
    for seed in range(40, 44):
        workload, plans = network(seed, 5)
        plain = rebuild(workload, plans, whole_files=False, max_period="exact").schedule
        limits = ScheduleLimits(max_period_digits=num_digits(plain.period))
        answer = rebuild(workload, plans, limits=limits, max_period="exact")
        if answer.notes:
            assert "whole_files" in answer.notes[0]
            assert not answer.schedule.preempted
            assert answer.schedule.loss <= Fraction(1, 100)
            return
    raise AssertionError("no instance interrupted a file")


@pytest.mark.parametrize("longest", [None, 1000])
@pytest.mark.parametrize("whole", [None, True, False])
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_numbers_with_fifty_digits_give_readable_times(
    longest: int | None, whole: bool | None, ports: str
) -> None:
    workload, plans = network(2, 6, ports, long=True)
    limits = ScheduleLimits(max_period_digits=100)
    answer = rebuild(workload, plans, limits=limits, max_period=longest, whole_files=whole)
    assert answer.schedule.loss < Fraction(1, 10)
    assert num_digits(answer.schedule.period) < 40
    assert all(num_digits(slot.start) < 40 for slot in answer.schedule.slots)


def busy_switch() -> tuple[Workload, list[Plan]]:
    """Two senders, one switch, two receivers: the switch forwards both files at once."""
    names = ["A", "B", "C", "D"]
    links = [{"source": n, "target": "S", "unit_time": 1} for n in names]
    world = platform([{"id": n} for n in names] + [{"id": "S", "switch": True}], links)
    files = {("a", "c"): Fraction(1), ("b", "d"): Fraction(1)}
    workload = Workload(world, "one_port", lambda task, processor: Fraction(1), files)
    transfers = (
        Transfer(("a", "c"), ("A", "S", "C"), Fraction(1)),
        Transfer(("b", "d"), ("B", "S", "D"), Fraction(1)),
    )
    return workload, [
        Plan(Fraction(1), {n.lower(): (n,) for n in names}, transfers),
    ]


def test_a_switch_forwards_several_transfers_at_once() -> None:
    schedule = rebuild(*busy_switch()).schedule
    assert schedule.period == 1
    assert len(schedule.slots) == 1
    assert len(schedule.slots[0].transfers) == 4


def split_file() -> tuple[Workload, list[Plan]]:
    """One file goes two ways: a third over B, the rest over C."""
    links = [
        {"source": a, "target": b, "unit_time": 1}
        for a, b in (("A", "B"), ("A", "C"), ("B", "D"), ("C", "D"))
    ]
    world = platform([{"id": n} for n in "ABCD"], links)
    workload = Workload(world, "multiport", lambda t, p: Fraction(1, 2), {INPUT: Fraction(1)})
    transfers = (
        Transfer(INPUT, ("A", "B", "D"), Fraction(1, 3)),
        Transfer(INPUT, ("A", "C", "D"), Fraction(2, 3)),
    )
    return workload, [Plan(Fraction(3, 2), {"task": ("D",)}, transfers)]


def test_shares_of_a_split_file_are_whole_files_too() -> None:
    workload, plans = split_file()
    plain = rebuild(workload, plans, whole_files=False).schedule
    assert (plain.period, plain.preempted, len(plain.slots)) == (Fraction(2, 3), True, 1)
    whole = rebuild(workload, plans).schedule
    assert (whole.period, whole.preempted) == (2, False)
    bounded = rebuild(workload, plans, max_period="3", whole_files=True).schedule
    assert (bounded.instances_per_period, bounded.loss) == (3, 0)
    short = rebuild(workload, plans, max_period="3/2", whole_files=True)
    assert "smallest useful period among these allocations is 2" in short.notes[0]


def half_duplex_ring() -> tuple[Workload, list[Plan], list[UnitSlot]]:
    """Inputs and outputs of a worker opposite the master, both ways round a half-duplex ring."""
    ring = ["M", "A", "W", "B"]
    links = [
        {"source": a, "target": b, "unit_time": 1, "duplex": "half"}
        for a, b in pairwise([*ring, "M"])
    ]
    workload = Workload(
        platform([{"id": n} for n in ring], links),
        "one_port",
        lambda task, processor: Fraction(1),
        {INPUT: Fraction(1), OUTPUT: Fraction(1)},
    )
    one, other = ("M", "A", "W"), ("M", "B", "W")
    plans = [
        way_plan(Fraction(1, 2), one, other[::-1]),
        way_plan(Fraction(1, 2), other, one[::-1]),
    ]
    half = Fraction(1, 2)
    slots = [
        UnitSlot(half, (("M", "A"), ("A", "W"), ("W", "B"), ("B", "M"))),
        UnitSlot(half, (("M", "B"), ("B", "W"), ("W", "A"), ("A", "M"))),
    ]
    return workload, plans, slots


def test_slots_of_the_kind_are_followed() -> None:
    workload, plans, slots = half_duplex_ring()
    schedule = rebuild(workload, plans, slots).schedule
    assert (schedule.throughput, schedule.loss, schedule.period) == (1, 0, 2)
    assert not schedule.preempted
    for options in ({"max_period": 1, "whole_files": True}, {"max_period": "3/2"}):
        bounded = rebuild(workload, plans, slots, **options)
        assert bounded.schedule.period <= Fraction(3, 2)
    uneven = [plans[0]._replace(rate=Fraction(1, 2)), plans[1]._replace(rate=Fraction(3, 7))]
    for period in (2, 9, 100):
        assert rebuild(workload, uneven, slots, max_period=period).schedule.period <= period


def test_slots_must_hold_every_link_in_use() -> None:
    workload, plans, slots = half_duplex_ring()
    with pytest.raises(SchedulingError, match="slots"):
        rebuild(workload, plans, slots[:1], max_period=1)


def test_without_slots_such_a_ring_is_refused() -> None:
    workload, plans, _ = half_duplex_ring()
    with pytest.raises(SchedulingError, match="half-duplex"):
        rebuild(workload, plans)


@pytest.mark.parametrize("whole", [None, False, True])
@pytest.mark.parametrize("longest", [None, 5000])
@pytest.mark.parametrize("most", [20, 25, 30, 35])
def test_a_description_that_is_too_long_is_shortened_at_a_loss(
    whole: bool | None, longest: int | None, most: int
) -> None:
    workload, plans = network(6, 10)
    limits = ScheduleLimits(max_slot_transfers=most)
    answer = rebuild(workload, plans, limits=limits, max_period=longest, whole_files=whole)
    schedule = answer.schedule
    assert listed(schedule) <= most
    assert schedule.throughput > 0
    if longest is not None:
        assert schedule.period <= longest


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("seed", "most"), [(3, 70), (7, 90), (7, 60)])
@pytest.mark.parametrize("longest", [None, 10**5])
def test_time_to_spare_makes_descriptions_shorter(
    whole: bool, seed: int, most: int, longest: int | None
) -> None:
    workload, plans = network(seed, 16)
    limits = ScheduleLimits(max_slot_transfers=most)
    options = {"whole_files": whole, "max_period": longest}
    schedule = rebuild(workload, plans, limits=limits, **options).schedule
    assert listed(schedule) <= most
    assert schedule.loss <= Fraction(3, 5)


def test_fewer_transfers_than_hops_leave_plans_out() -> None:
    workload, plans = network(6, 10)
    for ports in ("one_port", "multiport"):
        cut = Workload(workload.platform, ports, workload.task_time, workload.file_sizes)
        answer = rebuild(cut, plans, limits=ScheduleLimits(max_slot_transfers=20))
        counts = [a.instances_per_period for a in answer.schedule.allocations]
        assert 0 in counts
        assert listed(answer.schedule) <= 20
        assert "transfers" in answer.notes[0]


@given(st.integers(0, 10**6), st.integers(1, 400))
def test_rates_below_the_optimum_are_never_beaten(seed: int, longest: int) -> None:
    workload, plans = network(seed, 4)
    slower = [plan._replace(rate=plan.rate * Fraction(9, 10)) for plan in plans]
    rebuild(workload, slower, max_period=longest)


@pytest.mark.parametrize("seed", range(10))
def test_half_duplex_trees_keep_their_promises_when_bounded(seed: int) -> None:
    workload, plans = random_tree(seed, ["half", "full"])
    for whole in (False, True):
        assert rebuild(workload, plans, max_period=20, whole_files=whole).schedule.period <= 20


def test_relabelling_the_plans_changes_no_throughput() -> None:
    workload, plans = network(9, 6)
    periods = {rebuild(workload, order, whole_files=False).schedule.period
               for order in (plans, plans[::-1])}  # fmt: skip
    assert len(periods) == 1


@pytest.mark.parametrize("seed", range(draws(3, 60)))
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize(
    "options",
    [{}, {"whole_files": False}, {"max_period": 40}, {"max_period": 40, "whole_files": True}],
)
def test_the_referee_agrees(seed: int, ports: str, options: dict[str, object]) -> None:
    workload, plans = network(seed, 5, ports)
    ids = [processor.id for processor in workload.platform.processors]
    instance = SteadyInstance(
        read_network(workload.platform, workload.ports),
        {"task": {i: workload.task_time("task", i) for i in ids}},
        workload.file_sizes,
        {"begin": (ids[0],), "end": (ids[0],)},
    )
    few = [ScheduleLimits(max_slot_transfers=most) for most in (1, 2, 4, 10, 30)]
    for limits in (ScheduleLimits(), ScheduleLimits(max_period_digits=4), *few):
        schedule = rebuild(workload, plans, limits=limits, **options).schedule
        findings = Findings()
        verify_periodic(
            views_of_one_application(instance),
            schedule,
            findings,
            sum((plan.rate for plan in plans), Fraction(0)),
            Options.model_validate(options),
            limits,
        )
        assert findings.faults == []


def test_a_cancelled_reconstruction_stops() -> None:
    workload, plans = figure_3()
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        reconstruct(workload, plans, Fraction(21, 40), Options(), ScheduleLimits(), control)


def test_an_automatic_period_is_stretched_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steadygrid.engine.scheduling.bounded.TARGET_LOSS", Fraction(0))
    workload, plans = network(5, 8)
    limits = ScheduleLimits(max_period_digits=6)
    assert rebuild(workload, plans, limits=limits).schedule.loss > 0


def test_a_single_allocation_that_does_not_fit_says_what_it_needs() -> None:
    workload, plans = figure_3()
    idle = plans[1]._replace(rate=Fraction(0))
    answer = rebuild(workload, [idle, plans[0]], max_period=39, whole_files=True)
    assert "the smallest useful period among these allocations is 40" in answer.notes[0]


def test_an_allocation_of_rate_0_never_runs() -> None:
    workload, plans = figure_3()
    idle = plans[1]._replace(rate=Fraction(0))
    schedule = rebuild(workload, [idle, *plans[2:]], max_period=7, whole_files=True).schedule
    assert schedule.allocations[0].instances_per_period == 0
    assert schedule.throughput > 0


def test_a_task_that_takes_no_time_is_listed() -> None:
    workload, plans = figure_3()
    quick = Workload(
        workload.platform, "one_port", lambda task, processor: Fraction(0), workload.file_sizes
    )
    schedule = rebuild(quick, plans[1:]).schedule
    assert [c.time for c in schedule.computations] == [0] * 4
    assert rebuild(quick, plans[1:], max_period=7).schedule.throughput == Fraction(1, 2)


def test_no_schedule_at_all_is_short_enough() -> None:
    workload, plans = figure_3()
    for longest in (None, 39):
        answer = rebuild(
            workload,
            plans[3:],
            limits=ScheduleLimits(max_slot_transfers=1),
            max_period=longest,
        )
        assert answer.schedule.throughput == 0
        assert "transfers" in answer.notes[0]
