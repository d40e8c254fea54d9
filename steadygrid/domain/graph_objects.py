"""What platforms and applications share: where they come from, and how they are shown."""

import os
from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform_builder import ApplicationBuilder, PlatformBuilder
from steadygrid.domain.showing import shown_line
from steadygrid.domain.text import Frozen

_READING = "steadygrid.reading"
"""It is above this layer, and loaded only where one of the constructors is called."""
_GRAPHS = "steadygrid.formats.graphs.written"
_EXPORTS = "steadygrid.submissions.exports"
MOST_SHOWN = 10
"""Rows of each table of a platform or an application in a notebook."""


class ShownGraph(Frozen):
    """An object with a name and lists, which is shown in one line."""

    counted: ClassVar[tuple[tuple[str, str, str], ...]] = ()
    """Member, one of it, several of it."""

    def __repr__(self) -> str:
        counts = [
            f"{len(listed):,} {one if len(listed) == 1 else several}"
            for member, one, several in self.counted
            if (listed := getattr(self, member)) or member == self.counted[0][0]
        ]
        name = getattr(self, "name", None)
        told = "" if name is None else f"{name[:80]!r}: "
        return shown_line(type(self).__name__, f"{told}{', '.join(counts)}")

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        tables = [_table(several, getattr(self, member)) for member, _, several in self.counted]
        return f"<p>{escape(repr(self))}</p>{''.join(tables)}"

    def to_json(self) -> str:
        """Write it as one JSON document, which `read` reads."""
        folded: str = import_module("steadygrid.documents").folded_json(
            self.model_dump(mode="json", exclude_defaults=True)
        )
        return folded + "\n"


def _table(title: str, rows: Sequence[Frozen]) -> str:
    documents = [row.model_dump(mode="json", exclude_defaults=True) for row in rows[:MOST_SHOWN]]
    names = list(dict.fromkeys(name for document in documents for name in document))
    if not documents:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(row.get(name, '')))}</td>" for name in names) + "</tr>"
        for row in documents
    )
    rest = len(rows) - len(documents)
    more = f"<p>{rest:,} more</p>" if rest else ""
    caption = f"<caption>{title}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class NetworkGraph(ShownGraph):
    """Base of the platform, which a graph can be made into."""

    counted: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("processors", "processor", "processors"),
        ("links", "link", "links"),
        ("media", "medium", "media"),
        ("routes", "route", "routes"),
    )

    @classmethod
    def build(cls, name: str | None = None) -> PlatformBuilder:
        """Begin a platform that is put together part by part.

        Parameters
        ----------
        name
            Of the platform.
        """
        return PlatformBuilder(name)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        format: str | None = None,
        limits: Limits | None = None,
        **parameters: str | int | bool,
    ) -> Self:
        """Read a platform from files, as `read_platform` does. See there."""
        made = import_module(_READING).read_platform(
            path, format=format, limits=limits, **parameters
        )
        return cast("Self", made)

    def export(self, format: str, path: str | os.PathLike[str] | None = None) -> str:
        """Write it in a foreign format.

        Parameters
        ----------
        format
            ``"graphml"`` or ``"simgrid"``.
        path
            Where to write it, too. None: nowhere.

        Returns
        -------
        str
            What is written.

        Raises
        ------
        InstanceError
            ``unknown_format``, or ``not_in_format`` with what the format cannot say.
        """
        text: str = import_module(_EXPORTS).write_platform(format, self).text
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_networkx(self) -> Any:
        """Make a graph of networkx, which `from_networkx` reads.

        It is directed where a link is simplex. Speeds, bandwidths and latencies are exact.

        Raises
        ------
        InstanceError
            ``not_in_format``, if it has what a graph cannot say, such as media and half-duplex
            links.
        """
        return import_module(_GRAPHS).object_of_platform(self)

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


class TaskGraph(ShownGraph):
    """Base of the application, which a directed graph can be made into."""

    counted: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("tasks", "task", "tasks"),
        ("files", "file", "files"),
    )

    @classmethod
    def build(cls, name: str | None = None) -> ApplicationBuilder:
        """Begin an application that is put together part by part.

        Parameters
        ----------
        name
            Of the application.
        """
        return ApplicationBuilder(name)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        limits: Limits | None = None,
        **parameters: str | int | bool,
    ) -> Self:
        """Read an application from a file, as `read_application` does. See there."""
        made = import_module(_READING).read_application(
            path, format=format, limits=limits, **parameters
        )
        return cast("Self", made)

    def to_networkx(self) -> Any:
        """Make a directed graph of networkx, which `from_networkx` reads.

        Raises
        ------
        InstanceError
            ``not_in_format``, if it has what a graph cannot say, such as times by processor.
        """
        return import_module(_GRAPHS).object_of_application(self)

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
