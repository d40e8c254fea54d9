"""Chrome trace events (JSON), which chrome://tracing and ui.perfetto.dev show.

A processor is a process, and what it does at a time a thread. Times are microseconds of the viewer,
as floats. The exact ones stand in ``args``.

Source: "Trace Event Format", the Catapult project: complete events (X) and metadata (M).
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.schedule_exports.activities import Window, read_window

_LEAST, _MOST = 10**3, 10**9
"""Microseconds that the window takes in the viewer: 1 ms to 1,000 s."""


def write_trace(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write some periods of a schedule as trace events.

    Parameters
    ----------
    answer
        With its schedule and what was asked.
    parameters
        May have ``from`` and ``to``.
    """
    window = read_window(answer, parameters)
    scale = viewer_scale(window.end - window.begin)
    threads: dict[str, dict[str, int]] = {}
    for one in window.activities:
        lanes = threads.setdefault(one.processor, {})
        lanes.setdefault(one.lane, len(lanes) + 1)
    processes = {processor: i for i, processor in enumerate(threads, 1)}
    events = _names(threads, processes)
    events += [
        {
            "ph": "X",
            "name": one.label,
            "cat": one.sort,
            "pid": processes[one.processor],
            "tid": threads[one.processor][one.lane],
            "ts": float((one.start - window.begin) * scale),
            "dur": float(one.duration * scale),
            "args": {
                "start": str(one.start),
                "duration": str(one.duration),
                "period": one.period,
                "allocation": one.allocation,
            },
        }
        for one in window.activities
    ]
    document = {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": _header_data(window, scale),
    }
    note = f"{len(window.activities):,} activities; one unit of time is {scale} us of the viewer"
    return Exported(json.dumps(document, ensure_ascii=False) + "\n", (note,))


def viewer_scale(window: Fraction) -> Fraction:
    """Give the power of ten that puts a window between 1 ms and 1,000 s of the viewer.

    Parameters
    ----------
    window
        Its length.
    """
    scale = Fraction(10**6)
    while window * scale > _MOST:
        scale /= 10
    while window * scale < _LEAST:
        scale *= 10
    return scale


def _names(
    threads: Mapping[str, Mapping[str, int]], processes: Mapping[str, int]
) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for processor, number in processes.items():
        one = {"ph": "M", "pid": number, "tid": 0}
        events.append({**one, "name": "process_name", "args": {"name": processor}})
        events.append({**one, "name": "process_sort_index", "args": {"sort_index": number}})
        for lane, thread in threads[processor].items():
            args = {"name": f"{processor} {lane}"}
            events.append({**one, "tid": thread, "name": "thread_name", "args": args})
    return events


def _header_data(window: Window, scale: Fraction) -> dict[str, str]:
    return {
        "time_unit_in_us": str(scale),
        "begins_at": str(window.begin),
        "period": str(window.schedule.period),
        "throughput": str(window.schedule.throughput),
        "written_by": "steadygrid",
    }
