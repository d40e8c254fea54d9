"""What is stored of one answer, packed as it is: for a process that draws it.

Nothing here knows SQL, so that this process can unpack it itself.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from app.db.packing import unpack
from steadygrid.domain.forms import AnySchedule, form_of, schedule_from_document


class Window(NamedTuple):
    """What is wanted of a period, in time units. None: from its begin, or to its end."""

    begin: Fraction | None = None
    end: Fraction | None = None


WHOLE = Window()


class StoredChunk(NamedTuple):
    """Some consecutive entries of a part."""

    part: str
    number: int
    packed: bytes


class StoredSchedule(NamedTuple):
    """A schedule as it is stored."""

    header: dict[str, Any]
    chunks: tuple[StoredChunk, ...]
    """In order within each part."""

    def unpack(self) -> AnySchedule:
        """Read the schedule."""
        entries: dict[str, list[Any]] = {
            name: [] for name in form_of(self.header).parts_in(self.header)
        }
        for chunk in self.chunks:
            entries[chunk.part] += unpack(chunk.packed)
        return schedule_from_document(self.header | entries)


class StoredAnswer(NamedTuple):
    """A job that has succeeded."""

    instance: bytes
    result: bytes
    schedule: StoredSchedule | None
    trace: bytes | None = None

    def sent(self) -> tuple[dict[str, Any], bytes]:
        """Write it as JSON and bytes, which `received` reads."""
        head: dict[str, Any] = {"instance": len(self.instance), "result": len(self.result)}
        pieces = [self.instance, self.result]
        if self.schedule is not None:
            head["header"] = self.schedule.header
            chunks = self.schedule.chunks
            head["chunks"] = [[one.part, one.number, len(one.packed)] for one in chunks]
            pieces += [one.packed for one in chunks]
        if self.trace is not None:
            head["trace"] = len(self.trace)
            pieces.append(self.trace)
        return head, b"".join(pieces)

    @classmethod
    def received(cls, head: dict[str, Any], payload: bytes) -> "StoredAnswer":
        """Read what `sent` wrote.

        Parameters
        ----------
        head
            JSON-ready, with the lengths of the parts.
        payload
            The parts, one after the other.
        """
        chunks = head.get("chunks", [])
        lengths = [head["instance"], head["result"], *(length for _, _, length in chunks)]
        instance, result, *packed, last = _cut(payload, [*lengths, head.get("trace", 0)])
        trace = last if "trace" in head else None
        if "header" not in head:
            return cls(instance, result, None, trace)
        named = tuple(
            StoredChunk(part, number, piece)
            for (part, number, _), piece in zip(chunks, packed, strict=True)
        )
        return cls(instance, result, StoredSchedule(head["header"], named), trace)


def _cut(payload: bytes, lengths: Iterable[int]) -> list[bytes]:
    pieces, begin = [], 0
    for length in lengths:
        pieces.append(payload[begin : begin + length])
        begin += length
    return pieces
