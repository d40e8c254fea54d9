"""Our answers in foreign formats: the registry that HTTP and ``steadygrid convert`` share."""

from collections.abc import Mapping

from steadygrid.formats.exporter import Exporter
from steadygrid.problems.collective.export import MSCCL

EXPORTERS: Mapping[str, Exporter] = {exporter.name: exporter for exporter in (MSCCL,)}
"""One line per format, by its name."""
