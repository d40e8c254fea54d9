"""The process in which the other half of a search works, and which may be killed at any time.

It speaks frames: ``half`` and ``told`` come in; ``told``, ``ended`` and ``failure`` go out. Their
bytes are pickled, since both ends are one installation.
"""

import pickle
import queue
import sys
import time
import traceback
from importlib import import_module
from typing import Any

from steadygrid.domain.errors import Cancelled, CertificationError, OutOfTime, SolverError
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import live_for
from steadygrid.processes.wire import Wire, or_die


class Partner:
    """The half that has started this one: what it finds is heard, and it hears what is found here."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._arrived: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        wire.listen(self._arrived.put)

    def wait(self) -> Frame:
        """Give the frame that arrives next."""
        return self._arrived.get()

    def send(self, found: Any) -> None:
        """Tell what is found here, as soon as it is: this process may be killed."""
        self._wire.send({"type": "told"}, pickle.dumps(found))

    def heard(self) -> list[Any]:
        """Give what the other half has told since the last call."""
        found = []
        while not self._arrived.empty():
            found.append(pickle.loads(self._arrived.get().payload))  # noqa: S301 - one installation
        return found


def main(arguments: list[str]) -> None:
    """Work on one half: ``half_process PARENT``, 0 where only the pipe reports its end."""
    live_for(int(arguments[0]))
    wire = Wire()
    partner = Partner(wire)
    message, payload = partner.wait()
    try:
        _work(partner, message, payload)
    except (SolverError, CertificationError, Cancelled, OutOfTime, MemoryError):
        # It has told all that it found.
        wire.send({"type": "ended"})
    except Exception:  # noqa: BLE001 - of any kind: the other half hears of it
        wire.send({"type": "failure", "detail": traceback.format_exc()})
    else:
        wire.send({"type": "ended"})


def _work(partner: Partner, message: dict[str, Any], payload: bytes) -> None:
    # What solves takes a second to load.
    from steadygrid.engine.solving.control import Control

    half = getattr(import_module(message["module"]), message["name"])
    given = pickle.loads(payload)  # noqa: S301 - both ends are one installation
    deadline = message["deadline"]
    seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
    half(partner, Control(seconds), *given)


if __name__ == "__main__":
    or_die(lambda: main(sys.argv[1:]))
