"""Foreign formats to what can be solved: the registry of ``steadygrid convert``."""

from collections.abc import Mapping

from steadygrid.formats import sdf3
from steadygrid.formats.importer import InstanceImporter

INSTANCE_IMPORTERS: Mapping[str, InstanceImporter] = {
    importer.kind: importer for importer in (sdf3.importer("dataflow"),)
}
"""One line per format, by the kind of its instances."""
