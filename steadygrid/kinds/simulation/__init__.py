"""Schedules in an inexact world: the contract half of the kind."""

from steadygrid.domain.problem import Problem, Use
from steadygrid.kinds.shared import simulating, start_ups
from steadygrid.kinds.shared.preferring import NO_SECOND_OBJECTIVE
from steadygrid.kinds.simulation.example import EXAMPLE
from steadygrid.kinds.simulation.schemas import SimulationInstance, SimulationResult
from steadygrid.kinds.simulation.sizing import faults, requires, sizing
from steadygrid.kinds.simulation.validator import validate
from steadygrid.kinds.simulation.view import view

_SIMULATED = "a schedule that is there is simulated"

PROBLEM = Problem(
    kind="simulation",
    title="A schedule when times are not exact",
    description=(
        "A schedule was computed for exact times. How much of its throughput is left when links and"
        " processors are a little faster or slower than that? Should it be carried out by the clock,"
        " in its order, or instance by instance?"
    ),
    instance=SimulationInstance,
    result=SimulationResult,
    methods={
        "replay": "every operation is followed; exact without noise, by the clock and by order",
    },
    sources=(
        "RR-4870, section 7: steady-state schedules in practice",
        "Tijdeman: The chairman assignment problem, Discrete Mathematics 32 (1980): the order of"
        " dispatch",
        "Bertsekas, Gallager: Data Networks, section 6.5.2: max-min fair shares, under multiport",
    ),
    example=EXAMPLE,
    uses=(
        simulating.NOT_SIMULATED,
        *(Use((name,), by=(), otherwise=_SIMULATED) for name in ("max_period", "run")),
        Use(("whole_files",), by=(), otherwise=_SIMULATED),
        Use(("max_labelling_entries",), by=(), otherwise="nothing is priced by labelling"),
        Use(("mip_gap",), by=(), otherwise=_SIMULATED),
        Use(start_ups.USE.names, by=(), otherwise="what the schedule pays is simulated"),
        NO_SECOND_OBJECTIVE,
    ),
    faults=faults,
    sizing=sizing,
    validate=validate,
    view=view,
    requires=requires,
    simulated=True,
)
