"""The instance as its methods read it: times, files, resources and reference routes, by index."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform, arc_uses, computing_resource
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.limits import Limits
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses
from steadygrid.kinds.shared.collection import CollectionInstance
from steadygrid.kinds.shared.routes import Path, Routes

Given = ParamSpec("Given")
Made = TypeVar("Made")

Mapping_ = Sequence[int]
"""The position of the processor of each task, in the order of the tasks."""

Use = tuple[int, Fraction]
"""The position of a resource, and the time on it per unit of data."""

ReferencePath = Path
"""Empty where source and target are one processor."""


class Tables:
    """Times, files, resources and reference routes of an instance, by index.

    The *reference route* of a pair of processors is the platform's route. Where none is given (or
    none counts), it is the path with the least total unit time, ties to fewer hops, then to the
    smaller identifiers. Routes are found when they are asked for, see `Routes`.

    Parameters
    ----------
    instance
        Must be free of faults.
    given_routes
        Whether the platform's routes count.
    odd_sets
        That are resources, too.

    Attributes
    ----------
    tasks
        Names, in the order of the application.
    files
        Producer and user by their positions in `tasks`, and the size in data units.
    labels
        For each task, the processors that can run it, by increasing position.
    sorts
        For each task, of the processors that can run it the first of each sort: all processors of
        a sort run every task in the same time.
    sort_members
        The processors of each sort, by the first.
    usable
        The processors that can run some task.
    incoming, outgoing
        For each task, the files that it needs and makes, by their positions in `files`.
    resources
        Names as in the contract: what every processor computes with first, in platform order. Under
        ``no_overlap`` that is its port, which transfers use as well.
    limits
        Memory and intervals that mappings keep to, where the kind knows them and some are asked.
    position
        Of each resource's name in `resources`.
    """

    def __init__(
        self,
        instance: CollectionInstance,
        *,
        given_routes: bool = True,
        odd_sets: Sequence[OddSet] = (),
    ) -> None:
        self.instance = instance
        self.odd_sets = tuple(odd_sets)
        self.platform: Platform = instance.platform
        self.tasks: tuple[str, ...] = tuple(task.id for task in instance.application.tasks)
        self.files: tuple[tuple[int, int, Fraction], ...] = tuple(instance.files)
        self._times = instance.times
        self.labels: tuple[tuple[int, ...], ...] = tuple(
            tuple(i for i, time in enumerate(row) if time is not None) for row in self._times
        )
        self.sort_members = instance.sort_members
        self.sorts: tuple[tuple[int, ...], ...] = tuple(
            tuple(i for i in self.sort_members if row[i] is not None) for row in self._times
        )
        self.usable: tuple[int, ...] = tuple(sorted(set().union(*self.labels)))
        incoming: list[list[int]] = [[] for _ in self.tasks]
        outgoing: list[list[int]] = [[] for _ in self.tasks]
        for index, (source, target, _) in enumerate(self.files):
            outgoing[source].append(index)
            incoming[target].append(index)
        self.incoming = tuple(tuple(files) for files in incoming)
        self.outgoing = tuple(tuple(files) for files in outgoing)
        ports = instance.ports
        names = [computing_resource(p.id, ports) for p in self.platform.processors]
        self.position: dict[str, int] = {name: i for i, name in enumerate(names)}
        self._arc_uses: list[tuple[Use, ...]] = []
        for arc in self.platform.arcs:
            uses: Amounts[int] = Amounts()
            for name, time in (
                *arc_uses(self.platform, arc, ports),
                *odd_uses(self.platform, arc, odd_sets),
            ):
                if name not in self.position:
                    self.position[name] = len(names)
                    names.append(name)
                uses[self.position[name]] += time
            self._arc_uses.append(tuple(uses.items()))
        self.resources: tuple[str, ...] = tuple(names)
        self.limits: Limits | None = None
        self.routes = Routes(self.platform, None if given_routes else ())
        self._made: dict[object, Any] = {}
        self._route_uses: dict[tuple[int, int], tuple[Use, ...] | None] = {}

    def cached(
        self,
        make: Callable[Concatenate[Self, Given], Made],
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Made:
        """Give what is made of these tables, the same each time: it is made when first asked for.

        Parameters
        ----------
        make
            Gets these tables and what else is given.
        """
        if make not in self._made:
            self._made[make] = make(self, *given, **named)
        made: Made = self._made[make]
        return made

    @property
    def num_processors(self) -> int:
        """Processors, routers and switches."""
        return len(self.platform.processors)

    def time(self, task: int, processor: int) -> Fraction:
        """Give the time of one instance of a task on one of its `labels`.

        Parameters
        ----------
        task
            Its position in `tasks`.
        processor
            Its position; one of the task's `labels`.

        Raises
        ------
        ValueError
            If the processor cannot run the task.
        """
        time = self._times[task][processor]
        if time is None:
            raise ValueError(
                f"{self.platform.processors[processor].id!r} cannot run {self.tasks[task]!r}"
            )
        return time

    def arc_uses(self, arc: int) -> tuple[Use, ...]:
        """List what one unit of data on an arc takes, each resource once."""
        return self._arc_uses[arc]

    def reference_path(self, source: int, target: int) -> ReferencePath | None:
        """Give the reference route from one processor to another. None if there is none.

        Parameters
        ----------
        source, target
            Positions of processors.
        """
        return self.routes.path(source, target)

    def path_uses(self, source: int, target: int) -> tuple[Use, ...] | None:
        """List what one unit of data on the reference route takes, each resource once.

        Parameters
        ----------
        source, target
            Positions of processors.

        Returns
        -------
        tuple
            Positions of resources and times per unit of data. None where there is no path.
        """
        pair = (source, target)
        if pair not in self._route_uses:
            route = self.reference_path(source, target)
            if route is None:
                self._route_uses[pair] = None
            else:
                uses: Amounts[int] = Amounts()
                for arc in route:
                    for place, time in self._arc_uses[arc]:
                        uses[place] += time
                self._route_uses[pair] = tuple(sorted(uses.items()))
        return self._route_uses[pair]

    def occupation(self, mapping: Mapping_) -> Amounts[int]:
        """Give the time that each resource spends on one instance, over the reference routes.

        Parameters
        ----------
        mapping
            A processor of its `labels` for each task.

        Returns
        -------
        Amounts
            By the resource's position.

        Raises
        ------
        NoMapping
            If a file has no route.
        """
        times: Amounts[int] = Amounts()
        for task, processor in enumerate(mapping):
            times[processor] += self.time(task, processor)
        for source, target, size in self.files:
            uses = self.path_uses(mapping[source], mapping[target])
            if uses is None:
                raise self._no_path(source, target, mapping)
            for place, time in uses:
                times[place] += size * time
        return times

    def period(self, mapping: Mapping_) -> Fraction:
        """Give the longest time that one resource spends on one instance (thesis, 4.2.3)."""
        return max(self.occupation(mapping).values(), default=Fraction(0))

    def transfers(self, mapping: Mapping_) -> tuple[Transfer, ...]:
        """List the reference routes of the files that move, in the order of the files.

        Raises
        ------
        NoMapping
            If a file has no route.
        """
        names = [processor.id for processor in self.platform.processors]
        transfers: list[Transfer] = []
        for source, target, _ in self.files:
            start, end = mapping[source], mapping[target]
            if start == end:
                continue
            route = self.reference_path(start, end)
            if route is None:
                raise self._no_path(source, target, mapping)
            path = (names[start], *(names[self.platform.arcs[arc].target] for arc in route))
            transfers.append(Transfer((self.tasks[source], self.tasks[target]), path, Fraction(1)))
        return tuple(transfers)

    def _no_path(self, source: int, target: int, mapping: Mapping_) -> NoMapping:
        names = [self.platform.processors[mapping[task]].id for task in (source, target)]
        return NoMapping(
            f"no path from {names[0]!r} to {names[1]!r} for the file from"
            f" {self.tasks[source]!r} to {self.tasks[target]!r}"
        )
