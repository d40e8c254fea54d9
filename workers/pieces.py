"""Work that is done piece by piece, a moment at a time, between other things."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator

PAUSE_SECONDS = 1.0
"""Between two moments while there is more to do."""
MOMENT_SECONDS = 0.1


class InPieces(ABC):
    """Looks now and then whether there is something to do, and does it in pieces.

    Several processes may do so at once. Killed in between, one leaves nothing half done.

    Parameters
    ----------
    rest_seconds
        After which to look again where nothing was left.
    pieces_at_once
        How many pieces that did something fit into a moment, unless it is over before. None: any
        number.
    """

    def __init__(self, rest_seconds: float, pieces_at_once: int | None = None) -> None:
        self._rest_seconds = rest_seconds
        self._pieces_at_once = pieces_at_once
        self._round: Iterator[int] | None = None
        self._next = 0.0

    @property
    def is_unfinished(self) -> bool:
        """Whether there was more to do when it was stopped last."""
        return self._round is not None

    def go_on_if_due(self) -> None:
        """Go on for a moment.

        Raises
        ------
        DatabaseUnavailableError
            Then it begins anew the next time.
        """
        begun = time.monotonic()
        if begun < self._next:
            return
        pieces, left = self._round or self._pieces(), self._pieces_at_once
        self._round, self._next = None, begun + PAUSE_SECONDS
        for done in pieces:
            if left is not None and done:
                left -= 1
            if left == 0 or time.monotonic() - begun > MOMENT_SECONDS:
                self._round = pieces
                return
        self._next = begun + self._rest_seconds

    @abstractmethod
    def _pieces(self) -> Iterator[int]:
        """Do all there is to do; stop after each unit, and say how much it did."""
