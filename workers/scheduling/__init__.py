"""From exact rates to a periodic schedule, for all steady-state kinds."""

from steadygrid.domain.schedule import ScheduleLimits
from workers.scheduling.matching import Edge, Matching, TooManyTransfers, decompose
from workers.scheduling.schedule import reconstruct
from workers.scheduling.workload import (
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
