"""In which lane a worker looks first: one claim of four is for sweeps."""

import secrets

from app.db.turns import Lane

_ROUND = 4


class Lanes:
    """Single jobs go first, but for one claim in each four of a worker, drawn by lot.

    So a sweep is not starved by single jobs, and delays none of them by more than two of its own on
    each worker. With exactly each fourth claim, the jobs of a tenant who takes turns with one or with
    three others would meet it always, or never.
    """

    def __init__(self) -> None:
        self._claims = 0
        self._chosen = self._draw()

    @property
    def first(self) -> Lane:
        """Where the next claim looks first."""
        return Lane.SWEEP if self._claims == self._chosen else Lane.SINGLE

    def claimed(self) -> None:
        """Count a claim that found a job."""
        self._claims += 1
        if self._claims == _ROUND:
            self._claims, self._chosen = 0, self._draw()

    def _draw(self) -> int:
        return secrets.randbelow(_ROUND)
