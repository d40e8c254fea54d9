"""A process that draws as the service's does, and one picture more: a sketch that does odd things.

A job's label ``sketch`` says which one: ``hang`` (after its id is in the file that label ``file``
names), ``fail``, ``large``, ``unfit``.
"""

import os
import sys
import time
from pathlib import Path
from types import ModuleType

from app.picture_process import answer
from steadygrid.domain.errors import Fault
from steadygrid.pictures.drawing_process import serve
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.gallery import GALLERY, Entry
from steadygrid.pictures.picture import Picture, PictureTable, Wanted
from steadygrid.report.report import Report

SKETCH = Entry(
    "sketch", "A sketch", "What was asked for.", "sketch", lambda report: report.found is not None
)
MODULE = "tests.http.sketch_process"


def picture(report: Report, wanted: Wanted) -> Picture:
    """Show how it was asked for, and what of."""
    labels = report.submission.labels
    match labels.get("sketch"):
        case "hang":
            Path(labels["file"]).write_text(str(os.getpid()))
            time.sleep(600)
        case "fail":
            raise KeyError("secret id")
        case "unfit":
            raise UnfitPicture(faults=[Fault(("begin",), "too_early", "it begins later")])
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.4.1.json",
        "title": "A sketch",
        "data": {"name": "rows"},
        "mark": "bar",
        "width": wanted.width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {"x": {"field": "n", "type": "quantitative"}},
    }
    rows = (
        ("throughput", report.result.objective.value if report.result.objective else None),
        ("allocations", len(report.schedule.allocations) if report.schedule else None),
        ("unread", str(dict(report.unread))),
        ("wanted", str(wanted)),
    )
    return Picture(
        "sketch",
        "A sketch",
        "It is large." if labels.get("sketch") == "large" else "It is small.",
        None if labels.get("sketch") == "large" else spec,
        {"rows": [{"n": 1}]},
        PictureTable(("what", "value"), rows),
    )


def _main() -> None:
    module = ModuleType("steadygrid.pictures.sketch")
    module.picture = picture  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    GALLERY[SKETCH.name] = SKETCH  # type: ignore[index]
    serve(answer)


if __name__ == "__main__":
    _main()
