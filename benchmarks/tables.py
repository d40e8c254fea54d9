"""Tables of experiments: lines of a data class in CSV, and plots that do not change from run to run."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

R = TypeVar("R")


def write_rows(path: Path, kind: type[Any], rows: Iterable[Any]) -> None:
    """Write rows of a data class as they come, so that what is done is kept."""
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, [field.name for field in fields(kind)], lineterminator="\n")
        table.writeheader()
        for row in rows:
            table.writerow(asdict(row))
            file.flush()


def read_rows(paths: Sequence[Path], kind: type[R]) -> Iterator[R]:
    """Read what `write_rows` wrote; each member has its own type."""
    types = [field.type for field in fields(kind)]  # type: ignore[arg-type]
    for path in paths:
        with path.open(newline="") as table:
            for line in islice(csv.reader(table), 1, None):
                yield kind(*(make(text) for make, text in zip(types, line, strict=True)))  # type: ignore[operator]


def save(figure: "Figure", path: Path) -> None:
    """Write a plot whose element ids and date are the same every time."""
    import matplotlib as mpl  # only plots need it

    mpl.rcParams["svg.hashsalt"] = "steadygrid"
    figure.savefig(path, metadata={"Date": None})
