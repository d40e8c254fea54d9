"""Pipelines of layers: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.layer_pipeline.faults import MOST_DIGITS, faults
from steadygrid.kinds.layer_pipeline.referee_search import MOST_PLACES
from steadygrid.kinds.layer_pipeline.schemas import (
    MOST_DEVICE_TYPES,
    MOST_DEVICES,
    MOST_LAYERS,
    MOST_SKIPS,
    LayerPipelineInstance,
    LayerPipelineResult,
)
from steadygrid.kinds.layer_pipeline.sizing import MOST_STATES, MOST_STEPS, requires, sizing
from steadygrid.kinds.layer_pipeline.unrolling import unrolled
from steadygrid.kinds.layer_pipeline.validator import validate
from steadygrid.kinds.layer_pipeline.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="layer_pipeline",
    title="A pipeline of layers on devices counted by type",
    description=(
        "A chain of layers, such as a neural network, is run for one data set after the other, forward"
        " and back. Where should it be cut into stages, on which device type does each stage run, and"
        " on how many copies in turn, so that data sets are done most often and memory holds those that"
        " are in flight? The optimum is over plans with one course for all data sets, one type of devices"
        " per stage, and the layers in the order given."
    ),
    tile=Tile(
        "A neural network in stages",
        "Layers are trained on several devices. Where is the network cut, and which stage has copies?",
    ),
    instance=LayerPipelineInstance,
    result=LayerPipelineResult,
    methods={
        "exact": (
            "the plan with the shortest period, by tests of periods, each a dynamic program over layers"
            " and devices; where time is over, the best plan so far with a bound"
        ),
        "evaluate": "the shortest period of the stages that are given, exactly",
    },
    sources=(
        "Narayanan et al.: PipeDream: Generalized Pipeline Parallelism for DNN Training, SOSP 2019:"
        " one forward pass and one backward pass in turn",
        "Huang et al.: GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism,"
        " NeurIPS 2019: stages and micro-batches",
    ),
    example={
        "problem": {
            "kind": "layer_pipeline",
            "name": "three layers alike",
            "layers": [
                {"id": name, "forward": 1, "backward": 2, "memory": 1, "in_flight": 1, "output": 1}
                for name in ("first", "second", "third")
            ],
            "devices": [{"id": "gpu", "count": 3, "memory": 4}],
            "bandwidth": 1,
        }
    },
    uses=(
        simulating.USE,
        *(
            Use((name,), by=(), otherwise="the timetable repeats row by row, never unrolled")
            for name in ("max_period", "run")
        ),
        Use(("whole_files",), by=(), otherwise="data always move whole"),
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("mip_gap",), by=(), otherwise="what is searched is searched to the end"),
        Use(start_ups.USE.names, by=(), otherwise="there is no platform"),
        NO_SECOND_OBJECTIVE,
        Use(("stages",), by=("evaluate",), otherwise="{method} finds them"),
    ),
    limits={
        "max_layers": MOST_LAYERS,
        "max_skips": MOST_SKIPS,
        "max_sorts": MOST_DEVICE_TYPES,
        "max_devices": MOST_DEVICES,
        "max_states": MOST_STATES,
        "max_steps": MOST_STEPS,
        "max_places_refereed": MOST_PLACES,
        "max_digits_of_times": MOST_DIGITS,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    unrolled=unrolled,
    form=Timetable,
    requires=requires,
    validate_in_time=validate,
)
