"""The processes that one search leaves to the next."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from steadygrid.domain.errors import SolverError
from steadygrid.engine.solving.search_child import SearchChild


class SearchProcesses:
    """Lends search processes, and keeps one for the next search until it is closed.

    What is not closed is closed when nothing refers to it any more, or at the end of the
    interpreter.
    """

    def __init__(self) -> None:
        self._idle: list[SearchChild] = []
        weakref.finalize(self, _end, self._idle)

    @property
    def idle(self) -> int | None:
        """The id of the process that is kept, if there is one."""
        return self._idle[-1].pid if self._idle else None

    @contextmanager
    def lend(self) -> Iterator[SearchChild]:
        """Lend a search process that no other caller uses."""
        try:
            child = self._idle.pop()
        except IndexError:
            child = SearchChild()
        try:
            child.start()
            yield child
        finally:
            child.settle()
            if child.pid is not None and not self._idle:
                self._idle.append(child)
            else:
                child.kill()

    def start_early(self) -> None:
        """Have a process ready for the next search."""
        with suppress(MemoryError, SolverError), self.lend():
            pass

    def close(self) -> None:
        """End the process that is kept."""
        _end(self._idle)


def _end(idle: list[SearchChild]) -> None:
    while idle:
        idle.pop().kill()


LASTING = SearchProcesses()
"""Of all solves that have no other: to start a process takes longer than many a search."""
