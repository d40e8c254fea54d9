"""Pictures in Python: in a notebook, in files, or as a chart to change."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform
from steadygrid.pictures.asking import read_wanted
from steadygrid.pictures.drawing import Drawer
from steadygrid.pictures.drawing_process import NEEDED
from steadygrid.pictures.errors import (
    NoSuchPicture,
    PictureError,
    PicturesNotInstalled,
    picture_error,
)
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import FORMATS, PLATFORM, Format, Picture, PictureTable, Wanted
from steadygrid.pictures.rendering import compact_json, csv, html, specification_of, vega
from steadygrid.report.report import Report

SUFFIXES: dict[str, Format] = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".json": "vega",
    ".vl": "vega",
}
"""What a file's name says about its format."""
MOST_IN_NOTEBOOK = 2_000
"""Marks of a picture in a notebook, which keeps its rows."""
_FEWEST_CELLS = 100

DRAWER = Drawer()
"""Of this process. It starts when something is drawn."""
_BUNDLE: list[str] = []


class DrawnPicture:
    """A picture, as Vega-Lite, as SVG, PNG, PDF or HTML, and as an exact table.

    In a notebook it shows itself.

    Parameters
    ----------
    make
        Makes it as it is wanted.
    wanted
        How it is to be.

    Raises
    ------
    PicturesNotInstalled
        If Altair is not installed.
    UnfitPicture
        If it cannot be as it is wanted.
    """

    def __init__(self, make: Callable[[Wanted], Picture], wanted: Wanted) -> None:
        self._make = make
        self.wanted = wanted
        self.picture = _made(make, wanted)
        """What is drawn, as data."""

    def __repr__(self) -> str:
        return f"{self.title}: {self.description}"

    @property
    def title(self) -> str:
        """A few words."""
        return self.picture.title

    @property
    def description(self) -> str:
        """One or two sentences with the picture's numbers."""
        return self.picture.description

    @property
    def table(self) -> PictureTable:
        """What the picture shows, in exact numbers: ``columns``, ``rows``, ``csv()``."""
        return self.picture.table

    @property
    def vega(self) -> dict[str, Any]:
        """The specification with its data, as any Vega-Lite 6 draws it.

        Raises
        ------
        UnfitPicture
            If there is too much to draw. The table is all there is then.
        """
        return specification_of(self.picture)

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG."""
        return drawn(self.picture, "svg", self.wanted).decode()

    def png(self, scale: float | None = None) -> bytes:
        """Give the drawing as PNG.

        Parameters
        ----------
        scale
            Pixels for each of the drawing, 1 to 4. None: as wanted.
        """
        wanted = self.wanted if scale is None else replace(self.wanted, scale=_scale(scale))
        return drawn(self.picture, "png", wanted)

    @property
    def pdf(self) -> bytes:
        """The drawing as a PDF of one page, with its texts as text."""
        return drawn(self.picture, "pdf", self.wanted)

    @property
    def html(self) -> str:
        """A page that shows it with tooltips, without a network, and has the table."""
        return drawn(self.picture, "html", self.wanted).decode()

    def save(self, path: str | os.PathLike[str], format: Format | None = None) -> None:
        """Write it to a file, which is whole or is not there.

        Parameters
        ----------
        format
            ``svg``, ``png``, ``pdf``, ``html``, ``csv`` or ``vega`` (JSON). None: by the name of the file.

        Raises
        ------
        ValueError
            If the format cannot be told, or is none.
        OSError
            If the file cannot be written.
        """
        form = format_of(path) if format is None else format
        if form not in FORMATS:
            raise ValueError(f"{form!r} is no format. There are {', '.join(FORMATS)}")
        write_whole(Path(path), drawn(self.picture, form, self.wanted))

    def altair(self) -> Any:
        """Give the picture as a chart of Altair's, to be changed."""
        import altair as alt

        document = self.vega
        rows = document.pop("datasets")
        # Altair would look at every row, for seconds.
        chart = alt.Chart.from_dict(document)
        chart.datasets = rows
        return chart

    def _repr_mimebundle_(self, **_chosen: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        picture, wanted = self.picture, self.wanted
        while picture.marks > MOST_IN_NOTEBOOK and wanted.cells > _FEWEST_CELLS:
            wanted = replace(wanted, cells=max(_FEWEST_CELLS, wanted.cells // 2))
            picture = _made(self._make, wanted)
        if picture.svg is not None:
            bundle["image/svg+xml"] = picture.svg
        if picture.spec is None:
            return bundle
        bundle["text/plain"] = f"{picture.title}: {picture.description}"
        if picture.marks <= MOST_IN_NOTEBOOK:
            bundle["application/vnd.vegalite.v6+json"] = picture.vega
        with suppress(PictureError):  # What shows Vega-Lite needs no other drawing.
            bundle["image/svg+xml"] = drawn(picture, "svg", wanted).decode()
        return bundle


def picture_of_answer(report: Report, name: str, wanted: Wanted) -> DrawnPicture:
    """Give a picture of an answer.

    Parameters
    ----------
    report
        The answer, and what was asked.
    name
        Of the picture, as the gallery lists it.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    NoSuchPicture
        If the answer has none of this name. Those that it has are named.
    PicturesNotInstalled, UnfitPicture
        See `DrawnPicture`.
    """
    names = [entry.name for entry in entries_of(report)]
    if name not in names:
        meant = Known(names).nearest(name)
        has = f"It has {', '.join(names)}" if names else "It has none"
        hint = "." if meant is None else f". Did you mean {meant!r}?"
        raise picture_error(NoSuchPicture.code, f"This answer has no picture {name!r}. {has}{hint}")
    return DrawnPicture(lambda wanted: picture_of(report, name, wanted), wanted)


def picture_of_platform(platform: Platform, **wanted: Any) -> DrawnPicture:
    """Draw a platform: processors, links and media.

    Parameters
    ----------
    **wanted
        ``theme`` (``"light"`` or ``"dark"``), ``width`` (pixels, 320 to 4,000), ``scale`` (of a PNG,
        1 to 4), ``around`` (a processor: only what is near it is drawn), ``hops`` (with ``around``:
        links from there, 1 to 3).

    Raises
    ------
    PicturesNotInstalled
        Without ``pip install 'steadygrid[pictures]'``.
    UnfitPicture
        If it cannot be as it is wanted.
    """
    return drawing_of_platform(platform, read_wanted(wanted, PLATFORM))


def drawing_of_platform(platform: Platform, wanted: Wanted) -> DrawnPicture:
    """Draw a platform as `picture_of_platform` does.

    Parameters
    ----------
    platform
        What is drawn.
    wanted
        How.
    """

    def make(how: Wanted) -> Picture:
        made: Picture = import_module("steadygrid.pictures.platform").platform_picture(
            platform, how
        )
        return made

    return DrawnPicture(make, wanted)


def drawn(picture: Picture, form: Format, wanted: Wanted) -> bytes:
    """Write a picture in any format. What needs vl-convert is done in a process of its own.

    Parameters
    ----------
    picture
        A drawing as data, with its table.
    form
        Format of the file.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    PictureError
        If there is none.
    """
    match form:
        case "vega":
            return vega(picture)
        case "csv":
            return csv(picture)
        case "html":
            return html(picture, wanted, "" if picture.spec is None else javascript())
        case "svg" if picture.svg is not None:
            return picture.svg.encode()
        case "png" | "pdf" if picture.svg is not None:
            message = {"format": f"{form} of svg", "scale": wanted.scale}
            return DRAWER.draw(message, picture.svg.encode())
        case "svg" | "png" | "pdf":
            message = {"format": form, "width": wanted.width, "scale": wanted.scale}
            return DRAWER.draw(message, compact_json(specification_of(picture)).encode())


def format_of(path: str | os.PathLike[str]) -> Format:
    """Tell a format by a file's name.

    Raises
    ------
    ValueError
        If it cannot be told.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"expected a name that ends in {', '.join(SUFFIXES)}, not {suffix!r}")
    return SUFFIXES[suffix]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once: an interruption leaves what was there before.

    A symbolic link stays one. What it leads to is written.

    Parameters
    ----------
    path
        Of the file; its folder exists.
    data
        The whole content.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # A device, or a pipe.
        return
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as file:
        try:
            file.write(data)
            # Some systems move no file that is open.
            file.close()
            os.chmod(file.name, _mode(path))  # noqa: PTH101 - by its name, as it was made
            os.replace(file.name, path)  # noqa: PTH105
        except BaseException:
            file.close()
            os.unlink(file.name)  # noqa: PTH108
            raise


def _mode(path: Path) -> int:
    """Give the permissions of a file that is there, or of one that `open` would make."""
    if path.exists():
        return path.stat().st_mode & 0o777
    os.umask(mask := os.umask(0))
    return 0o666 & ~mask


def _made(make: Callable[[Wanted], Picture], wanted: Wanted) -> Picture:
    try:
        return make(wanted)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in NEEDED:
            raise PicturesNotInstalled from None
        raise


def javascript() -> str:
    """Give the JavaScript that draws in browsers, which takes seconds to make, once.

    Raises
    ------
    PictureError
        If there is none.
    """
    if not _BUNDLE:
        _BUNDLE.append(DRAWER.draw({"format": "bundle"}).decode())
    return _BUNDLE[0]


def _scale(scale: float) -> float:
    return read_wanted({"scale": scale}).scale


def installed() -> bool:
    """Tell whether what draws is installed. Nothing of it is loaded."""
    try:
        return all(find_spec(name) is not None for name in NEEDED)
    except ValueError:  # Other code has put something else in its place.
        return False


def titles(report: Report) -> dict[str, str]:
    """List the pictures that an answer has: names, and titles."""
    return {entry.name: entry.title for entry in entries_of(report)}
