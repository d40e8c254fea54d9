"""The picture of a platform in a page: drawn by the server, marked by what the address names."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from app.http.refusals import refused_parameter
from steadygrid.domain.platform import Platform
from steadygrid.pictures.asking import HOPS
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.picture import Neighbourhood
from steadygrid.pictures.platform import (
    answer_scene,
    answer_sentence,
    platform_scene,
    platform_sentence,
    require_processor,
)
from steadygrid.pictures.platform_scene import Scene
from steadygrid.pictures.svg import Heading, PageBrush, page_svg
from steadygrid.report.report import Report
from steadygrid.report.resources import ResourceList

MOST_ALONE = 6
"""Boxes in a row of a platform that has a page of its own."""


class Extent(NamedTuple):
    """How much of a platform a picture shows.

    Attributes
    ----------
    near
        The part; None: all of it.
    query
        Gives the address of the page with another part.
    """

    near: Neighbourhood | None
    query: Callable[[Neighbourhood | None], str]

    @property
    def hops(self) -> Mapping[int, str]:
        """Addresses of the parts around the same processor, by their size."""
        if self.near is None:
            return {}
        around, least, most = self.near.around, *HOPS
        return {n: self.query(Neighbourhood(around, n)) for n in range(least, most + 1)}

    @property
    def whole(self) -> str:
        """The address of the page with all of it."""
        return self.query(None)

    @property
    def file(self) -> str:
        """The query of the same picture as a file."""
        near = self.near
        return "" if near is None else f"?{urlencode({'around': near.around, 'hops': near.hops})}"


class PlatformFigure(NamedTuple):
    """A picture as the page has it.

    Attributes
    ----------
    svg
        The drawing, as markup: the writer escapes all that is not its own. Its colours are those
        of the page.
    says
        How large the platform is, and how much of it is used.
    keys
        Those of the resources whose indices are in the page, as JSON.
    places
        Their indices.
    limits, alike
        Whether anything in it limits, and whether a box stands for several: for the legend.
    extent
        How much of the platform it shows.
    """

    svg: str
    says: str
    keys: str
    places: Mapping[str, int]
    limits: bool
    alike: bool
    extent: Extent


ALL = Extent(None, lambda _near: "")
"""Of a page that has no other."""


def job_figure(
    report: Report,
    listed: ResourceList,
    rows: Sequence[str],
    chosen: str | None,
    href: Callable[[str], str] | None,
    extent: Extent = ALL,
) -> PlatformFigure | None:
    """Draw the platform of an answer. None for a kind without.

    Parameters
    ----------
    report
        The answer, and what was asked.
    listed
        Its resources.
    rows
        Keys of those that the page has rows for, in their order.
    chosen
        Key of the resource that is open.
    href
        Gives the address that opens a resource, by its key. None: nothing can be opened.
    extent
        How much of the platform is drawn.

    Raises
    ------
    Refusal
        ``invalid_request`` where the platform has no processor in the middle of its part.
    """
    platform, near = report.platform, extent.near
    if platform is None:
        return None
    _require(platform, near)
    scene = answer_scene(report, listed, near=near)
    # Those of the picture first: opening a row may add one at the end.
    keys = list(dict.fromkeys([*_keys(scene), *rows]))
    places = {key: place for place, key in enumerate(keys)}
    brush = PageBrush(places.get, href, chosen)
    drawn = page_svg(scene, brush, Heading("The platform"))
    return _figure(scene, drawn, answer_sentence(report, near), places, extent)


def alone_figure(platform: Platform, extent: Extent) -> PlatformFigure:
    """Draw a platform by itself.

    Parameters
    ----------
    platform
        Its processors, links and media.
    extent
        How much of the platform is drawn.

    Raises
    ------
    Refusal
        ``invalid_request`` where the platform has no processor in the middle of its part.
    """
    near = extent.near
    _require(platform, near)
    scene = platform_scene(platform, MOST_ALONE, near)
    drawn = page_svg(scene, PageBrush(lambda _key: None), Heading("The platform"))
    says = "" if near is None else platform_sentence(platform, near)
    return _figure(scene, drawn, says, {}, extent)


def _require(platform: Platform, near: Neighbourhood | None) -> None:
    try:
        require_processor(platform, near)
    except UnfitPicture as error:
        (fault,) = error.faults
        raise refused_parameter("around", fault.code, fault.detail) from None


def _figure(
    scene: Scene, drawn: str, says: str, places: Mapping[str, int], extent: Extent
) -> PlatformFigure:
    limits = any(box.words.limits for box in scene.boxes)
    limits = limits or any(line.limits for line in scene.lines if line is not None)
    alike = any(box.alike for box in scene.boxes)
    return PlatformFigure(drawn, says, json.dumps([*places]), places, limits, alike, extent)


def _keys(scene: Scene) -> list[str]:
    """List what is drawn. What is only counted has rows or nothing."""
    boxes = [key for box in scene.boxes if box.kind != "chip" for key in box.keys]
    return [*boxes, *(key for line in scene.lines if line is not None for key in line.keys)]
