"""What pools do, by members: even spreads, couplings and dealt instances add up and fit."""

from collections import Counter
from fractions import Fraction
from random import Random

from steadygrid.domain.platform import Platform
from steadygrid.domain.pools import Pools
from steadygrid.domain.resources import compute_resource
from steadygrid.domain.schedule import Transfer
from steadygrid.domain.twins import twin_classes
from steadygrid.engine.scheduling import Plan, ScheduleLimits, Workload
from steadygrid.engine.scheduling.case import Case
from steadygrid.engine.scheduling.instance_distribution import Dealer
from steadygrid.engine.scheduling.members import coupled, size_of_spread, spread
from steadygrid.engine.solving.control import Control

CLASSES = [["a0", "a1"], ["b0", "b1", "b2"], ["c0", "c1"]]


def plan(rate: Fraction, *places: str) -> Plan:
    path = (*places, "x")
    moves = (Transfer(("t0", "t9"), path, Fraction(1)),)
    return Plan(rate, {f"t{k}": (name,) for k, name in enumerate(places)}, moves)


def test_a_spread_gives_every_member_the_same() -> None:
    parts = spread(plan(Fraction(1, 2), "a0", "b0", "y"), CLASSES)
    assert len(parts) == size_of_spread(plan(Fraction(1), "a0", "b0"), CLASSES) == 4
    rates: Counter[str] = Counter()
    for part in parts:
        (first,), (second,) = part.tasks["t0"], part.tasks["t1"]
        assert part.tasks["t2"] == ("y",)
        assert part.transfers[0].path == (first, second, "y", "x")
        rates[first] += part.rate  # type: ignore[assignment]
        rates[second] += part.rate  # type: ignore[assignment]
    assert rates == {name: Fraction(1, 2 * len(names)) for names in CLASSES[:2] for name in names}
    assert spread(plan(Fraction(1), "y"), CLASSES) == [plan(Fraction(1), "y")]


def test_a_coupling_keeps_what_each_member_has() -> None:
    for seed in range(200):
        random = Random(seed)
        total = random.randint(1, 30)
        shares = []
        for _ in range(random.randint(1, 3)):
            cuts = sorted(random.choices(range(total + 1), k=random.randint(0, 5)))
            shares.append([b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)])
        found = [Counter[int]() for _ in shares]
        number = 0
        for places, count in coupled(shares):
            assert count > 0
            number += 1
            for counter, place in zip(found, places, strict=True):
                counter[place] += count
        assert number <= sum(map(len, shares))
        assert [[c[k] for k in range(len(s))] for c, s in zip(found, shares, strict=True)] == shares


def star(members: int) -> Platform:
    names = [f"P{k}" for k in range(members)]
    return Platform.model_validate(
        {
            "processors": [{"id": "M"}, *({"id": n, "unit_time": 1} for n in names)],
            "links": [{"source": "M", "target": n, "unit_time": "1/100"} for n in names],
        },
        strict=False,
    )


def dealer(members: int, times: list[Fraction]) -> Dealer:
    """Deal plans of one task each, which takes this long on a member of a star's class."""
    platform = star(members)
    speeds = [p.time_per_work for p in platform.processors]
    classes = twin_classes(platform, "one_port", speeds, fixed_routes=False, single={0})
    pools = Pools(platform, "one_port", classes)
    tasks = {f"t{k}": time for k, time in enumerate(times)}
    plans = [Plan(Fraction(1, 7), {task: ("P0",)}, ()) for task in tasks]
    workload = Workload(platform, "one_port", lambda task, _: tasks[task], {})
    case = Case(workload, plans, True, ScheduleLimits(), Control(60))
    assert pools.shares[compute_resource("P0")] == members
    return Dealer(case, pools)


def test_instances_are_dealt_to_who_has_room() -> None:
    for seed in range(100):
        random = Random(seed)
        members = random.randint(2, 5)
        times = [Fraction(random.randint(0, 9), random.randint(1, 3)) for _ in range(3)]
        counts = [random.randint(0, 12) for _ in times]
        period = Fraction(random.randint(1, 40))
        if sum(n * t for n, t in zip(counts, times, strict=True)) > members * period:
            continue
        dealt = dealer(members, times).deal(counts, period)
        done: Counter[str] = Counter()
        busy: Counter[str] = Counter()
        for one, count in zip(dealt.plans, dealt.counts, strict=True):
            ((task, (place,)),) = one.tasks.items()
            done[task] += count
            busy[place] += count * times[int(task[1:])]  # type: ignore[assignment]
        assert max(busy.values(), default=0) <= period
        assert sum(one.rate for one in dealt.plans) == Fraction(3, 7)
        missing = [count - done[f"t{k}"] for k, count in enumerate(counts)]
        assert min(missing) >= 0
        for lost, time in zip(missing, times, strict=True):
            assert not lost or all(busy[f"P{k}"] + time > period for k in range(members))


def test_what_fits_evenly_is_dealt_without_loss() -> None:
    dealt = dealer(4, [Fraction(3), Fraction(2)]).deal(
        [4 * 10**20 + 1, 5], 3 * 10**20 + Fraction(9)
    )
    assert sum(dealt.counts) == 4 * 10**20 + 6
    assert len(dealt.plans) <= 8
