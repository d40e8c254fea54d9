"""Which processors and resources are distinguished by nothing but their names."""

from collections.abc import Hashable

from steadygrid.domain.twins import twin_classes
from steadygrid.report.report import Report


class Alike:
    """Who stands for whom: interchangeable processors, and the media that only they use.

    Those that the kind itself folds (`View.classes`), and those that neither the platform nor their
    roles tell apart, as far as that can be seen. A processor without a speed may have times of its own for
    tasks, which a view does not tell, so only its kind can say that it is like others.
    """

    def __init__(self, report: Report) -> None:
        self._first: dict[str, str] = {}
        self._media: dict[str, str] = {}
        platform = report.platform
        if platform is None:
            return
        roles = report.view.roles
        own = [
            (
                i if processor.time_per_work is None else processor.time_per_work,
                roles.get(processor.id),
            )
            for i, processor in enumerate(platform.processors)
        ]
        for found in twin_classes(platform, report.ports, own, fixed_routes=True):
            names = [platform.processors[i].id for i in found.members]
            self._first |= dict.fromkeys(names, names[0])
            for media in zip(*found.media, strict=True):
                alike = [platform.media[i].id for i in media]
                self._media |= dict.fromkeys(alike, alike[0])
        for members in report.view.classes:
            self._first |= dict.fromkeys(members, members[0])

    def of_processor(self, processor: str) -> str:
        """Name the processor that stands for this one."""
        return self._first.get(processor, processor)

    def of_resource(self, resource: str) -> Hashable:
        """Name the resource that stands for this one."""
        stem, _, sort = resource.rpartition(".")
        if sort == "medium":
            return self._media.get(stem, stem), sort
        owner, *others = stem.split("->" if sort == "link" else "--")
        if sort not in ("send", "receive"):  # After these come cards, and no processors.
            others = [self.of_processor(other) for other in others]
        return self.of_processor(owner), *others, sort
