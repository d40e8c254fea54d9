"""Random allocations with copies of tasks and files, on random platforms."""

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.schedule import Schedule, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.engine.scheduling import Plan, ScheduleLimits, Workload, reconstruct
from steadygrid.engine.scheduling.workload import operations, resource_rows
from steadygrid.engine.solving.control import Control
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_periodic
from steadygrid.verification.steady import SteadyInstance, views_of_one_application

Duplication = Literal["none", "tasks", "tasks_and_files"]

ONE = Fraction(1)


class Placed(NamedTuple):
    """One allocation of an instance, as solver and referee see it."""

    steady: SteadyInstance
    workload: Workload
    plan: Plan
    """Of the largest rate that the resources allow."""

    @property
    def period(self) -> Fraction:
        """Longest time that an instance keeps a resource busy."""
        return 1 / self.plan.rate

    def schedule(self, **options: object) -> Schedule:
        """Reconstruct, and let the referee check it."""
        asked = Options.model_validate(options)
        answer = reconstruct(
            self.workload, [self.plan], self.plan.rate, asked, ScheduleLimits(), Control()
        )
        findings = Findings()
        verify_periodic(
            views_of_one_application(self.steady),
            answer.schedule,
            findings,
            self.plan.rate,
            asked,
        )
        assert findings.faults == []
        return answer.schedule


def placed(
    platform: Platform,
    ports: PortModel,
    times: Mapping[str, Mapping[str, Fraction]],
    sizes: Mapping[FileName, Fraction],
    duplication: Duplication,
    tasks: Mapping[str, Sequence[str]],
    transfers: Sequence[Transfer],
) -> Placed:
    """Put an allocation together and give it its rate."""
    workload = Workload(platform, ports, lambda task, name: times[task][name], sizes)
    plan = Plan(ONE, {task: tuple(names) for task, names in tasks.items()}, tuple(transfers))
    rows = resource_rows(workload, [plan], operations(workload, [plan]))
    period = max(row[0] for row in rows.values())
    steady = SteadyInstance(read_network(platform, ports), times, sizes, duplication=duplication)
    return Placed(steady, workload, plan._replace(rate=1 / period))


def random_copies(seed: int, duplication: Duplication, ports: PortModel) -> Placed:
    """A small task graph with copies; paths wander about, files may be split or branch."""
    choose = random.Random(f"{seed} {duplication} {ports}")
    names = [f"P{i}" for i in range(choose.randint(2, 6))]
    pairs = [(a, b) for a in names for b in names if a < b]
    links = [
        {
            "source": a,
            "target": b,
            "unit_time": Fraction(choose.randint(1, 6), choose.choice([1, 1, 2, 3])),
            "duplex": "full" if ports == "one_port" else choose.choice(["full", "half"]),
        }
        for i, (a, b) in enumerate(pairs)
        if int(b[1:]) == int(a[1:]) + 1 or choose.random() < 0.4
    ]
    platform = Platform.model_validate(
        {"processors": [{"id": name} for name in names], "links": links}
    )
    count = choose.randint(1, 5)
    files = [
        (f"T{k}", f"T{l}")
        for l in range(count)
        for k in range(l)
        if (k == l - 1 and choose.random() < 0.8) or choose.random() < 0.3
    ]
    sizes = {
        file: Fraction(choose.choice([0, 1, 1, 2, 3]), choose.choice([1, 2])) for file in files
    }
    times = {
        f"T{k}": {name: Fraction(choose.randint(0, 5) + (k == 0), 2) for name in names}
        for k in range(count)
    }
    most = 1 if duplication == "none" else 3
    tasks = {task: choose.sample(names, min(choose.randint(1, most), len(names))) for task in times}
    neighbours: dict[str, list[str]] = {name: [] for name in names}
    for sender, receiver in platform_hops(platform):
        neighbours[sender].append(receiver)
    transfers: list[Transfer] = []
    for file in files:
        makers, users = tasks[file[0]], tasks[file[1]]
        receivers = [name for name in users if name not in makers]
        choose.shuffle(receivers)
        send = _branching if duplication == "tasks_and_files" else _separate
        transfers += send(choose, neighbours, file, makers, receivers)
    choose.shuffle(transfers)
    return placed(platform, ports, times, sizes, duplication, tasks, transfers)


def platform_hops(platform: Platform) -> Iterator[tuple[str, str]]:
    """Both directions of every link."""
    for arc in platform.arcs:
        yield platform.processors[arc.source].id, platform.processors[arc.target].id


def _separate(
    choose: random.Random,
    neighbours: Mapping[str, Sequence[str]],
    file: FileName,
    makers: Sequence[str],
    receivers: Sequence[str],
) -> Iterator[Transfer]:
    for receiver in receivers:
        shares = choose.choice(
            [[ONE], [ONE], [Fraction(1, 2)] * 2, [Fraction(1, 3), Fraction(2, 3)]]
        )
        for share in shares:
            path = None
            while path is None:
                path = _walk(choose, neighbours, choose.choice(makers), receiver, set())
            yield Transfer(file, path, share)


def _branching(
    choose: random.Random,
    neighbours: Mapping[str, Sequence[str]],
    file: FileName,
    makers: Sequence[str],
    receivers: Sequence[str],
) -> Iterator[Transfer]:
    used: set[tuple[str, str]] = set()
    have = list(makers)
    for receiver in receivers:
        path = None
        while path is None:
            path = _walk(choose, neighbours, choose.choice(have), receiver, used)
        used.update(pairwise(path))
        have += path
        cut = choose.randrange(1, len(path))
        inner = path[cut]
        ends = {*makers, *receivers}
        if choose.random() < 0.4 and cut < len(path) - 1 and inner not in ends:
            yield Transfer(file, path[: cut + 1], ONE)
            path = path[cut:]
        yield Transfer(file, path, ONE)


def _walk(
    choose: random.Random,
    neighbours: Mapping[str, Sequence[str]],
    start: str,
    end: str,
    used: set[tuple[str, str]],
) -> tuple[str, ...] | None:
    """Wander to the end without passing a processor twice; None where that fails."""
    path = [start]
    while path[-1] != end or len(path) == 1:
        free = [n for n in neighbours[path[-1]] if n not in path and (path[-1], n) not in used]
        if not free:
            return None
        path.append(end if end in free and choose.random() < 0.3 else choose.choice(free))
    return tuple(path)
