"""What a worker process counts, until it adds it to the database."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.db.counters import Count


class Counts:
    """Counts in any thread. What could not be added is kept for the next time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: Counter[str] = Counter()

    def count(self, what: Count, number: float = 1) -> None:
        """Count something."""
        with self._lock:
            self._counted[what.value] += number  # type: ignore[assignment]

    @contextmanager
    def taken(self) -> Iterator[Mapping[str, float]]:
        """Take all that was counted, to be added in the block. It comes back if that raises."""
        with self._lock:
            taken, self._counted = self._counted, Counter()
        try:
            yield taken
        except BaseException:
            with self._lock:
                for name, number in taken.items():
                    self._counted[name] += number
            raise
