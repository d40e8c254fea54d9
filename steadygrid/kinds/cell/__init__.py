"""Task graphs on the Cell processor: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Use
from steadygrid.kinds.cell.schemas import MOST_CORES, CellInstance, CellResult
from steadygrid.kinds.cell.sizing import faults, sizing
from steadygrid.kinds.cell.unrolling import unrolled
from steadygrid.kinds.cell.validator import validate
from steadygrid.kinds.cell.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="cell",
    title="A stream of task graphs on a Cell processor",
    description=(
        "The same graph of tasks and files is run for one data set after the other, on a machine"
        " of general cores (PPEs) and small ones (SPEs) whose local stores and DMA calls are few."
        " On which core should each task run, so that the period is shortest and every buffer"
        " fits?"
    ),
    instance=CellInstance,
    result=CellResult,
    methods={
        "milp": (
            "the shortest period, by a mixed-integer program that begins with what a local search"
            " finds; where time is over, the best mapping with a bound"
        ),
        "greedy": (
            "fill one SPE after the other in the order of the tasks, the first PPE takes the rest"
        ),
        "ppe_only": "all tasks on the first PPE",
    },
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms, chapter 7:"
        " first periods and buffers, Theorem 7.1 and section 7.2; program (7.1a) to (7.1j),"
        " bytes divided by the bandwidth in (7.1f) and (7.1g), (7.1j) for SPEs only; Algorithm 7,"
        " which tries a task again on the next core",
    ),
    example={
        "problem": {
            "kind": "cell",
            "machine": {"ppes": 1, "spes": 2},
            "application": {
                "name": "filter bank",
                "tasks": [
                    {"id": "split", "time_ppe": "2e-5", "time_spe": "4e-5", "read": 16384},
                    {"id": "low", "time_ppe": "9e-5", "time_spe": "3e-5", "peek": 1},
                    {"id": "high", "time_ppe": "9e-5", "time_spe": "3e-5", "peek": 1},
                    {"id": "join", "time_ppe": "1e-5", "write": 16384},
                ],
                "files": [
                    {"source": "split", "target": "low", "size": 8192},
                    {"source": "split", "target": "high", "size": 8192},
                    {"source": "low", "target": "join", "size": 8192},
                    {"source": "high", "target": "join", "size": 8192},
                ],
            },
        }
    },
    uses=(
        simulating.USE,
        Use(("max_period",)),
        Use(("run",)),
        Use(("whole_files",), by=(), otherwise="files always move whole"),
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("mip_gap",), by=("milp",)),
        Use(start_ups.USE.names, by=(), otherwise="a Cell is described without latencies"),
        NO_SECOND_OBJECTIVE,
    ),
    limits={
        "max_ppes": MOST_CORES,
        "max_spes": MOST_CORES,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    unrolled=unrolled,
)
