"""What has been kept for long enough is deleted, piece by piece, between other things."""

import time
from collections.abc import Iterator

import structlog

from app.db.counters import Count
from app.db.engine import Database
from app.db.retention import PURGED, Period
from workers.counts import Counts
from workers.pieces import MOMENT_SECONDS, InPieces

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 50
"""Jobs, or documents, that are deleted in one unit."""
_REST_SECONDS = 600.0
_TOMBSTONES_AT_ONCE = 1_000


class Retention(InPieces):
    """Deletes what is older than its tenant keeps it.

    Parameters
    ----------
    database
        Whose tables.
    days
        How long tenants keep what for whom nothing else is said; 0: for ever.
    counts
        Where deleted rows are counted.
    """

    def __init__(self, database: Database, days: int, counts: Counts | None = None) -> None:
        super().__init__(_REST_SECONDS, pieces_at_once=1)
        self._database = database
        self._counts = Counts() if counts is None else counts
        self._days = days
        self._most = 1

    def _pieces(self) -> Iterator[int]:
        """Delete all that is too old; stop after each look and each unit, and say what it did."""
        with self._database.read_all() as unit:
            periods = unit.retention.periods(self._days)
        for period in periods:
            yield from self._of_tenant(period)
        while deleted := self._tombstones():
            yield deleted

    def _of_tenant(self, period: Period) -> Iterator[int]:
        for noun in PURGED:
            total = 0
            while deleted := self._unit(period, noun):
                total += deleted
                yield deleted
            if total:
                log.info("purged", tenant=period.tenant, what=noun, count=total)
            yield 0

    def _unit(self, period: Period, noun: str) -> int:
        """Delete some in one unit, fewer than before if that took long."""
        begun = time.monotonic()
        with self._database.write_all() as unit:
            deleted = unit.retention.purge(period, noun, self._most)
        self._counts.count(Count.PURGED, deleted)
        long = time.monotonic() - begun > MOMENT_SECONDS
        self._most = max(1, self._most // 2) if long else min(MOST_AT_ONCE, 2 * self._most)
        return deleted

    def _tombstones(self) -> int:
        with self._database.write_all() as unit:
            return unit.retention.purge_tombstones(_TOMBSTONES_AT_ONCE)
