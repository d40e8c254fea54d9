"""Periods and schedules against the explicit net, and against playing all data sets."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.kinds.replicated_workflow.solver import evaluation
from tests.draws import draws
from tests.kinds.replicated_workflow.nets import Net
from tests.kinds.replicated_workflow.workflows import random_workflow, workflow
from tests.solved import Solved, solve


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
@pytest.mark.parametrize("chain", [True, False], ids=["chains", "graphs"])
def test_evaluations_agree_with_the_explicit_net(ports: str, *, chain: bool) -> None:
    rng = random.Random(f"{ports} {chain}")
    for _ in range(draws(13, 1000)):
        body = random_workflow(rng, ports, chain=chain)
        _check(Net(body), solve(body))


@pytest.mark.parametrize("chain", [True, False], ids=["chains", "graphs"])
def test_turns_agree_with_the_explicit_net(monkeypatch: pytest.MonkeyPatch, *, chain: bool) -> None:
    monkeypatch.setattr(evaluation, "FIRST_NODES", 0)
    rng = random.Random(f"turns {chain}")
    played = 0
    for _ in range(draws(13, 1000)):
        body = random_workflow(rng, "no_overlap", chain=chain)
        solved = solve(body)
        _check(Net(body), solved)
        played += solved.result.statistics.turns is not None
    assert played > draws(10, 900)


def test_files_of_one_pair_of_stages_agree_with_the_explicit_net() -> None:
    """Links decide: the more there are, the more often no resource is critical."""
    rng = random.Random(5)
    without = 0
    for _ in range(draws(13, 1000)):
        r, s = rng.choice(((2, 3), (3, 4), (4, 6), (3, 5)))
        body = workflow(
            {"a": [0] * r, "b": [0] * s},
            {"a b": [[rng.choice((1, 10)) for _ in range(s)] for _ in range(r)]},
        )
        solved = solve(body)
        _check(Net(body), solved)
        without += solved.result.critical_resource is None
    assert without > 0


def _check(net: Net, solved: Solved) -> None:
    result, schedule = solved
    period = net.period()
    assert result.outcome == "optimal"
    assert result.period == period
    _check_use(net, result)
    _check_cycle(net, result)
    _check_schedule(net, result, Starts(schedule), period)


def _check_use(net: Net, result: Any) -> None:
    busy: dict[str, Fraction] = {}
    for (o, n), time in net.times.items():
        for resource in net.resources(o, n):
            busy[resource] = busy.get(resource, Fraction(0)) + time / net.rows
    assert {one.resource: one.time for one in result.occupation} == busy
    assert result.mct == max(busy.values())
    assert (result.critical_resource is None) == (result.period > result.mct)


def _check_cycle(net: Net, result: Any) -> None:
    waits = {
        (net.job(one), net.job(other, tokens)) for one, other, _, tokens in net.places_of_tokens()
    }
    steps = [(step.operation, step.data_set) for step in result.critical_cycle]
    again = (steps[0][0], steps[0][1] + result.length)
    for (o, n), (p, m) in pairwise([*steps, again]):
        back = n - n % net.rows
        assert ((o, n - back), (p, m - back)) in waits
    assert sum(net.times[o, n % net.rows] for o, n in steps) == result.time
    assert result.time == result.length * result.period


class Starts:
    """The starts of a timetable, for any data set."""

    def __init__(self, schedule: Any) -> None:
        self.rows: dict[tuple[Any, int], Any] = {}
        self.moduli: dict[Any, int] = {}
        for row in schedule.rows:
            operation = getattr(row.operation, "task", None) or row.operation.file
            self.moduli[operation] = row.modulus
            self.rows[operation, row.residue] = row

    def __call__(self, o: Any, n: int) -> Fraction:
        row = self.rows[o, n % self.moduli[o]]
        start: Fraction = row.start + n // self.moduli[o] * row.every
        return start


def _check_schedule(net: Net, result: Any, start: Starts, period: Fraction) -> None:
    """Nothing waits less than it must, nor starts before it can, nor before n periods."""
    for one, other, time, tokens in net.places_of_tokens():
        assert start(*net.job(other, tokens)) >= start(*net.job(one)) + time
    for (o, n), earliest in net.play(2).items():
        assert earliest <= start(o, n)
    every = [start(o, n) - n * period for o in net.operations for n in range(net.rows)]
    assert min(every) == 0
    stays = []
    for n in range(net.rows):
        ends = [start(o, n) + net.times[o, n] for o in net.operations]
        stays.append(max(ends) - min(start(o, n) for o in net.operations))
    assert result.latency.largest == max(stays)
    assert result.latency.mean == sum(stays) / net.rows


def test_chains_without_copies_are_as_fast_as_their_busiest_resource() -> None:
    rng = random.Random(7)
    for _ in range(draws(10, 400)):
        for ports in ("one_port", "no_overlap"):
            body = random_workflow(rng, ports, most_stages=6, most_copies=1, chain=True)
            result = solve(body).result
            assert result.period == result.mct
