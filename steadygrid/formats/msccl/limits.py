"""What the parser and the interpreter of MSCCL take."""

from steadygrid.domain.errors import Fault, LimitError

STEPS = 256
"""Of one block (``MSCCL_MAX_NUM_STEPS``)."""
BLOCKS = 216
"""Of one rank (``MSCCL_MAX_NUM_THREAD_BLOCKS``)."""
AWAITED = 128
"""Blocks of one rank that others can wait for, the first ones: their numbers are kept in 8 bits, with a
sign (``dependentBid``)."""
PEERS = 32
"""To which one channel of a rank sends, and likewise from which it receives
(``MSCCL_MAX_NUM_THREAD_BLOCKS_PER_CHANNEL``)."""
COUNT = 71
"""Chunks that one step moves (below ``MSCCL_MAX_COUNT``)."""
CHUNKS = 2**15
"""Of a buffer: offsets are kept in 16 bits, with a sign."""
ELEMENTS = 2**12 - 1
"""That the parser keeps for a rank: the algorithm, all ranks, its own blocks and their steps
(below ``MAX_NODES``)."""
NAME = 63
"""Letters of a name (``MSCCL_MAX_ALGO_NAME``)."""

_FEWER = "bound the period: options.max_period gives fewer trees and fewer chunks"


def beyond(code: str, detail: str) -> LimitError:
    """Make the error for an algorithm that MSCCL does not take.

    Parameters
    ----------
    code
        Stable name of the fault.
    detail
        What there is too much of; without a full stop.
    """
    sentence = f"{detail}; {_FEWER}"
    return LimitError(sentence, [Fault((), code, sentence)])
