"""Replicated workflows: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Use
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.replicated_workflow.faults import faults
from steadygrid.kinds.replicated_workflow.limits import (
    MOST_CYCLE_NODES,
    MOST_DIGITS,
    MOST_LEAVES,
    MOST_ROWS,
    MOST_SEARCHED_NODES,
    MOST_TRANSITIONS,
    MOST_TURN_OPERATIONS,
)
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.kinds.replicated_workflow.sizing import requires, sizing
from steadygrid.kinds.replicated_workflow.unrolling import unrolled
from steadygrid.kinds.replicated_workflow.validator import validate
from steadygrid.kinds.replicated_workflow.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

SCHEDULED = ("evaluate", "exact", "greedy", "local_search", "portfolio")
"""Methods that give timetables."""

PROBLEM = Problem(
    kind="replicated_workflow",
    title="A workflow whose stages run on several processors in turn",
    description=(
        "A graph of tasks and files is run for one data set after the other. Each stage of it has"
        " processors of its own, which take the data sets in turn (round robin). How often does a data"
        " set leave the workflow, and which operations wait for each other so that it is not more"
        " often? Or: which processors, in which order, are best?"
    ),
    instance=ReplicatedWorkflowInstance,
    result=ReplicatedWorkflowResult,
    methods={
        "auto": "evaluate where a mapping is given, else portfolio",
        "evaluate": (
            "the period of the mapping that is given: the largest ratio of time to data sets of any"
            " cycle of operations that wait for each other, exactly"
        ),
        "exact": "all mappings and orders, by depth first search with bounds",
        "greedy": "one processor for each stage, then the next to the stage that is critical",
        "local_search": "move, exchange, reorder, add and drop processors while that helps",
        "portfolio": "all of these, one after the other, and a bound of all mappings",
        "upper_bound": "only a bound of the throughput of all mappings",
    },
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms, thesis,"
        " 2009, chapter 6: Petri nets of replicated workflows, sections 6.3.3 and 6.3.4, Theorem 6.1",
        "Benoit, Gallet, Gaujal, Robert: Computing the throughput of replicated workflows on"
        " heterogeneous platforms, ICPP 2009",
    ),
    example={
        "problem": {
            "kind": "replicated_workflow",
            "ports": "no_overlap",
            "platform": {
                "processors": [{"id": "P1"}, {"id": "P2"}, {"id": "P3"}],
                "links": [
                    {"source": "P1", "target": "P2", "unit_time": 3},
                    {"source": "P1", "target": "P3", "unit_time": 5},
                ],
            },
            "application": {
                "tasks": [
                    {"id": "read", "times": {"P1": 2}},
                    {"id": "filter", "times": {"P2": 7, "P3": 4}},
                ],
                "files": [{"source": "read", "target": "filter", "size": 1}],
            },
            "mapping": [
                {"tasks": ["read"], "processors": ["P1"]},
                {"tasks": ["filter"], "processors": ["P2", "P3"]},
            ],
        }
    },
    uses=(
        simulating.used_by(SCHEDULED),
        *(
            Use((name,), by=(), otherwise="the timetable repeats row by row, never unrolled")
            for name in ("max_period", "run")
        ),
        Use(("whole_files",), by=(), otherwise="files always move whole"),
        Use(("mip_gap",), by=(), otherwise="what is searched is searched to the end"),
        Use(
            ("max_labelling_entries",),
            by=("portfolio", "exact", "greedy", "local_search", "upper_bound"),
            otherwise="no allocations are priced",
        ),
        Use(
            start_ups.USE.names,
            by=(),
            otherwise="a file takes the time of its link, and nothing before",
        ),
        NO_SECOND_OBJECTIVE,
        Use(("seed",), by=("local_search", "portfolio")),
    ),
    limits={
        "max_cycle_nodes": MOST_CYCLE_NODES,
        "max_turn_operations": MOST_TURN_OPERATIONS,
        "max_listed_rows": MOST_ROWS,
        "max_mappings_searched": MOST_LEAVES,
        "max_searched_nodes": MOST_SEARCHED_NODES,
        "max_transitions_exported": MOST_TRANSITIONS,
        "max_digits_of_times": MOST_DIGITS,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    unrolled=unrolled,
    form=Timetable,
    requires=requires,
)
