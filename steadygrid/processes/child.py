"""A parent's end of the pipes to one process of steadygrid."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from steadygrid.processes.fork import ForkedProcess, can_fork
from steadygrid.processes.frames import Frame, FrameReader, encode_head
from steadygrid.processes.lifeline import OUT_OF_MEMORY, end_tree, environment, python
from steadygrid.processes.pipes import pipes_of, wait_for_any

_RETIREMENT_SECONDS = 1.0
_APART: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "CREATE_NO_WINDOW", 0
)
"""On Windows, where there are no sessions: Ctrl-C is left to the parent, and no window opens."""


def _started(
    module: str, *arguments: str, own_session: bool
) -> "subprocess.Popen[bytes] | ForkedProcess":
    if can_fork():
        return ForkedProcess(module, *arguments, own_session=own_session)
    return subprocess.Popen(
        python(module, *arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=own_session,
        creationflags=_APART if own_session else 0,
        env=environment(),
    )


class Child:
    """A process of steadygrid: started at once, listened to, and killed where it does not end.

    Start it in a thread that lives as long as it should (see `steadygrid.processes.lifeline`).

    Parameters
    ----------
    module, arguments
        What it runs. Its own end of the pipes is a `steadygrid.processes.wire.Wire`.
    own_session
        Whether it leads a session of its own, so that it and all its descendants are killed
        together, and Ctrl-C on a terminal is left to its parent.

    Raises
    ------
    OSError
        If the system gives no process.
    """

    def __init__(self, module: str, *arguments: str, own_session: bool = True) -> None:
        self._process = _started(module, *arguments, own_session=own_session)
        self._own_session = own_session
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.stdin = self._process.stdin.fileno()
        self.stdout = self._process.stdout.fileno()
        self.stderr = self._process.stderr.fileno()
        self._pipes = pipes_of(self._process)
        self._reader = FrameReader()
        self._closed = False
        self.ended = False
        """Whether its output has ended: it is dead or about to be."""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return not self.ended and self._process.poll() is None

    @property
    def sending(self) -> bool:
        """Whether something waits to be written to it."""
        return self._pipes.sending

    def send(self, message: dict[str, Any], payload: bytes | bytearray = b"") -> None:
        """Give it a frame. What the pipe does not take now is left to `write`.

        The payload is not copied: it must stay as it is until it has been written.

        Parameters
        ----------
        message
            JSON-ready.
        payload
            Bytes that follow the message.
        """
        if not self._closed:
            head = memoryview(encode_head(message, len(payload)))
            self._pipes.send(head, *([memoryview(payload)] if payload else []))

    def write(self) -> None:
        """Write as much as the pipe takes now."""
        self._pipes.write()

    def read(self) -> Iterator[Frame]:
        """Yield the frames that have arrived; sets `ended` at the end of its output."""
        if not self._closed:
            self._pipes.read_errors()
        while not self.ended:
            piece = self._pipes.read()
            if piece is None:
                return
            self.ended = not piece
            yield from self._reader.feed(piece)

    def receive(self, seconds: float) -> list[Frame]:
        """Give the frames that arrive next, none if none does for some time."""
        if self._closed:
            return []
        wait_for_any([self._pipes], max(0.0, seconds))
        self.write()
        return list(self.read())

    @property
    def out_of_memory(self) -> bool:
        """Whether it died for want of memory, as far as its last words tell."""
        return any(words in self._pipes.errors for words in OUT_OF_MEMORY)

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._pipes.errors.decode("utf-8", "replace").strip()

    def retire(self) -> None:
        """End it in good order if it is idle, for which a second is more than enough."""
        if not self._closed:
            self._pipes.close_input()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_RETIREMENT_SECONDS)
        self.kill()

    def kill(self) -> int:
        """Kill it, with all that is in its own session, and give its exit code."""
        if self._closed:
            return self._process.wait()
        if self._own_session and self._process.returncode is None:
            # What has been waited for has no id any more: another may have got it.
            end_tree(self._process.pid)
        self._process.kill()
        code = self._process.wait()
        self.ended = self._closed = True
        self._pipes.close()
        return code


def wait_for_children(children: Sequence[Child], seconds: float) -> None:
    """Wait until any of some processes has something to `Child.read`, at most for some time."""
    if not any(child.ended for child in children):
        wait_for_any([child._pipes for child in children], seconds)
