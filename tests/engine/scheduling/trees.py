"""Run schedules of messages that are copied or combined, period by period.

Nothing is taken from what built the schedule or from the referee. Counted is for how many instances
data has come where: a hop, or a combination that takes time, takes part in a period if what it needs was
there for all of its instances when the period began, or under multiport flows in meanwhile; what is
combined in no time is there when all operands are.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steadygrid.domain.schedule import Allocation, Schedule


class Run:
    """Some periods of a schedule.

    Attributes
    ----------
    completed
        By period, for how many instances each allocation's message has come to all receivers.
    """

    def __init__(
        self,
        sources: dict[str, tuple[str, ...]],
        receivers: dict[str, tuple[str, ...]],
        schedule: Schedule,
        periods: int,
    ) -> None:
        self.schedule, self.sources, self.receivers = schedule, sources, receivers
        self.come: Counter[tuple[int, int, int]] = Counter()
        """By allocation, transfer and hop, at whose end it is."""
        self.computed: Counter[tuple[int, str]] = Counter()
        self.completed: list[dict[int, Fraction]] = []
        for _ in range(periods):
            for allocation in schedule.allocations:
                self._run(allocation)
            self.completed.append({a.index: self._complete(a) for a in schedule.allocations})

    def there(self, allocation: Allocation, data: str, place: str) -> Any:
        """Count the instances of which data is somewhere."""
        if data == place and data in self.sources[allocation.message or ""]:
            return float("inf")
        ways = [
            self.come[allocation.index, i, len(t.path) - 2]
            for i, t in enumerate(allocation.transfers)
            if t.file == (allocation.message, data) and t.path[-1] == place
        ]
        ways += (
            self._combined(allocation, one)
            for one in allocation.combinations
            if one.processor == place
            and data in (one.outcome, "--sum" if one is allocation.combinations[-1] else "")
        )
        return max(ways, default=0)

    def _combined(self, allocation: Allocation, one: Any) -> Any:
        if one.outcome in allocation.tasks:
            return self.computed[allocation.index, one.outcome]
        return min(self.there(allocation, data, one.processor) for data in one.operands)

    def _run(self, allocation: Allocation) -> None:
        count = allocation.instances_per_period
        hops = [(i, j) for i, t in enumerate(allocation.transfers) for j in range(len(t.path) - 1)]
        able = [
            one
            for one in allocation.combinations
            if one.outcome in allocation.tasks
            and self.computed[allocation.index, one.outcome] + count
            <= min(self.there(allocation, data, one.processor) for data in one.operands)
        ]
        moved: set[tuple[int, int]] = set()
        while True:
            ready = [hop for hop in hops if hop not in moved and self._ready(allocation, *hop)]
            for i, j in ready:
                self.come[allocation.index, i, j] += count  # type: ignore[assignment]
            moved.update(ready)
            if not ready or self.schedule.ports != "multiport":
                break
        for one in able:
            self.computed[allocation.index, one.outcome] += count  # type: ignore[assignment]

    def _ready(self, allocation: Allocation, i: int, j: int) -> bool:
        due = self.come[allocation.index, i, j] + allocation.instances_per_period
        if j:
            return self.come[allocation.index, i, j - 1] >= due
        (_, data), path, _ = allocation.transfers[i]
        return bool(self.there(allocation, data, path[0]) >= due)

    def _complete(self, allocation: Allocation) -> Any:
        made = [*self.sources[allocation.message or ""][:1]]
        made += [one.outcome for one in allocation.combinations]
        made += [data for (_, data), _, _ in allocation.transfers if data == "--sum"]
        receivers = self.receivers[allocation.message or ""]
        return min(self.there(allocation, made[-1], name) for name in receivers)


def assert_trees_run(
    platform: Any,
    sources: dict[str, tuple[str, ...]],
    receivers: dict[str, tuple[str, ...]],
    sizes: dict[str, Fraction],
    schedule: Schedule,
) -> None:
    """Run the prologue and two periods: all are complete from then on, and some not a period before."""
    _assert_slots(platform, sizes, schedule)
    before = schedule.prologue_periods
    run = Run(sources, receivers, schedule, before + 2)
    running = [a for a in schedule.allocations if a.instances_per_period]
    for past in (1, 2):
        for a in running:
            assert run.completed[before + past - 1][a.index] >= past * a.instances_per_period
    if before:
        assert any(run.completed[before - 1][a.index] == 0 for a in running)


def _assert_slots(platform: Any, sizes: dict[str, Fraction], schedule: Schedule) -> None:
    """No processor sends, or receives, two files at once, and every hop carries what it has to."""
    if schedule.ports == "multiport":
        return
    pays = schedule.grouping is not None
    links = {}
    for link in platform.links:
        links[link.source, link.target] = link
        if link.duplex != "simplex":
            links[link.target, link.source] = link
    switches = {p.id for p in platform.processors if p.switch}
    busy: dict[Any, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    carried: Counter[Any] = Counter()
    for slot in schedule.slots:
        for sent in slot.transfers:
            link = links[sent.sender, sent.receiver]
            time = sent.count * sizes[sent.file[0]] * link.unit_time + link.latency * pays
            assert time <= slot.duration
            carried[sent[:4]] += sent.count  # type: ignore[assignment]
            for name, way in ((sent.sender, "send"), (sent.receiver, "receive")):
                if name not in switches:
                    port = name if schedule.ports != "one_port" else (name, way)
                    busy[port].append((slot.start, slot.start + time))
    for computation in schedule.computations:
        alone = schedule.ports == "no_overlap"
        cpu = computation.processor if alone else (computation.processor, "compute")
        if computation.time:
            busy[cpu].append((computation.start, computation.start + computation.time))
    for stretches in busy.values():
        assert all(one[1] <= other[0] for one, other in pairwise(sorted(stretches)))
        assert max(end for _, end in stretches) <= schedule.period
    asked: Counter[Any] = Counter()
    for a in schedule.allocations:
        for t in a.transfers if a.instances_per_period and sizes[a.message or ""] else ():
            for hop in pairwise(t.path):
                asked[*hop, t.file, a.index] += a.instances_per_period  # type: ignore[assignment]
    assert carried == asked
