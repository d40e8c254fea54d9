"""A process made by a fork of this one, with all that it has imported.

The program of a user may have threads, and locks that they hold. So only our command allows forks of
itself.
"""

import os
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from runpy import run_module
from typing import IO, NoReturn

from steadygrid.processes.lifeline import SINGLE_THREADED

_SOLVERS = ("highspy", "flint", "numpy")
"""Libraries that may have threads or state of their own once they are loaded."""
_LOOK_SECONDS = 0.002
_ALLOWED = False


def allow_forks() -> None:
    """Let children of this process be forks of it, where it has one thread and has run no solver."""
    global _ALLOWED
    _ALLOWED = True


def can_fork() -> bool:
    """Tell whether a fork of this process is allowed, and safe now."""
    return (
        _ALLOWED
        and sys.platform == "linux"
        and sys.flags.optimize < 2
        and sys.modules.keys().isdisjoint(_SOLVERS)
        and len(list(Path("/proc/self/task").iterdir())) == 1
    )


class ForkedProcess:
    """A fork of this process that runs a module. It has what `subprocess.Popen` has and we use.

    Parameters
    ----------
    module, arguments
        What the fork runs, as ``python -m`` would, and then ends.
    own_session
        Whether it leads a session of its own.

    Raises
    ------
    OSError
        If the system gives no process.
    """

    def __init__(self, module: str, *arguments: str, own_session: bool) -> None:
        assert can_fork()
        ends = [os.pipe(), os.pipe(), os.pipe()]
        (here_in, self_in), (self_out, here_out), (self_err, here_err) = ends
        try:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            self.pid = os.fork()
        except OSError:
            for end in ends:
                for descriptor in end:
                    os.close(descriptor)
            raise
        if not self.pid:
            _run(module, arguments, (here_in, here_out, here_err), own_session)
        for descriptor in (here_in, here_out, here_err):
            os.close(descriptor)
        self.returncode: int | None = None
        self.stdin: IO[bytes] = os.fdopen(self_in, "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(self_out, "rb", buffering=0)
        self.stderr: IO[bytes] = os.fdopen(self_err, "rb", buffering=0)

    def poll(self) -> int | None:
        """Give the exit code if it has ended, else None."""
        if self.returncode is None:
            self._reap(os.WNOHANG)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and give the exit code.

        Parameters
        ----------
        timeout
            Seconds, after which `subprocess.TimeoutExpired` is raised. None: any number.
        """
        if timeout is None:
            while self.returncode is None:
                self._reap(0)
            return self.returncode
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() >= end:
                raise subprocess.TimeoutExpired([str(self.pid)], timeout)
            time.sleep(_LOOK_SECONDS)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        """Kill it, unless its end is known."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _reap(self, how: int) -> None:
        try:
            pid, status = os.waitpid(self.pid, how)
        except ChildProcessError:
            self.returncode = 0  # something else has waited for it
            return
        if pid:
            self.returncode = os.waitstatus_to_exitcode(status)


def _run(
    module: str, arguments: tuple[str, ...], streams: tuple[int, int, int], own_session: bool
) -> NoReturn:
    """Become a process that has run nothing but the module."""
    global _ALLOWED
    _ALLOWED = False
    code = 1
    try:
        import fcntl  # if there is none, nothing is forked

        if own_session:
            os.setsid()
        for number, descriptor in enumerate([fcntl.fcntl(s, fcntl.F_DUPFD, 3) for s in streams]):
            os.dup2(descriptor, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.environ.update(SINGLE_THREADED)
        if not sys.flags.safe_path:
            del sys.path[0]  # the folder that a user works in may hold packages of our names
        sys.argv = [module, *arguments]
        run_module(module, run_name="__main__")
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else bool(leaving.code)
    except BaseException:  # noqa: BLE001 - its last words tell
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(code)
