"""The end of the process, known to waiting requests before uvicorn waits for them."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Shutdown:
    """Set as soon as the process is asked to end.

    uvicorn runs the lifespan's end only when every connection is closed, which is too late
    for those who wait for an event: they would hold the process for a minute.
    """

    def __init__(self) -> None:
        self.event = asyncio.Event()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the signals besides present listeners; inside a running loop."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        before: dict[int, Any] = {one: signal.getsignal(one) for one in _SIGNALS}

        def hear(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.event.set)
            if callable(before[number]):
                before[number](number, frame)

        listened = [one for one in _SIGNALS if callable(before[one])]
        for one in listened:
            signal.signal(one, hear)
        try:
            yield
        finally:
            for one in listened:
                signal.signal(one, before[one])
