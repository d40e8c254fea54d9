"""Places for requests that wait: a share of the connections, so that others are served."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.http.refusals import Refusal

RETRY_WAITING_SECONDS = 5


class WaitingRoom:
    """Holds a bounded number of event streams and of requests that wait for a job.

    Parameters
    ----------
    places
        The bound.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place for a while; `Refusal` ``too_many_waiting``."""
        if self._taken >= self._places:
            raise Refusal(
                "too_many_waiting",
                f"{self._places:,} requests wait for jobs already; ask without waiting.",
                headers={"Retry-After": str(RETRY_WAITING_SECONDS)},
            )
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1
