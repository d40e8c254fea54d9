"""Packings laid out as programs."""

from collections import Counter

from steadygrid.formats.msccl.moves import Program, Split, arrange
from steadygrid.kinds.collective.solver.completion_trees import Packing


def arranged(packing: Packing, split: Split) -> Program:
    """Order the moves of all trees by depth.

    Parameters
    ----------
    packing
        Trees of all messages.
    split
        Which moves between two ranks share a channel.
    """
    return arrange([loaded.tree for loaded in packing.trees], split)


def most_blocks(program: Program) -> int:
    """Count the blocks of the rank that needs most: one for each channel that it sends or receives by.

    Parameters
    ----------
    program
        Its trees have routes.
    """
    ends = (end for channel in program.channels for end in (channel.sender, channel.receiver))
    return program.instances * max(Counter(ends).values())
