"""Platforms and applications, put together part by part."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from steadygrid.domain.application import Application
    from steadygrid.domain.platform import Platform

_READING = "steadygrid.reading"
"""It is above this layer, and loaded only where something is put together."""
Parts = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class PlatformBuilder:
    """The parts of a platform. Each method gives a new builder.

    Numbers may be integers, fractions, decimals, floats (read as they are written) and strings. What
    is wrong is reported by `done`.
    """

    name: str | None = None
    labels: dict[str, str] | None = None
    processors: Parts = ()
    links: Parts = ()
    media: Parts = ()
    routes: Parts = ()

    def units(self, **labels: str) -> "PlatformBuilder":
        """Label the units.

        Parameters
        ----------
        **labels
            ``time``, ``data`` and ``work``.
        """
        return replace(self, labels=labels)

    def processor(self, id: str, **members: Any) -> "PlatformBuilder":
        """Add a processor; without a speed it only forwards.

        Parameters
        ----------
        id
            Its name.
        **members
            ``speed`` or ``unit_time``, and the other members of a processor.
        """
        return replace(self, processors=(*self.processors, {"id": id, **members}))

    def switch(self, id: str) -> "PlatformBuilder":
        """Add a switch, which forwards without limits of its own.

        Parameters
        ----------
        id
            Its name.
        """
        return self.processor(id, switch=True)

    def link(self, source: str, target: str, **members: Any) -> "PlatformBuilder":
        """Add a link.

        Parameters
        ----------
        source, target
            Ids of its ends.
        **members
            ``bandwidth`` or ``unit_time``, and the other members of a link.
        """
        link = {"source": source, "target": target, **members}
        return replace(self, links=(*self.links, link))

    def medium(self, id: str, bandwidth: Any) -> "PlatformBuilder":
        """Add a medium, which links share that name it in ``media``.

        Parameters
        ----------
        id
            Its name.
        bandwidth
            Data per time unit.
        """
        return replace(self, media=(*self.media, {"id": id, "bandwidth": bandwidth}))

    def route(self, source: str, target: str, via: Iterable[str] = ()) -> "PlatformBuilder":
        """Add a directed route.

        Parameters
        ----------
        source, target
            Ids of its ends.
        via
            Ids of the processors between them, in order.
        """
        route = {"source": source, "target": target, "via": list(via)}
        return replace(self, routes=(*self.routes, route))

    def done(self) -> "Platform":
        """Give the platform.

        Raises
        ------
        InstanceError
            With every fault found.
        """
        document = {
            "name": self.name,
            "units": self.labels,
            "processors": self.processors,
            "links": self.links,
            "media": self.media,
            "routes": self.routes,
        }
        return cast("Platform", import_module(_READING).platform_of_document(document))


@dataclass(frozen=True)
class ApplicationBuilder:
    """The parts of an application. Each method gives a new builder."""

    name: str | None = None
    tasks: Parts = ()
    files: Parts = ()

    def task(self, id: str, **members: Any) -> "ApplicationBuilder":
        """Add a task.

        Parameters
        ----------
        id
            Its name.
        **members
            ``work`` or ``times``, and the other members of a task.
        """
        return replace(self, tasks=(*self.tasks, {"id": id, **members}))

    def file(self, source: str, target: str, size: Any) -> "ApplicationBuilder":
        """Add a file, which one task makes and another needs.

        Parameters
        ----------
        source, target
            Ids of the tasks.
        size
            How much data it is.
        """
        file = {"source": source, "target": target, "size": size}
        return replace(self, files=(*self.files, file))

    def done(self) -> "Application":
        """Give the application.

        Raises
        ------
        InstanceError
            With every fault found.
        """
        document = {"name": self.name, "tasks": self.tasks, "files": self.files}
        return cast("Application", import_module(_READING).application_of_document(document))
