"""The throughput of dataflow graphs: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.dataflow.faults import MOST_DIGITS, faults
from steadygrid.kinds.dataflow.rates import MOST_REPETITIONS
from steadygrid.kinds.dataflow.schemas import (
    MOST_ACTORS,
    MOST_CHANNELS,
    MOST_PHASES,
    MOST_TOKENS,
    DataflowInstance,
    DataflowResult,
)
from steadygrid.kinds.dataflow.sizing import requires, sizing
from steadygrid.kinds.dataflow.unrolling import unrolled
from steadygrid.kinds.dataflow.validator import validate
from steadygrid.kinds.dataflow.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="dataflow",
    title="The throughput of a dataflow graph",
    description=(
        "Actors fire, over and over, as soon as their channels hold the tokens that they take:"
        " synchronous dataflow (SDF), or cyclo-static (CSDF) where actors have phases. How many"
        " iterations per time unit can the graph run, which firings keep it from running more, and"
        " when does each firing start?"
    ),
    tile=Tile(
        "A signal-processing graph",
        "Actors pass tokens through channels. How often can the graph run, and how many places do the"
        " channels need?",
    ),
    instance=DataflowInstance,
    result=DataflowResult,
    methods={
        "auto": "k_periodic",
        "k_periodic": (
            "periodic schedules, refined along the critical circuit until its firings wait for each"
            " other in fact; exact"
        ),
    },
    sources=(
        "Bodin, Munier-Kordon, Dupont de Dinechin: Optimal and fast throughput evaluation of CSDF,"
        " DAC 2016",
        "Lee, Messerschmitt: Synchronous data flow, Proceedings of the IEEE 75(9), 1987",
    ),
    example={
        "problem": {
            "kind": "dataflow",
            "graph": {
                "name": "two",
                "actors": [{"id": "a", "times": 1}, {"id": "b", "times": 2}],
                "channels": [
                    {"source": "a", "target": "b", "production": 2, "consumption": 1},
                    {
                        "source": "b",
                        "target": "a",
                        "production": 1,
                        "consumption": 2,
                        "tokens": 2,
                    },
                ],
            },
        }
    },
    uses=(
        simulating.USE,
        *(
            Use(
                (name,), by=(), otherwise="the schedule repeats row by row, however long its period"
            )
            for name in ("max_period", "run", "whole_files", "max_labelling_entries")
        ),
        Use(("mip_gap",), by=(), otherwise="nothing is searched"),
        Use(start_ups.USE.names, by=(), otherwise="there is no platform"),
        NO_SECOND_OBJECTIVE,
    ),
    limits={
        "max_actors": MOST_ACTORS,
        "max_channels": MOST_CHANNELS,
        "max_phases": MOST_PHASES,
        "max_tokens": MOST_TOKENS,
        "max_repetitions": MOST_REPETITIONS - 1,
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
