"""The process that draws: requests come in, pictures go out, one after the other.

Its parent is a `steadygrid.pictures.drawing.Drawer`. As it stands it draws a specification. Others
that need more done in it call `serve` with an answer of their own.
"""

import json
import queue
import sys
import traceback
from collections.abc import Callable
from typing import Any

from steadygrid.pictures.errors import PictureError, PictureFailed, PicturesNotInstalled
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import live_for
from steadygrid.processes.wire import Wire

NEEDED = ("altair", "vl_convert")
"""What the extra brings."""


def serve(answer: Callable[[dict[str, Any], bytes], bytes]) -> None:
    """Answer requests until their end, which is the end of the process: ``MODULE PARENT``.

    Parameters
    ----------
    answer
        Given message and payload of a request, it gives the picture. A `PictureError` that it raises
        reaches the caller. So does the lack of Altair or vl-convert, as
        `PicturesNotInstalled`, and anything else, as `PictureFailed`.
    """
    live_for(int(sys.argv[1]))
    wire = Wire()
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    wire.listen(frames.put)
    wire.send({"type": "ready"})
    while True:
        frame = frames.get()
        try:
            drawn = answer(frame.message["message"], frame.payload)
        except Exception as error:  # noqa: BLE001 - of any kind: the parent hears of it
            told, trace = _picture_error(error)
            faults = [[list(f.pointer), f.code, f.detail] for f in told.faults]
            failure = {"type": "failure", "code": told.code, "detail": told.detail}
            wire.send(failure | {"faults": faults, "trace": trace})
        else:
            wire.send({"type": "picture"}, drawn)


def _picture_error(error: Exception) -> tuple[PictureError, str]:
    if isinstance(error, PictureError):
        return error, ""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] in NEEDED:
        return PicturesNotInstalled(), ""
    trace = "".join(traceback.format_exception(error))
    return PictureFailed(f"{type(error).__name__}: {error}"), trace


def answer(message: dict[str, Any], payload: bytes) -> bytes:
    """Draw a specification with its data.

    Parameters
    ----------
    message
        Its ``format``: ``svg`` (with ``width``), ``png`` (with ``width`` and ``scale``),
        ``pdf`` (with ``width``), ``png of svg`` (with ``scale``), ``pdf of svg``, or ``bundle``: the
        JavaScript that draws specifications.
    payload
        The specification, as JSON; of ``png of svg`` and ``pdf of svg``, the SVG.
    """
    from steadygrid.pictures import rendering

    match message["format"]:
        case "svg":
            return rendering.svg(json.loads(payload), message["width"])
        case "png":
            return rendering.png(json.loads(payload), message["scale"], message["width"])
        case "png of svg":
            return rendering.png_of_svg(payload.decode(), message["scale"])
        case "pdf":
            return rendering.pdf(json.loads(payload), message["width"])
        case "pdf of svg":
            return rendering.pdf_of_svg(payload.decode())
        case "bundle":
            return rendering.bundle().encode()
        case unknown:
            raise ValueError(f"the format {unknown!r} is not drawn")


if __name__ == "__main__":
    serve(answer)
