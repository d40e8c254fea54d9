"""A process's own end of the pipes to its parent."""

import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from steadygrid.processes.frames import Frame, FrameReader, encode_frame

_PIECE = 1 << 18


def or_die(step: Callable[[], None]) -> None:
    """Do a step. Where it raises, end the process, whose last words say why."""
    try:
        step()
    except BaseException:  # noqa: BLE001  # in a thread or in HiGHS it would be lost
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


class Wire:
    """Standard input and output, kept away from all else that may print or read."""

    def __init__(self) -> None:
        self._input = os.dup(0)
        self._output = os.dup(1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any], payload: bytes = b"") -> None:
        """Write one frame, from any thread; without a reader the process has no purpose and ends.

        Parameters
        ----------
        message
            JSON-ready, without a ``size``.
        payload
            Bytes that follow the message.
        """
        rest = memoryview(encode_frame(message, payload))
        try:
            with self._lock:
                while rest:
                    rest = rest[os.write(self._output, rest) :]
        except OSError:
            os._exit(0)

    def listen(self, hear: Callable[[Frame], None]) -> None:
        """Have every frame that arrives heard, in a thread of its own. Their end is the process's."""
        threading.Thread(target=or_die, args=(lambda: self._receive(hear),), daemon=True).start()

    def _receive(self, hear: Callable[[Frame], None]) -> None:
        reader = FrameReader()
        while piece := os.read(self._input, _PIECE):
            for frame in reader.feed(piece):
                hear(frame)
        os._exit(0)
