"""Graphs of networkx, and what looks like one, to a graph; networkx itself is not imported."""

from typing import Any

from steadygrid.formats.fault_list import refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge


def graph_of_object(given: Any) -> Graph:
    """Read an object that has ``nodes(data=True)``, ``edges(data=True)`` and ``is_directed()``.

    Parameters
    ----------
    given
        A graph of networkx, or one that is built alike.

    Raises
    ------
    InstanceError
        ``invalid_type``: it has no such methods; ``duplicate_processor``: two nodes have the same
        text.
    """
    try:
        nodes, edges = list(given.nodes(data=True)), list(given.edges(data=True))
        directed = bool(given.is_directed())
    except (AttributeError, TypeError):
        raise refused(
            "",
            "invalid_type",
            "expected a graph with nodes(data=True), edges(data=True) and is_directed(), as those of"
            f" networkx, not {type(given).__name__}",
        ) from None
    about = getattr(given, "graph", None)
    name = about.get("name") if isinstance(about, dict) else None
    graph = Graph(directed, str(name) if name else None)
    for node, attributes in nodes:
        if str(node) in graph.nodes:
            detail = f"two nodes are written {str(node)[:80]!r}: rename one"
            raise refused("", "duplicate_processor", detail)
        graph.add_node(str(node), dict(attributes), f"node {str(node)[:80]}")
    graph.edges = [
        GraphEdge(str(a), str(b), dict(attributes), f"edge {str(a)[:80]}, {str(b)[:80]}")
        for a, b, attributes in edges
    ]
    return graph
