"""How many streams of events are open."""

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.multiprocess import mark_process_dead
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDER_OF_COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that says to prometheus_client where processes keep what they count."""


class OpenStreams:
    """Counts the streams of events of this process; `/metrics` has the sum of all that live.

    Parameters
    ----------
    app
        The application inside.
    registry
        What this process counts.
    """

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self._app = app
        self._open = Gauge(
            "steadygrid_event_streams",
            "Streams of events that are open.",
            registry=registry,
            multiprocess_mode="livesum",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        streams = False

        async def watch(message: Message) -> None:
            nonlocal streams
            if message["type"] == "http.response.start" and not streams:
                kind = Headers(raw=message["headers"]).get("content-type", "")
                if kind.startswith("text/event-stream"):
                    streams = True
                    self._open.inc()
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            if streams:
                self._open.dec()


def forget_dead_processes() -> None:
    """Drop what is only true of processes that live, of those that have been killed."""
    folder = os.environ.get(FOLDER_OF_COUNTS)
    if folder is None:
        return
    for file in Path(folder).glob("gauge_live*_*.db"):
        number = file.stem.rpartition("_")[2]
        if number.isdigit() and not Path("/proc", number).exists():
            mark_process_dead(int(number), folder)  # type: ignore[no-untyped-call]
