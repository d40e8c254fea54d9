"""Tables to a platform."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.formats.fault_list import FaultList, limit_error, refused
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import check_bytes, make_platform
from steadygrid.formats.measures import RATE, SPEED, TIME, Measure, Unreadable
from steadygrid.formats.simgrid.notes import FORWARDS_ONLY, Notes
from steadygrid.formats.tables.rows import (
    COLUMNS,
    NOTHING,
    Row,
    Table,
    heading,
    matrix_names,
    read_tables,
)
from steadygrid.formats.unit_labels import UnitLabels

ONE_AT_A_TIME = (
    "the pairs of a matrix are measured one at a time: nothing is known of what they share, and each"
    " pair has a link of its own. With ports one_port a host sends to one and receives from one at a"
    " time"
)
_YES = {"true", "yes", "1", "y", "switch", "router"}
_NO = {"false", "no", "0", "n", ""}
_DUPLEX = ("full", "half", "simplex")


def import_tables(
    files: Sequence[bytes], parameters: Mapping[str, str], limits: Limits
) -> Imported:
    """Turn tables into a `Platform`.

    Parameters
    ----------
    files
        Each with one table or more.
    parameters
        See `IMPORTER`.
    limits
        `max_body_bytes`, `max_processors`, `max_links`.

    Raises
    ------
    InstanceError
        With every fault found, each with its line: ``malformed_table``, ``unknown_column``,
        ``ambiguous_unit``, ``mixed_units``, ``duplicate_link`` and others.
    LimitError
        More bytes, hosts or links than the limits allow.
    """
    check_bytes(b"".join(files), limits)
    reader = _Reader(parameters, Notes(), limits)
    for number, data in enumerate(files, 1):
        reader.file = f"file {number}, " if len(files) > 1 else ""
        for table in read_tables(data):
            reader.take(table)
    return reader.finish()


class _Reader:
    """What the tables say together."""

    def __init__(self, parameters: Mapping[str, str], notes: Notes, limits: Limits) -> None:
        self.file = ""
        self._limits = limits
        self._faults = FaultList()
        self._notes = notes
        self._name = parameters.get("name")
        self._units = UnitLabels(parameters, self._faults, notes)
        self._hosts: dict[str, dict[str, Any]] = {}
        self._links: list[dict[str, Any]] = []
        self._taken: dict[tuple[str, str], str] = {}
        self._media: dict[str, tuple[Fraction, str]] = {}

    def take(self, table: Table) -> None:
        """Read one table."""
        if table.sort == "matrix":
            self._take_matrix(table)
        elif table.sort == "links":
            self._take_links(table)
        elif table.sort == "hosts":
            self._take_hosts(table)
        else:
            names = ", ".join(cell[:40] for cell in table.first.cells[:8])
            self._faults.add(
                self._place(table.first),
                "unknown_column",
                f"the columns {names} are neither hosts (id, speed) nor links (source, target,"
                " bandwidth). Nor is it a matrix, whose first row and first column have the same"
                " names. An empty line begins another table",
            )

    def finish(self) -> Imported:
        """Give the platform."""
        self._faults.stop()
        if not self._hosts and not self._links:
            raise refused("", "malformed_table", "there is no line below the names of the columns")
        for link in self._links:
            for end in ("source", "target"):
                self._hosts.setdefault(link[end], {})
        for name, host in self._hosts.items():
            if not {"speed", "unit_time", "switch"} & host.keys():
                self._notes.add(FORWARDS_ONLY, name)
        ids = usable_ids(self._hosts, self._notes)
        media = usable_ids(self._media, self._notes)
        labels = self._units.labels()
        self._faults.stop()
        processors = [{"id": ids[name], **host} for name, host in self._hosts.items()]
        links = [
            {**link, "source": ids[link["source"]], "target": ids[link["target"]]}
            | ({"media": [media[m] for m in link["media"]]} if "media" in link else {})
            for link in self._links
        ]
        shared = [{"id": media[name], "bandwidth": rate} for name, (rate, _) in self._media.items()]
        platform = make_platform(self._name, processors, links, labels, self._limits, shared)
        return Imported(platform, self._notes.sentences())

    # --- tables --------------------------------------------------------------------------

    def _take_hosts(self, table: Table) -> None:
        places = self._places(table, ("id", "speed", "unit_time", "switch", "latency"))
        if places is None:
            return
        for row in table.rows:
            name = self._cell(row, places, "id")
            if not name:
                self._fault(row, "missing", "there is no id: name the host")
                continue
            if name in self._hosts:
                detail = f"host {name[:80]!r} is given twice: delete one line"
                self._fault(row, "duplicate_processor", detail)
                continue
            host = self._hosts[name] = {}
            for column, measure in (("speed", SPEED), ("unit_time", TIME), ("latency", TIME)):
                value = self._quantity(table, row, places, column, measure)
                if value is not None:
                    host[column] = value
            self._say_switch(row, self._cell(row, places, "switch"), host)

    def _say_switch(self, row: Row, said: str, host: dict[str, Any]) -> None:
        if said.lower() in _YES:
            host["switch"] = True
            if host.pop("speed", None) is not None or host.pop("unit_time", None) is not None:
                self._fault(
                    row, "switch_with_speed", "a switch has no speed: empty one of the cells"
                )
        elif said.lower() not in _NO:
            self._fault(row, "invalid_type", f"switch is yes or no, not {said[:40]!r}")

    def _take_links(self, table: Table) -> None:
        columns = ("source", "target", "bandwidth", "latency", "duplex", "medium")
        places = self._places(table, columns)
        if places is None:
            return
        if "bandwidth" not in places:
            detail = f"links need a column of bandwidths, one of {', '.join(COLUMNS['bandwidth'])}"
            self._faults.add(self._place(table.first), "unknown_column", detail)
            return
        for row in table.rows:
            ends = [self._cell(row, places, end) for end in ("source", "target")]
            if not all(ends):
                self._fault(row, "missing", "a link has a source and a target: name both")
                continue
            bandwidth = self._quantity(table, row, places, "bandwidth", RATE)
            duplex = self._cell(row, places, "duplex").lower() or "full"
            if duplex not in _DUPLEX:
                detail = f"duplex is full, half or simplex, not {duplex[:40]!r}"
                self._fault(row, "invalid_type", detail)
                continue
            if bandwidth is None:
                if _is_empty(self._cell(row, places, "bandwidth")):
                    detail = "there is no bandwidth: give one, or delete the line"
                    self._fault(row, "missing", detail)
                continue
            link: dict[str, Any] = {"source": ends[0], "target": ends[1], "bandwidth": bandwidth}
            if duplex != "full":
                link["duplex"] = duplex
            latency = self._quantity(table, row, places, "latency", TIME)
            if latency is not None and latency > 0:
                link["latency"] = latency
            self._say_medium(row, self._cell(row, places, "medium"), link)
            self._add_link(row, link)

    def _say_medium(self, row: Row, name: str, link: dict[str, Any]) -> None:
        if not name:
            return
        link["media"] = [name]
        rate, before = self._media.setdefault(name, (link["bandwidth"], self._place(row)))
        if rate != link["bandwidth"]:
            self._fault(
                row,
                "two_bandwidths",
                f"medium {name[:80]!r} has another bandwidth at {before}: a medium has one, which all"
                " its links share",
            )

    def _take_matrix(self, table: Table) -> None:
        names = matrix_names(table.first, len(table.rows))
        corner = table.first.cells[0] if len(table.first.cells) > len(names) else ""
        unit = heading(corner).unit
        cells: dict[tuple[str, str], tuple[Fraction, Row]] = {}
        if len(set(names)) < len(names):
            detail = "a name is given twice: each host has one row and one column"
            self._faults.add(self._place(table.first), "duplicate_processor", detail)
            return
        given = sum(
            name != row.cells[0] and not _is_empty(cell)
            for row in table.rows
            for name, cell in zip(names, row.cells[1:], strict=False)
        )
        fewest = -(-given // 2)  # both directions of a pair may be one link
        if fewest > self._limits.max_links:
            raise limit_error(fewest, "links or more", self._limits.max_links)
        for row in table.rows:
            if len(row.cells) != len(names) + 1:
                detail = f"{len(names)} bandwidths are expected here, not {len(row.cells) - 1}"
                self._fault(row, "malformed_table", detail)
                continue
            for name, cell in zip(names, row.cells[1:], strict=True):
                if name == row.cells[0] or _is_empty(cell):
                    continue
                value = self._value(row, cell, unit, RATE)
                if value:
                    cells[row.cells[0], name] = value, row
        order = {name: i for i, name in enumerate(names)}
        for name in names:
            self._hosts.setdefault(name, {})
        for (a, b), (value, row) in cells.items():
            back = cells.get((b, a))
            if back is not None and back[0] == value:
                if order[a] < order[b]:
                    self._add_link(row, {"source": a, "target": b, "bandwidth": value})
            else:
                link = {"source": a, "target": b, "bandwidth": value, "duplex": "simplex"}
                self._add_link(row, link)
        self._notes.say(ONE_AT_A_TIME)

    # --- parts ---------------------------------------------------------------------------

    def _places(self, table: Table, columns: Sequence[str]) -> dict[str, int] | None:
        """Give the position of each column that is there. None where one is there twice."""
        places: dict[str, int] = {}
        for position, (name, _) in enumerate(table.headings):
            column = next((c for c in columns if name in COLUMNS[c]), None)
            if column is None:
                if name:
                    hint = Known([n for c in columns for n in COLUMNS[c]]).hint(name)
                    self._notes.add(f"columns that say nothing to us are left out{hint}", name)
            elif column in places:
                detail = f"two columns say {column}: {name!r} is the second. Delete one"
                self._faults.add(self._place(table.first), "unknown_column", detail)
                return None
            else:
                places[column] = position
        return places

    def _add_link(self, row: Row, link: dict[str, Any]) -> None:
        a, b = link["source"], link["target"]
        if a == b:
            self._fault(row, "self_link", f"{a[:80]!r} is joined to itself: delete the line")
            return
        pairs = [(a, b)] if link.get("duplex") == "simplex" else [(a, b), (b, a)]
        before = next((self._taken[pair] for pair in pairs if pair in self._taken), None)
        if before is not None:
            self._fault(
                row,
                "duplicate_link",
                f"{a[:80]!r} and {b[:80]!r} are joined at {before} already: say duplex simplex of"
                " both directions, or delete one (a line is full duplex)",
            )
            return
        self._taken |= dict.fromkeys(pairs, self._place(row))
        self._links.append(link)

    def _quantity(
        self, table: Table, row: Row, places: Mapping[str, int], column: str, measure: Measure
    ) -> Fraction | None:
        cell = self._cell(row, places, column)
        if _is_empty(cell):
            return None
        value = self._value(row, cell, table.headings[places[column]].unit, measure)
        if value == 0 and measure in (RATE, SPEED):
            self._fault(
                row, "zero_rational", f"{column} is greater than zero, or the cell is empty"
            )
            return None
        return value

    def _value(self, row: Row, cell: str, unit: str, measure: Measure) -> Fraction | None:
        try:
            return self._units.read(self._place(row), cell, measure, unit)
        except Unreadable as error:
            self._fault(row, error.code, str(error))
            return None

    @staticmethod
    def _cell(row: Row, places: Mapping[str, int], column: str) -> str:
        position = places.get(column)
        return "" if position is None or position >= len(row.cells) else row.cells[position]

    def _place(self, row: Row) -> str:
        return f"{self.file}line {row.line}"

    def _fault(self, row: Row, code: str, detail: str) -> None:
        self._faults.add(self._place(row), code, detail)


def _is_empty(cell: str) -> bool:
    return cell.lower() in NOTHING
