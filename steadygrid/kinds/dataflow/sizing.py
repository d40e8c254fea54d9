"""Method and size of a `dataflow` instance, before anything is built."""

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.kinds.dataflow.faults import faults
from steadygrid.kinds.dataflow.rates import ends_of, phases_of, repetitions
from steadygrid.kinds.dataflow.schemas import DataflowInstance

SINCE = 7
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
PLACES_SINCE = 13
"""They do not know places of channels."""

__all__ = ["SINCE", "faults", "requires", "sizing"]


def requires(instance: DataflowInstance, _options: Options) -> int:
    """Say how new a version has to be that knows all that is asked.

    Parameters
    ----------
    instance
        It may have faults.
    _options
        Not read.
    """
    asks = instance.capacities is not None or instance.chooses_places or instance.even
    return PLACES_SINCE if asks else SINCE


def sizing(instance: DataflowInstance, _options: Options) -> Sizing:
    """Count actors, phases and channels, and the firings of an iteration.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    """
    graph = instance.graph
    phases = phases_of(graph)
    cycles = repetitions(len(phases), ends_of(graph, phases))
    return Sizing(
        "k_periodic",
        {
            "actors": len(phases),
            "phases": sum(phases),
            "channels": len(graph.channels),
            "firings": sum(q * count for q, count in zip(cycles, phases, strict=True)),
        },
        remedy="leave out actors or phases",
    )
