"""WfCommons WfFormat (JSON), schema versions 1.3 to 1.6: recorded workflows.

What becomes of what:

======================== =================================================================
WfFormat                 application
======================== =================================================================
task                     task; its work is its runtime times `reference_speed`
files from one task to   one file, as large as all of them together
another
file with many users     one file for each of them (a note says what multicast would save)
parent without a file    file of size 0
external input, output   file from ``begin``, or to ``end``, if `inputs_at` or `outputs_at`
                         says on which processor that is; else a note
======================== =================================================================

Up to version 1.4 everything is in ``workflow.tasks`` (``runtime`` and ``size`` in 1.3,
``runtimeInSeconds`` and ``sizeInBytes`` in 1.4; both are read in either); from 1.5 on it is in
``workflow.specification`` and ``workflow.execution``.
"""

from steadygrid.formats.importer import Importer, later
from steadygrid.formats.reference_speeds import DEFAULT_SPEED
from steadygrid.formats.sniffing import has_object

IMPORTER = Importer(
    noun="application",
    name="wfformat",
    content_type="application/wfformat+json",
    title="WfCommons WfFormat",
    suffixes=(".json",),
    member="workflow",
    sniff=has_object("workflow"),
    convert=later("steadygrid.formats.wfformat.conversion:import_application"),
    parameters={
        "name": "the application's name (default: the document's)",
        "reference_speed": (
            "speed of the machine that recorded the runtimes, such as 2Gf or a number of flops per"
            ' second; "clock": one flop per cycle of the recorded machine, where that is given'
            f" (default: {DEFAULT_SPEED})"
        ),
        "inputs_at": (
            "the processor where external inputs are at the beginning (default: wherever they are"
            " used)"
        ),
        "outputs_at": (
            "the processor to which external outputs go (default: they stay where they are made)"
        ),
    },
)
