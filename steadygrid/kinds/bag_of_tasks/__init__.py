"""Bags of independent tasks of several sizes: the contract half of the kind."""

from dataclasses import replace

from steadygrid.domain.problem import Problem, Use
from steadygrid.kinds.bag_of_tasks.grid import MOST_CELLS
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult
from steadygrid.kinds.bag_of_tasks.sizing import LONGEST_BATCH, faults, requires, sizing
from steadygrid.kinds.bag_of_tasks.validator import validate, views
from steadygrid.kinds.bag_of_tasks.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

_METHODS = {
    "auto": "lp where no bag is uniform and there are at most 10,000 classes, else means",
    "lp": "the linear program over rates of classes on workers, solved exactly and certified",
    "means": (
        "the same over cells of sizes and works, with their means; the bound holds for all policies"
    ),
    "approximation": (
        "the same with each task rounded up to the greatest of its cell; within a factor of"
        " 1 + epsilon"
    ),
    "on_demand": "simulated on a stream of tasks: the worker that asks first gets the next task",
    "round_robin": "simulated: the workers get the tasks in turn",
    "dispatch": "simulated: the tasks of each class follow the rates of lp, by counters",
    "lp_samp": (
        "simulated: the first tasks are put into buckets by size and work, and the others follow the"
        " rates of lp for the means of these"
    ),
    "compare": "all policies on the same streams",
}
_SCHEDULED = frozenset(_METHODS) - SIMULATED
_SIMULATED = "policies are simulated"


def _unpriced(_instance: BagOfTasksInstance, result: BagOfTasksResult) -> str:
    return "its prices hold for the tasks of one simulated stream" if result.simulation else ""


PROBLEM = Problem(
    kind="bag_of_tasks",
    title="Bags of tasks",
    description=(
        "A master holds bags of independent tasks whose sizes and works differ, and serves workers"
        " around it. Which tasks does each worker compute, so that as many as possible are done per"
        " time unit, all bags in proportion to their priorities?"
    ),
    instance=BagOfTasksInstance,
    result=BagOfTasksResult,
    methods=_METHODS,
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms, thesis,"
        " 2009, chapter 5: sections 5.2 and 5.3, and the policies and tasks of section 5.4",
        "RR-4870, section 7.3, Algorithm 3: counters that follow rates",
    ),
    example={
        "problem": {
            "kind": "bag_of_tasks",
            "platform": {
                "processors": [
                    {"id": "P0"},
                    {"id": "P1", "speed": 10},
                    {"id": "P2", "speed": 1},
                ],
                "links": [
                    {"source": "P0", "target": "P1", "bandwidth": 1},
                    {"source": "P0", "target": "P2", "bandwidth": 10},
                ],
            },
            "master": "P0",
            "bags": [
                {"id": "T1", "classes": [{"input_size": 10, "work": 1, "probability": 1}]},
                {"id": "T2", "classes": [{"input_size": 1, "work": 10, "probability": 1}]},
            ],
        }
    },
    uses=(
        simulating.used_by(_SCHEDULED),
        Use(("max_period",), by=_SCHEDULED, otherwise=_SIMULATED),
        Use(("run",), by=_SCHEDULED, otherwise=_SIMULATED),
        Use(("whole_files",), by=_SCHEDULED, otherwise=_SIMULATED),
        replace(start_ups.USE, by=_SCHEDULED, otherwise=_SIMULATED),
        NO_SECOND_OBJECTIVE,
        Use(("stream",), by=SIMULATED),
        Use(("buffer",), by=("on_demand", "compare")),
        Use(("sample",), by=("lp_samp", "compare")),
        Use(("split", "buckets", "work_buckets"), by=("lp_samp", "compare")),
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("epsilon",), by=("means", "approximation")),
        Use(("mip_gap",), by=("means",), otherwise="{method} refines no cells"),
    ),
    limits={
        "max_cells": MOST_CELLS,
        "max_batch_digits": LONGEST_BATCH,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    views=views,
    requires=requires,
    unpriced=_unpriced,
)
