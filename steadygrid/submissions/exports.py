"""Our answers in foreign formats: the registry that HTTP and ``steadygrid convert`` share."""

from collections.abc import Mapping

from steadygrid.formats.exporter import Exporter
from steadygrid.kinds.collective.export import MSCCL
from steadygrid.kinds.replicated_workflow.export import PNML

EXPORTERS: Mapping[str, Exporter] = {exporter.name: exporter for exporter in (MSCCL, PNML)}
"""One line per format, by its name."""
