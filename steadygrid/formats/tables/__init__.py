"""Tables of hosts and links, and matrices of measured bandwidths, as text: CSV, or columns by blanks.

What becomes of what:

================= ========================================================================
Table             platform
================= ========================================================================
hosts             processors; a host without a speed forwards only
links             links: full duplex, unless a column `duplex` says half or simplex
column `medium`   a medium that all links share that name it
matrix            a link per pair of hosts: one where both directions are equal, else two
================= ========================================================================

A file whose first row and first column are the same names is a matrix, before all else: hosts may
be called `from` and `to`. Else a table with a source and a target is one of links, and one with an id
one of hosts. An empty line begins another table of the same file.

A unit stands in the header (``bandwidth (Gbit/s)``, ``latency_ms``) or in the cell, which goes before
it. Quantities with units become bytes, flop and seconds; without they stay as they are.
"""

from steadygrid.formats.importer import Importer, later
from steadygrid.formats.tables.rows import looks_like_tables

IMPORTER = Importer(
    noun="platform",
    name="tables",
    content_type="text/csv",
    title="tables of hosts and links, or a matrix",
    suffixes=(".csv", ".tsv"),
    convert=later("steadygrid.formats.tables.conversion:import_tables"),
    sniff=looks_like_tables,
    several=True,
    parameters={
        "name": "the platform's name (default: none)",
        "bandwidth_unit": "unit of bandwidths that have none, such as Gbit/s (default: none)",
        "latency_unit": "unit of latencies that have none, such as ms (default: none)",
        "speed_unit": "unit of speeds that have none, such as Gflop/s (default: none)",
    },
)
