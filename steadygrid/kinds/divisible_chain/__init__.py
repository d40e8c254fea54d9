"""Divisible loads on a chain of processors: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Use
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance, DivisibleChainResult
from steadygrid.kinds.divisible_chain.sizing import MAX_LOADS, faults, sizing
from steadygrid.kinds.divisible_chain.unrolling import unrolled
from steadygrid.kinds.divisible_chain.validator import validate
from steadygrid.kinds.divisible_chain.view import view
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE
from steadygrid.kinds.shared.single_ports import requires_to_read

PROBLEM = Problem(
    kind="divisible_chain",
    title="Divisible loads on a chain",
    description=(
        "The first processor of a chain holds several loads, any fraction of which can be"
        " computed anywhere. Which fraction of each is computed where, and when is it sent on, so"
        " that all loads are done as early as possible, in the given order and numbers of"
        " installments?"
    ),
    instance=DivisibleChainInstance,
    result=DivisibleChainResult,
    methods={
        "lp": "the linear program over shares and dates, solved exactly and certified",
        "simple": "each load in one installment, in proportion to the speeds",
        "single_load": (
            "each load in one installment, in the fractions with which all processors would"
            " finish it together if it were alone"
        ),
        "multi_installment": (
            "the first load like single_load, each later one in proportion to the speeds, in"
            " installments that arrive before any processor is idle; may have no answer"
        ),
        "heuristic_b": (
            "load by load in one installment, so that all processors finish it together, as early"
            " as the loads before allow"
        ),
    },
    sources=(
        "Gallet: Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms, thesis,"
        " 2009, chapter 2: program (2.2), sections 2.3, 2.5 and 2.6, Theorem 2.2",
        "Min Wong, Veeravalli: Scheduling divisible loads on heterogeneous linear daisy chain"
        " networks with arbitrary processor release times, IEEE TPDS 15(3), 2004",
        "Min Wong, Veeravalli, Barlas: Design and performance evaluation of load distribution"
        " strategies for multiple divisible loads on heterogeneous linear daisy chain networks,"
        " JPDC 65(12), 2005",
    ),
    example={
        "problem": {
            "kind": "divisible_chain",
            "platform": {
                "name": "two equal processors",
                "processors": [{"id": "P1", "unit_time": "3/4"}, {"id": "P2", "unit_time": "3/4"}],
                "links": [{"source": "P1", "target": "P2", "bandwidth": 1}],
            },
            "loads": [
                {
                    "id": "L1",
                    "communication_volume": 1,
                    "computation_volume": 1,
                    "installments": 2,
                },
                {
                    "id": "L2",
                    "communication_volume": 1,
                    "computation_volume": 1,
                    "installments": 2,
                },
            ],
        }
    },
    uses=(
        simulating.USE,
        Use(("max_installments",), by=("multi_installment",)),
        *(
            Use((name,), by=(), otherwise="the schedule is not periodic")
            for name in ("max_period", "run", "whole_files", "max_labelling_entries")
        ),
        Use(("mip_gap",), by=(), otherwise="the program has no integer variables"),
        Use(
            start_ups.USE.names,
            by=(),
            otherwise="a message's start-up cost is given by startup",
        ),
        NO_SECOND_OBJECTIVE,
    ),
    limits={
        "max_loads": MAX_LOADS,
    },
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    unrolled=unrolled,
    form=Timeline,
    requires=requires_to_read,
)
