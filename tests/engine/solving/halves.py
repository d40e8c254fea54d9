"""Halves of searches, for tests: they run in processes of their own."""

import os
import time
from typing import Any

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.half_process import Partner


def doubling(partner: Partner, control: Control, number: int) -> None:
    """Tell the double of what is given, and of all that is told, until that is 0."""
    partner.send((2 * number, control.remaining))
    while True:
        for heard in partner.heard():
            if not heard:
                return
            partner.send(2 * heard)
        time.sleep(0.01)


def ending_late(partner: Partner, control: Control, found: Any) -> None:
    """Tell something when the time is over."""
    time.sleep(control.remaining)
    partner.send(found)
    raise OutOfTime


def failing(partner: Partner, _: Control) -> None:
    """Tell something, and fail."""
    partner.send("before")
    raise ValueError("a mistake")


def dying(partner: Partner, _: Control) -> None:
    """Tell something, and die."""
    partner.send("before")
    os.kill(os.getpid(), 9)
