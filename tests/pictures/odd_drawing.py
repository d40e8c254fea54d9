"""A process that draws whatever a test wants: ``odd_drawing PARENT``."""

import os
import sys
import time
from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.pictures.drawing_process import serve
from steadygrid.pictures.errors import NoSuchPicture, UnfitPicture


def answer(message: dict[str, Any], payload: bytes) -> bytes:
    match message["do"]:
        case "echo":
            return payload[::-1]
        case "pid":
            return str(os.getpid()).encode()
        case "sleep":
            time.sleep(600)
        case "grow":
            held = [bytearray(os.urandom(2**20) * 64)]
            while True:
                held.append(bytearray(held[0]))
        case "leave":
            print("last words", file=sys.stderr, flush=True)
            os._exit(9)
        case "refuse":
            raise UnfitPicture(faults=[Fault(("lanes", 0), "unknown", "there is no P9")])
        case "miss":
            raise NoSuchPicture("It has none called shares.")
        case "lack":
            import vl_convert_that_is_not_there  # type: ignore[import-not-found]  # noqa: F401
        case "lack the extra":
            raise ModuleNotFoundError("No module named 'altair'", name="altair")
    raise KeyError(message["do"])


if __name__ == "__main__":
    serve(answer)
