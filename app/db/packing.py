"""Documents as compressed bytes, and schedules as chunks of them.

Nothing here knows SQL, so that a solver process can pack its answer itself.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from steadygrid.domain.document import canonical_json
from steadygrid.domain.forms import AnySchedule

CHUNK_LINES = 2_000
"""Entries (and transfers within them) after which a chunk is closed."""
_LEVEL = 1  # numbers compress well at any level; higher ones only take longer

_BETWEEN = ",\n"
"""Between two entries of a chunk: a schedule that is handed out has a line for each."""
_FED_BYTES, _PIECE_BYTES = 2**12, 2**16
"""What is read and written at once where a chunk is unpacked piece by piece."""

T = TypeVar("T")


def pack(document: Any) -> bytes:
    """Compress a JSON document."""
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode("ascii"), _LEVEL)


def unpack(packed: bytes) -> Any:
    """Read a document that `pack` wrote."""
    return json.loads(zlib.decompress(packed))


def entries_text(packed: bytes) -> Iterator[bytes]:
    """Give the entries of a chunk as JSON text, commas between them, in pieces of bounded length.

    One slot may hold a million transfers, so nothing here is read as JSON.

    Parameters
    ----------
    packed
        A JSON array that is not empty, as `Chunk.packed` holds it.

    Raises
    ------
    ValueError
        If the chunk is cut off.
    """
    reader = zlib.decompressobj()
    opening, held, taken = 1, b"", 0
    while not reader.eof:
        fed = reader.unconsumed_tail
        if not fed:
            fed = packed[taken : taken + _FED_BYTES]
            taken += _FED_BYTES
        text = held + reader.decompress(fed, _PIECE_BYTES)
        if not fed and text == held and not reader.eof:
            raise ValueError("a chunk that is cut off")
        yield text[opening:-1]
        opening, held = 0, text[-1:]


class Chunk(NamedTuple):
    """Some consecutive entries of one part of a schedule."""

    part: str
    number: int
    first: int
    """Index of the first entry in its part."""
    length: int
    start: str | None
    """When the first entry begins, in the period if there is one. None for allocations."""
    packed: bytes


class PackedSchedule(NamedTuple):
    """A schedule ready to be stored."""

    id: str
    header: dict[str, Any]
    chunks: tuple[Chunk, ...]


def pack_schedule(schedule: AnySchedule) -> PackedSchedule:
    """Cut a schedule into compressed chunks and name it by its content.

    Only one chunk at a time exists uncompressed. The id is a hash of the header and of all
    entries, for every length of the chunks. The names of the parts tell the forms apart, and the
    first headers said neither `form` nor that there is no makespan: so neither is hashed, and a
    schedule keeps its name.
    """
    header = schedule.header
    hashed = {name: value for name, value in header.items() if name != "form"}
    if header["makespan"] is None:
        del hashed["makespan"]
    digest = hashlib.sha256(canonical_json(hashed).encode("utf-8", "surrogatepass"))
    chunks = [
        chunk
        for part, write in schedule.listed.items()
        for chunk in _chunks(part, getattr(schedule, part), write, digest.update)
    ]
    return PackedSchedule(f"sch_{digest.hexdigest()[:32]}", header, tuple(chunks))


def _chunks(
    part: str,
    entries: Iterable[T],
    document: Callable[[T], dict[str, Any]],
    digest: Callable[[bytes], None],
) -> Iterator[Chunk]:
    digest(f"\n{part}".encode("ascii"))
    number = first = lines = 0
    start: Fraction | None = None
    texts: list[str] = []

    def close() -> Chunk:
        text = f"[{_BETWEEN.join(texts)}]"
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)
        return Chunk(part, number, first, len(texts), None if start is None else str(start), packed)

    for entry in entries:
        if not texts:
            start = getattr(entry, "start", None)
        texts.append(canonical_json(document(entry)))
        digest(f"\n{texts[-1]}".encode("utf-8", "surrogatepass"))
        lines += 1 + len(getattr(entry, "transfers", getattr(entry, "cargo", ())))
        if lines >= CHUNK_LINES:
            yield close()
            number, first, lines, texts = number + 1, first + len(texts), 0, []
    if texts:
        yield close()


def schedule_of_frame(
    described: dict[str, Any] | None, packed: memoryview
) -> PackedSchedule | None:
    """Put a schedule together that came over a pipe. None if there is none.

    Parameters
    ----------
    described
        Its id, its header, and its chunks with their sizes.
    packed
        The chunks, one after the other.
    """
    if described is None:
        return None
    chunks = []
    begin = 0
    for *fields, size in described["chunks"]:
        chunks.append(Chunk._make([*fields, bytes(packed[begin : begin + size])]))
        begin += size
    return PackedSchedule(described["id"], described["header"], tuple(chunks))
