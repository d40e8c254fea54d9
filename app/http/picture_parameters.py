"""How a picture is asked for over HTTP: format and query parameters, and which of them apply."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from fastapi import Path, Query

from app.http.dates import Date, read_date
from app.http.parameters import WholeNumber, documented_values
from app.http.refusals import Refusal, RefusedPart, refused_parameter
from steadygrid.pictures.asking import HOPS, MOST_LANES_ASKED, find_asked, find_misplaced
from steadygrid.pictures.picture import FORMATS, GANTT, PLATFORM, Format, Theme, Wanted

_CALLED = {"begin": "from", "end": "to"}
"""Parameters that have another name than their member of `Wanted`."""
_OF_FORMAT: dict[str, frozenset[str]] = {
    "theme": frozenset(("vega", "svg", "png", "pdf", "html")),
    "width": frozenset(("vega", "svg", "png", "pdf", "html")),
    "scale": frozenset(("png",)),
}
"""The formats that have a parameter; what is of one picture, all have."""

PictureName = Annotated[str, Path(alias="name", description="of those that the list has")]
PictureFormat = Annotated[str, documented_values(FORMATS), Path(alias="format")]
ThemeOf = Annotated[Theme, Query(description="not of `csv`: for a light or a dark page")]
Width = Annotated[
    WholeNumber, Query(ge=320, le=4000, description="not of `csv`: pixels of the whole drawing")
]
Scale = Annotated[
    float,
    Query(
        ge=1,
        le=4,
        allow_inf_nan=False,
        description="`png` only: its pixels for each one of the drawing",
    ),
]
Begin = Annotated[
    Date | None,
    Query(
        alias="from",
        description=f"`{GANTT}` only: where it begins, in the schedule's time units. Default: where"
        " the schedule does",
    ),
]
End = Annotated[
    Date | None,
    Query(
        alias="to", description=f"`{GANTT}` only: where it ends. Default: where the schedule does"
    ),
]
Lanes = Annotated[
    list[str] | None,
    Query(
        max_length=MOST_LANES_ASKED,
        description=f"`{GANTT}` only: resources that are shown. Default: the busiest 60",
    ),
]
Cells = Annotated[
    WholeNumber,
    Query(
        ge=100,
        le=4000,
        description=f"`{GANTT}` only: bars shorter than the window over this number are joined",
    ),
]
AroundProcessor = Annotated[
    str | None,
    Query(
        description=f"`{PLATFORM}` only: id of a processor. What is near it is drawn, idle or not."
        " Default: all of the platform, folded",
    ),
]
Hops = Annotated[
    WholeNumber,
    Query(
        ge=HOPS[0],
        le=HOPS[1],
        description=f"`{PLATFORM}` only, with `around`: how many links from there",
    ),
]


def read_wanted(
    theme: Theme,
    width: int,
    scale: float,
    begin: str | None,
    end: str | None,
    lanes: Sequence[str] | None,
    cells: int,
    around: str | None,
    hops: int,
) -> Wanted:
    """Read what was asked for; `Refusal` ``invalid_request``.

    Parameters
    ----------
    theme
        Of the page: light or dark.
    width
        Of the whole drawing, in pixels.
    scale
        Pixels of a PNG for each of the drawing.
    begin, end
        Of a Gantt chart, the window as it was written. None: as far as there is something.
    lanes
        Of a Gantt chart, resources by name. None: the busiest.
    cells
        Of a Gantt chart; shorter bars are joined.
    around, hops
        Of a platform: a processor, and how many links from there; None: all of it.
    """
    window: list[Fraction | None] = [
        None if text is None else read_date(name, text)
        for name, text in (("from", begin), ("to", end))
    ]
    first, last = window
    if last is not None and (0 if first is None else first) >= last:
        raise refused_parameter(
            "to", "window_backwards", "the window is empty: it has to end after it begins"
        )
    return Wanted(
        theme, width, scale, window[0], window[1], tuple(lanes or ()), cells, around, hops
    )


def read_format(text: str) -> Format:
    """Read the format; `Refusal` ``no_such_picture`` that names those there are."""
    for known in FORMATS:
        if text == known:
            return known
    raise Refusal(
        "no_such_picture",
        f"Pictures have no format of this name. There are {', '.join(FORMATS)}.",
    )


def only_applicable(wanted: Wanted, name: str, form: Format) -> None:
    """Refuse parameters that the picture or its format does not have; ``invalid_request``.

    A default that is sent asks for nothing: clients that are generated send them.

    Parameters
    ----------
    wanted
        What is asked.
    name
        Of the picture.
    form
        Format of the answer.
    """
    members = vars(wanted)
    asked = find_asked(members)
    parts = [
        RefusedPart(
            parameter=one,
            code="parameter_not_applicable",
            detail="only these formats have it: " + ", ".join(f for f in FORMATS if f in formats),
        )
        for one, formats in _OF_FORMAT.items()
        if one in asked and form not in formats
    ]
    for fault in find_misplaced(members, name):
        member = str(fault.pointer[0])
        parameter = _CALLED.get(member, member)
        parts.append(RefusedPart(parameter=parameter, code=fault.code, detail=fault.detail))
    if parts:
        names = ", ".join(str(part.parameter) for part in parts)
        detail = f"This picture, in this format, does not have: {names}."
        raise Refusal("invalid_request", detail, errors=parts)


def wanted_document(wanted: Wanted) -> dict[str, Any]:
    """Write what was asked for as JSON, which `app.picture_process` reads."""
    return {
        "theme": wanted.theme,
        "width": wanted.width,
        "scale": wanted.scale,
        "begin": None if wanted.begin is None else str(wanted.begin),
        "end": None if wanted.end is None else str(wanted.end),
        "lanes": list(wanted.lanes),
        "cells": wanted.cells,
        "around": wanted.around,
        "hops": wanted.hops,
    }
