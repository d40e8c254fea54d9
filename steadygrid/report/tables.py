"""The tables of an answer: who computes what, the busiest resources, the allocations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.schedule import Allocation, Schedule, Transfer
from steadygrid.domain.view import plural
from steadygrid.report.glyphs import Glyphs, pad
from steadygrid.report.layout import (
    TOP,
    UNLIMITED,
    Cell,
    Column,
    Listing,
    definition,
    drawn,
    table,
    titled,
)
from steadygrid.report.quantities import cell_text, decimal_text, percent
from steadygrid.report.report import Report

Place = tuple[str, ...]
"""The processors that run a task."""

WHERE_TASKS_RUN = "Where the tasks run"

_LONGEST_RESOURCE = 34
_SHORTEST_ROUTE = 16
"""Cells of two names and an arrow."""
_MOST_LINES = 4
"""Of one processor's tasks."""


def longest_resource(width: int, others: Iterable[str]) -> int:
    """Give the cells that a resource's name may take in a table next to a share and a number.

    Parameters
    ----------
    others
        The numbers.
    """
    if width >= UNLIMITED:
        return width
    numbers = max([len("price"), *map(cell_len, others)])
    return min(_LONGEST_RESOURCE, width - len("  " * 3 + ">99.9 %") - numbers)


def who_computes(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate what each processor computes in a period, the most first.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    told = computing(report, min(24, width - 28), glyphs)
    return [] if told is None else drawn(told, width, glyphs)


def computing(report: Report, longest: int, glyphs: Glyphs, top: int = TOP) -> Listing | None:
    """List what each processor computes in a period, the most first. None if none does.

    Parameters
    ----------
    longest
        Cells that the name of a processor may take.
    top
        Rows.
    """
    schedule = report.shown_schedule
    if schedule is None or "computations" in report.unread:
        return None
    counts: dict[str, Fraction] = {}
    graphs = {a.index for a in schedule.allocations if len(a.tasks) > 1}
    for computation in schedule.computations:
        if not computation.time and computation.allocation in graphs:
            continue  # A task of work 0 says where data of its graph begins or ends.
        counts[computation.processor] = (
            counts.get(computation.processor, Fraction(0)) + computation.count
        )
    if not counts:
        return None
    total = sum(counts.values())
    ranked = sorted(counts, key=lambda p: -counts[p])
    rows: list[list[Cell]] = [
        [
            report.names.short_name(processor, longest, glyphs),
            cell_text(counts[processor]),
            decimal_text(counts[processor] / schedule.period, 4),
            percent(counts[processor] / total),
            counts[processor] / total,
        ]
        for processor in ranked[:top]
    ]
    columns = [
        Column("processor"),
        Column("per period", right=True),
        Column(report.per_time, right=True),
        Column("of all", right=True),
        Column("", style="green", bar=True),
    ]
    return Listing("Who computes how many tasks", columns, rows, len(ranked), "processors")


def busiest(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate the busiest resources, with what one more unit of each would bring.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    told = in_use(report, lambda numbers: longest_resource(width, numbers), glyphs)
    return [] if told is None else drawn(told, width, glyphs)


def in_use(
    report: Report,
    longest: Callable[[Iterable[str]], int],
    glyphs: Glyphs,
    top: int = TOP,
) -> Listing | None:
    """List the busiest resources. None if nothing is known of them.

    Parameters
    ----------
    longest
        Gives the cells that the name of a resource may take next to the given numbers.
    top
        Rows.
    """
    shares, prices = report.occupation, report.prices
    if not shares:
        return None
    ranked = sorted(shares, key=lambda r: (-shares[r], -prices.get(r, Fraction(0)), r))
    priced = bool(prices) and report.result.certificate.adds_up
    numbers = [cell_text(prices.get(r, Fraction(0))) for r in ranked[:top] if priced]
    room = longest(numbers)
    rows: list[list[Cell]] = [
        [
            report.names.of_resource(resource, room, glyphs),
            percent(shares[resource]),
            shares[resource],
            *numbers[i : i + 1],
        ]
        for i, resource in enumerate(ranked[:top])
    ]
    columns = [
        Column("resource"),
        Column("in use", right=True),
        Column("", style="cyan", bar=True),
        *([Column("price", right=True)] if priced else []),
    ]
    return Listing("Busiest resources", columns, rows, len(ranked), "resources in use")


def allocations(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """List the allocations: how often each is used, where its tasks run, how its files go.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    schedule = report.shown_schedule
    if schedule is None or not schedule.allocations:
        return []
    places = where_tasks_run(report, min(24, width - 24), glyphs)
    if places:
        return _mapping(places, width)

    def room(columns: Sequence[Column], numbers: Sequence[Sequence[Cell]]) -> int:
        beside = table(columns, numbers, min(width, max(width // 2, 32)), glyphs)
        return width - max(cell_len(line.plain) for line in beside) - 2

    told = allocation_listing(report, room, glyphs)
    if told is None:
        return []
    lines = table(told.columns, told.rows, width, glyphs)
    label, common = told.common
    if label:
        lines += definition(f"  {label}", common, width, 10, "dim")[:_MOST_LINES]
    return titled(told.title, lines, told.count, told.noun, width)


def allocation_listing(
    report: Report,
    room: Callable[[Sequence[Column], Sequence[Sequence[Cell]]], int],
    glyphs: Glyphs,
    top: int = TOP,
) -> Listing | None:
    """List the allocations, the most frequent first. None if there are none.

    Parameters
    ----------
    room
        Gives the cells that an allocation may take next to the given columns.
    top
        Rows.
    """
    schedule = report.shown_schedule
    if schedule is None or not schedule.allocations or "allocations" in report.unread:
        return None
    ranked = sorted(schedule.allocations, key=lambda a: (-a.rate, a.index))
    fixed = _fixed_places(schedule.allocations)
    numbers: list[list[Cell]] = [
        [str(a.index), cell_text(a.instances_per_period), cell_text(a.rate)] for a in ranked[:top]
    ]
    columns = [
        Column("", right=True, style="dim"),
        Column("per period", right=True),
        Column(("" if _runs_at_rates(schedule) else "optimum ") + report.per_time, right=True),
    ]
    left = room(columns, numbers)
    several = len({name for allocation in ranked for name in allocation.tasks}) > 1
    rows = [
        [*cells, _named_allocation(report, allocation, fixed, several, left, glyphs)]
        for cells, allocation in zip(numbers, ranked, strict=False)
    ]
    columns.append(Column("route"))
    title = f"Allocations: the routes that {plural(report.noun)} take"
    common = ", ".join(_placed(report, task, place) for task, place in fixed.items())
    shared = ("in all", common) if fixed else ("", "")
    return Listing(title, columns, rows, len(ranked), "allocations", shared)


def _runs_at_rates(schedule: Schedule) -> bool:
    """Whether each allocation runs as often as its rate says, in the period as it is."""
    return not schedule.loss and all(
        one.instances_per_period == one.rate * schedule.period for one in schedule.allocations
    )


def _fixed_places(listed: Sequence[Allocation]) -> dict[str, Place]:
    """Give the tasks that all of several allocations of several tasks have in the same place."""
    first, *others = (allocation.tasks for allocation in listed)
    if not others or len(first) == 1:
        return {}
    return {
        task: place
        for task, place in first.items()
        if all(other.get(task) == place for other in others)
    }


def where_tasks_run(report: Report, longest: int, glyphs: Glyphs) -> dict[str, str]:
    """Give the tasks of each processor, where all instances take the same allocation.

    Parameters
    ----------
    longest
        Cells that the name of a processor may take.
    """
    schedule = report.shown_schedule
    if schedule is None or len(schedule.allocations) != 1 or "allocations" in report.unread:
        return {}
    (allocation,) = schedule.allocations
    if len(allocation.tasks) == 1:
        return {}
    tasks: dict[str, list[str]] = {}
    for task, place in allocation.tasks.items():
        for processor in place:
            tasks.setdefault(processor, []).append(report.task_names.name_of(task))
    return {
        report.names.short_name(processor, longest, glyphs): ", ".join(listed)
        for processor, listed in tasks.items()
    }


def _mapping(places: Mapping[str, str], width: int) -> list[Text]:
    indent = max(map(cell_len, places)) + 4
    lines = [Text(WHERE_TASKS_RUN, style="bold")]
    for name, listed in places.items():
        label = "  " + pad(name, indent - 2)
        lines += definition(label, listed, width, indent, "cyan")[:_MOST_LINES]
    return lines


def _named_allocation(
    report: Report,
    allocation: Allocation,
    fixed: Mapping[str, Place],
    several: bool,
    room: int,
    glyphs: Glyphs,
) -> str:
    """Write an allocation, after the name of what takes it where tasks of several kinds each have theirs."""
    if not several or len(allocation.tasks) != 1 or room < 2 * _SHORTEST_ROUTE:
        return _allocation_text(report, allocation, fixed, room, glyphs)
    (task,) = allocation.tasks
    name = report.task_names.short_name(task, room - _SHORTEST_ROUTE, glyphs) + ": "
    return name + _allocation_text(report, allocation, fixed, room - cell_len(name), glyphs)


def _allocation_text(
    report: Report, allocation: Allocation, fixed: Mapping[str, Place], room: int, glyphs: Glyphs
) -> str:
    moved = [t for t in allocation.transfers if len(t.path) > 1]
    if allocation.message is not None and moved:
        return "; ".join(_path(report, transfer, room, glyphs) for transfer in moved)
    if len(allocation.tasks) != 1 and len(fixed) < len(allocation.tasks):
        return ", ".join(
            _placed(report, task, place)
            for task, place in allocation.tasks.items()
            if task not in fixed
        )
    if not moved:
        places = {report.names.name_of(p) for place in allocation.tasks.values() for p in place}
        return f"{' and '.join(sorted(places))}, nothing is sent"
    if len(moved) == 2 and moved[0].path == moved[1].path[::-1]:
        back = " and back"
        return _path(report, moved[0], room - len(back), glyphs) + back
    several = len({t.file for t in moved}) > 1
    if len(moved) == 1:
        return _path(report, moved[0], room, glyphs)
    return "; ".join(
        (f"{report.files[t.file]} " if several else "") + _path(report, t, room, glyphs)
        for t in moved
    )


def _placed(report: Report, task: str, place: Place) -> str:
    return f"{report.task_names.name_of(task)} on {' and '.join(map(report.names.name_of, place))}"


def _path(report: Report, transfer: Transfer, room: int, glyphs: Glyphs) -> str:
    """Write a path with all its steps, or else with its ends, which tell the most."""
    share = "" if transfer.share == 1 else f"{percent(transfer.share)} by "
    room -= len(share)
    steps = [report.names.name_of(step) for step in transfer.path]
    arrow = f" {glyphs.to} "
    if cell_len(arrow.join(steps)) > room:
        if len(steps) > 2:
            arrow = f" {glyphs.to} {glyphs.ellipsis} {glyphs.to} "
        half = max((room - len(arrow)) // 2, 4)
        ends = (transfer.path[0], transfer.path[-1])
        steps = [report.names.short_name(end, half, glyphs) for end in ends]
    return share + arrow.join(steps)
