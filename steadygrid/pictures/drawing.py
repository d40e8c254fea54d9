"""The process that draws, seen from its parent: started on first need, watched, and ended.

vl-convert holds the interpreter's lock while it draws, never returns in a forked process, and dies in
one whose address space is limited. So it runs in a process of its own, that is not forked, whose
resident memory is watched.
"""

from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.pictures.errors import PictureFailed, picture_error
from steadygrid.processes.frames import Frame
from steadygrid.processes.servant import (
    DeadError,
    LateError,
    OverweightError,
    Servant,
    ServantError,
    StoppedError,
    Task,
)

MODULE = "steadygrid.pictures.drawing_process"
"""What the process runs, unless the caller has an entry of its own."""
SECONDS = 20.0
"""For one picture, after which the process is killed."""
MEMORY = 2**30
"""Resident bytes, above which it is killed."""
MOST = 500
"""Pictures that it draws before another takes over."""
IDLE_SECONDS = 300.0
"""Without a picture, after which it ends."""


class Drawer:
    """Draws one picture after the other, in a process of its own. See `Servant`.

    Parameters
    ----------
    module
        What the process runs: it calls `steadygrid.pictures.drawing_process.serve`.
    seconds
        For one picture, after which the process is killed. Its start is not counted.
    memory
        Resident bytes, above which it is killed while it draws.
    most
        Pictures that it draws before another process takes over.
    idle
        Seconds without a picture, after which it ends.
    """

    def __init__(
        self,
        module: str = MODULE,
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        most: int = MOST,
        idle: float = IDLE_SECONDS,
    ) -> None:
        self.servant = Servant(module, seconds=seconds, memory=memory, most=most, idle=idle)

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self.servant.pid

    def draw(self, message: dict[str, Any], payload: bytes = b"") -> bytes:
        """Have a picture drawn, and wait for it. A caller that comes meanwhile is next.

        Parameters
        ----------
        message, payload
            What the process understands; `message` is written as JSON.

        Raises
        ------
        PictureError
            What the process raises; `PictureFailed` where it had to be killed, or died.
        """
        try:
            frame = self.servant.do(Task({"type": "draw", "message": message}, payload))
        except ServantError as error:
            raise _failed(error) from None
        return _drawn(frame)

    def close(self) -> None:
        """End the process. A picture that is being drawn fails, and the next one starts another."""
        self.servant.close()


def _failed(error: ServantError) -> PictureFailed:
    """Say why there is no picture."""
    match error:
        case StoppedError():
            return PictureFailed("Drawing was stopped.")
        case LateError():
            what = "to start" if error.starting else "for it"
            return PictureFailed(
                f"{error.seconds:g} s were not enough {what}: ask for less of it, or for another"
                " format."
            )
        case OverweightError():
            return PictureFailed(
                f"It needed more than {error.most:,} bytes of memory. Ask for less of it, for a"
                " smaller width or scale, or for another format."
            )
        case DeadError():
            died = PictureFailed(f"The process that draws {error.how}.")
            if error.last_words:
                died.add_note(f"It said last:\n{error.last_words}")
            return died
    raise error


def _drawn(frame: Frame) -> bytes:
    message = frame.message
    if message["type"] == "picture":
        return frame.payload
    faults = [Fault(tuple(pointer), code, detail) for pointer, code, detail in message["faults"]]
    error = picture_error(message["code"], message["detail"], faults)
    if message["trace"]:
        error.add_note(message["trace"])
    raise error
