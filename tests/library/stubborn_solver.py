"""A solver process that does what a test wants, in place of the real one.

``stubborn_solver PARENT MEMORY``; what it does is in the variable ``STUBBORN``.
"""

import ctypes
import os
import pickle
import signal
import sys
import time

from steadygrid.processes.lifeline import live_for
from steadygrid.processes.wire import Wire

if __name__ == "__main__":
    live_for(int(sys.argv[1]))
    wire = Wire()
    what = os.environ["STUBBORN"]
    if what == "holds_the_lock":
        wire.send({"type": "begun"})
        wire.send({"type": "progress", "progress": {"phase": "solving", "elapsed": 0.0}})
        # As a library does that computes without giving the interpreter's lock away.
        ctypes.PyDLL(None).sleep(60)
    elif what == "hears_nothing":
        time.sleep(60)
    elif what == "out_of_memory":
        sys.stderr.write("terminate called after throwing an instance of 'std::bad_alloc'\n")
        sys.stderr.flush()
        os._exit(6)
    elif what == "lacks_memory":
        wire.send({"type": "failure"}, pickle.dumps(MemoryError()))
    elif what == "is_killed":
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        sys.stderr.write("farewell\n")
        sys.stderr.flush()
        os._exit(5)
