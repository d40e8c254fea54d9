"""What is wrong with allocations that are given to be judged."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import no_processor
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.schedule import Transfer
from steadygrid.domain.slots import FileName
from steadygrid.domain.wording import shown
from steadygrid.kinds.shared.collection import time_on
from steadygrid.kinds.task_graph.given import (
    DefaultPaths,
    GivenColumn,
    columns_of,
    count_columns,
    joined,
)
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance

MOST_GIVEN = 50_000
"""Allocations that are judged at once, those of the members of classes counted."""

MOST_DIGITS = 1_000
"""Of the sum of rates that are given."""

_IN_TURN = (
    ". So it is when the members of classes take their turns: leave those out of their class who"
    " cannot do what the first does"
)
_PATHS = 'list its path in "transfers"'


def given_faults(instance: TaskGraphInstance, at: Pointer) -> Iterator[Fault]:
    """List what is wrong with the allocations of an instance whose parts have no faults.

    Rules, in order:

    1. There is an allocation, and there are not too many.
    2. Classes are of known processors, each in one class.
    3. Tasks and processors exist.
    4. Every task is on a processor that can run it, the first of its class.
    5. With ``rates`` each allocation has a rate, and one of them is above 0.
    6. Files exist. Their paths are of links, from the processor that makes the file to the one
       that uses it. Shares of a file sum to 1. Under fixed routing paths are the routes.
    7. A file has a path, unless all of them take the routes.
    8. The same holds with the other members of classes in the places of first ones.
    9. No allocation is given twice.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if instance.method != "given":
        return
    here = (*at, "allocations")
    if not instance.allocations:
        yield Fault(
            here,
            "no_allocations",
            '"method": "given" judges allocations: list one or more, as answers list them',
        )
        return
    sound = True
    for fault in _faults_of_names(instance, at):
        sound = False
        yield fault
    yield from _faults_of_rates(instance, here)
    if not sound:
        return
    if (number := count_columns(instance)) > MOST_GIVEN:
        yield Fault(
            here,
            "too_many_allocations",
            f"{number:,} allocations, those of the members of classes counted, and at most"
            f" {MOST_GIVEN:,} are judged at once: leave out those of no rate",
        )
        return
    yield from _faults_of_columns(instance, here)


def _faults_of_names(instance: TaskGraphInstance, at: Pointer) -> Iterator[Fault]:
    processors = instance.platform.index_by_id
    known = Known(processors)
    first: dict[str, str] = {}
    for i, members in enumerate(instance.classes or ()):
        for j, name in enumerate(members):
            here = (*at, "classes", i, j)
            if name not in processors:
                yield Fault(here, "unknown_processor", no_processor(name, known))
            elif name in first:
                yield Fault(
                    here,
                    "repeated_member",
                    f"{shown(name)} is in classes twice: name it in one, once",
                )
            first.setdefault(name, members[0])
    tasks = Known(instance.task_index)
    for i, allocation in enumerate(instance.allocations or ()):
        for task, name in allocation.tasks.items():
            here = (*at, "allocations", i, "tasks", task)
            if task not in instance.task_index:
                yield Fault(
                    here, "unknown_task", f"there is no task {shown(task)}{tasks.suggestion(task)}"
                )
            if name not in processors:
                yield Fault(here, "unknown_processor", no_processor(name, known))
            elif first.get(name, name) != name:
                yield _not_the_first(here, name, first[name])
        for j, transfer in enumerate(allocation.transfers or ()):
            for k, name in enumerate(transfer.path):
                here = (*at, "allocations", i, "transfers", j, "path", k)
                if name not in processors:
                    yield Fault(here, "unknown_processor", no_processor(name, known))
                elif first.get(name, name) != name:
                    yield _not_the_first(here, name, first[name])


def _not_the_first(at: Pointer, name: str, first: str) -> Fault:
    return Fault(
        at,
        "not_the_first",
        f"{shown(name)} is in the class of {shown(first)}, which stands for all its members: name"
        " that one, or leave the class out",
    )


def _faults_of_rates(instance: TaskGraphInstance, at: Pointer) -> Iterator[Fault]:
    if instance.rates is None:
        return
    rates = [allocation.rate for allocation in instance.allocations or ()]
    for i, rate in enumerate(rates):
        if rate is None:
            yield Fault(
                (*at, i),
                "no_rate",
                'with "rates": "given" each allocation has a rate: give one, or leave "rates" out',
            )
    if None not in rates and not any(rates):
        yield Fault(
            at,
            "no_rate",
            'all rates are 0: give one above 0, or leave "rates" out to find the best',
        )
    total = Fraction(0)
    for i, rate in enumerate(rates):
        total += rate or 0
        if num_digits(total) > MOST_DIGITS:
            yield Fault(
                (*at, i, "rate"),
                "rates_too_long",
                f"the sum of the rates up to here has more than {MOST_DIGITS:,} digits: round them,"
                ' or leave "rates" out to find the best',
            )
            return


def _faults_of_columns(instance: TaskGraphInstance, at: Pointer) -> Iterator[Fault]:
    checks = _Checks(instance)
    told: dict[int, bool] = {}
    seen: dict[object, int] = {}
    for column in columns_of(instance):
        i, base = column.given, column.given not in told
        told.setdefault(i, False)
        if told[i]:
            continue
        for fault in checks.faults(column, (*at, i)):
            told[i] = True
            detail = fault.detail
            if not base:
                detail += _IN_TURN
            yield Fault(fault.pointer, fault.code, detail)
        if base and not told[i]:
            taken_route = checks.allocation_key(column)
            if taken_route in seen:
                yield Fault(
                    (*at, i),
                    "duplicate_allocation",
                    f"this is allocation {seen[taken_route]} once more: leave one of them out",
                )
            seen.setdefault(taken_route, i)


class _Checks:
    """The rules for an allocation whose names are known."""

    def __init__(self, instance: TaskGraphInstance) -> None:
        self._instance = instance
        self._processors = {p.id: p for p in instance.platform.processors}
        index, arcs = instance.platform.index_by_id, instance.platform.arc_by_ends
        self._index, self._arcs = index, arcs
        self._paths = DefaultPaths(instance) if instance.routing == "fixed" else None

    def faults(self, column: GivenColumn, at: Pointer) -> Iterator[Fault]:
        """List what is wrong with one allocation."""
        sound = True
        for fault in self._faults_of_places(column.tasks, at):
            sound = False
            yield fault
        if not sound:
            return
        if column.transfers is None:
            yield from self._faults_without_paths(column.tasks, at)
            return
        shares: Amounts[FileName] = Amounts()
        for j, transfer in enumerate(column.transfers):
            here = (*at, "transfers", j)
            if transfer.file not in self._instance.file_sizes:
                name = " -> ".join(transfer.file)
                yield Fault(
                    (*here, "file"),
                    "unknown_file",
                    f"there is no file {shown(name)}: name the task that makes it, then the one that"
                    " uses it",
                )
            elif not transfer.share:
                yield Fault((*here, "share"), "no_share", "leave out what moves nothing")
            else:
                yield from self._faults_of_path(transfer, column.tasks, here)
            shares[transfer.file] += transfer.share
        yield from self._faults_of_shares(column.tasks, shares, at)

    def allocation_key(self, column: GivenColumn) -> object:
        """Say where tasks run and which routes files take, equal for what is the same allocation."""
        tasks = frozenset(column.tasks.items())
        if column.transfers is not None:
            return tasks, frozenset(joined(column.transfers))
        moves = (
            Transfer(file, self._route(*ends) or (), Fraction(1))
            for file, ends in self._moving(column.tasks)
        )
        return tasks, frozenset(moves)

    def _faults_of_places(self, tasks: Mapping[str, str], at: Pointer) -> Iterator[Fault]:
        for task in self._instance.application.tasks:
            name = tasks.get(task.id)
            if name is None:
                yield Fault(
                    (*at, "tasks"),
                    "missing_task",
                    f"task {shown(task.id)} has no processor: name the one that runs it",
                )
            elif time_on(task, self._processors[name]) is None:
                yield Fault(
                    (*at, "tasks", task.id),
                    "task_not_allowed",
                    f"{shown(name)} cannot run task {shown(task.id)}: name a processor that can, or"
                    " leave this allocation out",
                )

    def _moving(self, tasks: Mapping[str, str]) -> Iterator[tuple[FileName, tuple[str, str]]]:
        for file in self._instance.application.files:
            ends = tasks[file.source], tasks[file.target]
            if ends[0] != ends[1]:
                yield (file.source, file.target), ends

    def _route(self, origin: str, end: str) -> tuple[str, ...] | None:
        return None if self._paths is None else self._paths.path(origin, end)

    def _faults_without_paths(self, tasks: Mapping[str, str], at: Pointer) -> Iterator[Fault]:
        for file, ends in self._moving(tasks):
            name = shown(" -> ".join(file))
            if self._paths is None:
                yield Fault(
                    (*at, "transfers"),
                    "file_does_not_move",
                    f"file {name} is made on {shown(ends[0])} and used on {shown(ends[1])}: {_PATHS}"
                    ' (only with "routing": "fixed" the routes of the platform are taken)',
                )
            elif self._route(*ends) is None:
                yield Fault(
                    (*at, "tasks", file[1]),
                    "no_route",
                    f"there is no path from {shown(ends[0])} to {shown(ends[1])} for file {name}: place"
                    " its tasks elsewhere, or add links",
                )

    def _faults_of_path(
        self, transfer: Transfer, tasks: Mapping[str, str], at: Pointer
    ) -> Iterator[Fault]:
        path = transfer.path
        here = (*at, "path")
        name = shown(" -> ".join(transfer.file))
        maker, user = (tasks[task] for task in transfer.file)
        if maker == user:
            yield Fault(
                at,
                "file_stays",
                f"file {name} is made and used on {shown(maker)}: leave out what does not move",
            )
            return
        if (path[0], path[-1]) != (maker, user):
            yield Fault(
                here,
                "path_ends",
                f"file {name} is made on {shown(maker)} and used on {shown(user)}: its path begins"
                " and ends there",
            )
            return
        if len(set(path)) < len(path):
            yield Fault(
                here,
                "path_repeats",
                f"the path of file {name} passes a processor twice: cut it short",
            )
        for k, (sender, receiver) in enumerate(pairwise(path)):
            if (self._index[sender], self._index[receiver]) not in self._arcs:
                yield Fault(
                    (*here, k),
                    "missing_link",
                    f"there is no link from {shown(sender)} to {shown(receiver)}: name every processor on"
                    " the path",
                )
                return
        if self._paths is not None and path != (route := self._route(maker, user)):
            taken_route = (
                "there is none" if route is None else f"it is {', '.join(map(shown, route))}"
            )
            yield Fault(
                here,
                "off_route",
                f'with "routing": "fixed" file {name} takes the platform\'s route ({taken_route}): leave'
                ' "transfers" out of the allocation, or ask for "routing": "free"',
            )

    def _faults_of_shares(
        self, tasks: Mapping[str, str], shares: Mapping[FileName, Fraction], at: Pointer
    ) -> Iterator[Fault]:
        for file, ends in self._moving(tasks):
            name = shown(" -> ".join(file))
            share = shares.get(file)
            if share is None:
                yield Fault(
                    (*at, "transfers"),
                    "file_does_not_move",
                    f"file {name} is made on {shown(ends[0])} and used on {shown(ends[1])}: {_PATHS}",
                )
            elif share != 1:
                yield Fault(
                    (*at, "transfers"),
                    "shares_miss_one",
                    f"the shares of file {name} sum to {share}: they have to sum to 1",
                )
