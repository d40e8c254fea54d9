"""The networks and task graphs of SAGA (anrg-saga), as JSON, to graphs."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import limit_error, refused
from steadygrid.formats.graphs.graph import Graph
from steadygrid.formats.graphs.node_link import graph_of_document


def read_saga_network(data: bytes, limits: Limits) -> Graph:
    """Read a network: nodes with a speed, and edges with a speed that join all of them.

    Parameters
    ----------
    data
        A JSON object with ``nodes`` and ``edges``; older files have ``weight`` for ``speed``.
    limits
        `max_body_bytes`.
    """
    document = _object(data, limits)
    graph = graph_of_document(document)
    graph.directed = False
    return graph


def read_saga_application(data: bytes, limits: Limits) -> Graph:
    """Read a task graph: tasks with a cost, and dependencies with a size.

    Parameters
    ----------
    data
        A JSON object with ``tasks`` and ``dependencies``; older files are node-link JSON.
    limits
        `max_body_bytes`.
    """
    document = _object(data, limits)
    if "tasks" in document:
        document = {
            "nodes": document["tasks"],
            "edges": document.get("dependencies", []),
            "name": document.get("name"),
        }
    graph = graph_of_document(document)
    graph.directed = True
    return graph


def _object(data: bytes, limits: Limits) -> Mapping[str, Any]:
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise refused((), "malformed_json", str(error)) from None
    if not isinstance(document, dict):
        raise refused((), "invalid_type", "expected a JSON object")
    return document
