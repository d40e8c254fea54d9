"""GraphML to a graph."""

from collections.abc import Mapping
from typing import NamedTuple

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml_tree import XMLNode, read_tree


class _Key(NamedTuple):
    name: str
    of: str
    default: str | None


def read_graphml(data: bytes, limits: Limits, notes: Notes) -> Graph:
    """Read the first graph of a GraphML document.

    Parameters
    ----------
    data
        The document.
    limits
        How large it may be.
    notes
        Gets what is left out.

    Raises
    ------
    InstanceError
        With every fault found, each with its line.
    """
    root = read_tree(data, limits)
    graphs = list(root.children_named("graph"))
    if root.tag != "graphml" or not graphs:
        raise refused(root.line, "missing", "expected <graphml> with a <graph> in it")
    if len(graphs) > 1:
        notes.say("only the first graph of the document is read")
    keys = {
        key.get("id"): _Key(
            key.get("attr.name") or key.get("name") or key.get("id"),
            key.get("for", "all"),
            default.text if (default := key.first("default")) is not None else None,
        )
        for key in root.children_named("key")
    }
    element = graphs[0]
    faults = FaultList()
    graph = Graph(directed=element.get("edgedefault") == "directed", name=element.get("id") or None)
    _read_nodes(element, graph, keys, faults, notes)
    _read_edges(element, graph, keys, faults, notes)
    faults.stop()
    return graph


def _read_nodes(
    element: XMLNode, graph: Graph, keys: Mapping[str, _Key], faults: FaultList, notes: Notes
) -> None:
    for node in element.children_named("node"):
        name = node.get("id")
        if not name:
            faults.add(node.line, "missing", "a node has no id: give it one")
        elif name in graph.nodes:
            detail = f"node {name[:80]!r} is given twice: delete one"
            faults.add(node.line, "duplicate_processor", detail)
        else:
            graph.add_node(name, _attributes(node, keys, "node"), node.line)
        if node.first("graph") is not None:
            notes.add("graphs inside of nodes are left out", name)


def _read_edges(
    element: XMLNode, graph: Graph, keys: Mapping[str, _Key], faults: FaultList, notes: Notes
) -> None:
    for hyperedge in element.children_named("hyperedge"):
        notes.add("edges of more than two nodes are left out", f"line {hyperedge.line}")
    for edge in element.children_named("edge"):
        ends = edge.get("source"), edge.get("target")
        unknown = [end for end in ends if end not in graph.nodes]
        for end in unknown:
            faults.add(edge.line, "unknown_processor", f"there is no node {end[:80]!r}")
        if unknown:
            continue
        told = edge.get("directed")
        if told and (told == "true") != graph.directed:
            faults.add(
                edge.line,
                "mixed_directions",
                "some edges are directed and some are not: write two edges for one that is not",
            )
            continue
        attributes = {**edge.attributes, **_attributes(edge, keys, "edge")}
        from_edge = {k: v for k, v in attributes.items() if k not in ("source", "target", "id")}
        graph.edges.append(GraphEdge(*ends, from_edge, edge.line))


def _attributes(element: XMLNode, keys: Mapping[str, _Key], of: str) -> dict[str, str]:
    found = {
        key.name: key.default
        for key in keys.values()
        if key.default is not None and key.of in (of, "all")
    }
    for data in element.children_named("data"):
        key = keys.get(data.get("key"))
        found[key.name if key is not None else data.get("key")] = data.text
    return found
