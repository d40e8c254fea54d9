"""How far a solve is, told to the process that waits for it."""

import time
from typing import Any

from steadygrid.processes.wire import Wire

PROGRESS_SECONDS = 0.25
"""Least time between two progress frames of the same phase."""


class Reporter:
    """Sends progress, but not too often."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._phase: Any = None
        self._sent = 0.0

    def __call__(self, progress: dict[str, Any]) -> None:
        """Send a progress object if its phase is new or the last one is old enough."""
        now = time.monotonic()
        phase = progress.get("phase")
        if phase != self._phase or now - self._sent >= PROGRESS_SECONDS:
            self._phase, self._sent = phase, now
            self._wire.send({"type": "progress", "progress": progress})
