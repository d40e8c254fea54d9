"""Task graphs of other tools: DAX 2 and 3, Pegasus 5 (YAML), STG and TGFF.

What becomes of what:

======================== =================================================================
Pegasus                  application
======================== =================================================================
job                      task; its work is its runtime times `reference_speed`
parent                   file; its size is that of all files from that parent together
file of one producer     file, also where no parent is said
size of a file           what its producer says
parent without a file    file of size 0
======================== =================================================================

STG has tasks and, in a variant, costs of communication; without these all files have size 0. TGFF has
tasks of types: tables say how long a type takes on each processor.

Sources: Pegasus schemas dax-2.1, dax-3.6 and wf-5.0; Tobita, Kasahara, "A standard task graph set for
fair evaluation of multiprocessor scheduling algorithms", J. of Scheduling 5 (2002); Dick, Rhodes, Wolf,
"TGFF: task graphs for free", CODES 1998.
"""

from steadygrid.formats.importer import Importer, later
from steadygrid.formats.reference_speeds import PARAMETER
from steadygrid.formats.sniffing import has_line, has_root

_OF_PEGASUS = {
    "name": "the application's name (default: the document's)",
    "reference_speed": PARAMETER,
    "runtime": "seconds of jobs that do not say their runtime (default: refused)",
    "file_size": "size of files that do not say theirs, such as 25MB (default: refused)",
}
_CONVERSION = "steadygrid.formats.workflows"

APPLICATIONS = (
    Importer(
        noun="application",
        name="dax",
        content_type="application/dax+xml",
        title="DAX of Pegasus",
        suffixes=(".dax", ".dax.xml"),
        root="adag",
        convert=later(f"{_CONVERSION}.dax:import_dax"),
        sniff=has_root("adag"),
        parameters=_OF_PEGASUS,
    ),
    Importer(
        noun="application",
        name="pegasus",
        content_type="application/pegasus+yaml",
        title="a workflow of Pegasus 5",
        suffixes=(".yml", ".yaml"),
        convert=later(f"{_CONVERSION}.pegasus:import_pegasus"),
        sniff=has_line(r"(?m)^(?:pegasus|x-pegasus|jobDependencies|jobs)[ \t]*:"),
        parameters=_OF_PEGASUS,
    ),
    Importer(
        noun="application",
        name="stg",
        content_type="text/stg",
        title="a standard task graph (STG)",
        suffixes=(".stg",),
        convert=later(f"{_CONVERSION}.stg:import_stg"),
        sniff=has_line(
            r"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*[0-9]+[ \t]*\r?\n[ \t]*[0-9]+[ \t]+[0-9.]+[ \t]+[0-9]+"
        ),
        parameters={
            "name": "the application's name (default: none)",
            "drop_dummies": "true: the first and the last task are left out (default: false)",
        },
    ),
    Importer(
        noun="application",
        name="tgff",
        content_type="text/tgff",
        title="TGFF",
        suffixes=(".tgff",),
        convert=later(f"{_CONVERSION}.tgff:import_tgff"),
        sniff=has_line(r"(?m)^@(?:TASK_)?GRAPH[ \t]+[0-9]+[ \t]*\{"),
        parameters={
            "name": "the application's name (default: that of the graph)",
            "graph": "number of the graph to read, where there are several (default: the first)",
            "arc_size": (
                "size of files whose type has none in a table, such as 25MB (default: refused)"
            ),
        },
    ),
)
