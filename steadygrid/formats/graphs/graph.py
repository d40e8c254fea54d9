"""A graph with attributes, as GraphML, DOT, node-link JSON and networkx have it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from steadygrid.domain.errors import Pointer

Place = int | str | Pointer
"""A line, or a pointer."""


class GraphNode(NamedTuple):
    """A node."""

    name: str
    attributes: Mapping[str, Any]
    place: Place


class GraphEdge(NamedTuple):
    """An edge; of a graph that is not directed, in either order."""

    source: str
    target: str
    attributes: Mapping[str, Any]
    place: Place


@dataclass
class Graph:
    """Nodes and edges, each where it stands in the document."""

    directed: bool
    name: str | None = None
    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: list[GraphEdge] = field(default_factory=list)

    def add_node(self, name: str, attributes: Mapping[str, Any], place: Place) -> None:
        """Add a node, or attributes to one that is there.

        Parameters
        ----------
        name
            Of the node.
        attributes
            By name.
        place
            Where it stands.
        """
        there = self.nodes.get(name)
        if there is None:
            self.nodes[name] = GraphNode(name, attributes, place)
        elif attributes:
            self.nodes[name] = there._replace(attributes={**there.attributes, **attributes})
