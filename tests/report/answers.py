"""Answers made by hand, as a solver would give them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import (
    INPUT_FILE,
    OUTPUT_FILE,
    MasterWorkerResult,
    SentRate,
)
from steadygrid.report.report import Report
from steadygrid.submissions.submission import Submission, parse_submission

F = Fraction


def submission(body: Mapping[str, Any]) -> Submission:
    """Parse a body that has no faults."""
    return parse_submission(body, Limits())


def figure_3() -> Report:
    """RR-4870, figure 3, with the rates of its figure 4."""
    asked = submission(PROBLEMS["master_worker"].example)
    ways = [
        ("1/40", ("P1",)),
        ("1/8", ("P1", "P2")),
        ("1/8", ("P1", "P3")),
        ("1/4", ("P1", "P3", "P4")),
    ]
    hops = [
        [("P1", "P2", 1, 5)],
        [("P1", "P3", 2, 5), ("P3", "P4", 3, 5)],
        [("P1", "P3", 3, 5), ("P3", "P4", 3, 5)],
        [("P1", "P3", 3, 5)],
    ]
    prices = {"P1.compute": "1/40", "P2.compute": "1/8", "P3.compute": "1/8", "P4.compute": "1/4"}
    return report(asked, ways, hops, F(40), 10, prices, w={"P1": 40, "P2": 8, "P3": 8, "P4": 4})


def report(
    asked: Submission,
    ways: Sequence[tuple[str, tuple[str, ...]]],
    hops: Sequence[Sequence[tuple[str, str, int, int]]],
    period: Fraction,
    slot: int,
    prices: Mapping[str, str],
    w: Mapping[str, int],
    *,
    optimum: Fraction | None = None,
) -> Report:
    """Put an answer together from its allocations, its slots of equal length and its prices."""
    rates = [F(rate) for rate, _ in ways]
    throughput = sum(rates, F(0))
    best = throughput if optimum is None else optimum
    computed: dict[str, Fraction] = {}
    sent: dict[tuple[str, str], Fraction] = {}
    computations: list[Computation] = []
    for index, (rate, path) in enumerate(ways):
        processor = path[-1]
        start = computed.get(processor, F(0)) * period * w[processor]
        count = F(rate) * period
        computations.append(
            Computation(processor, "task", index, count, start, count * w[processor])
        )
        computed[processor] = computed.get(processor, F(0)) + F(rate)
        for hop in pairwise(path):
            sent[hop] = sent.get(hop, F(0)) + F(rate)
    schedule = Schedule(
        period=period,
        instances_per_period=throughput * period,
        throughput=throughput,
        optimal_throughput=best,
        loss=1 - throughput / best,
        rounding_loss=None if best == throughput else 1 - throughput / best,
        ports="one_port",
        prologue_periods=max(len(path) for _, path in ways) - 1,
        latency_periods=max(len(path) for _, path in ways),
        preempted=False,
        files=(INPUT_FILE,),
        allocations=tuple(
            Allocation(
                i,
                F(rate),
                F(rate) * period,
                {"task": (path[-1],)},
                (Transfer(INPUT_FILE, path, F(1)),) if len(path) > 1 else (),
            )
            for i, (rate, path) in enumerate(ways)
        ),
        computations=tuple(computations),
        slots=tuple(
            Slot(
                F(i * slot),
                F(slot),
                tuple(SlotTransfer(s, r, INPUT_FILE, a, F(n)) for s, r, a, n in transfers),
            )
            for i, transfers in enumerate(hops)
        ),
    )
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(best),
        bound=Bound.from_value(best, exact=True),
        gap=F(0),
        certificate=DualityCertificate(prices={r: F(price) for r, price in prices.items()}),
        verified=True,
        computed=computed,
        sent=[
            SentRate(source=source, target=target, file="input", rate=rate)
            for (source, target), rate in sent.items()
        ],
    )
    return Report(asked, result, schedule)


def star(
    children: Sequence[tuple[int, int]],
    master_time: int | None = None,
    units: Mapping[str, str] | None = None,
) -> Report:
    """Solve a star of (c, w) by the closed formula of `bandwidth_centric`, one slot per child."""
    order = sorted(range(len(children)), key=lambda i: children[i][0])
    left, rates = F(1), {}
    eps_price: Fraction | None = None
    for i in order:
        c, work = children[i]
        share = min(left, F(c, work))
        if share:
            rates[i] = share / c
        if share < F(c, work) and eps_price is None:
            eps_price = F(1, c)
        left -= share
    send = eps_price or F(0)
    prices = {"M.send": send} if send else {}
    for i in rates:
        c, work = children[i]
        if send < F(1, c):
            prices[f"W{i}.compute"] = (1 - c * send) / work
    if master_time:
        prices["M.compute"] = F(1, master_time)
    period = F(math.lcm(*(r.denominator for r in rates.values()), master_time or 1))
    platform: dict[str, Any] = {
        "processors": [
            {"id": "M", **({"unit_time": master_time} if master_time else {})},
            *({"id": f"W{i}", "unit_time": work} for i, (_, work) in enumerate(children)),
        ],
        "links": [
            {"source": "M", "target": f"W{i}", "unit_time": c} for i, (c, _) in enumerate(children)
        ],
    }
    if units:
        platform["units"] = dict(units)
    asked = submission(
        {"problem": {"kind": "master_worker", "platform": platform, "master": "M",
                     "task": {"work": 1}}}
    )  # fmt: skip
    allocations, computations, slots = [], [], []
    clock = F(0)
    if master_time:
        count = period / master_time
        allocations.append(Allocation(0, F(1, master_time), count, {"task": ("M",)}, ()))
        computations.append(Computation("M", "task", 0, count, F(0), period))
    for i, rate in rates.items():
        c, work = children[i]
        index, count = len(allocations), rate * period
        path = ("M", f"W{i}")
        allocations.append(
            Allocation(
                index, rate, count, {"task": (path[1],)}, (Transfer(INPUT_FILE, path, F(1)),)
            )
        )
        computations.append(Computation(path[1], "task", index, count, F(0), count * work))
        transfer = SlotTransfer("M", path[1], INPUT_FILE, index, count)
        slots.append(Slot(clock, count * c, (transfer,)))
        clock += count * c
    throughput = sum((a.rate for a in allocations), F(0))
    schedule = Schedule(
        period, throughput * period, throughput, throughput, F(0), None, "one_port",
        1 if slots else 0, 2 if slots else 1, False, (INPUT_FILE,),
        tuple(allocations), tuple(computations), tuple(slots),
    )  # fmt: skip
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="bandwidth_centric",
        objective=Objective.throughput(throughput),
        bound=Bound.from_value(throughput, exact=True),
        gap=F(0),
        certificate=DualityCertificate(prices=prices),
        verified=True,
        computed={a.tasks["task"][0]: a.rate for a in allocations},
        sent=[
            SentRate(source="M", target=a.tasks["task"][0], file="input", rate=a.rate)
            for a in allocations
            if a.transfers
        ],
    )
    return Report(asked, result, schedule)


def shared_link() -> Report:
    """Two workers behind one medium, ``multiport``, results return; rates by hand."""
    asked = submission(
        {
            "problem": {
                "kind": "master_worker",
                "platform": {
                    "units": {"time": "s", "data": "MB"},
                    "processors": [
                        {"id": "store", "bandwidth_out": 10},
                        {"id": "hub", "switch": True},
                        {"id": "east", "unit_time": 1},
                        {"id": "west", "unit_time": 2},
                    ],
                    "links": [
                        {"source": "store", "target": "hub", "bandwidth": 8, "media": ["wan"]},
                        {"source": "hub", "target": "east", "bandwidth": 5},
                        {"source": "hub", "target": "west", "bandwidth": 5, "duplex": "half"},
                    ],
                    "media": [{"id": "wan", "bandwidth": 6}],
                },
                "master": "store",
                "task": {"work": 1, "input_size": 3, "output_size": 1},
                "ports": "multiport",
            }
        }
    )
    ways = [(F(1), ("store", "hub", "east")), (F(1, 2), ("store", "hub", "west"))]
    period = F(2)
    allocations, computations, transfers = [], [], []
    for index, (rate, path) in enumerate(ways):
        count = rate * period
        back = tuple(reversed(path))
        allocations.append(
            Allocation(
                index,
                rate,
                count,
                {"task": (path[-1],)},
                (Transfer(INPUT_FILE, path, F(1)), Transfer(OUTPUT_FILE, back, F(1))),
            )
        )
        computations.append(Computation(path[-1], "task", index, count, F(0), F(2)))
        for file, way in ((INPUT_FILE, path), (OUTPUT_FILE, back)):
            transfers += [SlotTransfer(s, r, file, index, count) for s, r in pairwise(way)]
    schedule = Schedule(
        period, F(3), F(3, 2), F(3, 2), F(0), None, "multiport", 2, 3, False,
        (INPUT_FILE, OUTPUT_FILE), tuple(allocations), tuple(computations),
        (Slot(F(0), period, tuple(transfers)),),
    )  # fmt: skip
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(F(3, 2)),
        bound=Bound.from_value(F(3, 2), exact=True),
        gap=F(0),
        certificate=DualityCertificate(prices={"east.compute": F(1), "west.compute": F(1, 2)}),
        verified=True,
        computed={"east": F(1), "west": F(1, 2)},
        sent=[
            SentRate(
                source=t.sender,
                target=t.receiver,
                file="input" if t.file == INPUT_FILE else "output",
                rate=F(rate),
            )
            for (t, rate) in _summed(transfers, period)
        ],
    )
    return Report(asked, result, schedule)


def _summed(
    transfers: Sequence[SlotTransfer], period: Fraction
) -> list[tuple[SlotTransfer, Fraction]]:
    rates: dict[tuple[str, str, tuple[str, str]], tuple[SlotTransfer, Fraction]] = {}
    for t in transfers:
        key = (t.sender, t.receiver, t.file)
        rates[key] = (t, rates.get(key, (t, F(0)))[1] + t.count / period)
    return list(rates.values())


def rounded_star() -> Report:
    """A star (1, 2), (3, 2) of optimum 2/3 whose period was bounded to 5: 3 tasks, loss 1/10."""
    exact = star([(1, 2), (3, 2)], None, {"time": "s"})
    asked = Submission(
        exact.submission.problem, exact.submission.instance, Options(max_period=F(5)), {}
    )
    assert exact.schedule is not None
    allocations = tuple(
        a._replace(instances_per_period=F(count))
        for a, count in zip(exact.schedule.allocations, (2, 1), strict=True)
    )
    schedule = replace(
        exact.schedule,
        period=F(5),
        instances_per_period=F(3),
        throughput=F(3, 5),
        loss=F(1, 10),
        rounding_loss=F(2, 5),
        allocations=allocations,
        computations=tuple(
            Computation(a.tasks["task"][0], "task", a.index, a.instances_per_period, F(0), 2 * n)
            for a, n in zip(allocations, (F(2), F(1)), strict=True)
        ),
        slots=(
            Slot(F(0), F(2), (SlotTransfer("M", "W0", INPUT_FILE, 0, F(2)),)),
            Slot(F(2), F(3), (SlotTransfer("M", "W1", INPUT_FILE, 1, F(1)),)),
        ),
    )
    return Report(asked, exact.result, schedule)
