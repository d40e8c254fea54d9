"""The processes of `steadygrid api --processes N`: one socket, and one limit of what is taken.

uvicorn's own multi-process mode is not used: its processes go on answering when their parent is killed,
and one that takes longer than five seconds to start is taken for hung.
"""

import os
import socket
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from app.settings import Settings
from workers.service_process import ServiceProcess

_GRACE_SECONDS = 15.0
"""For running requests, which have ten seconds, and for what is open besides."""


class ApiProcesses:
    """API processes that answer at one listening socket, from start to end.

    Each that dies is replaced, and all die with this process.

    Parameters
    ----------
    settings
        Of the service.
    listener
        The socket; it listens.
    number
        How many processes.
    """

    def __init__(self, settings: Settings, listener: socket.socket, number: int) -> None:
        self._settings = settings
        self._listener = listener
        self._number = number
        self._stack = ExitStack()
        self._ready = -1
        self.services: list[ServiceProcess] = []

    def __enter__(self) -> Self:
        """Start them."""
        # What they count: `/metrics` of each reports on all.
        counts = self._stack.enter_context(TemporaryDirectory(prefix="steadygrid-metrics-"))
        self._ready, ready = os.pipe()
        self._stack.callback(os.close, self._ready)
        self._stack.callback(os.close, ready)
        environment = self._settings.environment() | {"PROMETHEUS_MULTIPROC_DIR": counts}
        files = (self._listener.fileno(), ready)
        arguments = [str(one) for one in (*files, self._number)]
        for _ in range(self._number):
            service = ServiceProcess(
                "app.api_process", arguments, environment, _GRACE_SECONDS, files, apart=True
            )
            service.start()
            self.services.append(service)
        return self

    def wait(self) -> None:
        """Wait until one of them answers."""
        os.read(self._ready, 1)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End them all at once, and wait for that."""
        for service in self.services:
            service.ask_to_stop()
        for service in self.services:
            service.stop()
        self._stack.close()
