"""The one table of resources on the page of a job: what limits, what is in use, what each does."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import urlencode

from app.jobs.resource_listing import Choice, Sorting, chosen
from app.pages import words
from app.pages.quantities import Shown, brief
from steadygrid.pictures.picture import Neighbourhood
from steadygrid.report.glyphs import printable
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report
from steadygrid.report.resource_rows import Port, ResourceRow
from steadygrid.report.resources import ResourceList, resource_list

ROWS = 50
"""Of the table. The rest is counted, and the CSV file has it."""
FIRST = 12
"""Rows that are seen at once where scripts run, with all that limit; paper has all rows."""
MEMBERS = 50
"""Of twins, named in an open row."""
_JOIN = re.compile("->|--")
"""Between the ends of a link, in keys; ids hold neither."""
SORTS: dict[str, Sorting] = {"use": "use", "does": "does", "name": "name"}
"""Orders that the address may name. Any other is `limits`."""


class TableState(NamedTuple):
    """What the address says of the table. What is empty says nothing.

    Attributes
    ----------
    resource
        Key of the row that is open, or an id of a member of it.
    begin, end
        Of the window of the schedule that is shown, as they stand in the address.
    around, hops
        Of the part of the platform that is drawn.
    """

    resource: str = ""
    sort: str = ""
    find: str = ""
    only: str = ""
    begin: str = ""
    end: str = ""
    around: str = ""
    hops: str = ""

    @property
    def neighbourhood(self) -> Neighbourhood | None:
        """The part of the platform that is drawn; None: all of it."""
        return Neighbourhood(self.around, int(self.hops or 1)) if self.around else None

    def with_neighbourhood(self, near: Neighbourhood | None) -> "TableState":
        """Show another part of the platform, and the same rows."""
        if near is None:
            return self._replace(around="", hops="")
        return self._replace(around=near.around, hops="" if near.hops == 1 else str(near.hops))

    @property
    def query(self) -> str:
        """Give it as it stands in an address."""
        names = {"begin": "from", "end": "to"}
        told = self._asdict().items()
        return urlencode({names.get(name, name): text for name, text in told if text})


class PortUse(NamedTuple):
    """How busy a port is, in words and exactly."""

    does: str
    share: str
    exact: Shown | None


class Line(NamedTuple):
    """A row as the page writes it."""

    name: str
    query: str
    """That opens the row, or closes it where it is open."""
    planned: str
    busy: Fraction | None
    ports: Sequence[PortUse]
    done: str
    does: str
    share: str
    limits: bool
    opened: bool
    key: str
    members: str
    at_most: Shown | None
    later: bool
    """Whether it is seen only when all rows are."""
    forwards: bool
    """Whether it is a switch, which is never busy itself."""


class ResourceTable(NamedTuple):
    """Rows, and what is said of those that are left out."""

    state: TableState
    found: ResourceList
    keys: Sequence[str]
    """Of `lines`."""
    opened: ResourceRow | None
    lines: Sequence[Line]
    rest: int
    idle: int
    strange: str
    """What the address names and the answer does not have."""
    done: bool
    """Whether it is known who does what."""
    shared: bool
    """Whether prices say what hangs on each."""
    csv: str


def resource_table(report: Report, state: TableState) -> ResourceTable | None:
    """Lay the resources of an answer out. None for a kind without any.

    Parameters
    ----------
    state
        From the address. An unknown order counts as the usual one.
    """
    found = resource_list(report)
    if not found.rows:
        return None
    sort = SORTS.get(state.sort, "limits")
    choice = Choice(True, "limits" if state.only == "limits" else "used", sort, state.find)
    rows = chosen(found, choice)
    opened = next((row for row in found.rows if state.resource in (row.key, *row.members)), None)
    listed = rows[:ROWS]
    if opened is not None and opened not in listed:
        listed.append(opened)
    processors = () if report.platform is None else report.platform.processors
    switches = {f"processor:{one.id}" for one in processors if one.switch}
    asked = {"show": choice.show, "sort": sort, "find": state.find}
    return ResourceTable(
        state,
        found,
        [row.key for row in listed],
        opened,
        [
            _line(row, state, row is opened, place, row.key in switches)
            for place, row in enumerate(listed)
        ],
        max(0, len(rows) - ROWS),
        found.idle_processors,
        printable(state.resource) if state.resource and opened is None else "",
        any(row.does is not None for row in listed),
        any(row.share is not None for row in listed),
        urlencode({name: text for name, text in asked.items() if text}),
    )


def grouped_limits(report: Report, found: ResourceList) -> list[str]:
    """Say what limits, twins together, with what hangs on all of them.

    Parameters
    ----------
    report
        The answer, and what was asked.
    found
        Its resources.
    """
    alone = words.limits(report)
    priced = [
        (row, port)
        for row in found.rows
        for port in row.ports
        if port.share is not None and port.share > 0
    ]
    if not alone or report.view.alike or all(len(row.members) == 1 for row, _ in priced):
        return alone
    priced.sort(key=lambda one: Fraction(0) if one[1].share is None else -one[1].share)
    return [_limit(report, row, port) for row, port in priced[: words.LIMITING]]


def _limit(report: Report, row: ResourceRow, port: Port) -> str:
    said = words.doing(report, port.name)
    if len(row.members) > 1:
        whole = "" if port.busy is None else words.how_often(port.busy)
        said = f"{row.label} {words.PORTS.get(port.port, 'in use')}{whole}"
    hangs = percent(Fraction(0) if port.share is None else port.share)
    return f"{said}. {hangs} of the optimum hangs on that."


def query_of(state: TableState, resource: str) -> str:
    """Give the query that opens a resource and leaves the rest of the table as it is.

    Parameters
    ----------
    state
        From the address.
    resource
        Key of the resource; empty: none is open.
    """
    return state._replace(resource=resource).query


def query_around(state: TableState, row: ResourceRow | None) -> str:
    """Give the query that draws what is near an open row; empty for what is at no processor.

    Parameters
    ----------
    state
        From the address.
    row
        The open one; None: none is open.
    """
    if row is None or row.kind not in ("processor", "link"):
        return ""
    begin = _JOIN.split(row.key.partition(":")[2])[0]
    return state.with_neighbourhood(Neighbourhood(begin, 1)).query


def _line(row: ResourceRow, state: TableState, opened: bool, place: int, is_switch: bool) -> Line:
    more = len(row.members) - MEMBERS
    named = ", ".join(map(printable, row.members[:MEMBERS]))
    does = row.does if row.does is not None and row.does > 0 else None
    busy = [port.busy for port in row.ports if port.busy is not None]
    return Line(
        row.label,
        query_of(state, "" if opened else row.key),
        "" if row.planned is None else row.planned.text,
        max(busy, default=None),
        [
            PortUse(words.PORTS.get(port.port, "in use"), percent(port.busy), brief(port.busy))
            for port in row.ports
            if port.busy is not None and (port.busy > 0 or opened)
        ],
        "" if does is None or row.per_period is None else decimal_text(row.per_period),
        "" if does is None else percent(does),
        "" if row.weight == 0 else percent(row.weight),
        row.limits,
        opened,
        row.key,
        (f"{named} and {more:,} more" if more > 0 else named) if len(row.members) > 1 else "",
        None if row.at_most is None else brief(row.at_most),
        place >= FIRST and not row.limits and not opened,
        is_switch,
    )
