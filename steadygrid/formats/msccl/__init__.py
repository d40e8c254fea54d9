"""MSCCL XML: algorithms for collective operations of GPUs.

The rules are those of the parser of microsoft/msccl (``src/graph/topo.cc``, ``src/graph/xml.cc``)
and the limits those of ``src/include/msccl.h`` and ``src/graph/xml.h``.
"""

from steadygrid.formats.msccl.document import Settings, write_algorithm
from steadygrid.formats.msccl.program import Tree, allgather
from steadygrid.formats.msccl.settings import PARAMETERS, read_settings

__all__ = ["PARAMETERS", "Settings", "Tree", "allgather", "read_settings", "write_algorithm"]
