"""A child that does what a test wants: ``odd_child PARENT WHAT``."""

import os
import sys
import threading
import time

from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import live_for
from steadygrid.processes.wire import Wire


class Odd:
    """What the parent says is said back, or done."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.wire.listen(self.hear)

    def hear(self, frame: Frame) -> None:
        match frame.message.get("do"):
            case "print":
                print("not a frame")
                sys.stdout.flush()
                self.wire.send({"read": sys.stdin.read()})
            case "raise":
                raise MemoryError
            case "leave":
                self.wire.send({"last": True})
                os._exit(7)
            case "shout":
                sys.stderr.write("x" * 2**20 + "bad_alloc\n")
                self.wire.send({"shouted": True})
            case "many":
                threads = [threading.Thread(target=self.chatter, args=(n,)) for n in range(4)]
                for thread in threads:
                    thread.start()
            case _:
                self.wire.send(frame.message, frame.payload)

    def chatter(self, number: int) -> None:
        for _ in range(20):
            self.wire.send({"from": number}, bytes([number]) * 100_000)


if __name__ == "__main__":
    live_for(int(sys.argv[1]))
    odd = Odd()
    odd.wire.send({"pid": os.getpid(), "session": os.getsid(0)})
    time.sleep(600)
