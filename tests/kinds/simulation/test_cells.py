"""Schedules of a Cell when times are not exact: tasks wait for files, and files for room."""

from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.engine.executions.noise import factors_of
from steadygrid.kinds.simulation.solver.methods import rounded
from steadygrid.submissions.submission import parse_submission
from tests.kinds.cell.bodies import body
from tests.kinds.cell.random_instances import random_body
from tests.kinds.simulation.bodies import simulated
from tests.solved import solve

F = Fraction
N = 40
TASKS = ("a", "b", "c")
FILES = (("a", "b"), ("b", "c"))
PEEK = {"a": 0, "b": 1, "c": 0}
ROOM = {("a", "b"): 3, ("b", "c"): 2}
"""First periods are 1, 4 and 6."""
PERIOD = 4


def row() -> dict[str, Any]:
    """Three tasks of the time of a period, each on an SPE of its own."""
    tasks = {name: {"time_spe": PERIOD, "peek": PEEK[name]} for name in TASKS}
    return body(tasks, {"a b": 1, "b c": 1}, ppes=0, spes=3, local_store=100)


class Row:
    """The same row, carried out with places that are counted: a second opinion."""

    def __init__(self, core: dict[str, str], seed: int) -> None:
        drawn: dict[Any, str] = {name: core[name] for name in TASKS}
        drawn |= {file: "->".join(core[end] for end in file) for file in FILES}
        self.factors = {
            what: factors_of(name, 0.5, "operation", seed) for what, name in drawn.items()
        }
        self.begun: dict[Any, int] = dict.fromkeys(drawn, 0)
        self.ended = dict(self.begun)

    def may_begin(self, what: Any) -> bool:
        number = self.begun[what]
        if number == N or self.ended[what] < number:
            return False
        if what in TASKS:
            seen = min(number + PEEK[what], N - 1)
            return all(self.ended[f] > seen for f in FILES if f[1] == what) and all(
                number - self.ended[f] < ROOM[f] for f in FILES if f[0] == what
            )
        maker, user = what
        return self.ended[maker] > number and number - self.ended[user] < ROOM[what]

    def run(self) -> float:
        now, order = 0.0, count()
        events: list[tuple[float, int, Any]] = []
        while True:
            for what in (*TASKS, *FILES):
                if self.may_begin(what):
                    self.begun[what] += 1
                    end = now + PERIOD * self.factors[what]()
                    heappush(events, (end, next(order), what))
            if not events:
                assert set(self.ended.values()) == {N}
                return now
            now, _, what = heappop(events)
            self.ended[what] += 1


def test_a_row_waits_for_files_and_for_room() -> None:
    """Period by period a 1, b 4, c 6: of N instances the last ends after N + 5 periods."""
    asked = simulated(row(), executions=["order"], noise=["1/2"], instances=N, seeds=4)
    result = solve(asked).result
    mapping = asked["problem"]["result"]["mapping"]
    assert (result.plan, len(set(mapping.values()))) == (F(1, PERIOD), 3)
    ends = [Row(mapping, seed).run() for seed in range(4)]
    (noisy,) = result.table
    assert noisy.runs == [rounded(F(N + 5) / F(end)) for end in ends]


@pytest.mark.parametrize("seed", range(5))
def test_room_never_holds_up_what_is_in_time(seed: int) -> None:
    """The buffers of the source suffice for the plan, with all that peeks."""
    asked = random_body(seed)
    asked["options"] = {"time_limit": 5}
    asked["problem"]["machine"]["local_store"] = 1000
    body = simulated(asked, executions=["clock", "order"], noise=["0"], instances=30)
    clock, order = solve(body).result.table
    assert (clock.of_plan, clock.late) == (1, 0)
    assert order.of_plan >= 1
    assert order.late == 0


def test_a_schedule_of_another_mapping_is_refused() -> None:
    body = simulated(row())
    mapping = body["problem"]["result"]["mapping"]
    mapping["a"], mapping["b"] = mapping["b"], mapping["a"]
    with pytest.raises(InstanceError) as error:
        parse_submission(body, Limits())
    assert "other_mapping" in {fault.code for fault in error.value.faults}


def test_a_period_has_one_instance() -> None:
    body = simulated(row())
    body["problem"]["schedule"]["instances_per_period"] = "2"
    with pytest.raises(InstanceError) as error:
        parse_submission(body, Limits())
    assert {fault.code for fault in error.value.faults} == {"wrong_throughput"}


def test_a_short_simulation_comes_with_the_job() -> None:
    told = solve(row(), simulate=True).result.robustness
    assert told.execution in ("clock", "order")
