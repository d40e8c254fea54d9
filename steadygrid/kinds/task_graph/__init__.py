"""Collections of identical task graphs: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE
from steadygrid.kinds.task_graph.given_faults import MOST_DIGITS, MOST_GIVEN
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphResult
from steadygrid.kinds.task_graph.sizing import faults, requires, sizing
from steadygrid.kinds.task_graph.validator import validate, views
from steadygrid.kinds.task_graph.view import view

PROBLEM = Problem(
    kind="task_graph",
    title="Collections of identical task graphs",
    description=(
        "The same graph of tasks and files is run for one data set after the other. Which"
        " allocations of tasks to processors, each with routes for its files, are mixed at which rates?"
        " As many data sets as possible are to be done in steady state."
    ),
    tile=Tile(
        "A workflow for every data set",
        "A graph of tasks runs again and again. Where does each task run, so that most data sets are"
        " done?",
    ),
    instance=TaskGraphInstance,
    result=TaskGraphResult,
    methods={
        "auto": "column_generation",
        "column_generation": (
            "a master program over allocations; the cheapest allocation at its prices is found by"
            " dynamic programming over the task graph until none is worth adding, exactly"
        ),
        "constraint_lists": (
            "one linear program over tasks and files, each with the places of the tasks that"
            ' constrain it; grows fast; "routing": "free" only'
        ),
        "given": (
            "no search: the allocations that are given are judged, those of an answer for instance."
            " Their best rates are exact, or the rates that are given are multiplied by the largest"
            " factor; the optimum of any allocations says how far they are from it, and the"
            " allocation that they miss most is named"
        ),
    },
    sources=(
        "Beaumont, Legrand, Marchal, Robert: Steady-state scheduling of task graphs on"
        " heterogeneous computing platforms (RR-4870): constraint lists, equations (13) and (16)"
        " to (19), section 5; scheduling schemes and schedules, Algorithms 2 and 3, sections 6"
        " and 7",
        "column_generation: maximise sum_a rate_a subject to sum_a use_ar rate_a <= 1 for every"
        " resource r; at prices u an allocation costs sum_k w_ik u_i plus, for each file, its size"
        " times the cheapest route; what no allocation undercuts proves the optimum (the program's"
        " dual)",
    ),
    example={
        "problem": {
            "kind": "task_graph",
            "platform": {
                "name": "RR-4870, figure 9",
                "processors": [{"id": f"P{i}"} for i in range(1, 6)],
                "links": [
                    {"source": source, "target": target, "unit_time": 1, "duplex": "simplex"}
                    for source, target in (
                        ("P1", "P2"),
                        ("P1", "P3"),
                        ("P2", "P4"),
                        ("P2", "P5"),
                        ("P3", "P4"),
                        ("P3", "P5"),
                    )
                ],
            },
            "application": {
                "name": "fork-join",
                "tasks": [
                    {"id": "T1", "times": {"P1": 1}},
                    {"id": "T2", "times": {"P2": 1}},
                    {"id": "T3", "times": {"P3": 1}},
                    {"id": "T4", "times": {"P4": 2, "P5": 2}},
                ],
                "files": [
                    {"source": "T1", "target": "T2", "size": "1/2"},
                    {"source": "T1", "target": "T3", "size": "1/2"},
                    {"source": "T2", "target": "T4", "size": 1},
                    {"source": "T3", "target": "T4", "size": 1},
                ],
            },
        }
    },
    uses=(
        simulating.USE,
        Use(("max_period",)),
        Use(("run",)),
        Use(("whole_files",)),
        start_ups.USE,
        NO_SECOND_OBJECTIVE,
        Use(
            ("max_labelling_entries",),
            by=("column_generation", "given"),
            otherwise="nothing is priced by labelling",
        ),
        Use(
            ("mip_gap",),
            by=("column_generation", "given"),
            otherwise="no program has integer variables",
        ),
        *(
            Use((name,), by=("given",))
            for name in ("allocations", "classes", "rates", "bound_method")
        ),
    ),
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    views=views,
    requires=requires,
    takes_members=True,
    limits={"max_given_allocations": MOST_GIVEN, "max_digits_of_given_rates": MOST_DIGITS},
)
