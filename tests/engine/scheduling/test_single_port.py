"""Slots, and computations between them, where a processor does one thing at a time."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.pools import Pools
from steadygrid.domain.schedule import Allocation, ScheduleLimits, Transfer
from steadygrid.domain.twins import twin_classes
from steadygrid.engine.scheduling import Plan, Workload, reconstruct
from steadygrid.engine.scheduling.case import Case
from steadygrid.engine.scheduling.computations import between_transfers, in_order
from steadygrid.engine.scheduling.instance_distribution import Dealer
from steadygrid.engine.scheduling.slot_layout import SlotLayout, Stretch
from steadygrid.engine.scheduling.workload import operations
from steadygrid.engine.solving.control import Control
from tests.kinds.task_graph.test_single_port import ring
from tests.solved import solve

F = Fraction


def workload(links: Sequence[tuple[str, str]], ports: PortModel) -> Workload:
    names = sorted({name for ends in links for name in ends})
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in names],
            "links": [{"source": a, "target": b, "unit_time": 1} for a, b in links],
        }
    )
    return Workload(platform, ports, lambda _task, _processor: F(2), {("a", "b"): F(1)})


def plan(rate: Fraction, *path: str) -> Plan:
    places = {"a": (path[0],), "b": (path[-1],)}
    return Plan(rate, places, (Transfer(("a", "b"), path, F(1)),))


def test_computations_are_cut_only_where_they_may_be() -> None:
    two = workload([("P", "Q")], "no_overlap")
    plans = [plan(F(1, 4), "P", "Q")]
    hops = operations(two, plans)
    layout = SlotLayout([Stretch(F(3), ()), Stretch(F(1), ((0, F(1)),))])
    cut, whole = (
        between_transfers(two, plans, [2], hops, layout, whole=whole) for whole in (False, True)
    )
    assert [(c.processor, c.count, c.start, c.time) for c in cut] == [
        ("P", F(3, 2), 0, 3),
        ("P", F(1, 2), 4, 1),
        ("Q", F(3, 2), 0, 3),
        ("Q", F(1, 2), 4, 1),
    ]
    assert [(c.processor, c.count, c.start, c.time) for c in whole] == [
        ("P", 1, 0, 2),
        ("P", 1, 4, 2),
        ("Q", 1, 0, 2),
        ("Q", 1, 4, 2),
    ]


@pytest.mark.parametrize(
    ("gap", "times", "periods"),
    [(F(2), [("v", 0), ("u", 3)], None), (F(5), [("u", 0), ("v", 4)], {"u": 1, "v": 1})],
)
def test_a_task_that_fits_before_the_one_it_follows_takes_its_data_from_the_period_before(
    gap: Fraction, times: list[tuple[str, int]], periods: dict[str, int] | None
) -> None:
    """A gap of 2 before a transfer has room for v, of time 1, but not for u, of time 4."""
    platform = workload([("P", "Q")], "no_overlap").platform
    sizes = {("u", "v"): F(1), ("a", "b"): F(1)}
    work = Workload(platform, "no_overlap", lambda task, _: F({"u": 4, "v": 1}.get(task, 0)), sizes)
    places = {"u": ("P",), "v": ("P",), "a": ("P",), "b": ("Q",)}
    one = Plan(F(1, 9), places, (Transfer(("a", "b"), ("P", "Q"), F(1)),))
    layout = SlotLayout([Stretch(gap, ()), Stretch(F(1), ((0, F(1)),))])
    placed = between_transfers(work, [one], [1], operations(work, [one]), layout, whole=True)
    allocation = Allocation(0, one.rate, F(1), places, one.transfers)
    found = in_order(work, allocation, tuple(sizes), placed).first_periods
    on_p = [(c.task, c.start) for c in placed if c.processor == "P" and c.task in "uv"]
    assert on_p == times
    first = None if found is None else {task: found[task, "P"] for task in ("u", "v")}
    assert first == periods


def test_slots_last_for_parts_of_the_unit_where_they_must() -> None:
    """Two edges of a ring of five at a time: each edge for 2 of 5, which takes parts of 3."""
    names = "ABCDE"
    links = [(names[k], names[(k + 1) % 5]) for k in range(5)]
    ring_of_five = workload(links, "send_or_receive")
    plans = [plan(F(1, 5), *ends)._replace(tasks={}) for ends in links]
    schedule = reconstruct(
        ring_of_five, plans, F(1), Options(whole_files=False), ScheduleLimits(), Control()
    ).schedule
    assert schedule.loss == 0
    assert sum(slot.duration for slot in schedule.slots) <= schedule.period
    busiest = max(len(slot.transfers) for slot in schedule.slots)
    assert busiest == 2


@pytest.mark.parametrize("whole_files", [True, False])
def test_a_bounded_period_leaves_room_for_odd_sets(whole_files: bool) -> None:
    """In a period of 2 the ports alone had room for all edges of the triangle, and one more."""
    links = [("A", "B"), ("B", "C"), ("C", "A"), ("D", "E")]
    apart = workload(links, "send_or_receive")
    plans = [plan(F(1, 3), *ends)._replace(tasks={}) for ends in links[:3]]
    plans.append(plan(F(1), "D", "E")._replace(tasks={}))
    options = Options(max_period=F(2), whole_files=whole_files)
    schedule = reconstruct(apart, plans, F(2), options, ScheduleLimits(), Control()).schedule
    counts = [allocation.instances_per_period for allocation in schedule.allocations]
    assert schedule.period <= 2
    assert sum(counts[:3]) <= schedule.period
    assert schedule.throughput == 2


def test_what_is_dealt_leaves_room_for_odd_sets() -> None:
    """As above, and the other allocations are those of two pools, which are in no odd set."""
    ring = [("A", "B"), ("B", "C"), ("C", "A")]
    stars = [(hub, f"{hub}{k}") for hub in "XY" for k in range(2)]
    apart = workload([*ring, *stars], "send_or_receive")
    times = [0] * len(apart.platform.processors)
    classes = twin_classes(apart.platform, "send_or_receive", times, fixed_routes=False)
    pools = Pools(apart.platform, "send_or_receive", classes)
    assert pools.names == [["X0", "X1"], ["Y0", "Y1"]]
    plans = [plan(F(1, 3), *ends)._replace(tasks={}) for ends in ring]
    plans += [plan(F(3, 4), *ends)._replace(tasks={}) for ends in stars[::2]]
    dealer = Dealer(Case(apart, plans, True, ScheduleLimits(), Control()), pools)
    offered = [dealt.counts for dealt in dealer.offers(F(2))]
    assert (sum(offered[0][:3]), sum(offered[0])) == (2, 5)
    assert len(offered) > 1
    assert all(sum(counts[:3]) <= 2 for counts in offered)


def test_automatic_periods_keep_to_odd_sets_too() -> None:
    body: dict[str, Any] = ring(5, "no_overlap")
    for k, link in enumerate(body["problem"]["platform"]["links"]):
        link["unit_time"] = f"{10**9 + 2 * k + 1}/{10**9 - 7 * k - 3}"
    solved = solve(body, limits=Limits(max_period_digits=5))
    assert 0 < solved.schedule.loss <= F(1, 50)
