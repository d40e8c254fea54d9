"""Dataflow graphs in the format of SDF3."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_args

from pydantic import ValidationError

from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import as_number
from steadygrid.domain.wording import sentence_for
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import ImportedBody
from steadygrid.formats.sdf3.graph import SdfActor, SdfChannel, SdfGraph
from steadygrid.formats.sdf3.reader import read_graph, refusal
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.kinds.dataflow.schemas import DataflowInstance, room_name

_CONCURRENCIES = get_args(DataflowInstance.model_fields["concurrency"].annotation)


def import_body(data: bytes, parameters: Mapping[str, str], limits: Limits) -> ImportedBody:
    """Turn an SDF3 document into a body of ``POST /v1/jobs``.

    Parameters
    ----------
    data
        The XML document.
    parameters
        See `steadygrid.formats.sdf3.importer`.
    limits
        `max_body_bytes`.

    Raises
    ------
    InstanceError
        With every fault found. Each names its line.
    LimitError
        More bytes, rates or times than are accepted.
    """
    notes = Notes()
    sized = _choice(parameters, "buffers", ("true", "false"), "false") == "true"
    found = read_graph(data, limits, notes, parameters.get("scenario"))
    concurrency = _choice(parameters, "concurrency", _CONCURRENCIES, found.concurrency)
    if parameters.get("processor") is not None and not any(
        parameters["processor"] in actor.times for actor in found.actors.values()
    ):
        known = sorted({name for actor in found.actors.values() for name in actor.times})
        raise _parameter("processor", f"no actor has times for it; there are: {', '.join(known)}")
    graph: dict[str, Any] = {
        "actors": _actors(found, parameters.get("processor"), notes),
        "channels": _channels(found, notes, sized=sized),
    }
    if name := parameters.get("name", found.name):
        graph["name"] = name
    problem = {"kind": "dataflow", "graph": graph, "concurrency": concurrency}
    if capacities := _capacities(found, notes, sized=sized):
        problem["capacities"] = capacities
    try:
        DataflowInstance.model_validate(problem)
    except ValidationError as error:
        raise refusal(
            [
                f"{'.'.join(map(str, e['loc']))}: {sentence_for(e)}"
                for e in error.errors(include_url=False)
            ]
        ) from None
    return ImportedBody({"problem": problem}, notes.sentences())


def _choice(parameters: Mapping[str, str], name: str, known: Any, default: str) -> str:
    value = parameters.get(name, default)
    if value not in known:
        raise _parameter(name, f"one of {', '.join(known)}, not {value!r:.80}")
    return value


def _parameter(name: str, detail: str) -> Exception:
    return refusal([f"{name}: {detail}"], "invalid_parameter")


def _actors(found: SdfGraph, processor: str | None, notes: Notes) -> list[dict[str, Any]]:
    ids = usable_ids(found.actors, notes)
    faults = [
        f"line {actor.line}: actor {actor.name!r:.80} has no execution time"
        for actor in found.actors.values()
        if not actor.times
    ]
    if faults:
        raise refusal(faults)
    return [
        {"id": ids[actor.name], "times": _as_given([*map(_time, _times(actor, processor, notes))])}
        for actor in found.actors.values()
    ]


def _time(time: Fraction) -> Any:
    return as_number(time) if time.denominator == 1 else str(time)


def _times(actor: SdfActor, processor: str | None, notes: Notes) -> tuple[Fraction, ...]:
    """Choose the processor whose times count."""
    if processor in actor.times:
        assert processor is not None
        return actor.times[processor]
    defaults = [name for name in actor.defaults if name in actor.times]
    chosen = (defaults or list(actor.times))[-1]
    if processor is not None:
        notes.add(
            f"there is no time for {processor[:80]}: that of another processor is taken", actor.name
        )
    others = [name for name in actor.times if name != chosen]
    if others:
        word = "the last processor marked as default" if defaults else "the last processor"
        notes.add(
            f"times are those of {word}. Others are left out",
            f"{actor.name} ({chosen}, not {', '.join(others)})",
        )
    return actor.times[chosen]


def _channels(found: SdfGraph, notes: Notes, *, sized: bool) -> list[dict[str, Any]]:
    ids = _channel_ids(found, notes, sized=sized)
    actors = usable_ids(found.actors, Notes())
    listed = []
    for channel in found.channels.values():
        production, consumption = (
            found.actors[actor].ports[port][1] for actor, port in (channel.source, channel.target)
        )
        listed.append(
            {
                "id": ids[channel.name],
                "source": actors[channel.source[0]],
                "target": actors[channel.target[0]],
                "production": _as_given([*production]),
                "consumption": _as_given([*consumption]),
                "tokens": channel.tokens,
            }
        )
    return listed


def _channel_ids(found: SdfGraph, notes: Notes, *, sized: bool) -> dict[str, str]:
    """Give each channel an id, and none that of the free places of another with a size."""
    ids = dict(usable_ids(found.channels, notes))
    if not sized:
        return ids
    rooms = {room_name(ids[one.name]) for one in found.channels.values() if one.size is not None}
    taken = {*ids.values()} | rooms
    for name, known in ids.items():
        if known in rooms:
            free = known
            while free in taken:
                free += "."
            taken.add(free)
            ids[name] = free
    return ids


def _capacities(found: SdfGraph, notes: Notes, *, sized: bool) -> dict[str, int]:
    """Give the places of channels with a size, where these are asked for."""
    given = {one: one.size for one in found.channels.values() if one.size is not None}
    if not sized:
        for channel, size in given.items():
            notes.add(
                "sizes of channels are left out, unless buffers is true",
                f"{channel.name} ({size:,})",
            )
        return {}
    if faults := [_too_small(channel) for channel, size in given.items() if size < channel.tokens]:
        raise refusal(faults)
    ids = _channel_ids(found, Notes(), sized=sized)
    return {ids[channel.name]: size for channel, size in given.items()}


def _too_small(channel: SdfChannel) -> str:
    return (
        f"line {channel.line}: channel {channel.name!r:.80} has room for {channel.size:,} tokens, and"
        f" {channel.tokens:,} at the beginning"
    )


def _as_given(values: list[Any]) -> Any:
    return values if len(values) > 1 else values[0]
