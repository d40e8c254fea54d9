"""What the pages of stored platforms and applications show."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from app.applications.service import SHELF as APPLICATIONS
from app.http import stored
from app.http.identity import tenant_of
from app.http.pages import DEFAULT_LIMIT
from app.http.pictures import pictures_installed
from app.http.resources import resources_of
from app.http.stored import Shelf
from app.pages.platform_figure import Extent, alone_figure
from app.pages.quantities import written
from steadygrid.domain.platform import Platform
from steadygrid.pictures.picture import Neighbourhood
from steadygrid.report.glyphs import printable
from steadygrid.report.layout import Column, Listing

_NUMBERS = frozenset(
    {
        *("speed", "unit_time", "bandwidth", "bandwidth_in", "bandwidth_out", "latency"),
        *("work", "size", "memory"),
    }
)
"""Members that are quantities."""
ROWS = 200
"""Of a table. The rest is counted."""


def listed(request: Request, shelf: Shelf, token: str | None) -> dict[str, Any]:
    """List stored documents, 50 a page; `Refusal` for a wrong page token.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    shelf
        Where documents of this noun are kept.
    token
        Of the page before. None: the first page.
    """
    parts = resources_of(request)
    page = stored.listed(parts, tenant_of(request), shelf, DEFAULT_LIMIT, token)
    return {"items": page.items, "next_token": page.next_token, "noun": shelf.noun}


def platform(
    request: Request, document_id: str, shelf: Shelf, near: Neighbourhood | None
) -> dict[str, Any]:
    """Describe a stored platform; `Refusal` ``not_found``.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    document_id
        Of the stored document.
    shelf
        Where documents of this noun are kept.
    near
        The part that is drawn; None: all of it.
    """
    found = stored.show_document(resources_of(request), tenant_of(request), shelf, document_id)
    told = found["platform"]
    units = told.get("units") or {}
    tables = [
        _table(
            "Processors",
            told["processors"],
            ("id", "speed", "unit_time", "bandwidth_in", "bandwidth_out", "latency", "cards"),
            ("switch",),
        ),
        _table(
            "Links",
            told["links"],
            ("source", "target", "bandwidth", "unit_time", "duplex", "media", "latency"),
        ),
        _table("Media", told.get("media", []), ("id", "bandwidth")),
        _table("Routes", told.get("routes", []), ("source", "target", "via", "path")),
    ]
    return _document_context(found, [table for table in tables if table.count]) | {
        "units": units,
        "figure": alone_figure(Platform.model_validate(told), Extent(near, _around)),
        "drawn": pictures_installed(),
    }


def _around(near: Neighbourhood | None) -> str:
    return "" if near is None else urlencode({"around": near.around, "hops": near.hops})


def application(request: Request, document_id: str) -> dict[str, Any]:
    """Describe a stored application; `Refusal` ``not_found``.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    document_id
        Of the stored document.
    """
    found = stored.show_document(
        resources_of(request), tenant_of(request), APPLICATIONS, document_id
    )
    told = found["application"]
    tasks, files = told["tasks"], told["files"]
    layers = _layers([task["id"] for task in tasks], files)
    tables = [
        _table(
            "Tasks, layer by layer",
            sorted(
                ({"layer": layers[task["id"]]} | task for task in tasks),
                key=lambda task: task["layer"],
            ),
            ("id", "layer", "work", "times", "allowed", "memory"),
        ),
        _table("Files", files, ("source", "target", "size")),
    ]
    sums = {
        name: written(sum((Fraction(str(one[name])) for one in many if one.get(name)), Fraction(0)))
        for name, many in (("work", tasks), ("size", files))
    }
    depth = max(layers.values(), default=0)
    return _document_context(found, [table for table in tables if table.count]) | {
        "sums": sums,
        "depth": depth,
        "units": {},
        "figure": None,
    }


def _document_context(found: Mapping[str, Any], tables: Sequence[Listing]) -> dict[str, Any]:
    return {
        "found": found,
        "name": printable(found["name"]) if found["name"] else found["id"],
        "tables": tables,
    }


def _table(
    title: str,
    entries: Sequence[Mapping[str, Any]],
    members: Sequence[str],
    flags: Sequence[str] = (),
) -> Listing:
    """Tabulate the members that any entry has; the first always."""
    shown = [
        name
        for i, name in enumerate((*members, *flags))
        if i == 0 or any(entry.get(name) not in (None, "0", [], False, {}) for entry in entries)
    ]
    columns = [Column(name.replace("_", " "), right=name in _NUMBERS) for name in shown]
    rows = [
        [_cell(entry.get(name), name in _NUMBERS | {"times"}) for name in shown]
        for entry in islice(entries, ROWS)
    ]
    return Listing(title, columns, rows, len(entries), title.partition(",")[0].lower())


def _cell(value: Any, number: bool) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case list():
            return ", ".join(_cell(one, number) for one in value)
        case dict():
            return ", ".join(
                f"{printable(str(key))}: {_cell(one, number)}" for key, one in value.items()
            )
        case _:
            return written(value) if number else printable(str(value))


def _layers(tasks: Sequence[str], files: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Give the layer of each task, counted from 1: one more than that of any task before it."""
    followers: dict[str, list[str]] = {task: [] for task in tasks}
    missing = dict.fromkeys(tasks, 0)
    for file in files:
        followers[file["source"]].append(file["target"])
        missing[file["target"]] += 1
    layers = dict.fromkeys(tasks, 1)
    for task in _in_order(missing, followers):
        for follower in followers[task]:
            layers[follower] = max(layers[follower], layers[task] + 1)
    return layers


def _in_order(missing: dict[str, int], followers: Mapping[str, Sequence[str]]) -> Iterator[str]:
    ready = [task for task, number in missing.items() if not number]
    while ready:
        task = ready.pop()
        yield task
        for follower in followers[task]:
            missing[follower] -= 1
            if not missing[follower]:
                ready.append(follower)
