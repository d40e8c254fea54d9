"""Foreign formats to what can be solved: the registry of ``steadygrid convert``."""

from collections.abc import Mapping

from steadygrid.formats.importer import InstanceImporter
from steadygrid.kinds.dataflow.sdf3 import IMPORTER as SDF3

INSTANCE_IMPORTERS: Mapping[str, InstanceImporter] = {
    importer.kind: importer for importer in (SDF3,)
}
"""One line per format, by the kind of its instances."""
