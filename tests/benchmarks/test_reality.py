"""Schedules on real processes: all of a plan is carried out, and no faster than its buckets let it."""

import asyncio
import time
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

import steadygrid as sg
from benchmarks.reality.buckets import TokenBucket
from benchmarks.reality.cases import master_worker
from benchmarks.reality.conducting import Conductor, Job, jobs_of, unit_times
from benchmarks.reality.handing_out import DemandSource, DispatcherSource, HandedOut
from benchmarks.reality.machines import Scale, started
from benchmarks.reality.measuring import Outcome, Way, blocks_per_second, ranked
from benchmarks.reality.ordering import InOrder
from steadygrid.domain.dispatch import dispatch_order
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.parts import Period, period_of
from steadygrid.engine.executions.steps import Network, seen_of
from steadygrid.kinds import PROBLEMS

SCALE = Scale(0.002, 1_000, 0.0005, 0.001)


def read(answer: sg.Answer[Any]) -> tuple[Schedule, Period, Network]:
    """Read what the schedule of an answer does."""
    schedule, views = answer.schedule, PROBLEMS[answer.result.kind].views
    assert isinstance(schedule, Schedule)
    assert views is not None
    seen = seen_of(views(answer.submission.instance, answer.result))
    return schedule, period_of(schedule, seen), seen.network


def star() -> sg.Answer[Any]:
    links = [("M", "A", "1"), ("M", "B", "1"), ("B", "C", "1")]
    return sg.solve(master_worker({"A": 2, "B": 4, "C": 5}, links, "1/2"), in_process=True)


def names(network: Network) -> list[str]:
    return list(dict.fromkeys(end for ends in network.hops for end in ends))


def test_a_bucket_lets_its_rate_pass_and_makes_up_for_its_depth() -> None:
    bucket = TokenBucket(4.0, 0.5)
    assert bucket.passing(8, 10.0) == 11.5
    assert bucket.passing(4, 10.0) == 12.5
    assert bucket.passing(4, 12.5) == 13.5
    assert bucket.passing(4, 15.0) == 15.5


def test_steps_know_their_paths_and_data() -> None:
    schedule, period, network = read(star())
    assert schedule.ports == "one_port"
    (course,) = (one for one in period.courses if one.allocation.tasks["task"] == ("C",))
    jobs = sorted(jobs_of(course, network))
    half, one = Fraction(1, 2), Fraction(1)
    assert [(job.path, job.data, job.time) for job in jobs] == [
        (("B", "C"), one, one),
        (("B", "M"), half, half),
        (("C",), Fraction(0), Fraction(5)),
        (("C", "B"), half, half),
        (("M", "B"), one, one),
    ]


@pytest.mark.parametrize("execution", ["dispatch", "on_demand", "order", "clock"])
def test_a_schedule_is_carried_out_on_processes(execution: str) -> None:
    answer = star()
    schedule, period, network = read(answer)
    courses, count = period.courses, 40

    async def moved() -> int:
        async with started(names(network), unit_times(network), SCALE) as machines:
            conductor = Conductor(machines, SCALE)
            if execution in ("order", "clock"):
                clocked = execution == "clock"
                await InOrder(conductor, answer, period, 8, clocked=clocked).run()
                return conductor.moved
            source = (
                DispatcherSource(schedule, courses)
                if execution == "dispatch"
                else DemandSource(len(courses), 2)
            )
            run = HandedOut(conductor, courses, network, source, overtake=True)
            assert await run.until(count) > 0
            assert len(run.done) == count
            await conductor.drain()
            if isinstance(source, DispatcherSource):
                begun = source.dispatcher.counts
                order = dispatch_order([one.rate for one in schedule.allocations], sum(begun))
                assert begun == tuple(map(order.count, range(len(begun))))
            return conductor.moved

    total = asyncio.run(moved())
    each = [sum(job.data for job in jobs_of(course, network)) * 1000 for course in courses]
    if execution in ("order", "clock"):
        # A step whose first period is the n-th is done in all periods from there on.
        assert total == sum(
            job.data * 1000 * course.per_period * (9 - step.period)
            for course in courses
            for job, step in zip(jobs_of(course, network), course.steps, strict=True)
        )
    else:
        assert total >= count * min(each)


def test_what_crosses_a_relay_keeps_to_the_slowest_link() -> None:
    hops = {("A", "B"): Fraction(1), ("B", "C"): Fraction(4)}
    scale = Scale(0.01, 10_000, 0.001, 0.002)

    async def seconds() -> float:
        async with started("ABC", hops, scale) as machines:
            conductor = Conductor(machines, scale)
            begin = time.monotonic()
            conductor.begin(Job(("A", "B", "C"), Fraction(5), Fraction(5), ()))
            await conductor.drain()
            assert conductor.moved == 50_000
            return time.monotonic() - begin

    assert asyncio.run(seconds()) >= 5 * 4 * 0.01 - 0.002


def test_a_processor_that_hashes_works_off_its_blocks() -> None:
    blocks = blocks_per_second()
    assert blocks > 0

    async def lag() -> float:
        async with started("A", {}, SCALE) as machines:
            conductor = Conductor(machines, SCALE, 100 * blocks)
            conductor.begin(Job(("A",), Fraction(0), Fraction(2), ("A",)))
            await conductor.drain()
            return conductor.lags[0]

    # It hashes what takes 100 times as long as it is given: 0.4 s in place of 0.004 s.
    assert asyncio.run(lag()) > 0


def test_only_executions_that_differ_in_the_simulation_are_ranked() -> None:
    outcomes = {
        Way("clock", None): Outcome(1.0, 0.98, 0),
        Way("order", None): Outcome(0.99, 0.99, 0),
        Way("dispatch", False): Outcome(0.8, 0.985, 0),
        Way("on_demand", None): Outcome(0.5, 0.6, 0),
    }
    assert ranked(outcomes) == (5, 4)


def test_the_dispatcher_of_a_run_is_the_library_s() -> None:
    schedule, period, _ = read(star())
    source = DispatcherSource(schedule, period.courses)
    mine = [(i, period.courses[c].allocation.index) for i, c in source.take()]
    other = sg.Dispatcher(schedule)
    given = islice(iter(other.next, None), 1000)
    assert mine == [(one.instance, one.allocation.index) for one in given]
    assert len(mine) == other.window
