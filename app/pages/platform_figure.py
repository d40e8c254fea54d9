"""The picture of a platform in a page: drawn by the server, marked by what the address names."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from steadygrid.domain.platform import Platform
from steadygrid.pictures.platform import answer_scene, answer_sentence, platform_scene
from steadygrid.pictures.platform_scene import Scene
from steadygrid.pictures.svg import Heading, PageBrush, page_svg
from steadygrid.report.report import Report
from steadygrid.report.resources import ResourceList

MOST_ALONE = 6
"""Boxes in a row of a platform that has a page of its own."""


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
    """

    svg: str
    says: str
    keys: str
    places: Mapping[str, int]
    limits: bool
    alike: bool


def job_figure(
    report: Report,
    listed: ResourceList,
    rows: Sequence[str],
    chosen: str | None,
    href: Callable[[str], str] | None,
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
    """
    if report.platform is None:
        return None
    scene = answer_scene(report, listed)
    # Those of the picture first: opening a row may add one at the end.
    keys = list(dict.fromkeys([*_keys(scene), *rows]))
    places = {key: place for place, key in enumerate(keys)}
    brush = PageBrush(places.get, href, chosen)
    drawn = page_svg(scene, brush, Heading("The platform"))
    return _figure(scene, drawn, answer_sentence(report), places)


def alone_figure(platform: Platform) -> PlatformFigure:
    """Draw a platform by itself."""
    scene = platform_scene(platform, MOST_ALONE)
    drawn = page_svg(scene, PageBrush(lambda _key: None), Heading("The platform"))
    return _figure(scene, drawn, "", {})


def _figure(scene: Scene, drawn: str, says: str, places: Mapping[str, int]) -> PlatformFigure:
    limits = any(box.words.limits for box in scene.boxes)
    limits = limits or any(line.limits for line in scene.lines if line is not None)
    alike = any(box.alike for box in scene.boxes)
    return PlatformFigure(drawn, says, json.dumps([*places]), places, limits, alike)


def _keys(scene: Scene) -> list[str]:
    """List what is drawn. What is only counted has rows or nothing."""
    boxes = [key for box in scene.boxes if box.kind != "chip" for key in box.keys]
    return [*boxes, *(key for line in scene.lines if line is not None for key in line.keys)]
