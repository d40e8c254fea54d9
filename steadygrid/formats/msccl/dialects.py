"""Which operations the parsers of MSCCL know, and by which names."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

Operation = Literal[
    "allgather",
    "reduce_scatter",
    "allreduce",
    "broadcast",
    "reduce",
    "all_to_all",
    "scatter",
    "gather",
]
ONE_ROOT: frozenset[Operation] = frozenset({"broadcast", "reduce", "scatter", "gather"})
"""Operations with a root of its own. No file says which, and it is rank 0."""
DIFFERENT: frozenset[Operation] = frozenset({"all_to_all", "scatter", "gather"})
"""Operations whose messages have one origin and one receiver each."""
ONE_BUFFER: frozenset[Operation] = frozenset({"allreduce", "broadcast", "reduce"})
"""Operations whose buffers are all of one size, the chunks of which stand where they stood."""
DialectName = Literal["msccl", "executor"]
DIALECT_NAMES: tuple[DialectName, ...] = get_args(DialectName)

_SHARED: Mapping[Operation, str] = {
    "allgather": "allgather",
    "allreduce": "allreduce",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "all_to_all": "alltoall",
}


class Dialect(NamedTuple):
    """What one of the parsers takes."""

    title: str
    blocks: int
    """Of one rank at most."""
    names: Mapping[Operation, str]
    """Of the operations that it knows."""


DIALECTS: Mapping[DialectName, Dialect] = {
    "msccl": Dialect("MSCCL", 216, {**_SHARED, "reduce_scatter": "reduce_scatter"}),
    "executor": Dialect(
        "the executor of MSCCL",
        1024,
        {
            **_SHARED,
            "reduce_scatter": "reducescatter",
            "scatter": "scatter",
            "gather": "gather",
        },
    ),
}
"""``msccl``: `MSCCL_MAX_NUM_THREAD_BLOCKS` of microsoft/msccl. ``executor``: that of
Azure/msccl-executor-nccl, 32 in each of 32 channels. There, one chunk of a scatter or gather is a part of the
buffer of one rank: its `sizeMultiplier` is 1, as for a broadcast."""
