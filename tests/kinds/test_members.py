"""Processors that stand for several: what may be asked of them, and periods in which each has whole work."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, InvalidScheduleError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission, schedule_limits, size_submission
from tests.draws import draws
from tests.solved import solve

PLATFORM: dict[str, Any] = {
    "processors": [
        {"id": "M", "unit_time": 2},
        {"id": "P", "unit_time": "1/2", "members": 3},
        {"id": "S", "switch": True},
    ],
    "links": [
        {"source": "M", "target": "S", "bandwidth": 10},
        {"source": "P", "target": "S", "bandwidth": 6},
    ],
}
"""Each of three takes 3/2 for a unit of work, and receives 2 units of data per time unit."""
BAG: dict[str, Any] = {
    "kind": "master_worker",
    "platform": PLATFORM,
    "master": "M",
    "task": {"work": 1, "input_size": 1},
    "ports": "multiport",
}
GRAPH: dict[str, Any] = {
    "kind": "task_graph",
    "platform": PLATFORM,
    "application": {
        "tasks": [{"id": "make", "work": 1, "allowed": ["M"]}, {"id": "use", "work": 1}],
        "files": [{"source": "make", "target": "use", "size": 1}],
    },
    "ports": "multiport",
}


def faults(problem: dict[str, Any], **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(InstanceError) as refused:
        parse_submission({"problem": problem, "options": options}, Limits())
    return [(format_pointer(fault.pointer), fault.code) for fault in refused.value.faults]


# --- what may be asked --------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [BAG, GRAPH])
def test_what_is_told_of_them(problem: dict[str, Any]) -> None:
    submission = parse_submission({"problem": problem}, Limits())
    assert submission.requires == 10
    assert any(
        warning.startswith("'P' stands for 3 processors: they do in turn")
        for warning in size_submission(submission, Limits()).warnings
    )
    assert submission.problem.takes_members


def test_of_many_a_few_are_told() -> None:
    more = [{"id": f"Q{k}", "unit_time": 1, "members": 2} for k in range(4)]
    links = [{"source": one["id"], "target": "S", "bandwidth": 1} for one in more]
    platform = {
        "processors": [*PLATFORM["processors"], *more],
        "links": [*PLATFORM["links"], *links],
    }
    submission = parse_submission({"problem": BAG | {"platform": platform}}, Limits())
    warnings = size_submission(submission, Limits()).warnings
    assert [w for w in warnings if "stand" in w][-1] == "2 more processors stand for several"


def test_kinds_that_take_each_by_itself_refuse_them() -> None:
    assert {kind for kind, problem in PROBLEMS.items() if problem.takes_members} == {
        "task_graph",
        "master_worker",
    }
    for kind, problem in PROBLEMS.items():
        asked: Any = deepcopy(problem.example["problem"])
        if "platform" not in asked or problem.takes_members:
            continue
        hosts = [p for p in asked["platform"]["processors"] if not p.get("switch")]
        hosts[-1]["members"] = 2
        at = asked["platform"]["processors"].index(hosts[-1])
        found = (f"#/problem/platform/processors/{at}/members", "members_not_taken")
        assert found in faults(asked), kind


@pytest.mark.parametrize(
    ("changes", "options", "at", "code"),
    [
        (
            {"ports": "one_port"},
            {},
            "problem/platform/processors/1/members",
            "members_need_multiport",
        ),
        ({"master": "P"}, {}, "problem/master", "master_of_members"),
        ({"task": {"times": {"P": 1}}}, {}, "problem/task/times/P", "times_of_members"),
        ({}, {"max_period": 5}, "options/max_period", "members_choose_period"),
        (
            {},
            {"latencies": "paid"},
            "problem/platform/processors/1/members",
            "members_pay_no_latencies",
        ),
    ],
)
def test_what_tells_one_of_them_apart_is_refused(
    changes: dict[str, Any], options: dict[str, Any], at: str, code: str
) -> None:
    assert (f"#/{at}", code) in faults(BAG | changes, **options)


def test_a_master_that_may_be_one_of_them_is_to_be_read_apart() -> None:
    with pytest.raises(InstanceError, match=r"there is no processor 'P2'.*with it apart"):
        parse_submission({"problem": BAG | {"master": "P2"}}, Limits())


def test_times_of_tasks_are_of_one_and_so_refused() -> None:
    tasks = [{"id": "make", "times": {"M": 1}}, {"id": "use", "times": {"M": 1, "P": 1}}]
    application = GRAPH["application"] | {"tasks": tasks}
    assert faults(GRAPH | {"application": application}) == [
        ("#/problem/application/tasks/1/times/P", "times_of_members")
    ]


@pytest.mark.parametrize(
    ("processor", "code"),
    [
        ({"id": "P", "members": 1}, "greater_than_equal"),
        ({"id": "P", "members": 2, "switch": True}, "members_of_switch"),
    ],
)
def test_numbers_of_members_are_at_least_two_and_of_no_switch(
    processor: dict[str, Any], code: str
) -> None:
    first, _, switch = PLATFORM["processors"]
    platform = PLATFORM | {"processors": [first, processor, switch]}
    assert [found for _, found in faults(BAG | {"platform": platform})] == [code]


def test_an_exact_period_may_be_asked_for() -> None:
    result, schedule = solve({"problem": BAG}, max_period="exact")
    assert result.objective.value == Fraction(5, 2)
    assert schedule.period == 6


# --- periods ------------------------------------------------------------------------------------


def test_a_period_has_time_for_the_whole_tasks_of_each() -> None:
    """P does 2 tasks per time unit; in one of 1/2, one of three would need 3/2 for it."""
    result, schedule = solve({"problem": BAG | {"platform": without_work_of_m()}})
    assert result.objective.value == 2
    assert (schedule.period, schedule.instances_per_period) == (Fraction(3, 2), 3)
    assert (schedule.prologue_periods, schedule.latency_periods) == (1, 2)


def test_where_they_have_time_to_spare_the_period_stays_as_it_is() -> None:
    """The line carries 1/2 task per time unit: one every 2, and the processor whose turn it is needs 3/2."""
    links = [PLATFORM["links"][0] | {"bandwidth": "1/2"}, PLATFORM["links"][1]]
    platform = without_work_of_m() | {"links": links}
    _, schedule = solve({"problem": BAG | {"platform": platform}})
    assert (schedule.period, schedule.instances_per_period) == (2, 1)


def test_links_of_each_have_time_for_whole_files() -> None:
    """Each receives a file of 4 units within 2, and computes for 3/2."""
    task = {"work": 1, "input_size": 4}
    _, schedule = solve({"problem": BAG | {"task": task, "platform": without_work_of_m()}})
    assert (schedule.period, schedule.instances_per_period) == (2, 3)


def without_work_of_m() -> dict[str, Any]:
    _, pool, switch = PLATFORM["processors"]
    return PLATFORM | {"processors": [{"id": "M"}, pool, switch]}


def drawn(seed: int) -> dict[str, Any]:
    random = Random(seed)
    processors: list[dict[str, Any]] = [
        {"id": "M", "unit_time": random.choice((1, 2, 3))},
        {"id": "S", "switch": True},
    ]
    links: list[dict[str, Any]] = [
        {"source": "M", "target": "S", "bandwidth": random.choice((1, 2, 5, 20))}
    ]
    media = [{"id": "own", "bandwidth": random.choice((2, 7))}, {"id": "all", "bandwidth": 9}]
    for k in range(random.randint(1, 2)):
        members = random.choice((2, 3, 5, 12))
        pool: dict[str, Any] = {
            "id": f"P{k}",
            "unit_time": str(Fraction(random.choice((1, 3)), members)),
        }
        limited = random.choice((None, "bandwidth_in", "bandwidth_out"))
        pool |= {limited: members} if limited else {}
        processors.append(pool | {"members": members})
        link = {"source": f"P{k}", "target": "S", "bandwidth": members * random.choice((1, 2))}
        link["duplex"] = random.choice(("full", "half"))
        links.append(link | {"media": random.choice(([], ["all"], ["own"] if k == 0 else []))})
    platform = {"processors": processors, "links": links, "media": media}
    task = {"work": random.choice((1, 2)), "input_size": random.choice((0, 1, 3))}
    task["output_size"] = random.choice((0, 1))
    if seed % 2:
        return BAG | {"platform": platform, "task": task}
    tasks = [
        {"id": "make", "work": 1, "allowed": ["M"]},
        {"id": "use", "work": 2},
        {"id": "see", "work": 1},
    ]
    files = [
        {"source": "make", "target": "use", "size": 1},
        {"source": "use", "target": "see", "size": random.choice((0, 1, 2))},
    ]
    return GRAPH | {"platform": platform, "application": {"tasks": tasks, "files": files}}


def test_instances_of_a_period_can_be_dealt_to_the_members() -> None:
    """Dealt out one after the other, like cards; each has time for all that it gets."""
    scaled = 0
    for seed in range(draws(20, 2_000)):
        problem = drawn(seed)
        instance: Any = parse_submission({"problem": problem}, Limits()).instance
        _, schedule = solve({"problem": problem})
        scaled += schedule.period.numerator > 12
        for pool in instance.platform.processors:
            if pool.members is None:
                continue
            hands: list[dict[str, Fraction]] = [{} for _ in range(pool.members)]
            turn = 0
            for allocation in schedule.allocations:
                load = load_of(instance, allocation, pool.id)
                for _ in range(int(allocation.instances_per_period) if load else 0):
                    hand = hands[turn % pool.members]
                    for name, time in load.items():
                        hand[name] = hand.get(name, Fraction(0)) + time * pool.members
                    turn += 1
            for hand in hands:
                assert max(hand.values(), default=0) <= schedule.period, seed
    assert scaled


def load_of(instance: Any, allocation: Allocation, name: str) -> dict[str, Fraction]:
    """Say how long an instance keeps each thing busy that a pool has for itself."""
    platform = instance.platform
    work = {"task": instance.task} if instance.kind == "master_worker" else {
        task.id: task for task in instance.application.tasks
    }  # fmt: skip
    pool = platform.processors[platform.index_by_id[name]]
    load: dict[str, Fraction] = {}

    def add(what: str, time: Fraction) -> None:
        if time:
            load[what] = load.get(what, Fraction(0)) + time

    for task, places in allocation.tasks.items():
        if name in places:
            add("work", work[task].work * pool.unit_time)
    (link,) = [link for link in platform.links if name in (link.source, link.target)]
    for transfer in allocation.transfers:
        size = size_of(instance, transfer)
        for way, end in (("out", 0), ("in", -1)):
            if transfer.path[end] != name:
                continue
            half = link.duplex == "half"
            add("link" if half else f"link {way}", size / link.bandwidth)
            limit = pool.bandwidth_in if way == "in" else pool.bandwidth_out
            add(way, Fraction(0) if limit is None else size / limit)
            if "own" in link.media:
                add("medium", size / platform.media[0].bandwidth)
    return load


def size_of(instance: Any, transfer: Transfer) -> Fraction:
    if instance.kind == "task_graph":
        size = instance.file_sizes[transfer.file]
    else:
        out = transfer.file == ("begin", "task")
        size = instance.task.input_size if out else instance.task.output_size
    return Fraction(size) * transfer.share


# --- the referee --------------------------------------------------------------------------------


def codes(change: Callable[[Any], Any], problem: dict[str, Any]) -> set[str]:
    """Let the referee judge a right answer whose schedule was changed."""
    submission = parse_submission({"problem": problem}, Limits())
    result, schedule = solve({"problem": problem})
    with pytest.raises(InvalidScheduleError) as refused:
        submission.problem.validate(
            submission.instance,
            submission.options,
            result,
            change(schedule),
            schedule_limits(Limits()),
        )
    return {fault.code for fault in refused.value.faults}


def shortened(factor: int) -> Callable[[Any], Any]:
    """Let a period be a part of what it was, with as much less in it."""

    def change(schedule: Any) -> Any:
        def less(one: Any, *names: str) -> Any:
            return one._replace(**{name: getattr(one, name) / factor for name in names})

        return replace(
            schedule,
            period=schedule.period / factor,
            instances_per_period=schedule.instances_per_period / factor,
            allocations=tuple(less(a, "instances_per_period") for a in schedule.allocations),
            computations=tuple(less(c, "count", "start", "time") for c in schedule.computations),
            slots=tuple(
                less(slot, "start", "duration")._replace(
                    transfers=tuple(less(t, "count") for t in slot.transfers)
                )
                for slot in schedule.slots
            ),
        )

    return change


def test_a_period_that_is_too_short_for_one_of_them_is_found() -> None:
    platform = without_work_of_m()
    assert codes(shortened(3), BAG | {"platform": platform}) == {"member_overload"}


def test_a_path_that_leads_over_no_link_is_found_too() -> None:
    def through_nothing(schedule: Any) -> Any:
        (allocation,) = schedule.allocations
        (transfer,) = allocation.transfers
        jumping = allocation._replace(transfers=(transfer._replace(path=("M", "P")),))
        return replace(schedule, allocations=(jumping,))

    found = codes(through_nothing, BAG | {"platform": without_work_of_m()})
    assert "member_overload" not in found
    assert found


def test_only_what_they_have_for_themselves_counts() -> None:
    """The line of M is full, and so is what all share: no member needs any of these alone."""
    media = [{"id": "all", "bandwidth": 1}]
    links = [link | {"media": ["all"]} for link in PLATFORM["links"]]
    platform = without_work_of_m() | {"links": links, "media": media}
    _, schedule = solve({"problem": BAG | {"platform": platform}})
    assert (schedule.period, schedule.instances_per_period) == (2, 1)
