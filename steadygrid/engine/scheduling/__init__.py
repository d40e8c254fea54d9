"""From exact rates to a periodic schedule, for all steady-state kinds."""

from steadygrid.domain.schedule import ScheduleLimits
from steadygrid.engine.scheduling.matching import Edge, Matching, TooManyTransfers, decompose
from steadygrid.engine.scheduling.schedule import reconstruct
from steadygrid.engine.scheduling.workload import (
    Plan,
    Reconstruction,
    UnitSlot,
    Workload,
)

__all__ = [
    "Edge",
    "Matching",
    "Plan",
    "Reconstruction",
    "ScheduleLimits",
    "TooManyTransfers",
    "UnitSlot",
    "Workload",
    "decompose",
    "reconstruct",
]
