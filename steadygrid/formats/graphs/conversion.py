"""GraphML, DOT, node-link JSON and SAGA to platforms and applications."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.formats.graphs.applications import WORKS, application_of_graph
from steadygrid.formats.graphs.dot import read_dot
from steadygrid.formats.graphs.graphml import read_graphml
from steadygrid.formats.graphs.node_link import read_node_link
from steadygrid.formats.graphs.objects import graph_of_object
from steadygrid.formats.graphs.platforms import platform_of_graph
from steadygrid.formats.graphs.saga import read_saga_application, read_saga_network
from steadygrid.formats.importer import Imported, Noun
from steadygrid.formats.simgrid.notes import Notes

Parameters = Mapping[str, str]


def platform_of_graphml(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read a platform in GraphML. The parameters are those of `platform_of_graph`."""
    notes = Notes()
    return platform_of_graph(read_graphml(data, limits, notes), parameters, limits, notes)


def application_of_graphml(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read an application in GraphML. The parameters are those of `application_of_graph`."""
    notes = Notes()
    return application_of_graph(read_graphml(data, limits, notes), parameters, limits, notes)


def platform_of_dot(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read a platform in DOT. The parameters are those of `platform_of_graph`."""
    return platform_of_graph(read_dot(data, limits), parameters, limits, Notes())


def application_of_dot(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read an application in DOT, where ``size`` of a node is its work, as DagGen writes it."""
    notes, works = Notes(), (*WORKS, "size")
    return application_of_graph(read_dot(data, limits), parameters, limits, notes, works)


def platform_of_node_link(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read a platform in node-link JSON. The parameters are those of `platform_of_graph`."""
    return platform_of_graph(read_node_link(data, limits), parameters, limits, Notes())


def application_of_node_link(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read an application in node-link JSON. The parameters are those of `application_of_graph`."""
    return application_of_graph(read_node_link(data, limits), parameters, limits, Notes())


def platform_of_saga(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read a network of SAGA. The parameters are those of `platform_of_graph`."""
    notes, bandwidths = Notes(), ("bandwidth", "speed", "weight")
    graph = read_saga_network(data, limits)
    return platform_of_graph(graph, parameters, limits, notes, bandwidths)


def application_of_saga(data: bytes, parameters: Parameters, limits: Limits) -> Imported:
    """Read a task graph of SAGA. The parameters are those of `application_of_graph`."""
    return application_of_graph(read_saga_application(data, limits), parameters, limits, Notes())


def read_object(noun: Noun, given: Any, parameters: Parameters, limits: Limits) -> Imported:
    """Make a platform or an application of a graph of networkx.

    Parameters
    ----------
    noun
        What it is to be.
    given
        The graph.
    parameters
        Those of `platform_of_graph`, or of `application_of_graph`.
    limits
        How large it may be.
    """
    convert = platform_of_graph if noun == "platform" else application_of_graph
    return convert(graph_of_object(given), parameters, limits, Notes())
