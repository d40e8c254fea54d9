"""Traces of Paje, which Vite shows: a container for each processor, a state for each lane.

Source: "Paje trace file format", Schnorr, version 1.2.5.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.schedule_exports.activities import Window, read_window
from steadygrid.formats.schedule_exports.trace import viewer_scale

_DEFINITIONS = (
    (0, "PajeDefineContainerType", ("Alias string", "Type string", "Name string")),
    (1, "PajeDefineStateType", ("Alias string", "Type string", "Name string")),
    (2, "PajeDefineEntityValue", ("Alias string", "Type string", "Name string", "Color color")),
    (
        3,
        "PajeCreateContainer",
        ("Time date", "Alias string", "Type string", "Container string", "Name string"),
    ),
    (4, "PajeDestroyContainer", ("Time date", "Type string", "Name string")),
    (
        5,
        "PajePushState",
        ("Time date", "Type string", "Container string", "Value string", "Label string"),
    ),
    (6, "PajePopState", ("Time date", "Type string", "Container string")),
)
_COLOURS = {"compute": "0.2 0.6 0.2", "send": "0.2 0.4 0.8", "receive": "0.8 0.5 0.1"}


def write_paje(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write some periods of a schedule as a trace of Paje.

    Parameters
    ----------
    answer
        With its schedule and what was asked.
    parameters
        May have ``from`` and ``to``.
    """
    window = read_window(answer, parameters)
    unit = viewer_scale(window.end - window.begin) / 10**6
    note = f"{len(window.activities):,} activities; one unit of time is {unit} s of the viewer"
    return Exported("\n".join(_lines(window, unit)) + "\n", (note,))


def _lines(window: Window, unit: Fraction) -> Iterator[str]:
    for number, name, fields in _DEFINITIONS:
        yield f"%EventDef {name} {number}"
        yield from (f"% {field}" for field in fields)
        yield "%EndEventDef"
    yield '0 P 0 "Processor"'
    yield '0 L P "Lane"'
    yield '1 S L "Activity"'
    for sort, colour in _COLOURS.items():
        yield f'2 {sort} S "{sort}" "{colour}"'
    begin, end = "0.000000000", f"{float((window.end - window.begin) * unit):.9f}"
    processors: dict[str, str] = {}
    lanes: dict[tuple[str, str], str] = {}
    for one in window.activities:
        if one.processor not in processors:
            processors[one.processor] = f"p{len(processors)}"
            yield f"3 {begin} {processors[one.processor]} P 0 {_quoted(one.processor)}"
        if (one.processor, one.lane) not in lanes:
            lane = lanes[one.processor, one.lane] = f"l{len(lanes)}"
            yield f"3 {begin} {lane} L {processors[one.processor]} {_quoted(one.lane)}"
    changes = []
    for one in window.activities:
        lane = lanes[one.processor, one.lane]
        start = one.start - window.begin
        changes.append((start, 1, f"S {lane} {one.sort} {_quoted(one.label)}"))
        changes.append((start + one.duration, 0, f"S {lane}"))
    # What ends makes room for what begins at the same time.
    for time, begins, rest in sorted(changes, key=lambda change: change[:2]):
        yield f"{5 if begins else 6} {float(time * unit):.9f} {rest}"
    for lane in lanes.values():
        yield f"4 {end} L {lane}"
    for processor in processors.values():
        yield f"4 {end} P {processor}"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'
