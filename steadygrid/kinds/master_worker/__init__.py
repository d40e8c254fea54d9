"""Independent identical tasks that start from one master: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult
from steadygrid.kinds.master_worker.sizing import faults, sizing
from steadygrid.kinds.master_worker.validator import validate, views
from steadygrid.kinds.master_worker.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.single_ports import requires

PROBLEM = Problem(
    kind="master_worker",
    title="Master-worker tasking",
    description=(
        "A master holds many independent identical tasks. How many does each processor compute per"
        " time unit, and which routes do their files take? As many tasks as possible are to be done in"
        " steady state."
    ),
    tile=Tile(
        "Tasks on a cluster",
        "One host has many equal tasks. How many can the cluster do per second, and which host does"
        " how many?",
    ),
    instance=MasterWorkerInstance,
    result=MasterWorkerResult,
    methods={
        "auto": "bandwidth_centric where it applies and least_traffic is not asked for, else lp",
        "lp": "the linear program over rates, solved exactly and certified",
        "bandwidth_centric": (
            "the tree algorithm: feed the children with the fastest links first;"
            " one_port, no output files, no switches"
        ),
    },
    sources=(
        "Beaumont, Legrand, Marchal, Robert: Steady-state scheduling of task graphs on"
        " heterogeneous computing platforms (RR-4870), sections 3 and 4",
        "Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters:"
        " why and how?, section 3.1",
        "Banino et al.: Scheduling strategies for master-slave tasking on heterogeneous"
        " processor platforms, IEEE TPDS 15(4), 2004",
    ),
    example={
        "problem": {
            "kind": "master_worker",
            "platform": {
                "name": "RR-4870, figure 3",
                "processors": [
                    {"id": "P1", "unit_time": 10},
                    {"id": "P2", "unit_time": 2},
                    {"id": "P3", "unit_time": 2},
                    {"id": "P4", "unit_time": 1},
                ],
                "links": [
                    {"source": "P1", "target": "P2", "unit_time": 1},
                    {"source": "P1", "target": "P3", "unit_time": 1},
                    {"source": "P2", "target": "P4", "unit_time": 1},
                    {"source": "P3", "target": "P4", "unit_time": 1},
                ],
            },
            "master": "P1",
            "task": {"work": 4, "input_size": 2},
        }
    },
    uses=(
        simulating.USE,
        Use(("max_period",)),
        Use(("run",)),
        Use(("whole_files",)),
        start_ups.USE,
        Use(
            ("prefer",),
            by=("lp",),
            otherwise="{method} finds one answer only, and lp looks for another",
        ),
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("mip_gap",), by=(), otherwise="the program has no integer variables"),
    ),
    faults=faults,
    sizing=sizing,
    validate=validate,
    validate_in_time=validate,
    view=view,
    views=views,
    requires=requires,
    takes_members=True,
)
