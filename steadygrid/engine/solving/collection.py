"""Python's garbage collector, held still while many small objects are made and kept."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no collection run meanwhile.

    A model of 10^5 terms is 10^6 small objects; walking over all of them in the middle of an
    exact solve takes as long as the solve. Nothing that is made there is circular.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
