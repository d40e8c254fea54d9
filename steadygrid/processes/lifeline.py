"""How a process dies with its parent and stays within its memory."""

import os
import signal
import site
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_TASKKILL_SECONDS = 5.0
_ROOT = Path(__file__).parents[2]
ORPHANED = 3
"""Exit code of a process whose parent was gone before it could say so."""
SINGLE_THREADED = {
    f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
}
"""A worker's processes share the machine: each computes with one thread."""
UNTOLD_MEMORY = 2**32
"""Bytes that are taken for available where the system does not tell: what a solve is given."""
OUT_OF_MEMORY = (
    b"bad_alloc",
    b"MemoryError",
    b"Cannot allocate memory",
    b"Memory allocation",
    b"failed to map segment",
    b"can't start new thread",
)
"""Last words of a process that died for want of memory."""


MOST_GROWN = 256 * 2**20
"""Bytes by which a process that answers one question after the other may grow; then another takes
its place."""
MOST_ANSWERED = 1_000
"""Questions that such a process answers at most, even if it has not grown."""


class MemoryNotLimited(UserWarning):
    """The system does not bound the memory of a process as it was asked to."""


def python(module: str, *arguments: str) -> list[str]:
    """Give the command that runs a module of steadygrid in a process of its own.

    With ``-P``: in the folder that a user works in there may be packages of our names, and
    Python would take those.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Give the environment of such a process: one thread, and our packages where they are here.

    Where they are not installed, this process learned by other means where to find them.
    Docstrings are there even if this process runs without (``-OO``): the modelling language needs
    its own.
    """
    paths = [os.environ.get("PYTHONPATH")]
    if str(_ROOT) not in (*site.getsitepackages(), site.getusersitepackages()):
        paths.insert(0, str(_ROOT))
    given = os.pathsep.join(filter(None, paths))
    more = {"PYTHONPATH": given} if given else {}
    if sys.flags.optimize > 1:
        more["PYTHONOPTIMIZE"] = "1"
    return os.environ | SINGLE_THREADED | more


def live_for(parent: int) -> None:
    """Die with a process, and leave to it what a signal to the whole group means.

    Parameters
    ----------
    parent
        Its id; 0 where only the end of the pipe is to report its death.
    """
    if parent:
        die_with_parent(parent)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when `parent` dies; end it if that has happened.

    Call it first of all, and spawn from a thread that lives as long as the child: the kernel
    watches the parent's *thread*. Where there is no ``prctl``, the end of standard input has
    to do.
    """
    if sys.platform == "win32":
        # Between the two there may be a launcher, which dies with its parent.
        return
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(ORPHANED)


def end_tree(pid: int) -> None:
    """Kill a process that leads a session, and all in it; on Windows, with all that it has started.

    What is missed there ends with the end of its input.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        return
    taskkill = Path(os.environ.get("SYSTEMROOT", "C:/Windows"), "System32", "taskkill.exe")
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [taskkill, "/T", "/F", "/PID", str(pid)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=_TASKKILL_SECONDS,
        )


def memory_is_limited() -> bool:
    """Whether `limit_memory` bounds anything here."""
    return sys.platform == "linux" and find_spec("resource") is not None


@cache
def tell_of_memory() -> None:
    """Warn, once in a process, where no limit of memory holds."""
    if not memory_is_limited():
        warnings.warn(
            "memory_not_limited: only on Linux is the memory of a solve or a picture bounded; here"
            " it may take all that there is",
            MemoryNotLimited,
            stacklevel=3,
        )


def limit_memory(address_space: int) -> None:
    """Bound this process's address space (bytes), so that too much is a clean MemoryError.

    Only on Linux: elsewhere `tell_of_memory` says that nothing is bounded.
    """
    if not memory_is_limited():
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = address_space if hard == resource.RLIM_INFINITY else min(address_space, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def resident_memory() -> int:
    """Give the memory that this process has resident, in bytes; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def memory_left() -> int:
    """Give how much more memory this process may take, in bytes.

    The limit of its address space less what it has of it. If there is none, what the system
    has available. Where the system does not tell, `UNTOLD_MEMORY`.
    """
    if memory_is_limited():
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            return max(0, soft - pages * resource.getpagesize())
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return UNTOLD_MEMORY


def peak_memory() -> int:
    """Give the most memory that this process has had resident, in bytes; 0 where it is not told."""
    if sys.platform == "linux":
        # Not getrusage: its figure begins with that of the process which started this one.
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ModuleNotFoundError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
