"""Which mappings there are, how long their resources are busy, and how long their periods are."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, lcm
from typing import NamedTuple

from steadygrid.kinds.replicated_workflow.limits import MOST_ROWS, MOST_SEARCHED_NODES
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStage,
    ReplicatedWorkflowInstance,
)
from steadygrid.kinds.replicated_workflow.solver.evaluation import Evaluation, evaluate
from steadygrid.kinds.replicated_workflow.solver.model import Service, Workflow
from steadygrid.kinds.replicated_workflow.solver.orders import by_name, search_orders
from steadygrid.kinds.replicated_workflow.stages import (
    able_on_all,
    files_between,
    is_order_searched,
    listed_stages,
    most_copies,
    num_nodes,
    stage_times,
)

Tuples = tuple[tuple[int, ...], ...]
"""A mapping: by stage, its processors in turn, by their positions on the platform."""


ROUNDING = 2.0**-40
"""Of mean times, as a share of the longest there may be."""


class Exchange(NamedTuple):
    """All files from one stage to another: they take the same links."""

    sender: int
    receiver: int
    size: Fraction


class Space:
    """The mappings of an instance.

    Attributes
    ----------
    stages
        Tasks of each stage, as listed.
    times
        By stage, the time of its tasks on each processor that can run them.
    most
        By stage, processors that it may have.
    exchanges
        Between stages, each pair once.
    links
        By sender and receiver, time per unit of data.
    kinds
        For each processor the first one that is as good everywhere and has the same links.
    searches_orders
        Whether the best order of service counts, and not the one that is listed.
    services
        Orders of service of mappings that they make faster, see `Found.service`.
    """

    def __init__(self, instance: ReplicatedWorkflowInstance, heartbeat: Callable[[], None]) -> None:
        self.searches_orders = is_order_searched(instance)
        instance = by_name(instance) if self.searches_orders else instance
        self.instance = instance
        self.heartbeat = heartbeat
        self.no_overlap = instance.ports == "no_overlap"
        self.stages = listed_stages(instance)
        index = instance.platform.index_by_id
        self.names = list(index)
        self.times: list[dict[int, Fraction]] = []
        for tasks, able in zip(self.stages, able_on_all(instance, self.stages), strict=True):
            names = sorted(able, key=index.__getitem__)
            found = stage_times(instance, tasks, names)
            self.times.append({index[n]: t for n, t in zip(names, found, strict=True)})
        self.most = [
            len(times) if most is None else min(most, len(times))
            for times, tasks in zip(self.times, self.stages, strict=True)
            for most in [most_copies(instance, tasks)]
        ]
        self._between = files_between(instance, self.stages)
        files = instance.application.files
        self.exchanges = [
            Exchange(k, l, sum((files[i].size for i in listed), Fraction(0)))
            for (k, l), listed in self._between.items()
        ]
        used = set[int]().union(*self.times)
        self.links = {
            (arc.source, arc.target): arc.unit_time
            for arc in instance.platform.arcs
            if arc.source in used and arc.target in used
        }
        self.kinds = self._find_kinds(sorted(used))
        self._periods: dict[Tuples, Fraction | None] = {}
        self.services: dict[Tuples, Service] = {}
        self._rough_times = [{p: float(t) for p, t in times.items()} for times in self.times]
        self._rough_links = {ends: float(time) for ends, time in self.links.items()}
        self._rough_sizes = [float(exchange.size) for exchange in self.exchanges]
        self._rough_unit = self._find_unit()

    def _find_unit(self) -> float:
        """Give what mean times are rounded to: far less than they differ, more than roundings are."""
        longest = max((t for times in self._rough_times for t in times.values()), default=0.0)
        sent = sum(self._rough_sizes) * max(self._rough_links.values(), default=0.0)
        return (longest + sent) * ROUNDING or ROUNDING

    def _find_kinds(self, used: Sequence[int]) -> dict[int, int]:
        """Put processors together any two of which may always change places."""
        around: dict[int, dict[tuple[int, bool], Fraction]] = {p: {} for p in used}
        for (sender, receiver), time in self.links.items():
            around[sender][receiver, True] = time
            around[receiver][sender, False] = time

        alike = {p: tuple(times.get(p) for times in self.times) for p in used}
        sums = {p: sum(map(hash, ends.items())) for p, ends in around.items()}

        def may_change(p: int, q: int) -> bool:
            time = self.links.get((p, q))
            if alike[p] != alike[q] or time != self.links.get((q, p)):
                return False
            ours = {(q, True): time, (q, False): time}
            theirs = {(p, True): time, (p, False): time}
            # The sums tell most of them apart without a look at all their links.
            return sums[p] - sum(map(hash, ours.items())) == sums[q] - sum(
                map(hash, theirs.items())
            ) and (around[p] | theirs == around[q] | ours)

        kinds: dict[int, int] = {}
        apart: dict[object, int] = {}
        for p in used:
            self.heartbeat()
            # If p may change places with q, and q with r, then p may with r; so either all of a kind
            # have links with each other, or none, and then all their links are the same.
            near = sorted({q for q, _ in around[p] if kinds.get(q) == q})
            linked = next((q for q in near if may_change(p, q)), None)
            first = apart.setdefault((alike[p], frozenset(around[p].items())), p)
            kinds[p] = first if linked is None else linked
        return kinds

    @cached_property
    def neighbours(self) -> list[list[tuple[Exchange, int]]]:
        """For each stage its exchanges, each with the stage at the other end."""
        found: list[list[tuple[Exchange, int]]] = [[] for _ in self.stages]
        for exchange in self.exchanges:
            found[exchange.sender].append((exchange, exchange.receiver))
            found[exchange.receiver].append((exchange, exchange.sender))
        return found

    def fits(self, mapping: Tuples) -> bool:
        """Tell whether a mapping keeps to `max_rows` and to what searches consider."""
        copies = [len(processors) for processors in mapping]
        return (
            lcm(*copies) <= self.instance.max_rows
            and num_nodes(copies, self._between) <= MOST_SEARCHED_NODES
        )

    def longest(self, mapping: Sequence[Sequence[int]]) -> Fraction | None:
        """Give the longest mean time of a resource, over the stages that have processors.

        Returns
        -------
        Fraction
            No period is shorter. None if a link is missing.
        """
        copies = [len(processors) for processors in mapping]
        rows = lcm(*filter(None, copies))
        computing = [
            [times[p] * (rows // copies[k]) for p in mapping[k]] if copies[k] else []
            for k, times in enumerate(self.times)
        ]
        sending = [[Fraction(0)] * count for count in copies]
        receiving = [[Fraction(0)] * count for count in copies]
        for k, l, size in self.exchanges:
            r, s = copies[k], copies[l]
            if not r or not s:
                continue
            common = gcd(r, s)
            each = size * (rows // (r // common * s))
            for j, sender in enumerate(mapping[k]):
                for i in range(j % common, s, common):
                    link = self.links.get((sender, mapping[l][i]))
                    if link is None:
                        return None
                    sending[k][j] += each * link
                    receiving[l][i] += each * link
        times = [
            sum(parts) if self.no_overlap else max(parts)
            for stage in zip(computing, sending, receiving, strict=True)
            for parts in zip(*stage, strict=True)
        ]
        return Fraction(max(times, default=Fraction(0)), rows)

    def rough(self, mapping: Sequence[Sequence[int]]) -> float:
        """Give `longest` in floats, a hundred times as fast; infinite if a link is missing."""
        busy = self._mean_times(mapping)
        return inf if busy is None else max(max(own, default=0.0) for own in busy)

    def sorted_times(self, mapping: Sequence[Sequence[int]]) -> tuple[float, ...]:
        """Give the mean times of all processors, the longest first: a mapping with less is better.

        Rounded, so that equal times are equal; one infinite time if a link is missing.
        """
        busy = self._mean_times(mapping)
        if busy is None:
            return (inf,)
        unit = self._rough_unit
        return tuple(
            sorted((round(time / unit) * unit for own in busy for time in own), reverse=True)
        )

    def longest_stages(self, mapping: Sequence[Sequence[int]]) -> list[int]:
        """Give the stages with a processor whose mean time is the longest of all."""
        busy = self._mean_times(mapping)
        if busy is None:
            return []
        times = [max(own, default=0.0) for own in busy]
        limit = max(times) - self._rough_unit
        return [k for k, time in enumerate(times) if time >= limit]

    def _mean_times(self, mapping: Sequence[Sequence[int]]) -> list[list[float]] | None:
        """Give the mean time of each processor, by stage. None if a link is missing."""
        links = self._rough_links
        busy = [
            [[own[p] / len(processors), 0.0, 0.0] for p in processors]
            for processors, own in zip(mapping, self._rough_times, strict=True)
        ]
        for (k, l, _), size in zip(self.exchanges, self._rough_sizes, strict=True):
            senders, receivers = mapping[k], mapping[l]
            r, s = len(senders), len(receivers)
            if not r or not s:
                continue
            common = gcd(r, s)
            each = size * common / (r * s)
            for j, sender in enumerate(senders):
                for i in range(j % common, s, common):
                    link = links.get((sender, receivers[i]))
                    if link is None:
                        return None
                    busy[k][j][1] += each * link
                    busy[l][i][2] += each * link
        total = sum if self.no_overlap else max
        return [[total(parts) for parts in stage] for stage in busy]

    def period(self, mapping: Tuples) -> Fraction | None:
        """Give the period of a mapping whose links are there, exactly.

        None where it is not proved, or its schedule would list too many rows: of many nearly critical
        resources, and numbers of copies with few common divisors.
        """
        if mapping not in self._periods:
            workflow = Workflow(self.instance, self.mapped(mapping))
            if self.searches_orders:
                proved, found, service = search_orders(workflow, self.heartbeat)
                if service is not None:
                    self.services[mapping] = service
            else:
                found = Evaluation()
                evaluate(workflow, found, self.heartbeat)
                proved = found.period if found.exact else None
            if found.starts is None or found.starts.rows > MOST_ROWS:
                proved = None
            self._periods[mapping] = None if proved is None else proved / workflow.scale
        return self._periods[mapping]

    @property
    def evaluated(self) -> int:
        """How many mappings were evaluated."""
        return len(self._periods)

    def mapped(self, mapping: Tuples) -> list[MappedStage]:
        """Write a mapping as the contract does."""
        return [
            MappedStage(tasks=tuple(tasks), processors=tuple(self.names[p] for p in processors))
            for tasks, processors in zip(self.stages, mapping, strict=True)
        ]

    def free(self, mapping: Sequence[Sequence[int]]) -> Iterator[int]:
        """Give the processors that take no part, of several of a kind the first."""
        taken = {p for processors in mapping for p in processors}
        seen: set[int] = set()
        for p, kind in self.kinds.items():
            if p not in taken and kind not in seen:
                seen.add(kind)
                yield p
