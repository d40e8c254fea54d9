"""One allocation for all instances of a task graph: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Use
from steadygrid.kinds.mono_allocation.methods import METHODS
from steadygrid.kinds.mono_allocation.schemas import (
    SCHEDULED,
    SEARCHES,
    SIMULATED,
    MonoAllocationInstance,
    MonoAllocationResult,
)
from steadygrid.kinds.mono_allocation.sizing import faults, requires, sizing
from steadygrid.kinds.mono_allocation.validator import validate, views
from steadygrid.kinds.mono_allocation.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="mono_allocation",
    title="One allocation for a collection of task graphs",
    description=(
        "The same graph of tasks and files is run for one data set after the other. Each task runs on"
        " the same processor for all data sets, so that it is deployed once. Which processors let most"
        " data sets be done in steady state?"
    ),
    instance=MonoAllocationInstance,
    result=MonoAllocationResult,
    methods=METHODS,
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms (PhD thesis,"
        " 2009), chapter 4: programs (4.1) to (4.3), algorithms 2 to 6, section 4.4",
        "Topcuoglu, Hariri, Wu: Performance-effective and low-complexity task scheduling for"
        " heterogeneous computing (2002): heft; Sarkar: Partitioning and scheduling parallel"
        " programs for execution on multiprocessors (1987): clustering",
    ),
    example={
        "problem": {
            "kind": "mono_allocation",
            "platform": {
                "name": "a camera and two servers",
                "units": {"time": "s", "data": "MB", "work": "Gflop"},
                "processors": [
                    {"id": "camera"},
                    {"id": "small", "speed": 1},
                    {"id": "large", "speed": 2},
                ],
                "links": [
                    {"source": "camera", "target": "small", "bandwidth": 1},
                    {"source": "small", "target": "large", "bandwidth": 1},
                    {"source": "camera", "target": "large", "bandwidth": "1/2"},
                ],
                "routes": [{"source": "camera", "target": "large", "via": ["small"]}],
            },
            "application": {
                "name": "follow what moves",
                "tasks": [
                    {"id": "capture", "times": {"camera": 3}},
                    {"id": "align", "work": 6},
                    {"id": "detect", "work": 8},
                    {"id": "track", "work": 4},
                ],
                "files": [
                    {"source": "capture", "target": "align", "size": 5},
                    {"source": "align", "target": "detect", "size": 4},
                    {"source": "detect", "target": "track", "size": 2},
                    {"source": "capture", "target": "track", "size": 1},
                ],
            },
        }
    },
    uses=(
        simulating.used_by(SCHEDULED),
        Use(("depth",), by=("delegate", "portfolio", "compare")),
        Use(("seed",), by=("rlp_rand", "portfolio", "compare")),
        Use(("source",), by=("delegate", "portfolio", "compare")),
        Use(("instances",), by=SIMULATED),
        Use(("mapping",), by=("given",)),
        Use(("paths",), by=("given",)),
        Use(("bound_method",), by=("given",)),
        Use(("mip_gap",), by=SEARCHES),
        Use(
            ("max_period", "whole_files"),
            by=SCHEDULED,
            otherwise="{method} gives no periodic schedule",
        ),
        Use(("max_labelling_entries",), by=(), otherwise="no integer program prices allocations"),
        Use(("run",), by=SCHEDULED, otherwise="{method} gives no periodic schedule"),
        Use(start_ups.USE.names, by=SCHEDULED, otherwise="{method} gives no periodic schedule"),
        NO_SECOND_OBJECTIVE,
    ),
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    views=views,
    requires=requires,
)
