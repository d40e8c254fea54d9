"""Node-link JSON, as networkx and d3 write it, to a graph."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, limit_error, refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge


def read_node_link(data: bytes, limits: Limits) -> Graph:
    """Read a document.

    Parameters
    ----------
    data
        A JSON object with ``nodes``, and ``links`` or ``edges``.
    limits
        `max_body_bytes`.

    Raises
    ------
    InstanceError
        With every fault found; pointers walk the document.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise refused((), "malformed_json", str(error)) from None
    if not isinstance(document, dict):
        raise refused((), "invalid_type", "expected a JSON object with nodes and links")
    return graph_of_document(document)


def graph_of_document(document: Mapping[str, Any]) -> Graph:
    """Read a document that JSON has been read of.

    Parameters
    ----------
    document
        The object.
    """
    links = "links" if "links" in document else "edges"
    for member in ("nodes", links):
        if not isinstance(document.get(member), list):
            code = "invalid_type" if member in document else "missing"
            raise refused((member,), code, "expected a list")
    faults = FaultList()
    about = document.get("graph")
    name = about.get("name") if isinstance(about, dict) else document.get("name")
    graph = Graph(document.get("directed") is True, name if isinstance(name, str) else None)
    for i, node in enumerate(document["nodes"]):
        _take_node(graph, node, i, faults)
    for i, edge in enumerate(document[links]):
        if not isinstance(edge, dict):
            faults.add((links, i), "invalid_type", "expected an object with source and target")
            continue
        ends = []
        for end in ("source", "target"):
            name = _text(edge.get(end))
            if name is None or name not in graph.nodes:
                detail = f"there is no node {str(edge.get(end))[:80]!r}"
                faults.add((links, i, end), "unknown_processor", detail)
            else:
                ends.append(name)
        if len(ends) == 2:
            source, target = ends
            rest = {k: v for k, v in edge.items() if k not in ("source", "target", "key")}
            graph.edges.append(GraphEdge(source, target, rest, (links, i)))
    faults.stop()
    return graph


def _take_node(graph: Graph, node: Any, i: int, faults: FaultList) -> None:
    name = _text(node.get("id", node.get("name"))) if isinstance(node, dict) else None
    if name is None:
        faults.add(("nodes", i), "missing", "expected an object with an id: text or a number")
    elif name in graph.nodes:
        detail = f"node {name[:80]!r} is given twice: delete one"
        faults.add(("nodes", i, "id"), "duplicate_processor", detail)
    else:
        graph.add_node(name, {k: v for k, v in node.items() if k != "id"}, ("nodes", i))


def _text(value: Any) -> str | None:
    """Give the name of a node; lists are those of grids in networkx."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value:
        return "(" + ", ".join(str(part)[:80] for part in value) + ")"
    return None
