"""Sets of vertices that have been found narrow, and how much each can still lose."""

from collections.abc import Iterator


class Pool:
    """Sets and their slack. A mask has a bit for every set, in the order in which they came.

    Attributes
    ----------
    holding
        By vertex: the mask of the sets that hold it.
    slack
        By set: how much more crosses it than has to.
    index
        The sets, with their positions in masks.
    """

    def __init__(self, number: int) -> None:
        self.holding = [0] * number
        self.slack: list[int] = []
        self.index: dict[frozenset[int], int] = {}

    def add(self, members: frozenset[int], slack: int) -> int:
        """Add a set that is new, and give its position.

        Parameters
        ----------
        members
            Vertices of the set.
        slack
            How much more crosses it than has to.
        """
        position = self.index[members] = len(self.slack)
        self.slack.append(slack)
        for vertex in members:
            self.holding[vertex] |= 1 << position
        return position

    def least(self, mask: int, limit: int) -> int:
        """Give the least slack of some sets, or the limit if that is less.

        Parameters
        ----------
        mask
            A bit for each set that counts.
        limit
            What is given at most.
        """
        return min([limit, *(self.slack[k] for k in bits(mask))])

    def take(self, mask: int, amount: int) -> None:
        """Take an amount from the slack of some sets.

        Parameters
        ----------
        mask
            A bit for each set that counts.
        amount
            What is taken from each of them.
        """
        for k in bits(mask):
            self.slack[k] -= amount


def bits(mask: int) -> Iterator[int]:
    """Give the positions of the ones in a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
