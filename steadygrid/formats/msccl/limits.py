"""What the parsers and interpreters of MSCCL take."""

from typing import NamedTuple

from steadygrid.domain.errors import Fault, LimitError

STEPS = 256
"""Of one block (``MSCCL_MAX_NUM_STEPS``)."""
AWAITED = 128
"""Blocks of one rank that others can wait for, the first ones: their numbers are kept in 8 bits, with a
sign (``dependentBid``)."""
CHANNELS = 32
"""Of an algorithm (``MAXCHANNELS``)."""
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

FEWER = "bound the period: options.max_period gives fewer trees and fewer chunks"


class Excess(NamedTuple):
    """What an algorithm has too much of."""

    code: str
    detail: str
    """Without a full stop."""

    def error(self, remedy: str = FEWER) -> LimitError:
        """Make the error that refuses it.

        Parameters
        ----------
        remedy
            What helps; without a full stop.
        """
        sentence = f"{self.detail}; {remedy}"
        return LimitError(sentence, [Fault((), self.code, sentence)])
