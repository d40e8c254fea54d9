"""Jobs of a sweep as pictures of it show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from steadygrid.domain.document import canonical_json
from steadygrid.domain.rational import approximate, parse_rational
from steadygrid.pictures.numbers import exact
from steadygrid.report.glyphs import printable
from steadygrid.report.quantities import decimal_text
from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow

HEADINGS = ("job", "parameters", "value", "bound", "outcome")
"""Of tooltips."""
Data = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Point:
    """A job, as it is drawn."""

    row: SweepRow
    labels: Mapping[str, str]
    """Of its values, by parameter."""
    numbers: Mapping[str, float | None]

    @classmethod
    def from_row(cls, row: SweepRow, parameters: Sequence[Parameter]) -> "Point":
        """Read a row of the table.

        Parameters
        ----------
        row
            Of the sweep's table.
        parameters
            Those that are drawn.
        """
        values = {p.name: row.parameters[p.name] for p in parameters}
        return cls(
            row,
            {name: label(value) for name, value in values.items()},
            {name: _number(value) for name, value in values.items()},
        )

    @property
    def said(self) -> str:
        """What it came to, in a word or a number."""
        if self.row.value is not None:
            return decimal_text(self.row.value)
        return (self.row.outcome or self.row.state).replace("_", " ")

    @property
    def tooltip(self) -> dict[str, str]:
        """What its tooltip says."""
        row = self.row
        said = (
            f"{row.index:,}",
            ", ".join(f"{printable(name)} = {text}" for name, text in self.labels.items()),
            "" if row.value is None else exact(row.value),
            "" if row.bound is None else exact(row.bound),
            (row.outcome or row.error or row.state).replace("_", " "),
        )
        return {f"told{place}": text for place, text in enumerate(said)}


class Drawing(NamedTuple):
    """A chart with the rows of its data, and what is said below its title."""

    chart: Any
    data: Data
    says: str


def label(value: Any) -> str:
    """Write a value of a parameter for people."""
    return printable(value if isinstance(value, str) else canonical_json(value))


def _number(value: Any) -> float | None:
    try:
        return approximate(parse_rational(value))
    except PydanticCustomError:
        return None


def tooltip() -> list[Any]:
    """Give the lines of tooltips, for Altair."""
    import altair as alt

    return [alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(HEADINGS)]
