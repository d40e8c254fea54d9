"""What schedules of all forms say of themselves: one header, and the reading of it.

A form lacks some members of the header: there they are null.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from steadygrid.domain.rational import parse_whole

Parts = Mapping[str, Callable[[Any], dict[str, Any]]]
"""The parts of a form of schedules in their order, each with what writes an entry of it."""

MEMBERS: Mapping[str, Callable[[Any], Any]] = {
    "period": str,
    "makespan": str,
    "instances_per_period": str,
    "throughput": str,
    "optimal_throughput": str,
    "loss": str,
    "rounding_loss": str,
    "ports": str,
    "prologue_periods": int,
    "latency_periods": int,
    "preempted": bool,
}
"""The members that a schedule of some form has an attribute for, each with what writes it."""
GROUPING = ("grouped_periods", "latency_time", "completion_time_at_most", "no_schedule_before")
"""Members of headers that only schedules have that pay latencies."""
_COUNTED = ("allocations", "computations", "slots", "transfers")
"""What headers of all forms count, though most forms have none of it."""


class TwoFormsError(ValueError):
    """A document tells what is sent in two forms."""


class Headed:
    """A schedule of any form: a header, and parts that list entries."""

    form: ClassVar[str]
    """What headers say."""
    parts: ClassVar[Parts]
    lacks: ClassVar[Sequence[str]]
    """Members of headers that only other forms have: null."""

    @property
    def listed(self) -> Parts:
        """The parts that are written."""
        return self.parts

    @classmethod
    def parts_in(cls, header: Mapping[str, Any]) -> Parts:
        """Give the parts that a header counts, which documents and stores list.

        Parameters
        ----------
        header
            Of a schedule of this form, with its counts.
        """
        return {name: write for name, write in cls.parts.items() if name in header["counts"]}

    @property
    def counts(self) -> dict[str, int]:
        """How much is listed in each part."""
        listed = {part: len(getattr(self, part)) for part in self.listed}
        return dict.fromkeys(_COUNTED, 0) | listed

    @property
    def optional_members(self) -> Mapping[str, Any]:
        """Members that the header has only where they say something."""
        return {}

    @property
    def header(self) -> dict[str, Any]:
        """The JSON object of ``GET /v1/schedules/{id}``, without id and links."""
        header: dict[str, Any] = {"form": self.form}
        for name, write in MEMBERS.items():
            value = None if name in self.lacks else getattr(self, name)
            header[name] = None if value is None else write(value)
        files = [list(file) for file in getattr(self, "files", ())]
        return header | {"counts": self.counts, "files": files, **self.optional_members}

    @property
    def document(self) -> dict[str, Any]:
        """The header with all parts, unpaged: what ``--schedule FILE`` writes."""
        return self.header | {
            part: [write(entry) for entry in getattr(self, part)]
            for part, write in self.listed.items()
        }


def stated_form(document: Mapping[str, Any]) -> str:
    """Give the form that a document or header says, or that an older one has without saying so.

    Raises
    ------
    KeyError, TypeError
        If it says none and has no `period` either, or if what it says is no name.
    """
    if "form" in document:
        return text_of(document["form"])
    return "once" if document["period"] is None else "periodic"


def require_form(document: Mapping[str, Any], form: str, lacks: Sequence[str]) -> None:
    """Refuse a document of another form than this one, or that says what this one lacks.

    Parameters
    ----------
    document
        A schedule as JSON has it.
    form
        Of the kind's schedules.
    lacks
        Members that this form does not have. They may be null.

    Raises
    ------
    ValueError
        If it is one; else as `stated_form`.
    """
    stated = stated_form(document)
    if stated != form:
        raise ValueError(f"its form is {stated[:40]!r}, but this kind's schedules are {form!r}")
    if (document["period"] is None) != (form == "once"):
        raise ValueError(f"its form is {form!r}, but its period is {document['period']!r:.40}")
    for name in lacks:
        if document.get(name) is not None:
            raise ValueError(f"its form is {form!r}, but its {name} is {document[name]!r:.40}")


def read_counts(document: Mapping[str, Any]) -> dict[str, int] | None:
    """Read the `counts` of a document, if it has any.

    Raises
    ------
    ValueError
        If one of them is no whole number.
    """
    counts = document.get("counts")
    if counts is None:
        return None
    return {name: parse_whole(number) for name, number in counts.items() if number is not None}


def text_of(value: Any) -> str:
    """Read a name of a document.

    Raises
    ------
    TypeError
        If it is no string.
    """
    if not isinstance(value, str):
        raise TypeError(f"expected a name, not {str(value)[:40]!r}")
    return value
