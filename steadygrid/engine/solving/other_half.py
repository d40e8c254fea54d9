"""The other half of a search, on another core: what two halves find, each tells the other."""

import os
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any

from steadygrid.domain.errors import Cancelled, InternalError
from steadygrid.engine.solving.control import Control
from steadygrid.processes.child import Child

MODULE = "steadygrid.engine.solving.half_process"
SECONDS_BETWEEN_LOOKS = 0.05
"""At whether the search was cancelled, while there is nothing to do but wait for the other half."""

SECONDS_TO_TELL = 0.2
"""By which the other half ends earlier, so that what it finds last is heard in time."""


class OtherHalf:
    """A process that works on one half of a search at the same time as this one. It may end at any time.

    It is there for what it finds meanwhile. Where it dies, for want of memory say, the search goes
    on without it.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._ended = False
        self._unheard: list[Any] = []

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._child.pid

    @property
    def ended(self) -> bool:
        """Whether it finds nothing any more, and all that it has found was heard."""
        return self._ended and not self._unheard

    def send(self, found: Any) -> None:
        """Tell it what was found here.

        Parameters
        ----------
        found
            It is pickled.
        """
        if not self._ended:
            self._child.send({"type": "told"}, pickle.dumps(found))

    def heard(self) -> list[Any]:
        """Give what it has told since the last call.

        Raises
        ------
        InternalError
            If it failed, which is an error of steadygrid.
        """
        self._hear(0.0)
        found, self._unheard = self._unheard, []
        return found

    def wait(self, control: Control) -> None:
        """Wait until it is over, or the time is.

        Raises
        ------
        Cancelled
            If the search was cancelled.
        InternalError
            See `heard`.
        """
        while not self._ended and (left := control.remaining) > 0:
            if control.cancelled:
                raise Cancelled
            self._hear(min(left, SECONDS_BETWEEN_LOOKS))

    def _hear(self, seconds: float) -> None:
        if self._ended:
            return
        for frame in self._child.receive(seconds):
            match frame.message["type"]:
                case "told":
                    self._unheard.append(pickle.loads(frame.payload))  # noqa: S301 - one installation
                case "ended":
                    self._ended = True
                case "failure":
                    self._ended = True
                    raise InternalError(f"the other half failed: {frame.message['detail']}")
        self._ended = self._ended or self._child.ended


@contextmanager
def start_half(
    control: Control, half: Callable[..., None], *given: Any
) -> Iterator[OtherHalf | None]:
    """Have the other half of a search worked on at the same time as this one, until the end of the block.

    Where the search has one core alone, or the system gives no process, there is no other half.

    Parameters
    ----------
    control
        Of the search. The other half has nearly as much time.
    half
        A function of a module. It gets a `steadygrid.engine.solving.half_process.Partner`, a
        `Control`, and what is `given`.
    *given
        What it works on; it is pickled.
    """
    other = _new_half(control) if control.cores > 1 else None
    if other is None:
        yield None
        return
    try:
        left = control.remaining
        message = {
            "type": "half",
            "module": half.__module__,
            "name": half.__name__,
            "deadline": None if left == inf else monotonic() + max(0.0, left - SECONDS_TO_TELL),
        }
        other._child.send(message, pickle.dumps(given))
        yield other
    finally:
        other._child.kill()


def _new_half(control: Control) -> OtherHalf | None:
    # See `SearchChild.start`: the kernel watches the thread that starts a process, and a kill of the
    # solver kills its whole session.
    lasting = threading.current_thread() is threading.main_thread()
    try:
        return OtherHalf(Child(MODULE, f"{lasting * os.getpid()}", own_session=False))
    except OSError:
        return None
