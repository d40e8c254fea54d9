"""A divisible load on a bus, a star or a tree: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Tile, Use
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_star.choice import (
    MOST_BY_RULE,
    MOST_IMPROVED,
    MOST_MESSAGES,
    MOST_SEARCHED,
)
from steadygrid.kinds.divisible_star.faults import faults
from steadygrid.kinds.divisible_star.return_methods import MOST_MOVED, MOST_TRIED
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.divisible_star.sizing import requires, sizing
from steadygrid.kinds.divisible_star.unrolling import unrolled
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.kinds.divisible_star.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE

PROBLEM = Problem(
    kind="divisible_star",
    title="A divisible load on a star or a tree",
    description=(
        "A master holds one load, any fraction of which can be computed anywhere, and sends it out"
        " over a bus, a star or a tree, to one neighbour after the other. Which fraction is"
        " computed where, and who is sent to first, so that all is done as early as possible?"
    ),
    tile=Tile(
        "One load to be cut up",
        "A load can be cut anywhere. Which worker gets how much, so that all is done as early as"
        " possible?",
    ),
    instance=DivisibleStarInstance,
    result=DivisibleStarResult,
    methods={
        "auto": (
            "closed_form, also for results the other way round, on trees too; lp for several rounds, and for results"
            " whose orders are given or known; search for other results, latencies and whole items,"
            " local_search where there are too many processors for that"
        ),
        "closed_form": (
            "the optimum, by equivalent processors from the last one sent to back to the master;"
            " exact, and rounded where the exact numbers are long"
        ),
        "lp": "the linear program over shares and arrivals at the same order, solved exactly",
        "search": (
            "where messages or computations have latencies: the best participants and order, by"
            " branch and bound; of whole items, the best numbers in the order, or in any of up to 6"
            " workers; with results, all pairs of orders where there are few (six workers), or a"
            " mixed-integer program of them (12); exact, unless the time is over before"
        ),
        "local_search": (
            "where there are latencies or results: insert, drop, exchange or move processors while"
            " that helps, with a bound that holds for every order"
        ),
        "umr": (
            "uniform multi-round: rounds that last equally long on all workers, of as many workers"
            " and as many rounds as are best"
        ),
        "periodic": (
            "equal rounds, of as many workers and as many rounds as are best; with a guarantee"
        ),
        "rounding": (
            "whole items: the best divisible shares in the order, rounded, with a guarantee where"
            " there are no latencies"
        ),
        "compare": "all methods that answer what is asked, side by side; the answer is the best",
    },
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms, thesis,"
        " 2009, chapter 1: Lemmas 1.2, 1.3, 1.5 and 1.6, Theorems 1.3 to 1.5",
        "Beaumont, Casanova, Legrand, Robert, Yang: Scheduling divisible loads on star and tree"
        " networks: results and open problems, IEEE TPDS 16(3), 2005",
    ),
    example={
        "problem": {
            "kind": "divisible_star",
            "platform": {
                "name": "three workers",
                "processors": [
                    {"id": "M"},
                    {"id": "P1", "unit_time": 3},
                    {"id": "P2", "unit_time": 2},
                    {"id": "P3", "unit_time": 1},
                ],
                "links": [
                    {"source": "M", "target": "P1", "unit_time": 1},
                    {"source": "M", "target": "P2", "unit_time": 2},
                    {"source": "M", "target": "P3", "unit_time": 3},
                ],
            },
            "master": "M",
            "load": {"communication_volume": 1, "computation_volume": 1},
        }
    },
    uses=(
        simulating.USE,
        *(
            Use((name,), by=(), otherwise="the schedule is not periodic")
            for name in ("max_period", "run", "whole_files", "max_labelling_entries")
        ),
        Use(
            ("mip_gap",),
            by=("lp", "compare"),
            otherwise="what is searched is searched to the end",
        ),
        Use(
            ("max_rounds",),
            by=("umr", "periodic", "compare"),
            otherwise="{method} does not choose the rounds",
        ),
        Use(start_ups.USE.names, by=(), otherwise="the load is sent out once"),
        NO_SECOND_OBJECTIVE,
    ),
    limits={
        "max_processors_searched": MOST_SEARCHED,
        "max_processors_with_latencies": MOST_IMPROVED,
        "max_processors_with_items": MOST_IMPROVED,
        "max_workers_with_results_searched": MOST_TRIED,
        "max_workers_with_results": MOST_MOVED,
        "max_messages_of_rounds": MOST_MESSAGES,
        "max_messages_by_rule": MOST_BY_RULE,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    unrolled=unrolled,
    form=Timeline,
    requires=requires,
)
