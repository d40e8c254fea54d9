"""Celery's pool of forked processes, for a worker that outlives the first of them."""

from celery.concurrency.prefork import TaskPool


class ForkedPool(TaskPool):  # type: ignore[misc]  # Celery has no types
    """A pool that replaces a process at any time, at its start as well.

    Celery looks once, when it has reached the broker. If a process has ended by then, it ends the
    whole worker. The broker may be away for hours before that.
    """

    def did_start_ok(self) -> bool:
        """Let the pool replace what has ended, as it does from then on."""
        return True
