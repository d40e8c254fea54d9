"""Instances of the graph executed side by side, exactly, on the steady state's platform.

The references of the kind are simulated under the same port models as the allocations, so that
their throughputs can be compared:

=============  =============================================================================
``multiport``  A file flows along its whole route at the constant rate ``1 / tau``. `tau` is
               the largest time per unit of data among the resources on the route. It takes
               the part ``(time per unit) / tau`` of each of them (link, half-duplex pair,
               medium, bandwidth out and in) for ``size * tau``
``one_port``   store and forward: each hop takes the sender's send, the receiver's receive and
               the half-duplex pair for itself
others         store and forward: each hop takes the ports of both its ends for itself; under
               ``no_overlap`` a computation takes the port of its processor
=============  =============================================================================

Each operation starts at the earliest date at which everything it needs is free for the whole
of its duration, and is never preempted. Files of size 0 and tasks of time 0 take nothing and do
not wait. All instances are there from the beginning.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import Mapping_, Tables
from steadygrid.engine.simulation.timetable import Stage, Timetable
from steadygrid.engine.solving.control import Control

Hop = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""Time per unit of data, and the same for each resource that is used meanwhile."""


@dataclass(frozen=True)
class Simulation:
    """What a reference does with a number of instances.

    Attributes
    ----------
    makespan
        From the beginning to the end of the last instance.
    latency
        Mean time from the beginning of an instance's first operation to its end.
    planned_makespan
        What the method itself expected, where its own model knows no contention.
    """

    instances: int
    makespan: Fraction
    latency: Fraction
    planned_makespan: Fraction | None = None


class Operations:
    """Computations and transfers in whole steps of one lattice of dates.

    Parameters
    ----------
    tables
        The instance.
    control
        Is asked to stop once for each processor.

    Attributes
    ----------
    step
        Time units per step. Every duration is a multiple of it.
    capacities
        For each resource, the parts it divides into, so that every share is a whole number.

    Notes
    -----
    One time unit and one divisor per resource are found beforehand, from all that could ever
    run; afterwards there are only integers. All pairs of processors that can run the two tasks
    of a file are looked at: quadratic in the processors. A resource is left out where another
    one is on every hop that uses it, and is used at least as much there: it always has room
    when the other has, unless it computes as well.
    """

    def __init__(self, tables: Tables, control: Control) -> None:
        self.tables = tables
        self.capacities = [1] * len(tables.resources)
        self._hops: dict[tuple[int, int], tuple[Hop, ...] | None] = {}
        self._shares: dict[tuple[int, int], tuple[tuple[tuple[int, int], ...], ...]] = {}
        self._transfers: dict[tuple[int, int, int], tuple[Stage, ...] | None] = {}
        able = {(tables.labels[k], tables.labels[m]) for k, m, _ in tables.files}
        for senders, receivers in able:
            for sender in senders:
                control.check()
                for receiver in receivers:
                    if sender != receiver and (sender, receiver) not in self._hops:
                        self._hops[sender, receiver] = self._read_hops(sender, receiver)
        self._leave_out_followers()
        rates = {tau for hops in self._hops.values() for tau, _ in hops or ()}
        for hops in self._hops.values():
            for tau, uses in hops or ():
                for resource, time in uses:
                    parts = (time / tau).denominator
                    self.capacities[resource] = lcm(self.capacities[resource], parts)
        times = {
            tables.time(task, processor)
            for task, processors in enumerate(tables.labels)
            for processor in processors
        }
        sizes = _common_divisor(size for _, _, size in tables.files)
        self.step = _common_divisor([*times, sizes * _common_divisor(rates)]) or Fraction(1)
        self._computations = {
            (task, processor): Stage(
                int(tables.time(task, processor) / self.step), ((processor, 1),)
            )
            for task, processors in enumerate(tables.labels)
            for processor in processors
        }

    def _read_hops(self, sender: int, receiver: int) -> tuple[Hop, ...] | None:
        tables = self.tables
        route, uses = tables.reference_path(sender, receiver), tables.path_uses(sender, receiver)
        if route is None or uses is None:
            return None
        if tables.instance.ports != "multiport":
            return tuple(_hop(tables.arc_uses(arc)) for arc in route)
        return (_hop(uses),)

    def _leave_out_followers(self) -> None:
        """Keep on each hop only the resources that may decide when it can start."""
        leaders: dict[int, set[int]] = {}
        if self.tables.instance.ports == "no_overlap":
            leaders = {processor: {processor} for processor in self.tables.usable}
        for hops in self._hops.values():
            for _, uses in hops or ():
                for resource, time in uses:
                    here = {other for other, others_time in uses if others_time >= time}
                    leaders[resource] = leaders.get(resource, here) & here
        kept = {
            resource
            for resource, others in leaders.items()
            if all(resource in leaders[other] and resource <= other for other in others)
        }
        for pair, hops in self._hops.items():
            if hops is not None:
                self._hops[pair] = tuple(
                    (tau, tuple((place, time) for place, time in uses if place in kept))
                    for tau, uses in hops
                )

    def computation(self, task: int, processor: int) -> Stage:
        """Give the one stage of a task on a processor that can run it.

        Parameters
        ----------
        task
            Its position.
        processor
            Its position. It can run the task.
        """
        return self._computations[task, processor]

    def transfer(self, file: int, sender: int, receiver: int) -> tuple[Stage, ...] | None:
        """Give the stages of a file on its route. None if it stays, None if there is no route.

        Parameters
        ----------
        file
            Its position.
        sender, receiver
            Positions of processors.
        """
        if sender == receiver:
            return ()
        key = (file, sender, receiver)
        if key not in self._transfers:
            self._transfers[key] = self._read_transfer(*key)
        return self._transfers[key]

    def _read_transfer(self, file: int, sender: int, receiver: int) -> tuple[Stage, ...] | None:
        pair = (sender, receiver)
        hops = self._hops[pair]
        if hops is None:
            return None
        if pair not in self._shares:
            self._shares[pair] = tuple(
                tuple((place, int(time / tau * self.capacities[place])) for place, time in uses)
                for tau, uses in hops
            )
        size = self.tables.files[file][2]
        return tuple(
            Stage(int(size * tau / self.step), shares)
            for (tau, _), shares in zip(hops, self._shares[pair], strict=True)
        )

    def time_per_data(self, sender: int, receiver: int) -> Fraction | None:
        """Give the time per unit of data on an otherwise idle platform. None without a route.

        Parameters
        ----------
        sender, receiver
            Positions of processors.
        """
        if sender == receiver:
            return Fraction(0)
        hops = self._hops[sender, receiver]
        return None if hops is None else sum((tau for tau, _ in hops), Fraction(0))

    @cached_property
    def labels(self) -> tuple[tuple[int, ...], ...]:
        """For each task, its processors from which and to which some route leads for each file.

        Without the routes from which no choice for a neighbouring task could be made, repeatedly.
        A choice for the whole graph may still be missing.
        """
        labels = [set(processors) for processors in self.tables.labels]
        changed = any(hops is None for hops in self._hops.values())
        while changed:
            changed = False
            for k, m, _ in self.tables.files:
                for here, there, forwards in ((k, m, True), (m, k, False)):
                    cut_off = {
                        q
                        for q in labels[here]
                        if not any(
                            q == r or self._hops[(q, r) if forwards else (r, q)] is not None
                            for r in labels[there]
                        )
                    }
                    labels[here] -= cut_off
                    changed = changed or bool(cut_off)
        for task, processors in enumerate(labels):
            if not processors:
                raise NoMapping(
                    f"no processor can run task {self.tables.tasks[task]!r} and exchange its files"
                )
        return tuple(tuple(sorted(processors)) for processors in labels)


def _hop(uses: Sequence[tuple[int, Fraction]]) -> Hop:
    return max(time for _, time in uses), tuple(uses)


def _common_divisor(quantities: Iterable[Fraction]) -> Fraction:
    """Give the largest rational of which all are whole multiples, 0 where all are 0."""
    numerator, denominator = 0, 1
    for quantity in quantities:
        wider = lcm(denominator, quantity.denominator)
        numerator = gcd(
            numerator * (wider // denominator), quantity.numerator * (wider // quantity.denominator)
        )
        denominator = wider
    return Fraction(numerator, denominator)


class Execution:
    """What a number of instances have done so far, in steps of the lattice.

    Parameters
    ----------
    operations
        What there is to do.
    instances
        How many.

    Attributes
    ----------
    processors, starts, ends
        By instance and task: the processor, -1 as long as the task has not run, and the dates.
    departures
        By instance and file: the date at which each stage of its transfer started.
    timetable
        What they hold of the resources.
    """

    def __init__(self, operations: Operations, instances: int) -> None:
        self.operations = operations
        self.tables = operations.tables
        num_tasks, num_files = len(self.tables.tasks), len(self.tables.files)
        self.processors = [[-1] * num_tasks for _ in range(instances)]
        self.starts = [[0] * num_tasks for _ in range(instances)]
        self.ends = [[0] * num_tasks for _ in range(instances)]
        self.departures: list[list[tuple[int, ...]]] = [[()] * num_files for _ in range(instances)]
        self.timetable = Timetable(operations.capacities)

    def carry(self, instance: int, file: int, receiver: int) -> int:
        """Send a file from where its task has run, as early as possible; give its arrival.

        Parameters
        ----------
        instance
            Its number, from 0.
        file
            Its position. The task that makes it has run for this instance.
        receiver
            The position of the processor that needs it.
        """
        producer = self.tables.files[file][0]
        sender, date = self.processors[instance][producer], self.ends[instance][producer]
        if sender == receiver:
            return date
        stages = self.operations.transfer(file, sender, receiver)
        if stages is None:
            raise AssertionError("a method sends files only where a route leads")
        starts = []
        for hop, stage in enumerate(stages):
            start = self.timetable.place((file, sender, receiver, hop), stage, date)
            starts.append(start)
            date = start + stage.duration
        self.departures[instance][file] = tuple(starts)
        return date

    def perform(self, instance: int, task: int, processor: int, ready: int = 0) -> int:
        """Send a task what it needs, by date of production, and run it as early as possible.

        Files of tasks that have not run are not waited for.

        Parameters
        ----------
        instance, task, processor
            A processor that can run the task.
        ready
            The task starts no earlier. Its files travel when they can.

        Returns
        -------
        The date of its end.
        """
        done, ends, files = self.processors[instance], self.ends[instance], self.tables.files
        inputs = [f for f in self.tables.incoming[task] if done[files[f][0]] >= 0]
        if len(inputs) > 1:
            inputs.sort(key=lambda f: ends[files[f][0]])
        for file in inputs:
            ready = max(ready, self.carry(instance, file, processor))
        stage = self.operations.computation(task, processor)
        start = self.timetable.place((task, processor), stage, ready)
        done[task] = processor
        self.starts[instance][task] = start
        end = ends[task] = start + stage.duration
        return end

    def simulation(self, planned: int | None = None) -> Simulation:
        """Sum up, once every task of every instance has run.

        Parameters
        ----------
        planned
            The makespan that the method expected, in steps.
        """
        step, number = self.operations.step, len(self.processors)
        makespan = max(map(max, self.ends))
        latency = sum(self._latency(instance) for instance in range(number))
        return Simulation(
            instances=number,
            makespan=makespan * step,
            latency=latency * step / number,
            planned_makespan=None if planned is None else planned * step,
        )

    def _latency(self, instance: int) -> int:
        """Give the time from the first operation that takes any to the end of the last."""
        starts, ends = self.starts[instance], self.ends[instance]
        processors = self.processors[instance]
        begins = [start for start, end in zip(starts, ends, strict=True) if end > start]
        for file, (producer, user, size) in enumerate(self.tables.files):
            departures = self.departures[instance][file]
            if size and processors[producer] != processors[user]:
                begins.append(departures[0])
        return max(ends) - min(begins, default=max(ends))


def topological_order(tables: Tables) -> list[int]:
    """List the tasks, each after those whose files it needs, as far as possible as given."""
    missing = [len(files) for files in tables.incoming]
    order: list[int] = []
    free = [task for task, number in enumerate(missing) if not number]
    while free:
        task = min(free)
        free.remove(task)
        order.append(task)
        for file in tables.outgoing[task]:
            user = tables.files[file][1]
            missing[user] -= 1
            if not missing[user]:
                free.append(user)
    return order


def repeat(tables: Tables, mapping: Mapping_, instances: int, control: Control) -> Simulation:
    """Execute a number of instances that all take one mapping, one instance after the other.

    What the steady state of the mapping does in the long run, without periods: each operation
    as early as it fits.

    Parameters
    ----------
    tables, mapping
        Files take the reference routes.
    instances
        How many.
    control
        Is asked to stop before each instance.

    Raises
    ------
    NoMapping
        If a file has no route.
    """
    tables.period(mapping)  # refuses a mapping that leaves a file without a route
    execution = Execution(Operations(tables, control), instances)
    order = topological_order(tables)
    for instance in range(instances):
        control.check()
        for task in order:
            execution.perform(instance, task, mapping[task])
    return execution.simulation()
