"""When operations run and what waits, against instances that go on period by period."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain import periods
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import buffers_of, course_of
from steadygrid.verification.network import read_network
from steadygrid.verification.steady import SteadyInstance

NAMES = "ABCDE"
PLATFORM = Platform.model_validate(
    {
        "processors": [{"id": name} for name in NAMES],
        "links": [{"source": a, "target": b, "unit_time": 1} for a, b in combinations(NAMES, 2)],
    }
)


def transfers(
    random: Random, copied: bool, file: FileName, makers: tuple[str, ...], users: tuple[str, ...]
) -> list[Transfer]:
    """Draw the ways of a file: over other processors, and split, or begun on another one's way."""
    found: list[Transfer] = []
    for user in users:
        parts = 1 if copied else random.choice([1, 1, 2])
        for _ in range(parts if user not in makers else 0):
            passed = [name for transfer in found for name in transfer.path] if copied else []
            start = random.choice([*makers, *passed])
            between = [name for name in NAMES if name not in (start, user)]
            way = random.sample(between, random.randint(0, 2))
            found.append(Transfer(file, (start, *way, user), Fraction(1, parts)))
    return found


def drawn(seed: int, duplication: Any, ports: Any) -> tuple[SteadyInstance, Allocation] | None:
    """Draw an instance and an allocation; None where the referee refuses that."""
    random = Random(seed)
    tasks = "jklm"[: random.randint(2, 4)]
    files = [pair for pair in combinations(tasks, 2) if random.random() < 0.7]
    steady = SteadyInstance(
        read_network(PLATFORM, ports),
        {task: dict.fromkeys(NAMES, Fraction(1)) for task in tasks},
        {file: Fraction(random.randint(0, 3)) for file in files},
        duplication=duplication,
    )
    most = 1 if duplication == "none" else 3
    placed = {task: tuple(random.sample(NAMES, random.randint(1, most))) for task in tasks}
    copied = duplication == "tasks_and_files"
    moves = [
        transfer
        for file in files
        for transfer in transfers(random, copied, file, placed[file[0]], placed[file[1]])
    ]
    random.shuffle(moves)
    allocation = Allocation(0, Fraction(1), Fraction(1), placed, tuple(moves))
    findings = Findings()
    check_allocation(steady, allocation, findings, ())
    return None if findings else (steady, allocation)


def step_by_step(
    steady: SteadyInstance, allocation: Allocation
) -> tuple[Mapping[tuple[str, str], int], Mapping[tuple[int, int], int]]:
    """Look at one period after the other, and run whatever has all that it needs."""
    one_port = steady.network.ports == "one_port"
    copies = {(task, p) for task, placed in allocation.tasks.items() for p in placed}
    ran: dict[tuple[str, str], int] = {}
    moved: dict[tuple[int, int], int] = {}
    hops = {(i, j) for i, t in enumerate(allocation.transfers) for j in range(len(t.path) - 1)}

    def is_ready(i: int, j: int, period: int) -> bool:
        file, path, _ = allocation.transfers[i]
        before = period - 1 if one_port else period
        if j:
            return moved.get((i, j - 1), period + 1) <= before
        if path[0] in allocation.tasks[file[0]]:
            return ran.get((file[0], path[0]), period) < period
        return any(
            other.file == file and other.path[k + 1] == path[0] and moved[n, k] <= before
            for n, other in enumerate(allocation.transfers)
            for k in range(len(other.path) - 1)
            if (n, k) in moved
        )

    def is_there(file: FileName, user: str, period: int) -> bool:
        if user in allocation.tasks[file[0]]:
            return ran.get((file[0], user), period) < period
        return all(
            moved.get((i, len(t.path) - 2), period) < period
            for i, t in enumerate(allocation.transfers)
            if t.file == file and t.path[-1] == user
        )

    for period in range(1, 40):
        begun = {
            (task, p)
            for task, p in copies - ran.keys()
            if all(is_there(file, p, period) for file in steady.sizes if file[1] == task)
        }
        while going := {hop for hop in hops - moved.keys() if is_ready(*hop, period)}:
            moved.update(dict.fromkeys(going, period))
        ran.update(dict.fromkeys(begun, period))
    return ran, moved


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_operations_run_as_soon_as_they_have_what_they_need(duplication: str, ports: Any) -> None:
    right = branched = 0
    for seed in range(300):
        case = drawn(seed, duplication, ports)
        if case is None:
            continue
        steady, allocation = case
        course, (ran, moved) = course_of(steady, allocation), step_by_step(steady, allocation)
        assert course.copies == ran
        assert course.hops == moved
        assert periods.first_periods(steady.sizes, allocation, ports) == ran
        by_transfer = periods.hop_periods(steady.sizes, allocation, ports)
        assert {(i, j): p for i, row in enumerate(by_transfer) for j, p in enumerate(row)} == moved
        last = max([1, *ran.values(), *moved.values()])
        assert course.last == last == periods.last_period(steady.sizes, allocation, ports)
        assert buffers_of(steady, allocation) == periods.buffers(steady.sizes, allocation, ports)
        right += 1
        branched += any(t.path[0] not in allocation.tasks[t.file[0]] for t in allocation.transfers)
    assert right > 60
    assert branched > 10 or duplication != "tasks_and_files"


def test_what_waits_is_what_lies_between_making_and_using() -> None:
    """On a chain of tasks with whole files: the instances in store, counted one by one."""
    held_somewhere = 0
    for seed in range(300):
        case = drawn(seed, "none", "one_port")
        if case is None or any(t.share != 1 for t in case[1].transfers):
            continue
        steady, allocation = case
        ran, moved = step_by_step(steady, allocation)
        expected: dict[str, Fraction] = {}
        for file, size in steady.sizes.items():
            maker, user = allocation.tasks[file[0]][0], allocation.tasks[file[1]][0]
            stations = [(maker, ran[file[0], maker])]
            for i, transfer in enumerate(allocation.transfers):
                if transfer.file == file:
                    hops = list(pairwise(transfer.path))
                    stations += [(b, moved[i, j]) for j, (_, b) in enumerate(hops)]
            ends = [period for _, period in stations[1:]] + [ran[file[1], user]]
            for (processor, came), left in zip(stations, ends, strict=True):
                now = 100
                stored = sum(n + came <= now <= n + left for n in range(now + 1))
                expected[processor] = expected.get(processor, Fraction(0)) + size * stored
        held = {processor: data for processor, data in expected.items() if data}
        assert buffers_of(steady, allocation) == held
        held_somewhere += bool(held)
    assert held_somewhere > 60
