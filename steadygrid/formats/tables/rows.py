"""Text as rows of cells, and what sort of table they make."""

import csv
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from steadygrid.domain.errors import InstanceError
from steadygrid.formats.fault_list import refused
from steadygrid.formats.sniffing import is_structured

Sort = Literal["matrix", "links", "hosts"]

COLUMNS = {
    "id": ("id", "name", "host", "hostname", "node", "processor", "machine"),
    "speed": ("speed", "power"),
    "unit_time": ("unit_time", "seconds_per_task", "time_per_task"),
    "source": ("source", "src", "from", "client", "node1", "host1"),
    "target": ("target", "dst", "destination", "to", "server", "node2", "host2"),
    "bandwidth": ("bandwidth", "bw", "capacity", "throughput", "rate"),
    "latency": ("latency", "delay", "lat"),
    "duplex": ("duplex",),
    "switch": ("switch", "router"),
    "medium": ("medium", "media", "bus"),
}
"""Names of columns, in any case."""
NOTHING = {"", "-", "n/a", "na", "nan", "x"}
"""Cells that say that there is nothing."""
_LONGEST = 200
"""Characters of a heading that are looked at."""
_PARENTHESES = re.compile(r"(?P<name>[^(\[]*)[(\[]\s*(?P<unit>[^)\]]*?)\s*[)\]]\s*")
_SUFFIXES = {
    "_gbps": "Gbps", "_mbps": "Mbps", "_kbps": "kbps", "_bps": "bps", "_gbit_s": "Gbit/s",
    "_mbit_s": "Mbit/s", "_gbytes_s": "Gbyte/s", "_mbytes_s": "Mbyte/s", "_ms": "ms",
    "_us": "us", "_ns": "ns", "_s": "s", "_gflops": "Gflops", "_mflops": "Mflops",
}  # fmt: skip
_SPEEDS = {"tflops": "Tflops", "gflops": "Gflops", "mflops": "Mflops", "flops": "flops"}


class Row(NamedTuple):
    """A line of a table."""

    line: int
    cells: list[str]


class Heading(NamedTuple):
    """The name of a column, in lower case, and the unit of its cells."""

    name: str
    unit: str


class Table(NamedTuple):
    """Rows that stand together."""

    sort: Sort | None
    headings: list[Heading]
    rows: list[Row]
    """Without the first."""
    first: Row


def read_tables(data: bytes) -> list[Table]:
    """Cut text into its tables.

    Parameters
    ----------
    data
        UTF-8.

    Raises
    ------
    InstanceError
        ``malformed_table``, with the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise refused(
            line, "malformed_table", "this is no text in UTF-8: save it as that"
        ) from None
    tables: list[Table] = []
    block: list[tuple[int, str]] = []
    for number, words in enumerate([*text.splitlines(), ""], 1):
        if words.lstrip().startswith("#"):
            continue
        if words.strip():
            block.append((number, words))
        elif block:
            rows = _rows(block)
            tables += [_table(rows)] if rows else []
            block = []
    return tables


def _rows(block: Sequence[tuple[int, str]]) -> list[Row]:
    header = block[0][1]
    counts = {delimiter: header.count(delimiter) for delimiter in "\t;,"}
    delimiter = max(counts, key=lambda each: counts[each])
    if not counts[delimiter]:
        return [Row(number, line.split()) for number, line in block]
    rows = []
    for number, line in block:
        try:
            (cells,) = csv.reader([line], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError) as error:
            raise refused(
                number, "malformed_table", f"no line of a table ({error}): close its quotes"
            ) from None
        if any(cell.strip() for cell in cells):
            rows.append(Row(number, [cell.strip() for cell in cells]))
    return rows


def _table(rows: list[Row]) -> Table:
    headings = [heading(cell) for cell in rows[0].cells]
    return Table(_sort(rows, headings), headings, rows[1:], rows[0])


def _sort(rows: Sequence[Row], headings: Sequence[Heading]) -> Sort | None:
    if is_matrix(rows):
        return "matrix"
    names = {each.name for each in headings}
    if names & set(COLUMNS["source"]) and names & set(COLUMNS["target"]):
        return "links"
    if names & set(COLUMNS["id"]) and len(headings) > 1:
        speeds = {*COLUMNS["speed"], *COLUMNS["unit_time"], *COLUMNS["switch"]}
        return "hosts" if names & speeds else None
    return None


def is_matrix(rows: Sequence[Row]) -> bool:
    """Whether the first row and the first column are the same names.

    Parameters
    ----------
    rows
        All. The first may have a corner before its names, or none.
    """
    if len(rows) < 3 or not all(row.cells for row in rows):
        return False
    return [row.cells[0] for row in rows[1:]] == matrix_names(rows[0], len(rows) - 1)


def matrix_names(first: Row, count: int) -> list[str]:
    """Give the names in the first row of a matrix, without its corner.

    Parameters
    ----------
    first
        The row.
    count
        How many there should be.
    """
    return first.cells[1:] if len(first.cells) == count + 1 else first.cells


def heading(cell: str) -> Heading:
    """Tell the name of a column from its unit.

    Parameters
    ----------
    cell
        Such as ``Bandwidth (Gbit/s)`` or ``latency_ms``.
    """
    found = _PARENTHESES.fullmatch(cell[:_LONGEST])
    name, unit = (found["name"], found["unit"]) if found else (cell, "")
    name = re.sub(r"[\s-]+", "_", name.strip().lower())
    if not unit:
        if name in _SPEEDS:
            return Heading("speed", _SPEEDS[name])
        for suffix, own in _SUFFIXES.items():
            if name.endswith(suffix) and _known(name.removesuffix(suffix)):
                return Heading(name.removesuffix(suffix), own)
    return Heading(name, unit)


def _known(name: str) -> bool:
    return any(name in names for names in COLUMNS.values())


def looks_like_tables(data: bytes) -> bool:
    """Whether a document begins with a table of hosts or links, or a matrix of bandwidths.

    Parameters
    ----------
    data
        The document.
    """
    if is_structured(data):
        return False
    try:
        tables = read_tables(data)
    except InstanceError:
        return False
    if not tables or tables[0].sort is None:
        return False
    if tables[0].sort != "matrix":
        return True
    cells = [cell.lower() for row in tables[0].rows for cell in row.cells[1:]]
    numbers = sum(cell[:1].isdigit() or cell[:1] == "." for cell in cells)
    return numbers > 0 and numbers + sum(cell in NOTHING for cell in cells) == len(cells)
