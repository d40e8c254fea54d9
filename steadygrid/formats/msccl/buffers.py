"""Where chunks stand in the buffers of ranks: input, output and scratch."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from steadygrid.formats.msccl.dialects import ONE_BUFFER, Operation

Place = tuple[Literal["i", "o", "s"], int]
"""Input, output or scratch buffer, and the offset in it, in chunks."""


class Chunk(NamedTuple):
    """The first chunk of what a tree moves."""

    root: int
    """Rank where it begins, or is combined."""
    target: int
    """The only rank that receives it, in operations whose messages differ; else the root."""
    offset: int
    """In its message."""


class Buffers(NamedTuple):
    """How an operation uses buffers."""

    operation: Operation
    ranks: int
    chunks: int
    """Of each message, of all instances together; of an allreduce, of the whole buffer."""
    inplace: bool

    @property
    def per_loop(self) -> int:
        """Chunks of the buffer whose size the caller of the library tells."""
        one = self.operation in ONE_BUFFER or self.operation in ("scatter", "gather")
        return self.chunks if one else self.ranks * self.chunks

    def inputs(self, rank: int) -> int:
        """Chunks of the input of a rank."""
        if self.operation in ("reduce_scatter", "all_to_all"):
            return self.ranks * self.chunks
        if self.operation == "scatter":
            return 0 if rank else self.ranks * self.chunks
        return self.chunks

    def outputs(self, rank: int) -> int:
        """Chunks of the output of a rank."""
        if self.operation in ("allgather", "all_to_all"):
            return self.ranks * self.chunks
        if self.operation == "gather":
            return 0 if rank else self.ranks * self.chunks
        return self.chunks

    def source(self, chunk: Chunk) -> Place:
        """Where a rank has what it gives to a chunk."""
        if self.operation == "allgather" and self.inplace:
            return self.end(chunk)
        if self.operation == "reduce_scatter":
            return "i", chunk.root * self.chunks + chunk.offset
        if self.operation in ("all_to_all", "scatter"):
            return "i", chunk.target * self.chunks + chunk.offset
        return "i", chunk.offset

    def end(self, chunk: Chunk) -> Place:
        """Where a chunk stands in the output of a rank that gets it."""
        if self.operation in ("allgather", "all_to_all", "gather"):
            return "o", chunk.root * self.chunks + chunk.offset
        return "o", chunk.offset

    def copies(self, rank: int) -> Iterator[tuple[Place, Place]]:
        """List what a rank copies from its input to its output, both from where on.

        All chunks of a message are copied.
        """
        if self.inplace or self.operation in ("reduce", "reduce_scatter", "allreduce"):
            return
        if rank and self.operation in ("broadcast", "scatter", "gather"):
            return
        own = Chunk(rank, rank, 0)
        yield self.source(own), self.end(own)
