"""A command that allows forks of itself: ``forking WHAT`` prints what came of it, as JSON."""

import json
import os
import sys
import threading
import time
from subprocess import TimeoutExpired
from typing import Any

from steadygrid.processes.child import Child
from steadygrid.processes.fork import ForkedProcess, allow_forks, can_fork
from steadygrid.processes.frames import Frame

MODULE = "tests.processes.odd_child"


def hear(child: Child) -> list[Frame]:
    """Give the frames that come next; none at the end."""
    while not child.ended:
        if frames := child.receive(1):
            return frames
    return []


def told(child: Child) -> dict[str, Any]:
    """Give the message of the only frame that comes next."""
    (frame,) = hear(child)
    return frame.message


def be_asked(what: str) -> dict[str, Any]:
    """Do what a test asks, and give what is to be told."""
    child = Child(MODULE, str(os.getpid()), own_session=what != "joined")
    hello = told(child)
    found: dict[str, Any] = {
        "forked": isinstance(child._process, ForkedProcess),
        "same pid": hello["pid"] == child.pid,
        "leads a session": hello["session"] == child.pid,
    }
    match what:
        case "wait":
            try:
                child._process.wait(0.01)
            except TimeoutExpired:
                found["late"] = True
        case "input":
            child.send({"do": "print"})
            found |= told(child)
        case "leave" | "raise":
            child.send({"do": what})
            while hear(child):
                pass
        case "retire":
            child.retire()
        case "again":
            again = Child(MODULE, str(os.getpid()))
            found["again"] = told(again)["pid"] == again.pid
            again.kill()
    return found | {"code": child.kill(), "alive": child.alive, "memory": child.out_of_memory}


if __name__ == "__main__":
    if sys.argv[1] != "forbidden":
        allow_forks()
    if sys.argv[1] == "thread":
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    if sys.argv[1] == "solver":
        import numpy as np  # noqa: F401
    print(json.dumps({"can": can_fork()} | be_asked(sys.argv[1])))
