"""What a picture is: Vega-Lite, the rows that it draws, and the same in words and numbers."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, get_args

from steadygrid.domain.rational import approximate

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)

Format = Literal["vega", "svg", "png", "pdf", "html", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)

Cell = str | int | Fraction | None
"""Of a table: ids and words, counts, exact quantities. None where there is nothing to say."""

_FORMULA = ("=", "+", "-", "@")

PLATFORM = "platform"
"""The picture of which a neighbourhood can be asked for."""
GANTT = "gantt"
"""The picture of which a window, lanes and cells can be asked for."""

WITHOUT_VEGA = frozenset((PLATFORM,))
"""Pictures that are written as SVG, and have no specification."""

MOST_BARS = 5_000
"""Bars of a Gantt chart; above, it is drawn with fewer cells."""
SHARP_MARKS = 2_000
"""Marks up to which the browser is asked to draw as SVG; above, on a canvas."""


@dataclass(frozen=True)
class Neighbourhood:
    """A part of a platform.

    Attributes
    ----------
    around
        Id of the processor in its middle.
    hops
        Links from there to what is farthest away, at least 1.
    """

    around: str
    hops: int


@dataclass(frozen=True)
class Wanted:
    """How a picture is to be.

    Attributes
    ----------
    theme
        For a light or a dark page.
    width
        Pixels of the whole drawing, 320 to 4,000.
    scale
        Pixels of a PNG for each of the drawing, 1 to 4.
    begin, end
        Of a Gantt chart, in the platform's time units: what is shown. None: all of the period, or of
        the schedule that runs once.
    lanes
        Of a Gantt chart: resources that are shown; empty: the busiest 60.
    cells
        Of a Gantt chart, 100 to 4,000: bars shorter than the window's length over this are joined.
    around
        Of a platform: id of a processor; only what is near it is shown.
    hops
        With `around`: how many links from there, 1 to 3.
    """

    theme: Theme = "light"
    width: int = 800
    scale: float = 1
    begin: Fraction | None = None
    end: Fraction | None = None
    lanes: tuple[str, ...] = ()
    cells: int = 1_000
    around: str | None = None
    hops: int = 1

    @property
    def neighbourhood(self) -> Neighbourhood | None:
        """The part of a platform that is shown; None: all of it."""
        return None if self.around is None else Neighbourhood(self.around, self.hops)


@dataclass(frozen=True)
class PictureTable:
    """What a picture shows, exactly and in full: the form for those who cannot see it.

    Attributes
    ----------
    columns
        What the cells are.
    rows
        As long as `columns` each.
    exact
        Columns that can have fractions, whether or not these rows have any.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    exact: tuple[str, ...] = ()

    def csv(self) -> str:
        """Write it as CSV. A column that has fractions is followed by one of approximate values.

        A text that a spreadsheet would take for a formula gets a ``'`` before it.
        """
        exact = [
            name in self.exact or any(isinstance(row[place], Fraction) for row in self.rows)
            for place, name in enumerate(self.columns)
        ]
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\r\n")
        writer.writerow(
            heading
            for name, twice in zip(self.columns, exact, strict=True)
            for heading in ((name, f"{name} (approximate)") if twice else (name,))
        )
        for row in self.rows:
            cells: list[Any] = []
            for cell, twice in zip(row, exact, strict=True):
                formula = isinstance(cell, str) and cell.startswith(_FORMULA)
                cells.append(f"'{cell}" if formula else cell)
                if twice:
                    cells.append(approximate(cell) if isinstance(cell, Fraction) else cell)
            writer.writerow(cells)
        return written.getvalue()


@dataclass(frozen=True)
class Picture:
    """A drawing as data.

    Attributes
    ----------
    name
        As in addresses and file names.
    title
        A few words.
    description
        One or two sentences with the picture's numbers.
    spec
        Vega-Lite 6 as Altair makes it, whose data are names of `datasets`. None where the drawing is
        `svg`, or where there is too much to draw, and the table is all there is.
    datasets
        Rows by the name of their data. Ids are values in them, and nowhere else in the
        specification: never field names, expressions or titles.
    table
        The same, exactly.
    marks
        About how many marks are drawn.
    svg
        The drawing itself, where it is made without Vega. None where `spec` says what is drawn.
    """

    name: str
    title: str
    description: str
    spec: Mapping[str, Any] | None
    datasets: Mapping[str, Sequence[Mapping[str, Any]]] = field(repr=False)
    table: PictureTable = field(repr=False)
    marks: int = 0
    svg: str | None = field(default=None, repr=False)

    @property
    def vega(self) -> dict[str, Any]:
        """The specification with its data: one JSON object that any Vega-Lite 6 draws.

        Raises
        ------
        ValueError
            If there is too much to draw.
        """
        if self.spec is None:
            raise ValueError(f"{self.name} is too large to be drawn: {self.description}")
        renderer = "svg" if self.marks <= SHARP_MARKS else "canvas"
        return {
            **self.spec,
            "description": self.description,
            "datasets": {name: list(rows) for name, rows in self.datasets.items()},
            "usermeta": {**self.spec.get("usermeta", {}), "embedOptions": {"renderer": renderer}},
        }
