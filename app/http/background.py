"""What a request has begun and its answer does not wait for."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import structlog

from app.db.errors import DatabaseUnavailableError
from app.logs import places

log = structlog.get_logger(__name__)


class Background:
    """Goes on in a thread with work that can be left at any time: another process takes it up."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "background")
        self._ending = threading.Event()

    def go_on(self, step: Callable[[], bool]) -> None:
        """Do a step again and again, until it says that nothing is left; others in between."""
        if not self._ending.is_set():
            self._thread.submit(self._do, step)

    def _do(self, step: Callable[[], bool]) -> None:
        if self._ending.is_set():
            return
        try:
            left = step()
        except DatabaseUnavailableError:
            return  # told already; the sweeper takes it up
        except Exception as error:  # noqa: BLE001 nothing else would report it
            log.error("background_failed", error=type(error).__name__, places=places(error))
            return
        if left:
            self.go_on(step)

    def close(self) -> None:
        """Leave the rest, after the step that is in progress."""
        self._ending.set()
        self._thread.shutdown(cancel_futures=True)
