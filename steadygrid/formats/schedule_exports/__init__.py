"""Schedules that repeat, for tools that show or compute: Chrome trace events, Paje, and CSV.

They take the answers of every kind whose schedules are periodic.
"""

from steadygrid.formats.exporter import Exporter, Parameter
from steadygrid.formats.importer import later

PARTS = ("computations", "transfers", "allocations", "rates", "prices")
_WINDOW = {
    "from": Parameter("the first period that is shown (default: the first after the prologue)"),
    "to": Parameter("the period before which it ends (default: two after `from`)"),
}

TRACE = Exporter(
    name="trace",
    kind=None,
    content_type="application/vnd.chrome-trace+json",
    title="Chrome trace events",
    convert=later("steadygrid.formats.schedule_exports.trace:write_trace"),
    parameters=_WINDOW,
    of_schedule=True,
    of_schedule_alone=True,
)
PAJE = Exporter(
    name="paje",
    kind=None,
    content_type="text/paje",
    title="a trace of Paje",
    convert=later("steadygrid.formats.schedule_exports.paje:write_paje"),
    parameters=_WINDOW,
    of_schedule=True,
    of_schedule_alone=True,
)
GRAPHML = Exporter(
    name="graphml",
    kind=None,
    content_type="application/graphml+xml",
    title="the platform in GraphML, with use and prices",
    convert=later("steadygrid.formats.graphs.written_answers:write_graphml"),
    of_schedule=True,
)
CSV = Exporter(
    name="csv",
    kind=None,
    content_type="text/csv",
    title="a table",
    convert=later("steadygrid.formats.schedule_exports.tables:write_table"),
    parameters={"part": Parameter(f"one of {', '.join(PARTS)} (default: {PARTS[0]})")},
    of_schedule=True,
    of_schedule_alone=True,
)
