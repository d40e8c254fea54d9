"""Series of collective operations: the contract half of the kind."""

from collections.abc import Sequence

from steadygrid.domain.exported_program import ExportedProgram
from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.kinds.collective.execution import MOST_HOPS
from steadygrid.kinds.collective.faults import MOST_ENDS, MOST_MESSAGES, faults
from steadygrid.kinds.collective.methods import COPYING, METHODS, SCHEDULED
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.kinds.collective.sizing import requires, sizing
from steadygrid.kinds.collective.validator import validate, views
from steadygrid.kinds.collective.view import view
from steadygrid.kinds.shared import simulating, start_ups


def _programs(instance: CollectiveInstance, result: CollectiveResult) -> Sequence[ExportedProgram]:
    # It loads numpy, which only programs that run have a use for.
    from steadygrid.kinds.collective.simulated_programs import programs_of

    return programs_of(instance, result)


PROBLEM = Problem(
    kind="collective",
    title="Collective communications",
    description=(
        "The same collective operation is done again and again. Messages go from one processor to many"
        " (scatter), from many to one (gather), or from all to all (all_to_all). Or copies go to all"
        " (broadcast), to some (multicast), or from all to all (allgather). Or data is combined for one"
        " (reduce), part by part for all (reduce_scatter), or for all (allreduce). Which routes and"
        " trees bring the most operations per time unit?"
    ),
    tile=Tile(
        "A scatter, a broadcast, an allgather",
        "Data goes from one processor to many, or from all to all. Which routes and trees carry most"
        " operations?",
    ),
    instance=CollectiveInstance,
    result=CollectiveResult,
    methods=METHODS,
    sources=(
        "Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters:"
        " why and how?, sections 3.2, 3.3 and 4",
        "Legrand, Marchal, Robert: Optimizing the steady-state throughput of scatter and reduce"
        " operations on heterogeneous platforms (RR-4872)",
        "Beaumont, Legrand, Marchal, Robert: Complexity results and heuristics for pipelined multicast"
        " operations on heterogeneous platforms (RR-5123)",
        "Bang-Jensen, Frank, Jackson: Preserving and increasing local edge-connectivity in mixed graphs",
    ),
    example={
        "problem": {
            "kind": "collective",
            "platform": {
                "name": "RR-4872, figure 2",
                "processors": [{"id": name} for name in ("s", "a", "b", "P0", "P1")],
                "links": [
                    {"source": "s", "target": "a", "unit_time": 1, "duplex": "simplex"},
                    {"source": "s", "target": "b", "unit_time": 1, "duplex": "simplex"},
                    {"source": "a", "target": "P0", "unit_time": "2/3", "duplex": "simplex"},
                    {"source": "b", "target": "P0", "unit_time": "4/3", "duplex": "simplex"},
                    {"source": "b", "target": "P1", "unit_time": "4/3", "duplex": "simplex"},
                ],
            },
            "operation": "scatter",
            "source": "s",
            "targets": ["P0", "P1"],
        }
    },
    uses=(
        simulating.USE,
        *(
            Use(names, by=SCHEDULED, otherwise="{method} gives no schedule")
            for names in (("max_period",), ("run",), ("whole_files",), start_ups.USE.names)
        ),
        Use(
            ("max_labelling_entries",),
            by=("trees", "compare"),
            otherwise="no table of trees is made that could be too large",
        ),
        Use(("mip_gap",), by=(), otherwise="the program has no integer variables"),
        Use(
            ("prefer",),
            by=("flows",),
            otherwise="only messages that differ have a second objective",
        ),
        Use(
            ("copying",),
            by=COPYING,
            otherwise="no processor copies messages that differ",
        ),
    ),
    limits={
        "max_messages": MOST_MESSAGES,
        "max_copies": MOST_ENDS,
        "max_hops_of_completion": MOST_HOPS,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    views=views,
    programs=_programs,
    requires=requires,
    optimum_alone=CollectiveInstance.without_programs,
)
