"""Work that Ctrl-C can stop, also while it is deep inside a solver."""

import os
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from workers.console.terminal import complain

T = TypeVar("T")

GRACE = 15.0
"""Seconds that cancelled work gets to stop by itself."""


def interruptible(work: Callable[[], T], cancel: Callable[[], None], grace: float = GRACE) -> T:
    """Run `work` in a thread of its own and wait for it.

    Python handles a signal in the main thread only, and not before it is back from C code:
    so the main thread only waits.

    Parameters
    ----------
    cancel
        Tells the work to stop; called on Ctrl-C.
    grace
        Seconds to wait for it then. A second Ctrl-C ends the process at once.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, whatever the work made of it.
    """
    future: Future[T] = Future()

    def target() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed to the one who waits
            future.set_exception(error)

    thread = Thread(target=target, name="solve", daemon=True)
    try:
        thread.start()
        return future.result()
    except KeyboardInterrupt:
        cancel()
        with suppress(KeyboardInterrupt, TimeoutError):
            future.exception(grace)
        if not future.done():
            # Leaving in good order would wait for the solver.
            complain(["steadygrid: interrupted"])
            os._exit(130)
        raise KeyboardInterrupt from None
