"""The process that reads bodies: ``reading_process PARENT MEMORY``.

Its parent is `app.http.reading`. It does what that asks for, one thing after the other, and writes
nothing anywhere: its parent stores the result.
"""

import base64
import pickle
import queue
import sys
from typing import Any

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.http.refusals import Refusal
from app.http.sources import Sources
from app.logs import places
from app.settings import Settings
from steadygrid.domain.errors import SchedulingError
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import limit_memory, live_for
from steadygrid.processes.wire import Wire

TOLD = (Refusal, SchedulingError, DatabaseUnavailableError)
"""Errors that the caller gets. Any other is a fault of the service, and only its places are reported."""


class Worker:
    """Does what it is asked, with one database for all of it."""

    def __init__(self) -> None:
        self._sources: Sources | None = None

    def answer(self, frame: Frame) -> tuple[dict[str, Any], bytes]:
        """Do one thing; give message and payload of what came of it.

        Raises
        ------
        MemoryError
            The process must end: its state is unknown.
        """
        try:
            return {"type": "done"}, pickle.dumps(self._done(frame))
        except MemoryError:
            raise
        except TOLD as error:
            return {"type": "failure"}, pickle.dumps(error)
        except Exception as error:  # noqa: BLE001 - the parent logs it
            found = {"error": type(error).__name__, "places": places(error)}
            return {"type": "broken"}, pickle.dumps(found)

    def _done(self, frame: Frame) -> Any:
        call = base64.b85decode(frame.message["call"])
        settings, do, arguments = pickle.loads(call)  # noqa: S301 - both ends are one installation
        if self._sources is None:
            self._sources = _sources(settings)
        return do(self._sources, frame.payload, *arguments)


def _sources(settings: Settings) -> Sources:
    """Open the database that the parent has found fit."""
    url, patience = settings.effective_database_url, settings.database_busy_seconds
    return Sources(settings, Database.open(url, patience))


def main() -> None:
    """Do one thing after the other until the parent ends."""
    live_for(int(sys.argv[1]))
    limit_memory(int(sys.argv[2]))
    wire = Wire()
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    wire.listen(frames.put)
    wire.send({"type": "ready"})
    worker = Worker()
    while True:
        wire.send(*worker.answer(frames.get()))


if __name__ == "__main__":
    main()
