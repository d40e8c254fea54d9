"""Platforms and applications to graphs: objects of networkx, and GraphML."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from steadygrid.domain.application import Application
from steadygrid.domain.platform import Link, Platform
from steadygrid.formats.exporter import Exported
from steadygrid.formats.fault_list import refused

_NOT_SAID = "is not said by a graph: write the platform with to_json"


class WrittenEdge(NamedTuple):
    """An edge of a platform's graph."""

    source: str
    target: str
    attributes: dict[str, Any]


def object_of_platform(platform: Platform) -> Any:
    """Make a graph of networkx of a platform.

    Parameters
    ----------
    platform
        Without what a graph cannot say.

    Raises
    ------
    InstanceError
        ``not_in_format``: it has something that a graph cannot say.
    """
    check_sayable(platform)
    directed = is_directed(platform)
    graph = _made(directed, platform.name)
    graph.graph.update(unit_labels(platform))
    for processor in platform.processors:
        graph.add_node(processor.id, **node_attributes(platform, processor.id))
    for edge in edges_of(platform, directed=directed):
        graph.add_edge(edge.source, edge.target, **edge.attributes)
    return graph


def object_of_application(application: Application) -> Any:
    """Make a directed graph of networkx of an application.

    Parameters
    ----------
    application
        All its tasks have work.

    Raises
    ------
    InstanceError
        ``not_in_format``: it has something that a graph cannot say.
    """
    for task in application.tasks:
        if task.work is None or task.allowed is not None or task.memory is not None:
            raise _not_in_format(
                f"task {task.id!r} has times, allowed processors or memory, which no graph says:"
                " write the application with to_json"
            )
    graph = _made(True, application.name)
    for task in application.tasks:
        graph.add_node(task.id, work=task.work)
    for file in application.files:
        graph.add_edge(file.source, file.target, size=file.size)
    return graph


def _made(directed: bool, name: str | None) -> Any:
    networkx = import_module("networkx")
    about = {} if name is None else {"name": name}
    return (networkx.DiGraph if directed else networkx.Graph)(**about)


def check_sayable(platform: Platform) -> None:
    """Refuse what a graph cannot say of a platform.

    Raises
    ------
    InstanceError
        ``not_in_format``, with the first such thing.
    """
    for reason in _not_said(platform):
        raise _not_in_format(f"{reason} {_NOT_SAID}")


def _not_said(platform: Platform) -> Iterator[str]:
    if platform.media or platform.routes:
        yield "a medium or a route"
    for processor in platform.processors:
        said = processor.model_dump(exclude_defaults=True).keys()
        if rest := sorted(said - {"id", "speed", "unit_time", "switch"}):
            yield f"{rest[0]} of processor {processor.id!r}"
        if processor.switch and said & {"speed", "unit_time"}:
            yield f"the speed of switch {processor.id!r}"
    for link in platform.links:
        said = link.model_dump(exclude_defaults=True).keys()
        if rest := sorted(said & {"media", "source_card", "target_card"}):
            yield f"{rest[0]} of the link from {link.source!r} to {link.target!r}"
        if link.duplex == "half":
            yield f"half duplex of the link from {link.source!r} to {link.target!r}"


def _not_in_format(detail: str) -> Exception:
    return refused("", "not_in_format", detail)


def unit_labels(platform: Platform) -> dict[str, str]:
    """Give the labels of a platform's units as attributes of its graph.

    Parameters
    ----------
    platform
        Any.
    """
    given = {} if platform.units is None else platform.units.model_dump(exclude_none=True)
    return {f"{name}_unit": label for name, label in given.items()}


def is_directed(platform: Platform) -> bool:
    """Say whether a platform has links of one direction.

    Parameters
    ----------
    platform
        Any.
    """
    return any(link.duplex == "simplex" for link in platform.links)


def node_attributes(platform: Platform, processor: str) -> dict[str, Any]:
    """Give what a graph says of a processor.

    Parameters
    ----------
    platform, processor
        The id is one of the platform's.
    """
    one = platform.processors[platform.index_by_id[processor]]
    if one.switch:
        return {"switch": True}
    time = one.time_per_work
    return {} if time is None else {"speed": 1 / time}


def edges_of(platform: Platform, *, directed: bool) -> Iterator[WrittenEdge]:
    """Give the edges of a platform's graph.

    Parameters
    ----------
    platform
        Which `check_sayable` lets pass.
    directed
        Whether a full-duplex link has an edge for each direction.
    """
    for link in platform.links:
        attributes = _edge_attributes(link)
        yield WrittenEdge(link.source, link.target, attributes)
        if directed and link.duplex == "full":
            yield WrittenEdge(link.target, link.source, dict(attributes))


def _edge_attributes(link: Link) -> dict[str, Any]:
    time = link.unit_time
    bandwidth = link.bandwidth if time is None else 1 / time
    latency = {"latency": link.latency} if link.latency else {}
    return {"bandwidth": bandwidth, **latency}


def write_graphml(platform: Platform) -> Exported:
    """Write a platform in GraphML.

    Parameters
    ----------
    platform
        Without what a graph cannot say.

    Raises
    ------
    InstanceError
        ``not_in_format``: it has something that a graph cannot say.
    """
    check_sayable(platform)
    return Exported(graphml_text(platform, {}, {}), ())


def graphml_text(
    platform: Platform,
    of_nodes: Mapping[str, Mapping[str, Fraction]],
    of_edges: Mapping[tuple[str, str], Mapping[str, Fraction]],
) -> str:
    """Write a platform in GraphML; numbers are exact.

    Parameters
    ----------
    platform
        Which `check_sayable` lets pass.
    of_nodes, of_edges
        More attributes, by processor and by direction of a link. Where there are some of edges,
        the graph is directed.
    """
    directed = bool(of_edges) or is_directed(platform)
    nodes = [
        (one.id, {**node_attributes(platform, one.id), **of_nodes.get(one.id, {})})
        for one in platform.processors
    ]
    edges = [
        edge._replace(
            attributes={**edge.attributes, **of_edges.get((edge.source, edge.target), {})}
        )
        for edge in edges_of(platform, directed=directed)
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    for noun, parts in (("node", [a for _, a in nodes]), ("edge", [e.attributes for e in edges])):
        for name in dict.fromkeys(name for part in parts for name in part):
            kind = "boolean" if name == "switch" else "string"
            lines.append(
                f'  <key id="{noun}-{name}" for="{noun}" attr.name="{name}" attr.type="{kind}"/>'
            )
    labels = unit_labels(platform)
    lines += [
        f'  <key id="graph-{name}" for="graph" attr.name="{name}" attr.type="string"/>'
        for name in labels
    ]
    called = "" if platform.name is None else f" id={quoteattr(platform.name)}"
    direction = "directed" if directed else "undirected"
    lines.append(f'  <graph{called} edgedefault="{direction}">')
    lines += [line.removeprefix("  ") for line in _data("graph", labels)]
    for name, attributes in nodes:
        lines += [f"    <node id={quoteattr(name)}>", *_data("node", attributes), "    </node>"]
    for edge in edges:
        ends = f"source={quoteattr(edge.source)} target={quoteattr(edge.target)}"
        lines += [f"    <edge {ends}>", *_data("edge", edge.attributes), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _data(noun: str, attributes: Mapping[str, Any]) -> Iterator[str]:
    for name, value in attributes.items():
        text = "true" if value is True else str(value)
        yield f'      <data key="{noun}-{name}">{escape(text)}</data>'
