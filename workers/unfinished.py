"""Sweeps whose jobs are to be made, cancelled or deleted: piece by piece, between other things."""

import time
from collections.abc import Callable, Iterator

import structlog

from app.db.engine import Database
from app.sweep_creation import make_jobs
from workers.pieces import InPieces

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 50
"""Jobs that are cancelled, or deleted, in one unit."""
_SWEEPS_AT_ONCE = 100


class Unfinished(InPieces):
    """Goes on with what was begun with sweeps, by a process that may be gone.

    Parameters
    ----------
    database
        Whose tables.
    rest_seconds
        After which to look again where nothing was left.
    made
        Called when jobs were made: workers have to be woken.
    """

    def __init__(
        self,
        database: Database,
        rest_seconds: float,
        made: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(rest_seconds)
        self._database = database
        self._made = made

    def _pieces(self) -> Iterator[int]:
        with self._database.read_all() as unit:
            cancelling = unit.sweep_work.cancelling(_SWEEPS_AT_ONCE)
            doomed = unit.sweep_work.doomed(_SWEEPS_AT_ONCE)
        for sweep in cancelling:
            yield from self._repeat_unit(sweep, self._cancel, "sweep_cancelled")
        for sweep in doomed:
            yield from self._repeat_unit(sweep, self._remove, "sweep_removed")
        while made := self._make():
            log.info("sweep_made", jobs=made)
            yield made

    def _repeat_unit(self, sweep: str, unit_of: Callable[[str], int], what: str) -> Iterator[int]:
        total = 0
        while done := unit_of(sweep):
            total += done
            yield done
        if total:
            log.info(what, sweep=sweep, jobs=total)

    def _cancel(self, sweep: str) -> int:
        with self._database.write_all() as unit:
            return unit.sweep_work.cancel_some(sweep, MOST_AT_ONCE)

    def _remove(self, sweep: str) -> int:
        with self._database.write_all() as unit:
            return unit.sweep_work.remove_some(sweep, MOST_AT_ONCE)

    def _make(self) -> int:
        """Make the next jobs of a sweep that no process works on; give their number."""
        made: list[str] = []
        # Without a lease: what is left is there for the next process, which may be this one.
        make_jobs(self._database, None, 0.0, time.monotonic(), made.extend)
        if made:
            self._made()
        return len(made)
