"""A process that is kept alive next to the one that started it."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence

import structlog

from steadygrid.processes.lifeline import python

log = structlog.get_logger(__name__)

_SHORTEST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_HEALTHY_SECONDS = 10.0


class ServiceProcess:
    """Runs ``python -P -m MODULE PARENT ...``, starts it again when it dies, and stops it.

    The module calls `steadygrid.processes.lifeline.die_with_parent` with its first argument. A thread of
    its own starts the process, because the kernel ties its life to the thread that did. The
    thread lives as long as the process.

    Parameters
    ----------
    module
        What to run.
    arguments
        After the parent's process id.
    environment
        Instead of all variables that begin with ``STEADYGRID_``.
    grace
        Seconds between SIGTERM and SIGKILL.
    files
        Descriptors that it inherits.
    apart
        Whether what a terminal sends to the parent, such as Ctrl-C, is not sent to it.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        grace: float = 10.0,
        files: Sequence[int] = (),
        *,
        apart: bool = False,
    ) -> None:
        self._command = python(module, str(os.getpid()), *arguments)
        self._environment = environment
        self._name = " ".join([module, *arguments])
        self._grace = grace
        self._files = tuple(files)
        self._group = 0 if apart else None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name=self._name, daemon=True)

    def start(self) -> None:
        """Start it; returns at once."""
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        with self._lock:
            process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def ask_to_stop(self) -> None:
        """Send SIGTERM, and return at once."""
        self._stopping.set()
        self._signal(signal.SIGTERM)

    def stop(self) -> None:
        """Send SIGTERM, wait, and kill what is left."""
        self.ask_to_stop()
        self._thread.join(self._grace)
        if self._thread.is_alive():
            log.warning("service_killed", service=self._name)
            self._signal(signal.SIGKILL)
            self._thread.join()

    def _signal(self, number: int) -> None:
        with self._lock:
            if self._process is not None:
                self._process.send_signal(number)

    def _keep(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            with self._lock:
                if self._stopping.is_set():
                    return
                self._process = subprocess.Popen(
                    self._command,
                    env=self._variables(),
                    pass_fds=self._files,
                    process_group=self._group,
                )
            started = time.monotonic()
            code = self._process.wait()
            healthy = time.monotonic() - started > _HEALTHY_SECONDS
            if self._stopping.is_set():
                return
            log.warning("service_died", service=self._name, exit_code=code)
            pause = _SHORTEST_PAUSE if healthy else min(_LONGEST_PAUSE, 2 * pause)
            self._stopping.wait(pause)

    def _variables(self) -> dict[str, str] | None:
        if self._environment is None:
            return None
        others = {
            name: value for name, value in os.environ.items() if not name.startswith("STEADYGRID_")
        }
        return others | dict(self._environment)
