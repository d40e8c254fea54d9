"""Mappings of tasks to processors, as tables and scripts write them: CSV, or a JSON object."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.wording import described, shown

COLUMNS = ("task", "processor")
_DELIMITERS = ",;\t"
_MOST_FAULTS = 100
_BOM = "\ufeff"

Mapping_ = dict[str, list[str]]
"""The processors of each task."""


def parse_mapping(data: bytes) -> Mapping_:
    """Read a mapping.

    A JSON object gives each task a processor, or a list of them; one with a member ``mapping``
    that is such an object may be a whole result. Anything else is CSV: the first line has the names
    of the columns, ``task`` and ``processor`` among them, with commas, semicolons or tabs between.
    Each further line has one of both, and copies of a task have a line each. Other columns, and empty
    lines, say nothing. Spaces around names are left out.

    Raises
    ------
    InstanceError
        With every fault found (at most a hundred), each with the line or the task that it is in.
    """
    try:
        text = data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _refused(
            [_fault_at_line(line, "this is no text in UTF-8: save it as that")]
        ) from None
    if text.lstrip()[:1] in ("{", "["):
        return _of_json(text.encode("utf-8"))
    return _of_table(text)


def _of_json(data: bytes) -> Mapping_:
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        detail = f"not a JSON document: {error}"
        raise _refused([Fault((), "malformed_json", detail)]) from None
    if isinstance(document, dict) and isinstance(document.get("mapping"), dict):
        document = document["mapping"]
    if not isinstance(document, dict):
        detail = (
            f"expected an object that gives each task its processors, not {described(document)}"
        )
        raise _refused([Fault((), "invalid_type", detail)])
    faults = [*_faults_of_members(document)]
    if faults:
        raise _refused(faults)
    return {task: [one] if isinstance(one, str) else list(one) for task, one in document.items()}


def _faults_of_members(document: dict[str, Any]) -> Iterator[Fault]:
    for task, given in document.items():
        listed = given if isinstance(given, list) else [given]
        for i, name in enumerate(listed):
            if not isinstance(name, str):
                place = (task, i) if isinstance(given, list) else (task,)
                detail = (
                    f"task {shown(task)}: expected the id of a processor, not {described(name)}"
                )
                yield Fault(place, "invalid_type", detail)


def _of_table(text: str) -> Mapping_:
    first = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found: Mapping_ = {}
    faults: list[Fault] = []
    try:
        header = [name.strip().casefold() for name in next(rows, [])]
        missing = [name for name in COLUMNS if header.count(name) != 1]
        if missing:
            detail = (
                f"the first line names the columns, and {' and '.join(missing)}"
                f" {'is' if len(missing) == 1 else 'are'} to be there once: task,processor"
            )
            raise _refused([_fault_at_line(1, detail)])
        places = [header.index(name) for name in COLUMNS]
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                faults += _taken(found, cells, places, rows.line_num)
    except csv.Error as error:
        faults.append(_fault_at_line(rows.line_num, f"no line of a table: {error}"))
    if faults:
        raise _refused(faults)
    if not found:
        raise _refused(
            [_fault_at_line(2, "there is no line below the names of the columns: name a task")]
        )
    return found


def _taken(found: Mapping_, cells: list[str], places: list[int], line: int) -> Iterator[Fault]:
    """Take a line of a table into the mapping, or say what is wrong with it."""
    empty = [
        name
        for name, place in zip(COLUMNS, places, strict=True)
        if not "".join(cells[place : place + 1])
    ]
    if empty:
        yield _fault_at_line(line, f"there is no {' and no '.join(empty)}")
        return
    task, processor = (cells[place] for place in places)
    if processor in found.setdefault(task, []):
        yield _fault_at_line(line, f"task {shown(task)} is on {shown(processor)} already")
    found[task].append(processor)


def _fault_at_line(line: int, detail: str) -> Fault:
    return Fault((), "malformed_mapping", f"line {line}: {detail}")


def _refused(faults: list[Fault]) -> InstanceError:
    return InstanceError(faults=faults[:_MOST_FAULTS])
