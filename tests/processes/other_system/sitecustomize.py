"""Takes from an interpreter what macOS or Windows lack; STEADYGRID_TEST_SYSTEM says which.

Python reads a module of this name when it starts, so that the processes that a program starts are
like it. Other people's packages are loaded before: they were built for this system.
"""

import os
import sys

NO_MODULES = {
    "darwin": ("spwd",),
    "win32": (
        "fcntl",
        "grp",
        "pwd",
        "pty",
        "readline",
        "resource",
        "spwd",
        "syslog",
        "termios",
        "tty",
    ),
}
NO_FUNCTIONS = {
    "darwin": ("sched_getaffinity", "sched_setaffinity", "pipe2", "pidfd_open"),
    "win32": (
        "fork",
        "forkpty",
        "fchmod",
        "geteuid",
        "getgid",
        "getloadavg",
        "getpgid",
        "getpgrp",
        "getsid",
        "getuid",
        "killpg",
        "mkfifo",
        "openpty",
        "pidfd_open",
        "pipe2",
        "posix_spawn",
        "sched_getaffinity",
        "sched_setaffinity",
        "set_blocking",
        "setpgid",
        "setsid",
        "statvfs",
        "sysconf",
        "uname",
        "wait",
        "wait4",
        "waitid",
    ),
}
SIGNALS_OF_WINDOWS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM")
LOADED = (
    "asyncio",
    "concurrent.futures",
    "ctypes",
    "getpass",
    "logging.handlers",
    "multiprocessing.connection",
    "platform",
    "selectors",
    "shutil",
    "ssl",
    "subprocess",
    "sysconfig",
    "tempfile",
    "threading",
    "urllib.request",
    "uuid",
    "click",
    "highspy",
    "numpy",
    "pyomo.core",
    "rich.console",
    "scipy.sparse.csgraph",
    "typer",
)


def become(system: str) -> None:
    """Take away what a system lacks."""
    import select
    import signal
    from importlib import import_module

    for name in LOADED:
        import_module(name)
    for name in NO_MODULES[system]:
        sys.modules[name] = None
    for name in NO_FUNCTIONS[system]:
        if hasattr(os, name):
            delattr(os, name)
    for name in ("epoll", *(("poll",) if system == "win32" else ())):
        delattr(select, name)
    if system == "win32":
        _kill_without_signals()
        for name in [name for name in vars(signal) if name.startswith("SIG") and "_" not in name]:
            if name not in SIGNALS_OF_WINDOWS:
                delattr(signal, name)
    else:
        _refuse_address_space()
    sys.platform = system
    sys.addaudithook(_hide_proc)


def _kill_without_signals() -> None:
    import subprocess

    subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]


def _refuse_address_space() -> None:
    import resource

    bound = resource.setrlimit

    def setrlimit(which: int, limits: tuple[int, int]) -> None:
        if which == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        bound(which, limits)

    resource.setrlimit = setrlimit


def _hide_proc(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and str(arguments[0]).startswith("/proc"):
        raise FileNotFoundError(2, "there is no /proc", str(arguments[0]))


if os.environ.get("STEADYGRID_TEST_SYSTEM"):
    become(os.environ["STEADYGRID_TEST_SYSTEM"])
