"""From exact rates to a periodic schedule, for all steady-state kinds."""

from workers.scheduling.matching import Edge, Matching, TooManyTransfers, decompose
from workers.scheduling.schedule import reconstruct
from workers.scheduling.workload import (
    Plan,
    Reconstruction,
    ReconstructionLimits,
    UnitSlot,
    Workload,
)

__all__ = [
    "Edge",
    "Matching",
    "Plan",
    "Reconstruction",
    "ReconstructionLimits",
    "TooManyTransfers",
    "UnitSlot",
    "Workload",
    "decompose",
    "reconstruct",
]
