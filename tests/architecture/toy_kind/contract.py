"""One worker for one source: the contract half of a toy kind."""

from steadygrid.kinds.one_worker.schemas import OneWorkerInstance, OneWorkerResult
from steadygrid.kinds.one_worker.sizing import faults, requires, sizing
from steadygrid.kinds.one_worker.validator import validate
from steadygrid.kinds.one_worker.view import view

from steadygrid.domain.problem import Problem, Use
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="one_worker",
    title="One worker",
    description="A source sends a file for each task to the only worker, which computes it.",
    instance=OneWorkerInstance,
    result=OneWorkerResult,
    methods={"lp": "the linear program, solved exactly and certified"},
    sources=("none: it exists to count what a kind costs",),
    example={
        "problem": {
            "kind": "one_worker",
            "platform": {
                "processors": [{"id": "A"}, {"id": "B", "unit_time": 3}],
                "links": [{"source": "A", "target": "B", "unit_time": 2}],
            },
            "source": "A",
            "worker": "B",
        }
    },
    uses=(
        simulating.NOT_SIMULATED,
        Use(("max_period",)),
        Use(("run",)),
        Use(("whole_files",)),
        start_ups.USE,
        NO_SECOND_OBJECTIVE,
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("mip_gap",), by=(), otherwise="the program has no integer variables"),
    ),
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    requires=requires,
)
