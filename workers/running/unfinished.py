"""Sweeps whose jobs are to be made, cancelled or deleted: piece by piece, between other things."""

import time
from collections.abc import Callable, Iterator, Sequence

import structlog

from app.db.engine import Database
from app.sweep_creation import make_jobs

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 50
"""Jobs that are cancelled, or deleted, in one unit."""
PAUSE_SECONDS = 1.0
"""Between two moments while there is more to do."""
_STEP_SECONDS = 0.1
_SWEEPS_AT_ONCE = 100


class Unfinished:
    """Goes on with what was begun with sweeps, by a process that may be gone.

    Several may do so at once. Killed in between, it leaves nothing half done.

    Parameters
    ----------
    database
        Whose tables.
    rest_seconds
        After which to look again where nothing was left.
    told
        Is given the ids of jobs that were made.
    """

    def __init__(
        self,
        database: Database,
        rest_seconds: float,
        told: Callable[[Sequence[str]], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._rest_seconds = rest_seconds
        self._told = told
        self._round: Iterator[int] | None = None
        self._next = 0.0

    @property
    def under_way(self) -> bool:
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
        pieces = self._round or self._pieces()
        self._round, self._next = None, begun + PAUSE_SECONDS
        for _ in pieces:
            if time.monotonic() - begun > _STEP_SECONDS:
                self._round = pieces
                return
        self._next = begun + self._rest_seconds

    def _pieces(self) -> Iterator[int]:
        """Do all there is to do; stop after each unit, and say how many jobs it was about."""
        with self._database.read_all() as unit:
            cancelling = unit.sweep_work.cancelling(_SWEEPS_AT_ONCE)
            doomed = unit.sweep_work.doomed(_SWEEPS_AT_ONCE)
        for sweep in cancelling:
            yield from self._all_of(sweep, self._cancel, "sweep_cancelled")
        for sweep in doomed:
            yield from self._all_of(sweep, self._remove, "sweep_removed")
        while made := self._make():
            log.info("sweep_made", jobs=made)
            yield made

    def _all_of(self, sweep: str, unit_of: Callable[[str], int], what: str) -> Iterator[int]:
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
        """Make the next jobs of a sweep that nobody is at; give their number."""
        made: list[str] = []
        # Without a lease: what is left is there for whoever comes next, which may be this one.
        make_jobs(self._database, None, 0.0, time.monotonic(), made.extend)
        if made:
            self._told(made)
        return len(made)
