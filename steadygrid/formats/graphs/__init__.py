"""Graphs in GraphML, DOT, node-link JSON and SAGA's JSON: platforms, or applications if directed.

What becomes of what:

=============== ==================================== ======================================
Graph           platform                             application
=============== ==================================== ======================================
node            processor; without a speed it        task; its work is ``work``, ``cost`` or
                forwards only                        ``weight`` (in DOT also ``size``)
edge            link; full duplex where edges have   file; ``size``, ``data`` or ``weight``
                no direction
two directions  one link where they are equal        a cycle, which is refused
parallel edges  one link of all bandwidths together  one file of all sizes together
self-loop       left out                             refused
=============== ==================================== ======================================

Files of the Topology Zoo name nodes by ``label``, and ``LinkSpeedRaw`` is in bits per second.
"""

import re
from collections.abc import Mapping
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.formats.graphs.dot import looks_directed, looks_like_dot
from steadygrid.formats.importer import Imported, Importer, Noun, check_parameters, later
from steadygrid.formats.sniffing import has_lists, has_root, json_members

_OF_PLATFORMS = {
    "name": "the platform's name (default: the document's)",
    "bandwidth": "bandwidth of edges that have none, such as 10Gbit/s (default: they are refused)",
    "speed": "speed of nodes that have none, such as 2Gflop/s (default: they forward only)",
    "bandwidth_attribute": (
        "the attribute of edges that is their bandwidth (default: bandwidth, capacity, LinkSpeedRaw,"
        " or weight)"
    ),
    "speed_attribute": "the attribute of nodes that is their speed (default: speed, or weight)",
    "bandwidth_unit": "unit of bandwidths that have none, such as Gbit/s (default: none)",
    "latency_unit": "unit of latencies that have none, such as ms (default: none)",
    "speed_unit": "unit of speeds that have none, such as Gflop/s (default: none)",
}
_OF_APPLICATIONS = {
    "name": "the application's name (default: the document's)",
    "work": "work of tasks that have none, such as 1Gflop (default: they are refused)",
    "size": "size of files that have none, such as 25MB (default: 0, with a warning)",
    "work_attribute": "the attribute of nodes that is their work (default: work, cost, or weight)",
    "size_attribute": "the attribute of edges that is their size (default: size, data, or weight)",
}
_CONVERSION = "steadygrid.formats.graphs.conversion"
_DIRECTED = re.compile(rb"edgedefault\s*=\s*[\"']directed", re.ASCII)
_is_graphml = has_root("graphml")
_is_saga_network = has_lists("nodes", "edges", without=("directed", "links", "processors"))


def _is_directed_graphml(data: bytes) -> bool:
    return _is_graphml(data) and _DIRECTED.search(data) is not None


def _is_node_link(data: bytes) -> bool:
    members = json_members(data)
    return members.get("nodes") is list and (
        members.get("links") is list or (members.get("edges") is list and "directed" in members)
    )


def _is_directed_node_link(data: bytes) -> bool:
    return _is_node_link(data) and json_members(data).get("directed") is True


_convert_object = later(f"{_CONVERSION}:read_object")


def read_object(noun: Noun, graph: Any, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Make a platform or an application of a graph of networkx.

    Parameters
    ----------
    noun
        What it is to be.
    graph
        Of networkx, or built alike.
    parameters
        Those of the formats of graphs.
    limits
        How large it may be.
    """
    known = _OF_PLATFORMS if noun == "platform" else _OF_APPLICATIONS
    check_parameters("a graph", known, parameters)
    found: Imported = _convert_object(noun, graph, parameters, limits)
    return found


PLATFORMS = (
    Importer(
        noun="platform",
        name="graphml",
        content_type="application/graphml+xml",
        title="GraphML",
        suffixes=(".graphml",),
        root="graphml",
        convert=later(f"{_CONVERSION}:platform_of_graphml"),
        sniff=_is_graphml,
        parameters=_OF_PLATFORMS,
    ),
    Importer(
        noun="platform",
        name="dot",
        content_type="text/vnd.graphviz",
        title="DOT",
        suffixes=(".dot", ".gv"),
        convert=later(f"{_CONVERSION}:platform_of_dot"),
        sniff=looks_like_dot,
        parameters=_OF_PLATFORMS,
    ),
    Importer(
        noun="platform",
        name="node_link",
        content_type="application/node-link+json",
        title="node-link JSON",
        suffixes=(),
        member="nodes",
        convert=later(f"{_CONVERSION}:platform_of_node_link"),
        sniff=_is_node_link,
        parameters=_OF_PLATFORMS,
    ),
    Importer(
        noun="platform",
        name="saga",
        content_type="application/saga+json",
        title="a network of SAGA",
        suffixes=(),
        member="nodes",
        convert=later(f"{_CONVERSION}:platform_of_saga"),
        sniff=_is_saga_network,
        parameters=_OF_PLATFORMS,
    ),
)
APPLICATIONS = (
    Importer(
        noun="application",
        name="graphml",
        content_type="application/graphml+xml",
        title="GraphML",
        suffixes=(".graphml",),
        root="graphml",
        convert=later(f"{_CONVERSION}:application_of_graphml"),
        sniff=_is_directed_graphml,
        parameters=_OF_APPLICATIONS,
    ),
    Importer(
        noun="application",
        name="dot",
        content_type="text/vnd.graphviz",
        title="DOT, as DagGen writes it",
        suffixes=(".dot", ".gv"),
        convert=later(f"{_CONVERSION}:application_of_dot"),
        sniff=looks_directed,
        parameters=_OF_APPLICATIONS,
    ),
    Importer(
        noun="application",
        name="node_link",
        content_type="application/node-link+json",
        title="node-link JSON",
        suffixes=(),
        member="nodes",
        convert=later(f"{_CONVERSION}:application_of_node_link"),
        sniff=_is_directed_node_link,
        parameters=_OF_APPLICATIONS,
    ),
    Importer(
        noun="application",
        name="saga",
        content_type="application/saga+json",
        title="a task graph of SAGA",
        suffixes=(),
        member="dependencies",
        convert=later(f"{_CONVERSION}:application_of_saga"),
        sniff=has_lists("tasks", "dependencies", without=("files",)),
        parameters=_OF_APPLICATIONS,
    ),
)
