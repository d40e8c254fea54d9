"""Standard task graphs (STG) to an application."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, limit_error, refused
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import check_bytes, make_application
from steadygrid.formats.measures import Unreadable, exact, flag_parameter
from steadygrid.formats.simgrid.notes import Notes

Line = tuple[int, list[str]]


def import_stg(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a standard task graph into an `Application`.

    Parameters
    ----------
    data
        The number of tasks, then a line for each: number, processing time, number of predecessors, and
        these, each with the cost of its communication where the file has such.
    parameters
        ``name`` and ``drop_dummies``.
    limits
        `max_body_bytes`, `max_tasks`, `max_files`.

    Raises
    ------
    InstanceError
        ``malformed_stg`` and others, each with its line.
    """
    check_bytes(data, limits)
    notes = Notes()
    lines = [
        (number, words)
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1)
        if (words := line.split("#")[0].split())
    ]
    rows = _rows(lines, notes, limits)
    faults = FaultList()
    works: dict[str, Fraction] = {}
    sizes: dict[tuple[str, str], Fraction] = {}
    for number, words in rows:
        _read_row(number, words, works, sizes, faults)
    faults.stop()
    if sizes and not any(sizes.values()):
        notes.say("the file says nothing of data: all files have size 0")
    if flag_parameter(parameters, "drop_dummies"):
        dummies = {rows[0][1][0], rows[-1][1][0]}
        if any(works[dummy] for dummy in dummies):
            detail = "the first or the last task takes time, so it is no dummy: leave it out"
            raise refused("drop_dummies", "invalid_parameter", detail)
        works = {task: work for task, work in works.items() if task not in dummies}
        sizes = {pair: size for pair, size in sizes.items() if dummies.isdisjoint(pair)}
    application = make_application(
        parameters.get("name"),
        [{"id": task, "work": work} for task, work in works.items()],
        [{"source": a, "target": b, "size": size} for (a, b), size in sizes.items()],
        limits,
    )
    return Imported(application, notes.sentences())


def _rows(lines: list[Line], notes: Notes, limits: Limits) -> list[Line]:
    """Give the lines of tasks, as many as are announced."""
    if not lines or len(lines[0][1]) != 1 or not lines[0][1][0].isdecimal():
        place = lines[0][0] if lines else ""
        raise refused(place, "malformed_stg", "the first line is the number of tasks")
    announced, rows = lines[0][1][0], lines[1:]
    if len(rows) > limits.max_tasks:
        raise limit_error(len(rows), "tasks", limits.max_tasks)
    if len(announced) < 10 and len(rows) == int(announced) + 2:
        notes.say("the first and the last task are dummies, which the number of tasks leaves out")
    elif not rows or len(announced) > 9 or len(rows) != int(announced):
        raise refused(
            lines[0][0],
            "malformed_stg",
            f"{announced[:12]} tasks are announced, and {len(rows)} are there: correct the number",
        )
    return rows


def _read_row(
    number: int,
    words: list[str],
    works: dict[str, Fraction],
    sizes: dict[tuple[str, str], Fraction],
    faults: FaultList,
) -> None:
    if len(words) < 3 or not words[2].isdecimal() or len(words[2]) > 9:
        detail = "expected a task, its time, and how many predecessors it has"
        faults.add(number, "malformed_stg", detail)
        return
    task, count, rest = words[0], int(words[2]), words[3:]
    if task in works:
        faults.add(number, "duplicate_task", f"task {task[:80]!r} is given twice")
        return
    works[task] = _number(number, words[1], faults)
    if len(rest) not in (count, 2 * count):
        detail = f"{count} predecessors are announced, and {len(rest)} words follow"
        faults.add(number, "malformed_stg", detail)
        return
    step = 1 if len(rest) == count else 2
    for i in range(0, len(rest), step):
        pair = rest[i], task
        if pair in sizes:
            detail = f"predecessor {rest[i][:80]!r} is given twice"
            faults.add(number, "duplicate_file", detail)
        sizes[pair] = _number(number, rest[i + 1], faults) if step == 2 else Fraction(0)


def _number(line: int, text: str, faults: FaultList) -> Fraction:
    try:
        return exact(text)
    except Unreadable as error:
        faults.add(line, error.code, str(error))
        return Fraction(0)
