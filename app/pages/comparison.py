"""Two jobs side by side: what came out, and in what they were asked differently."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import Request

from app.db.packing import unpack
from app.http.identity import tenant_of
from app.http.refusals import refused_parameter
from app.http.resources import resources_of
from app.pages import words
from app.pages.answer import LONGEST_BODY, stored_bodies
from app.pages.jobs import Opened, opened, row
from steadygrid.domain.errors import format_pointer
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.layout import Column, Listing

MOST_DIFFERENCES = 50
_LONGEST = 80


def compared(request: Request, ids: Sequence[str]) -> dict[str, Any]:
    """Tell of two jobs.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    ids
        Of the jobs.

    Raises
    ------
    Refusal
        ``invalid_request`` if there are not two, ``not_found``.
    """
    if len(ids) != 2:
        raise refused_parameter(
            "job", "two_jobs", f"two jobs are compared, not {len(ids)}: go back and tick two"
        )
    pair = [opened(request, job_id) for job_id in ids]
    with resources_of(request).database.read(tenant_of(request)) as unit:
        bodies = [stored_bodies(unit, one.record.id)[0] for one in pair]
    long = max(map(len, bodies)) > LONGEST_BODY
    asked = [] if long else list(_differences(*map(unpack, bodies)))
    columns = [Column("where"), Column("first"), Column("second")]
    return {
        "pair": [(one, row(one.record)) for one in pair],
        "facts": Listing("Side by side", [Column("what"), *columns[1:]], _facts(pair)),
        "asked": Listing(
            "What was asked differently",
            columns,
            [list(one) for one in asked[:MOST_DIFFERENCES]],
            len(asked),
            "differences",
        ),
        "long": long,
    }


def _facts(pair: Sequence[Opened]) -> list[list[str]]:
    told = [dict(_facts_of(one)) for one in pair]
    labels = list(dict.fromkeys(label for facts in told for label in facts))
    return [[label, *(facts.get(label, "") for facts in told)] for label in labels]


def _facts_of(one: Opened) -> Iterator[tuple[str, str]]:
    yield "kind", one.record.kind
    yield "state", words.state(one.record.state)
    if one.record.outcome is not None:
        yield "outcome", words.outcome(one.record.outcome)
    if one.told is not None:
        yield "how good", one.told.standing
        yield from ((label, text) for label, text in one.told.facts if label)
    if one.record.state.final:
        yield "seconds", words.seconds(one.record)


def _differences(
    first: Any, second: Any, at: tuple[str | int, ...] = ()
) -> Iterator[tuple[str, str, str]]:
    """List the places where two documents differ, as pointers, with what stands there."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in dict.fromkeys((*first, *second)):
            yield from _differences(first.get(key), second.get(key), (*at, key))
    elif names := _names(first, second):
        old, new = ({_name(entry): entry for entry in listed} for listed in (first, second))
        for name in names:
            yield from _differences(old.get(name), new.get(name), (*at, f"[{name}]"))
    elif isinstance(first, list) and isinstance(second, list):
        for i in range(max(len(first), len(second))):
            one, other = (listed[i] if i < len(listed) else None for listed in (first, second))
            yield from _differences(one, other, (*at, i))
    elif first != second:
        yield printable(format_pointer(at)), _brief(first), _brief(second)


def _names(first: Any, second: Any) -> list[str]:
    """List the names in two lists whose entries all have one; empty where some have none, or two one."""
    if not (isinstance(first, list) and isinstance(second, list)):
        return []
    pair = [[_name(entry) for entry in listed] for listed in (first, second)]
    if any(None in names or len(set(names)) < len(names) for names in pair):
        return []
    return [name for name in dict.fromkeys((*pair[0], *pair[1])) if name is not None]


def _name(entry: Any) -> str | None:
    """Say by what an entry of a list is known: its id, or the ends of a link."""
    if not isinstance(entry, dict):
        return None
    if isinstance(entry.get("id"), str):
        return f"id={entry['id']}"
    ends = entry.get("source"), entry.get("target")
    return f"source={ends[0]},target={ends[1]}" if all(isinstance(e, str) for e in ends) else None


def _brief(value: Any) -> str:
    if value is None:
        return "not there"
    text = printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}{UNICODE.ellipsis}"
