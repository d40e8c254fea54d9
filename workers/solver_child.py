"""A solver process as its supervisor sees it."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

from app.settings import PREFIX, Settings
from steadygrid.processes.child import Child
from steadygrid.processes.lifeline import environment, python

MODULE = "workers.solver_process"
TRIAL = "trial"
"""What a solver process is given after its pipeline if it is only to import it."""
_NO_LIMIT = 1 << 62
_TRIED = ("pipeline", "solver_memory_bytes")


class UnfitSolverError(Exception):
    """No solver process can work with these settings. The message says which is wrong."""


def try_solver(settings: Settings) -> None:
    """Look whether a solver process can import what the settings name, within their memory.

    Costs a second or two where they differ from the defaults, else nothing.

    Raises
    ------
    UnfitSolverError
        It cannot.
    """
    chosen = (settings.pipeline, settings.solver_memory_bytes)
    if chosen == tuple(Settings.model_fields[name].default for name in _TRIED):
        return
    if _imports(*chosen) is None:
        return
    reason = _imports(settings.pipeline, _NO_LIMIT)
    if reason is not None:
        raise UnfitSolverError(
            f"{PREFIX}PIPELINE={settings.pipeline} cannot be used ({reason}): name a module"
            " with a function `run` that can be imported, in a folder on PYTHONPATH"
        )
    raise UnfitSolverError(
        f"{PREFIX}SOLVER_MEMORY_BYTES={settings.solver_memory_bytes} is less than a solver"
        " process needs for its imports alone: leave it out, or give 1073741824 (1 GiB) or more"
    )


def _imports(pipeline: str, memory: int) -> str | None:
    """Give None if a solver process can import, else its last words.

    Raises
    ------
    UnfitSolverError
        Something else has killed it, so these settings are not known to be wrong.
    """
    tried = subprocess.run(
        python(MODULE, str(os.getpid()), str(memory), pipeline, TRIAL),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environment(),
    )
    if tried.returncode == -signal.SIGKILL:
        raise UnfitSolverError(
            "a solver process was killed while it was tried: look whether this machine has run out of"
            " memory, and start again"
        )
    words = tried.stderr.decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(words) if line.strip()), "it was killed")
    return None if tried.returncode == 0 else last


class SolverChild(Child):
    """A solver process: started at once, importing while no job waits for it.

    Parameters
    ----------
    settings
        Of the service.
    started
        Called when it is ready, with the seconds that it took, and those of a core.
    """

    def __init__(
        self,
        settings: Settings,
        started: Callable[[float, float], None] = lambda *_: None,
    ) -> None:
        self._began = time.monotonic()
        self._started = started
        super().__init__(
            MODULE, str(os.getpid()), str(settings.solver_memory_bytes), settings.pipeline
        )
        self._cores = 1 if settings.solver_cores is None else settings.solver_cores
        self.jobs = 0
        """Jobs it was given so far. The last one's number."""
        self.ready = False
        """Whether it has said that its imports are done."""
        self.small_bytes: int | None = None
        """Memory that it had resident before its first job, as far as it was reported."""
        self.grown_bytes = 0
        """By how much it has grown since."""
        self.sweep: str | None = None
        """The sweep whose plan it holds: that of the last job of a sweep that it was given."""

    def begin(self, packed: bytes, time_limit: float, limits: dict[str, Any]) -> None:
        """Give it a job.

        Parameters
        ----------
        packed
            The body of the job, compressed.
        time_limit
            In seconds.
        limits
            How large problem and answer may be, JSON-ready.
        """
        self._begin(packed, time_limit, limits)

    def begin_of_sweep(
        self,
        sweep: str,
        index: int,
        packed_plan: bytes | None,
        time_limit: float,
        limits: dict[str, Any],
    ) -> None:
        """Give it a job of a sweep.

        Parameters
        ----------
        packed_plan
            Of which the body is made. None if it holds that already.
        """
        self.sweep = sweep
        self._begin(packed_plan or b"", time_limit, limits, index=index)

    def _begin(self, packed: bytes, time_limit: float, limits: dict[str, Any], **more: int) -> None:
        self.jobs += 1
        message = {
            "type": "job",
            "number": self.jobs,
            "time_limit": time_limit,
            "limits": limits,
            "cores": self._cores,
        }
        self.send(message | more, packed)

    def cancel(self) -> None:
        """Ask it to stop the job that it was given last."""
        self.send({"type": "cancel", "number": self.jobs})

    def look(self) -> bool:
        """Tell whether it is ready, while it has no job to speak of."""
        for frame in self.read():
            if frame.message["type"] == "ready":
                self.is_ready(frame.message)
        return self.ready

    def is_ready(self, message: dict[str, Any]) -> None:
        """Take its word that its imports are done."""
        self.ready = True
        self.small_bytes = message["resident_bytes"]
        self._started(time.monotonic() - self._began, message["cpu_seconds"])

    def weigh(self, message: dict[str, Any]) -> None:
        """Take from the frame that ends a job how large it has become."""
        resident = message["resident_bytes"]
        if self.small_bytes is None:
            self.small_bytes = resident
        self.grown_bytes = resident - self.small_bytes
