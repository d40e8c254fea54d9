"""Which pictures an answer has."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from steadygrid.pictures import (
    comparison,
    convergence,
    cycle,
    gantt,
    prices,
    robustness,
    shares,
    times,
    trees,
)
from steadygrid.pictures.picture import Picture, Wanted
from steadygrid.report.report import Report


class Entry(NamedTuple):
    """A picture that answers can have."""

    name: str
    """As in addresses and file names."""
    title: str
    says: str
    """A sentence on what it shows, for a list of pictures."""
    module: str
    """In `steadygrid.pictures`. Its function ``picture(report, wanted) -> Picture`` makes it, and
    is loaded with Altair when it is asked for."""
    applies_to: Callable[[Report], bool]
    """Whether an answer has it; cheap, from what the report holds."""


_ENTRIES: tuple[Entry, ...] = (
    Entry(
        "platform",
        "The platform",
        "Who is connected to whom, how busy processors, links and media are, and which limit.",
        "platform",
        lambda report: report.platform is not None,
    ),
    Entry(
        "gantt",
        "Gantt chart",
        "Who computes, sends and receives what when: a period, or a schedule that runs once.",
        "gantt",
        gantt.applies_to,
    ),
    Entry(
        "prices",
        "What limits the throughput",
        "The prices of resources, as shares of the bound that they add up to.",
        "prices",
        prices.applies_to,
    ),
    Entry(
        "shares",
        shares.TITLE,
        "How much each processor does, and of which load or bag of tasks.",
        "shares",
        shares.applies_to,
    ),
    Entry(
        "trees",
        trees.TITLE,
        "The trees by which messages are spread, gathered or combined, one of each shape.",
        "trees",
        trees.applies_to,
    ),
    Entry(
        times.NAME,
        times.TITLE,
        "How long one operation is predicted to take, by its size, beside what the bound allows.",
        "times",
        times.applies_to,
    ),
    Entry(
        robustness.NAME,
        robustness.TITLE,
        "What each execution of a schedule keeps of the plan, by how much times are wrong.",
        "robustness",
        robustness.applies_to,
    ),
    Entry(
        "cycle",
        "The critical cycle",
        "Operations that wait for each other, and so decide how fast everything is.",
        "cycle",
        cycle.applies_to,
    ),
    Entry(
        "comparison",
        comparison.TITLE,
        "What each of the methods that were compared reached, over the bound.",
        "comparison",
        comparison.applies_to,
    ),
    Entry(
        convergence.NAME,
        convergence.TITLE,
        "The best value found and the bound proved, by second, with the gap between them.",
        "convergence",
        convergence.applies_to,
    ),
)
GALLERY: Mapping[str, Entry] = {entry.name: entry for entry in _ENTRIES}
"""In the order in which they are listed."""


def entries_of(report: Report) -> list[Entry]:
    """List the pictures that an answer has."""
    return [entry for entry in GALLERY.values() if entry.applies_to(report)]


def picture_of(report: Report, name: str, wanted: Wanted) -> Picture:
    """Make a picture of an answer.

    Parameters
    ----------
    report
        The answer, and what was asked.
    name
        One of `GALLERY`.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    KeyError
        If the answer has no such picture.
    ModuleNotFoundError
        If Altair is not installed.
    """
    entry = GALLERY[name]
    if not entry.applies_to(report):
        raise KeyError(name)
    made: Picture = import_module(f"steadygrid.pictures.{entry.module}").picture(report, wanted)
    return made
