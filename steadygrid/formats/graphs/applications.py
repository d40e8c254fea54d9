"""A directed graph to an application: nodes are tasks, edges are files."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge, GraphNode
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import make_application
from steadygrid.formats.measures import SIZE, WORK, Measure, Unreadable, exact, parameter
from steadygrid.formats.simgrid.notes import Notes

WORKS = ("work", "cost", "weight")
SIZES = ("size", "data", "weight")
ALPHA = "alpha (Amdahl's law) is left out: a task runs on one processor"


def application_of_graph(
    graph: Graph,
    parameters: Mapping[str, str],
    limits: Limits,
    notes: Notes,
    works: Sequence[str] = WORKS,
) -> Imported:
    """Make an application of a graph.

    Parameters
    ----------
    graph
        Directed.
    parameters
        ``name``; ``work`` and ``size`` of what has none; ``work_attribute`` and
        ``size_attribute``.
    limits
        `max_tasks`, `max_files`.
    notes
        Gets what is left out or assumed.
    works
        Names of attributes that may be the work of a node, the first that is there.

    Raises
    ------
    InstanceError
        With every fault found; ``missing_parameter`` where nodes have no work.
    """
    if not graph.directed:
        raise refused(
            "", "not_directed", "an application is a directed graph: which task is before which?"
        )
    reader = _Reader(graph, parameters, notes, works)
    tasks, sizes = reader.tasks(), reader.sizes()
    reader.faults.stop()
    ids = usable_ids(graph.nodes, notes)
    application = make_application(
        parameters.get("name", graph.name),
        [{"id": ids[name], "work": work} for name, work in tasks.items()],
        [{"source": ids[a], "target": ids[b], "size": size} for (a, b), size in sizes.items()],
        limits,
    )
    return Imported(application, notes.sentences())


class _Reader:
    def __init__(
        self, graph: Graph, parameters: Mapping[str, str], notes: Notes, works: Sequence[str]
    ) -> None:
        self.faults = FaultList()
        self._graph = graph
        self._notes = notes
        own = parameters.get("work_attribute")
        self._works = (own,) if own else tuple(works)
        own = parameters.get("size_attribute")
        self._sizes = (own,) if own else SIZES
        self._default_work = parameter(parameters, "work", WORK)
        self._default_size = parameter(parameters, "size", SIZE)

    def tasks(self) -> dict[str, Fraction]:
        """Give the work of each task."""
        tasks: dict[str, Fraction] = {}
        missing: list[str] = []
        for node in self._graph.nodes.values():
            work = self._number(node, self._works, WORK)
            if work is None and self._default_work is not None:
                self._notes.add("tasks without work have the one that is said", node.name)
                work = self._default_work.value
            if work is None:
                missing.append(node.name)
            else:
                tasks[node.name] = work
            if "alpha" in node.attributes:
                self._notes.say(ALPHA)
        if missing:
            raise refused(
                "work",
                "missing_parameter",
                f"{len(missing):,} of {len(self._graph.nodes):,} tasks have no work"
                f" ({', '.join(self._works)}), such as {missing[0][:80]!r}: say work, such as 1 Gflop",
            )
        return tasks

    def sizes(self) -> dict[tuple[str, str], Fraction]:
        """Give the size of the file from one task to another."""
        sizes: dict[tuple[str, str], Fraction] = {}
        missing = 0
        for edge in self._graph.edges:
            size = self._number(edge, self._sizes, SIZE)
            if size is None:
                missing += 1
                size = self._default_size.value if self._default_size else Fraction(0)
            pair = edge.source, edge.target
            if pair in sizes:
                self._notes.add("parallel edges are added up", f"{pair[0]} to {pair[1]}")
            sizes[pair] = sizes.get(pair, Fraction(0)) + size
        if missing and self._default_size is not None:
            self._notes.say(f"edges without a size have the one that is said: {missing:,}")
        elif missing:
            self._notes.say(f"edges without a size have size 0: {missing:,}. Say size")
        return sizes

    def _number(
        self, part: GraphNode | GraphEdge, names: Sequence[str], measure: Measure
    ) -> Fraction | None:
        for name in names:
            value: Any = part.attributes.get(name)
            if value is None or (isinstance(value, str) and not value.strip()):
                continue
            if name == "weight":
                self._notes.say(f"weight is read as {measure.noun}")
            try:
                return exact(value)
            except Unreadable as error:
                self.faults.add(part.place, error.code, str(error))
                return Fraction(0)
        return None
