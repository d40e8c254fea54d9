"""How a picture is to be: what may be asked for, and what is wrong with what was."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from pydantic_core import PydanticCustomError

from steadygrid.domain.errors import Fault
from steadygrid.domain.nearest import Known
from steadygrid.domain.rational import parse_rational
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.picture import GANTT, PLATFORM, THEMES, Wanted

WIDTHS = (320, 4_000)
"""Least and most pixels of the whole drawing."""
SCALES = (1, 4)
"""Least and most pixels of a PNG for each of the drawing."""
CELLS = (100, 4_000)
"""Least and most cells of a Gantt chart."""
HOPS = (1, 3)
"""Least and most links from the processor around which a platform is drawn."""
MOST_LANES_ASKED = 500
"""Of a Gantt chart, by name."""
_OF_PICTURE: Mapping[str, tuple[str, ...]] = {
    GANTT: ("begin", "end", "lanes", "cells"),
    PLATFORM: ("around", "hops"),
}
"""The members of `Wanted` that one picture has, and no other."""
_USUAL = Wanted()
_NAMES = tuple(field.name for field in fields(Wanted))


def read_wanted(given: Mapping[str, Any], name: str | None = None) -> Wanted:
    """Read how a picture is to be.

    Parameters
    ----------
    given
        Members of `Wanted` by name. None as if left out. Dates may be anything that is read
        exactly: a number, or a text such as ``"21/2"``.
    name
        Of the picture. None: it is not known yet.

    Raises
    ------
    UnfitPicture
        With every fault found. A fault's pointer begins with the name of the member.
    """
    wanted = {name: value for name, value in given.items() if value is not None}
    faults = [*_faults(wanted)]
    faults += find_misplaced(wanted, name)
    for date in ("begin", "end"):
        if date in wanted:
            try:
                wanted[date] = parse_rational(wanted[date])
            except PydanticCustomError as error:
                faults.append(Fault((date,), "invalid_number", error.message()))
    begin, end = wanted.get("begin"), wanted.get("end")
    if not faults and begin is not None and end is not None and begin >= end:
        detail = f"the window from {begin} to {end} is empty. It has to end after it begins"
        faults.append(Fault(("end",), "empty_window", detail))
    if faults:
        raise UnfitPicture(faults=faults)
    if "lanes" in wanted:
        wanted["lanes"] = tuple(wanted["lanes"])
    return Wanted(**wanted)


def find_misplaced(wanted: Mapping[str, Any], name: str | None) -> Iterator[Fault]:
    """Find what is asked of a picture that has no such thing. A default asks for nothing.

    Parameters
    ----------
    wanted
        Members of `Wanted` by name.
    name
        Of the picture. None: it is not known yet.
    """
    asked = find_asked(wanted)
    for owner, members in _OF_PICTURE.items():
        for member in members:
            if member in asked and name not in (None, owner):
                detail = f"only the picture {owner} has it"
                yield Fault((member,), "parameter_not_applicable", detail)
    if name in (None, PLATFORM) and "hops" in asked and wanted.get("around") is None:
        detail = "it counts links from a processor: name that with around"
        yield Fault(("hops",), "parameter_not_applicable", detail)


def find_asked(wanted: Mapping[str, Any]) -> frozenset[str]:
    """Give the members of `Wanted` that differ from their defaults."""
    return frozenset(
        name for name, value in wanted.items() if value != getattr(_USUAL, name, value)
    )


def _faults(wanted: Mapping[str, Any]) -> Iterator[Fault]:
    known = Known(_NAMES)
    for name in wanted:
        if name not in _NAMES:
            detail = f"a picture has no {name!r}. It has {', '.join(_NAMES)}{known.hint(name)}"
            yield Fault((name,), "unknown_parameter", detail)
    if (theme := wanted.get("theme", "light")) not in THEMES:
        yield Fault(("theme",), "unknown_theme", f"expected {' or '.join(THEMES)}, not {theme!r}")
    for name, (least, most), kinds in (
        ("width", WIDTHS, int),
        ("scale", SCALES, int | float),
        ("cells", CELLS, int),
        ("hops", HOPS, int),
    ):
        value = wanted.get(name, least)
        if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
            number = "a whole number" if kinds is int else "a number"
            detail = f"expected {number} from {least:,} to {most:,}, not {value!r}"
            yield Fault((name,), "out_of_range", detail)
    around = wanted.get("around")
    if around is not None and not isinstance(around, str):
        yield Fault(
            ("around",), "unknown_processor", f"expected the id of a processor, not {around!r}"
        )
    lanes = wanted.get("lanes", ())
    if isinstance(lanes, str) or not isinstance(lanes, Iterable):
        yield Fault(("lanes",), "invalid_lanes", "expected a list of ids of resources")
    elif len(several := list(lanes)) > MOST_LANES_ASKED:
        detail = f"{len(several):,} lanes are named, and at most {MOST_LANES_ASKED} are drawn"
        yield Fault(("lanes",), "too_many", detail)
    elif not all(isinstance(lane, str) for lane in several):
        yield Fault(("lanes",), "invalid_lanes", "expected a list of ids of resources")
