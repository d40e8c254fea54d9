"""Schedules of messages that are copied on their way, or combined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain.combination import Combination
from steadygrid.domain.job import Options
from steadygrid.domain.periods import first_periods, hop_periods, last_period
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.schedule import USUAL_LIMITS, Allocation, Schedule, Transfer
from steadygrid.engine.scheduling import Plan, Workload, reconstruct
from steadygrid.engine.scheduling.workload import operations, resource_rows
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.referee_combining import check_combining
from steadygrid.kinds.collective.referee_trees import check_tree
from steadygrid.kinds.collective.referee_views import Moving, message_views
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import course_of
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_periodic
from tests.draws import draws
from tests.engine.scheduling.trees import assert_trees_run

F = Fraction
ONE = F(1)
PORTS: tuple[PortModel, ...] = ("one_port", "multiport", "send_or_receive", "no_overlap")


def ways(message: str, told: str) -> tuple[Transfer, ...]:
    """Read ``c:c>s>b``: data c over s to b."""
    listed = (way.split(":") for way in told.split())
    return tuple(Transfer((message, data), tuple(path.split(">")), ONE) for data, path in listed)


def joined(told: str) -> tuple[Combination, ...]:
    """Read ``b=b+c``: on b, what b and c have."""
    listed = (one.split("=") for one in told.split())
    return tuple(
        Combination(k, place, tuple(operands.split("+")))
        for k, (place, operands) in enumerate(listed)
    )


def tree(
    message: str, told: str, combined: str = "", weight: int = 1, timed: bool = False
) -> tuple[int, Plan]:
    combinations = joined(combined)
    tasks = {one.outcome: (one.processor,) for one in combinations if timed}
    return weight, Plan(F(0), tasks, ways(message, told), message, combinations)


@dataclass(frozen=True)
class Toy:
    """Messages on a platform with switches S and T, a link for each hop, and latencies 1, 2, 3, ..."""

    messages: Mapping[str, Moving]
    trees: Sequence[tuple[int, Plan]]
    hops: str
    times: Mapping[str, Fraction] | None = None
    """Per unit of data of a combination of two, where it takes time."""

    @property
    def platform(self) -> Platform:
        ends = [pair.split(">") for pair in self.hops.split()]
        return Platform.model_validate(
            {
                "processors": [
                    {"id": name, **({"switch": True} if name in "ST" else {})}
                    for name in sorted({name for pair in ends for name in pair})
                ],
                "links": [
                    {"source": a, "target": b, "unit_time": 1, "latency": k, "duplex": "simplex"}
                    for k, (a, b) in enumerate(ends, 1)
                ],
            }
        )

    def workload(self, ports: Any) -> Workload:
        times = self.times or {}

        def time(_task: str, processor: str) -> Fraction:
            (message,) = self.messages.values()
            return message.size * times[processor]

        moved = {t.file: self.messages[t.file[0]].size for _, p in self.trees for t in p.transfers}
        files = tuple((m, s) for m, moving in self.messages.items() for s in moving.sources)
        return Workload(self.platform, ports, time, moved, files)

    def plans(self, ports: Any) -> list[Plan]:
        """Give each message the same rate, and its trees what their weights say of it."""
        workload, total = self.workload(ports), dict[str | None, int]()
        for weight, plan in self.trees:
            total[plan.message] = total.get(plan.message, 0) + weight
        plans = [p._replace(rate=F(weight, total[p.message])) for weight, p in self.trees]
        rows = resource_rows(workload, plans, operations(workload, plans))
        busiest = max(
            sum((plans[k].rate * time for k, time in row.items()), F(0)) for row in rows.values()
        )
        if ports in ("send_or_receive", "no_overlap"):
            busiest *= F(3, 2)  # then even odd sets have room (Shannon)
        return [plan._replace(rate=plan.rate / busiest) for plan in plans]

    def scheduled(self, ports: Any, **options: Any) -> Schedule:
        """Reconstruct; the referee and a run of the schedule find nothing wrong."""
        plans, asked = self.plans(ports), Options(**options)
        value = sum((p.rate for p in plans), F(0)) / len(self.messages)
        schedule = reconstruct(
            self.workload(ports), plans, value, asked, USUAL_LIMITS, Control()
        ).schedule
        network = read_network(self.platform, ports)
        copiers = network.processors - network.switches
        views = message_views(network, self.messages, copiers, self.times)
        findings = Findings()
        verify_periodic(views, schedule, findings, value, asked)
        for a in schedule.allocations:
            moving = self.messages[a.message or ""]
            check_allocation(views.of(a), a, findings, ())
            check_tree(a, copiers, findings, ())
            if len(moving.receivers) == 1:
                check_combining(moving.sources, copiers, a, findings, ())
        assert findings.faults == []
        assert Schedule.from_document(schedule.document) == schedule
        moving_of = self.messages.items()
        assert_trees_run(
            self.platform,
            {name: moving.sources for name, moving in moving_of},
            {name: moving.receivers for name, moving in moving_of},
            {name: moving.size for name, moving in moving_of},
            schedule,
        )
        return schedule


def moving(sources: str, receivers: str, size: Any = 1) -> Moving:
    return Moving(tuple(sources), tuple(receivers), F(size))


GATHERED = Toy(
    {"data": moving("abcd", "a")},
    [tree("data", "c:c>S>b --0:b>a d:d>a", "b=b+c a=--0+a+d")],
    "c>S S>b b>a d>a",
)
"""b combines what c sends over a switch with its own, a the outcome with its own and that of d."""
RELAYED = Toy(
    {"data": moving("cd", "a")},
    [tree("data", "c:c>b c:b>e d:d>e --0:e>f --0:f>a", "e=c+d")],
    "c>b b>e d>e e>f f>a",
)
"""Neither b nor f combine, though they might: one passes an operand on, the other the outcome."""
LOCAL = Toy(
    {"data": moving("bcde", "a")},
    [tree("data", "c:c>b d:d>T>S>b e:e>b --1:b>a", "b=b+c b=--0+e+d")],
    "c>b d>T T>S S>b e>b b>a",
)
"""The first outcome stays on b, for the second combination there."""
SLOW_TARGET = Toy(
    {"data": moving("ab", "a", 3)},
    [tree("data", "a:a>b --0:b>a", "b=a+b", timed=True)],
    "a>b b>a",
    {"b": F(1)},
)
"""What a has leaves it, and comes back combined."""
TWO_STEPS = Toy(
    {"data": moving("abcd", "a", 2)},
    [tree("data", "c:c>b d:d>b --0:b>a", "b=b+c+d a=--0+a", timed=True)],
    "c>b d>b b>a",
    {"a": F(1, 2), "b": F(1, 3)},
)
SPREAD = Toy(
    {"data": moving("a", "bcd")},
    [tree("data", "a:a>S>b a:a>S>c a:b>d")],
    "a>S S>b S>c b>d",
)
"""The switch S only forwards, so it gets the message twice."""


def numbered(plan: Plan) -> Allocation:
    return Allocation(
        0, ONE, ONE, plan.tasks, plan.transfers, None, plan.message, plan.combinations
    )


COURSES = [
    (GATHERED, ((1, 2), (3,), (1,)), ((1, 1), (1,), (1,)), {}),
    (RELAYED, ((1,), (2,), (1,), (3,), (4,)), ((1,),) * 5, {}),
    (LOCAL, ((1,), (1, 2, 3), (1,), (4,)), ((1,), (1, 1, 1), (1,), (1,)), {}),
    (SLOW_TARGET, ((1,), (3,)), ((1,), (3,)), {("--0", "b"): 2}),
    (TWO_STEPS, ((1,), (1,), (3,)), ((1,), (1,), (3,)), {("--0", "b"): 2, ("--1", "a"): 4}),
    (SPREAD, ((1, 2), (1, 2), (3,)), ((1, 1), (1, 1), (1,)), {}),
]


@pytest.mark.parametrize(("toy", "hop_by_hop", "flowing", "computed"), COURSES)
def test_what_is_combined_leaves_after_its_last_operand_came(
    toy: Toy, hop_by_hop: Any, flowing: Any, computed: Any
) -> None:
    for ports in PORTS:
        network = read_network(toy.platform, ports)
        copiers = network.processors - network.switches
        views = message_views(network, toy.messages, copiers, toy.times)
        ((_, plan),) = toy.trees
        allocation = numbered(plan)
        hops = flowing if ports == "multiport" else hop_by_hop
        assert hop_periods(views.files, allocation, ports) == hops
        assert first_periods(views.files, allocation, ports) == computed
        course = course_of(views.of(allocation), allocation)
        listed = {(i, j): period for i, way in enumerate(hops) for j, period in enumerate(way)}
        assert (course.hops, course.copies) == (listed, computed)
        last = max(*listed.values(), *computed.values(), 1)
        assert last_period(views.files, allocation, ports) == course.last == last


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(
    ("toy", "latency"),
    [(GATHERED, 3), (RELAYED, 4), (LOCAL, 4), (SLOW_TARGET, 3), (TWO_STEPS, 4), (SPREAD, 3)],
)
def test_every_instance_of_a_tree_is_complete_when_the_header_says(
    toy: Toy, latency: int, ports: Any
) -> None:
    schedule = toy.scheduled(ports)
    flows = ports == "multiport" and not toy.times
    assert schedule.latency_periods == (1 if flows else latency)
    assert schedule.prologue_periods == schedule.latency_periods - 1


def test_a_switch_that_forwards_to_two_gets_the_message_twice() -> None:
    assert SPREAD.scheduled("one_port").throughput == F(1, 2)
    (slot,) = SPREAD.scheduled("multiport").slots
    assert {sent[:2]: sent.count for sent in slot.transfers}["a", "S"] == 2 * slot.duration / 2


def test_combining_takes_time_of_the_processor_that_does_it() -> None:
    assert SLOW_TARGET.scheduled("one_port").throughput == F(1, 3)
    slow = SLOW_TARGET.times or {}
    busy = Toy(SLOW_TARGET.messages, SLOW_TARGET.trees, SLOW_TARGET.hops, {"b": 2 * slow["b"]})
    assert busy.scheduled("one_port").throughput == F(1, 6)
    (each,) = TWO_STEPS.scheduled("one_port").computations[1:]
    assert (each.processor, each.time / each.count) == ("b", F(4, 3))


PAID = [
    (GATHERED, 1 + 2 + 3),
    (RELAYED, 1 + 2 + 4 + 5),
    (LOCAL, 2 + 3 + 4 + 6),
    (SLOW_TARGET, 2),
    (SPREAD, 1 + 2 + 4),
]


@pytest.mark.parametrize(("toy", "paid"), PAID)
def test_a_flow_through_combinations_pays_all_latencies_on_its_path(toy: Toy, paid: int) -> None:
    schedule = toy.scheduled("multiport", latencies="paid")
    (slot,) = schedule.slots
    assert slot.start == paid
    for ports in ("one_port", "send_or_receive", "no_overlap"):
        grouping = toy.scheduled(ports, latencies="paid").grouping
        assert grouping is not None
        assert grouping.latency_time >= 0


SCATTERED = Toy(
    {name: moving("abc", name, size) for name, size in zip("abc", (1, 2, "3/2"), strict=True)},
    [
        tree("a", "b:b>a c:c>a", "a=a+b+c", 2),
        tree("a", "c:c>b --0:b>a", "b=b+c a=--0+a", 3),
        tree("b", "a:a>b c:c>b", "b=a+b+c"),
        tree("c", "a:a>b --0:b>c", "b=a+b c=--0+c", 5),
        tree("c", "b:b>a --0:a>c", "a=a+b c=--0+c", 2),
    ],
    "a>b b>a b>c c>b a>c c>a",
)
"""Of three parts each is combined somewhere: a reduce_scatter, by several trees."""
GATHERED_BY_ALL = Toy(
    {name: moving(name, "abc".replace(name, ""), 1) for name in "abc"},
    [
        tree("a", "a:a>b a:b>c", weight=2),
        tree("a", "a:a>b a:a>c"),
        tree("b", "b:b>c b:c>a"),
        tree("c", "c:c>a c:a>b", weight=3),
        tree("c", "c:c>b c:c>a", weight=4),
    ],
    "a>b b>a b>c c>b a>c c>a",
)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("toy", [SCATTERED, GATHERED_BY_ALL])
def test_messages_keep_step_in_exact_and_in_bounded_periods(toy: Toy, ports: Any) -> None:
    exact = toy.scheduled(ports, max_period="exact")
    assert exact.rounding_loss is None
    for part in (2, 5):
        shorter = toy.scheduled(ports, max_period=str(exact.period / part))
        assert shorter.rounding_loss is not None
        assert 0 < shorter.throughput <= exact.throughput
    assert toy.scheduled(ports, latencies="paid").grouping is not None


def drawn(random: Random) -> Toy:
    """Draw in-trees of one message, and what is combined where; data may take ways over others."""
    names = "abcdef"[: random.randint(3, 6)]
    sources = sorted(random.sample(names, random.randint(2, len(names))))
    target = random.choice(names)
    timed = random.random() < 0.4
    trees = []
    for weight in range(1, random.randint(2, 4)):
        have = {source: source for source in sources}
        combined: list[str] = []
        moves: list[str] = []

        def bring(
            data: str, place: str, have: dict[str, str] = have, moves: list[str] = moves
        ) -> None:
            between = random.sample(sorted({*names} - {have[data], place}), random.randint(0, 1))
            stops = [have[data], *between, place] if have[data] != place else []
            moves += (f"{data}:{a}>{b}" for a, b in pairwise(stops))

        while len(have) > 1:
            operands = random.sample(sorted(have), min(len(have), random.choice((2, 2, 3))))
            place = random.choice([*names, target])
            for data in operands:
                bring(data, place)
                del have[data]
            combined.append(f"{place}={'+'.join(operands)}")
            have[f"--{len(combined) - 1}"] = place
        (last,) = have
        bring(last, target)
        random.shuffle(moves)
        trees.append(tree("data", " ".join(moves), " ".join(combined), weight, timed))
    hops = " ".join(f"{a}>{b}" for a in names for b in names if a != b)
    times = {name: F(random.randint(0, 2), 3) for name in names} if timed else None
    return Toy(
        {"data": Moving(tuple(sources), (target,), F(random.randint(1, 3)))}, trees, hops, times
    )


def test_random_trees_run() -> None:
    for seed in range(draws(13, 3_000)):
        random = Random(seed)
        toy, ports = drawn(random), random.choice(PORTS)
        if not any(plan.transfers for _, plan in toy.trees):
            continue
        toy.scheduled(ports)
        toy.scheduled(ports, latencies="paid")


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_what_is_made_on_the_spot_leaves_in_the_period_after(ports: PortModel) -> None:
    """Of the combinations on b the first takes time, and the second does not."""
    toy = Toy(
        {"data": moving("bcd", "a")},
        [tree("data", "c:c>b d:d>b --1:b>a", "b=b+c b=--0+d", timed=True)],
        "c>b d>b b>a",
        {"b": ONE},
    )
    ((_, plan),) = toy.trees
    allocation = numbered(plan)._replace(tasks={"--0": ("b",)})
    network = read_network(toy.platform, ports)
    timed = message_views(network, toy.messages, network.processors, toy.times).of(allocation)
    mixed = replace(timed, times={"--0": timed.times["--0"]}, joins={"--1": "b"})
    course = course_of(mixed, allocation)
    assert hop_periods((), allocation, ports) == ((1,), (1,), (3,))
    assert course.hops == {(0, 0): 1, (1, 0): 1, (2, 0): 3}
    assert first_periods((), allocation, ports) == course.copies == {("--0", "b"): 2}
