"""A run of so many tasks: the schedule keeps its date, and no order of operations beats the other."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from operator import mul
from typing import Any

import pytest
from hypothesis import assume, given, settings

from steadygrid.kinds import PROBLEMS
from tests.kinds.least_makespan import Operation, least_makespan
from tests.kinds.master_worker.test_referee_and_replay import bodies, solved
from tests.replay import Replay
from tests.solved import solve

F = Fraction
FIGURE_3 = PROBLEMS["master_worker"].example


class Tree:
    """A master, its children, and theirs, with random times."""

    def __init__(self, seed: int, ports: str) -> None:
        draw = random.Random(seed)
        self.ports = ports
        self.parent = {f"P{i}": f"P{draw.randrange(i)}" for i in range(1, draw.choice((2, 3)))}
        self.hop = {name: F(draw.randint(1, 5), draw.choice((1, 1, 2))) for name in self.parent}
        self.work = {name: F(draw.randint(1, 9)) for name in ("P0", *self.parent)}
        for name in draw.sample(sorted(self.work), draw.choice((0, 1))):
            self.work.pop(name)
        self.output = draw.choice((0, 0, 1))

    @property
    def body(self) -> dict[str, Any]:
        processors: list[dict[str, Any]] = [{"id": "P0"}, *({"id": name} for name in self.parent)]
        for one in processors:
            if one["id"] in self.work:
                one["unit_time"] = str(self.work[one["id"]])
        links = [
            {"source": self.parent[name], "target": name, "unit_time": str(self.hop[name])}
            for name in self.parent
        ]
        problem = {
            "kind": "master_worker",
            "ports": self.ports,
            "master": "P0",
            "platform": {"processors": processors, "links": links},
            "task": {"work": 1, "input_size": 1, "output_size": self.output},
        }
        return {"problem": problem}

    def job(self, worker: str) -> list[Operation]:
        """List the operations of a task on a worker."""
        there: list[str] = []
        name = worker
        while name != "P0":
            there.insert(0, name)
            name = self.parent[name]
        one = self.ports != "one_port"
        sends, receives = ("port", "port") if one else ("send", "receive")
        computes = "port" if self.ports == "no_overlap" else "compute"

        def move(sender: str, receiver: str, child: str) -> Operation:
            return (f"{sender}.{sends}", f"{receiver}.{receives}"), self.hop[child]

        steps = [move(self.parent[name], name, name) for name in there]
        steps.append(((f"{worker}.{computes}",), self.work[worker]))
        if self.output:
            steps += [move(name, self.parent[name], name) for name in reversed(there)]
        return steps

    def optimum(self, instances: int) -> Fraction:
        """Give the least makespan over all placements and orders."""
        placements: Iterator[tuple[str, ...]] = combinations_with_replacement(
            sorted(self.work), instances
        )
        return min(least_makespan([self.job(name) for name in placed]) for placed in placements)


@pytest.mark.parametrize("ports", ["one_port", "send_or_receive", "no_overlap"])
def test_no_order_of_all_is_earlier_than_the_bound_or_later_than_the_promise(ports: str) -> None:
    met = 0
    for seed in range(10):
        tree = Tree(seed, ports)
        if not tree.work:
            continue
        for instances in (1, 2) if tree.output else (1, 2, 4):
            schedule = solve(tree.body, run={"instances": instances}).schedule
            run, optimum = schedule.run, tree.optimum(instances)
            assert run.no_schedule_before <= optimum <= run.completion_time_at_most, (seed, ports)
            met += run.no_schedule_before == optimum
            horizon = solve(tree.body, run={"horizon": str(optimum)}).schedule.run
            assert horizon.instances_at_least <= instances <= horizon.instances_at_most
    assert met >= 12


@pytest.mark.parametrize(
    ("master", "workers", "links", "instances", "optimum", "least"),
    [
        (11, (6,), (5,), 6, F(29), F(451, 17)),
        (6, (4,), (5,), 4, F(14), F(144, 11)),
        (12, (2,), (4,), 5, F(18), F(33, 2)),
        (8, (6,), (1,), 3, F(13), F(76, 7)),
    ],
)
def test_dates_of_stars_are_those_worked_out_before(
    master: int,
    workers: tuple[int, ...],
    links: tuple[int, ...],
    instances: int,
    optimum: Fraction,
    least: Fraction,
) -> None:
    tree = Tree(0, "one_port")
    tree.parent = {f"P{i}": "P0" for i in range(1, len(workers) + 1)}
    tree.hop = {f"P{i}": F(time) for i, time in enumerate(links, 1)}
    tree.work = {f"P{i}": F(time) for i, time in enumerate((master, *workers))}
    tree.output = 0
    run = solve(tree.body, run={"instances": instances}).schedule.run
    assert (tree.optimum(instances), run.no_schedule_before) == (optimum, least)
    assert run.completion_time_at_most >= optimum


@settings(max_examples=60)
@given(bodies())
def test_what_is_promised_of_a_run_is_kept_when_it_is_replayed(body: dict[str, Any]) -> None:
    """Nothing of the replay comes from what builds or judges schedules."""
    for wanted in (1, 7, 60):
        body["options"] = {"run": {"instances": wanted}}
        answer = solved(body)
        assert answer.faults() == []
        run = answer.schedule.run
        assume(run.completion_time_at_most is not None)
        assume(run.periods * answer.schedule.instances_per_period <= 2_000)
        done = Replay(answer.instance, answer.schedule, run.periods).done
        assert sum(date <= run.completion_time_at_most for date in done) >= wanted


def test_a_period_is_chosen_for_its_run_though_the_exact_one_takes_years() -> None:
    draw = random.Random(11)
    for _ in range(3):
        speeds = [F(draw.randint(400, 1200), 1000) for _ in range(4)]
        names = ["P1", "P2", "P3", "P4"]
        times = dict(zip(names, (10, 2, 2, 1), strict=True))
        ends = [("P1", "P2"), ("P1", "P3"), ("P2", "P4"), ("P3", "P4")]
        body = {
            "problem": {
                "kind": "master_worker",
                "master": "P1",
                "platform": {
                    "processors": [{"id": name, "unit_time": times[name]} for name in names],
                    "links": [
                        {"source": a, "target": b, "bandwidth": str(speed)}
                        for (a, b), speed in zip(ends, speeds, strict=True)
                    ],
                },
                "task": {"work": 4, "input_size": 2},
            }
        }
        exact = solve(body, max_period="exact", run={"instances": 1000}).schedule
        chosen = solve(body, run={"instances": 1000}).schedule
        assert chosen.bounded == "run"
        assert chosen.run.no_schedule_before == exact.run.no_schedule_before
        assert chosen.run.completion_time_at_most <= exact.run.completion_time_at_most
        assert chosen.run.ratio < F(11, 10)


def test_more_instances_end_no_earlier_and_a_horizon_completes_as_many() -> None:
    ends = []
    for instances in (*range(1, 25), 40, 100, 250):
        run = solve(FIGURE_3, run={"instances": instances}).schedule.run
        ends.append(run.completion_time_at_most)
        horizon = {"horizon": str(ends[-1])}
        assert solve(FIGURE_3, run=horizon).schedule.run.instances_at_least >= instances
    assert ends == sorted(ends)
    assert ends[0] == 12  # one period to send, one to send on, one to compute, of 4 each
    bounded = [
        solve(FIGURE_3, run={"instances": 1000}, max_period=most).schedule.run
        for most in (8, 16, 24, 40, 100)
    ]
    ends = [run.completion_time_at_most for run in bounded]
    assert ends == sorted(ends, reverse=True)


@pytest.mark.parametrize(("times", "instances"), [((37, 25, 7), 60), ((32, 4, 21), 60)])
def test_no_counts_of_a_period_end_the_run_earlier(times: tuple[int, ...], instances: int) -> None:
    """Each task is sent in one period and computed in the next, and the links are never full."""
    workers = [{"id": f"W{i}", "unit_time": time} for i, time in enumerate(times)]
    problem = {
        "kind": "master_worker",
        "ports": "multiport",
        "master": "M",
        "platform": {
            "processors": [{"id": "M"}, *workers],
            "links": [
                {"source": "M", "target": one["id"], "unit_time": "1/100"} for one in workers
            ],
        },
        "task": {"work": 1, "input_size": 1},
    }
    tried = product(range(30), repeat=len(times))
    earliest = min(
        (1 + -(-instances // sum(counts))) * max(map(mul, counts, times))
        for counts in tried
        if any(counts)
    )
    run = solve({"problem": problem}, run={"instances": instances}).schedule.run
    assert run.completion_time_at_most == earliest
