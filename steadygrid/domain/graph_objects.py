"""What graphs of networkx become: the constructors of the two nouns that have graphs."""

from importlib import import_module
from typing import Any, Self, cast

from steadygrid.domain.limits import Limits
from steadygrid.domain.text import Frozen

_READING = "steadygrid.reading"
"""It is above this layer, and loaded only where one of the constructors is called."""


class NetworkGraph(Frozen):
    """Base of the platform, which a graph can be made into."""

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        bandwidth: str | None = None,
        speed: str | None = None,
        limits: Limits | None = None,
        **parameters: str,
    ) -> Self:
        """Make a platform of a graph of networkx: nodes are processors, edges are links.

        Parameters
        ----------
        graph
            Anything with ``nodes(data=True)``, ``edges(data=True)`` and ``is_directed()``.
        bandwidth
            Name of the attribute of edges; by default ``bandwidth``, ``capacity`` or ``weight``.
        speed
            Name of the attribute of nodes; by default ``speed`` or ``weight``.
        limits
            How large it may be, if not as large as by default.
        **parameters
            As of GraphML: ``name``, ``bandwidth_unit`` and others.

        Raises
        ------
        InstanceError, LimitError
            With every fault found.
        """
        named = {"bandwidth_attribute": bandwidth, "speed_attribute": speed}
        made = import_module(_READING).platform_from_graph(graph, named, parameters, limits)
        return cast("Self", made)


class TaskGraph(Frozen):
    """Base of the application, which a directed graph can be made into."""

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        work: str | None = None,
        size: str | None = None,
        limits: Limits | None = None,
        **parameters: str,
    ) -> Self:
        """Make an application of a directed graph of networkx: nodes are tasks, edges are files.

        Parameters
        ----------
        graph
            Anything with ``nodes(data=True)``, ``edges(data=True)`` and ``is_directed()``.
        work
            Name of the attribute of nodes; by default ``work``, ``cost`` or ``weight``.
        size
            Name of the attribute of edges; by default ``size``, ``data`` or ``weight``.
        limits
            How large it may be, if not as large as by default.
        **parameters
            As of GraphML: ``name`` and others.

        Raises
        ------
        InstanceError, LimitError
            With every fault found.
        """
        named = {"work_attribute": work, "size_attribute": size}
        made = import_module(_READING).application_from_graph(graph, named, parameters, limits)
        return cast("Self", made)
