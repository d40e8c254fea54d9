"""The process that draws pictures of what the service stores: packed documents in, files out.

Its parent is `app.http.pictures`. It unpacks, and draws as `steadygrid.pictures` does. It opens no
database and no address.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from app.db.packing import unpack
from app.db.stored_answers import StoredAnswer
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.platform import Platform
from steadygrid.domain.trace import trace_from_document
from steadygrid.pictures.drawing_process import serve
from steadygrid.pictures.errors import NoSuchPicture
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import Wanted
from steadygrid.pictures.rendering import bundle, written
from steadygrid.report.report import Report
from steadygrid.submissions.submission import restore_submission

OLD_RESULT = "Another version of this service has made the result: submit the instance again to see it drawn."


class _LastReport:
    """The report drawn last: pages ask for all pictures of an answer, one after the other."""

    def __init__(self) -> None:
        self._known: tuple[str, list[Any]] = ("", [])
        self._report: Report | None = None

    def report(self, message: Mapping[str, Any], payload: bytes) -> Report:
        """Give the report of a job. What it was made of never changes."""
        known = (message["job"], message["stored"].get("chunks", []))
        if self._report is None or self._known != known:
            self._report = None  # Two at once might be too large.
            self._report = report_of(StoredAnswer.received(message["stored"], payload))
            self._known = known
        return self._report


def report_of(stored: StoredAnswer) -> Report:
    """Unpack an answer.

    Raises
    ------
    NoSuchPicture
        If it is of a version that this one cannot read.
    """
    try:
        asked = restore_submission(unpack(stored.instance))
        result = asked.problem.result.model_validate(unpack(stored.result))
    except (InstanceError, KeyError, ValidationError):
        raise NoSuchPicture(OLD_RESULT) from None
    found = None if stored.schedule is None else stored.schedule.unpack()
    trace = () if stored.trace is None else trace_from_document(unpack(stored.trace))
    return Report(asked, result, found, trace)


def read_wanted(document: Mapping[str, Any]) -> Wanted:
    """Read how a picture is to be, as `app.http.picture_parameters.wanted_document` wrote it."""
    dates = {
        name: None if document[name] is None else Fraction(document[name])
        for name in ("begin", "end")
    }
    return Wanted(**{**document, **dates, "lanes": tuple(document["lanes"])})


_KEPT = _LastReport()


def answer(message: dict[str, Any], payload: bytes) -> bytes:
    """Draw.

    Parameters
    ----------
    message
        ``platform`` is the id of a stored platform, and ``sweep`` that of a sweep, whose parameters on
        the axes are ``axes``. Else ``job`` is that of a job, ``stored`` says
        how to read the payload, and ``name`` which picture is meant: with none, the names of all
        that there are are given, as JSON. ``format`` and ``wanted`` say how it is to be.
        The format ``bundle`` needs nothing else: it is the JavaScript that draws.
    payload
        What is stored, as it is stored.
    """
    if message.get("format") == "bundle":
        return bundle().encode()
    if "platform" in message:
        # Loaded here: a process that draws no platform needs no layout of one.
        from steadygrid.pictures.platform import platform_picture

        wanted = read_wanted(message["wanted"])
        platform = Platform.model_validate(unpack(payload))
        return written(platform_picture(platform, wanted), message["format"], wanted)
    if "sweep" in message:
        return _of_sweep(message, unpack(payload))
    report = _KEPT.report(message, payload)
    names = [entry.name for entry in entries_of(report)]
    if "name" not in message:
        return json.dumps(names).encode()
    if message["name"] not in names:
        raise NoSuchPicture(f"This answer has {', '.join(names) or 'none'}.")
    wanted = read_wanted(message["wanted"])
    return written(picture_of(report, message["name"], wanted), message["format"], wanted)


def _of_sweep(message: Mapping[str, Any], document: Mapping[str, Any]) -> bytes:
    # Loaded here: a process that draws no sweep needs no plans of them.
    from steadygrid.pictures.sweep import sweep_picture
    from steadygrid.studies.sweep_plan import Plan
    from steadygrid.studies.sweep_table import row_from_document

    plan, wanted = Plan.from_document(document["plan"]), read_wanted(message["wanted"])
    rows = [row_from_document(row) for row in document["rows"]]
    together = plan.mode == "zip"
    picture = sweep_picture(plan.parameters, rows, wanted, together=together, axes=message["axes"])
    return written(picture, message["format"], wanted)


if __name__ == "__main__":
    serve(answer)
