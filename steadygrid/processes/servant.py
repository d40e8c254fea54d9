"""A process of steadygrid that does one thing after the other, seen from its parent.

It starts with the first thing that is asked of it, is watched while it works, killed where it takes
too long or too much, and ends after a while without tasks.
"""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steadygrid.processes.child import Child
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import tell_of_memory

STARTUP_SECONDS = 60.0
"""For the imports of the process, before it listens."""
LOOK_SECONDS = 0.1
"""Between two looks at its memory, and at whether any caller still waits."""
QUESTION, ANSWER, ABANDON = "question", "answer", "abandon"
"""Types of frames: the process asks before it can go on; it gets the answer; it is asked to leave its task,
which it answers as it answers any task."""

Reply = Callable[[Frame], bytes]
"""Answers a question of the process."""


class ServantError(Exception):
    """The process has not done what it was asked. It was killed, or is dead."""


class StoppedError(ServantError):
    """No caller waits for the task any more."""


class LateError(ServantError):
    """It took too long.

    Parameters
    ----------
    seconds
        That were not enough.
    starting
        Whether that was for its start.
    """

    def __init__(self, seconds: float, *, starting: bool) -> None:
        super().__init__(f"{seconds:g} s were not enough")
        self.seconds = seconds
        self.starting = starting


class OverweightError(ServantError):
    """It took too much memory.

    Parameters
    ----------
    most
        Bytes that were not enough.
    """

    def __init__(self, most: int) -> None:
        super().__init__(f"it needed more than {most:,} bytes of memory")
        self.most = most


class DeadError(ServantError):
    """It died.

    Parameters
    ----------
    how
        The end of a sentence that begins with the process.
    last_words
        The end of what it wrote to standard error.
    out_of_memory
        Whether it died for want of memory, as far as they tell.
    """

    def __init__(self, how: str, last_words: str, *, out_of_memory: bool) -> None:
        super().__init__(f"the process {how}")
        self.how = how
        self.last_words = last_words
        self.out_of_memory = out_of_memory


class Task:
    """Something that is asked of the process.

    Parameters
    ----------
    message, payload
        What the process understands.
    reply
        See `Reply`. What it raises ends the task, and is raised where that was asked for.
    """

    def __init__(
        self, message: dict[str, Any], payload: bytes | bytearray, reply: Reply | None = None
    ) -> None:
        self.message = message
        self.payload = payload
        self.reply = reply
        self.answer: Frame | BaseException | None = None
        self.done = threading.Event()
        self._given_up = threading.Event()

    def give_up(self) -> None:
        """Have it stopped, if it is in progress. Any thread may say so."""
        self._given_up.set()

    @property
    def given_up(self) -> bool:
        """Whether no caller waits for the task any more."""
        return self._given_up.is_set()


class Servant:
    """Does one task after the other, in a process of its own.

    Any thread may ask. The process starts with the first task, in a thread that lives as long as it
    does (see `steadygrid.processes.lifeline`), and dies with this one. It sends a frame as soon as it
    listens, and answers each task with one, after as many questions as it has.

    Parameters
    ----------
    module
        What the process runs. Its first argument is the id of this one.
    arguments
        Its further arguments.
    seconds
        For one task, after which the process is killed. Its start is not counted.
    memory
        Resident bytes, above which it is killed while it works.
    most
        Tasks that it does before another process takes over.
    idle
        Seconds without a task, after which it ends.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        seconds: float,
        memory: int,
        most: int,
        idle: float,
    ) -> None:
        self._module = module
        self._arguments = arguments
        self._seconds = seconds
        self._memory = memory
        self._most = most
        self._idle = idle
        self._begin()

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._turn = threading.Lock()
        self._door = threading.Lock()
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._keeper: threading.Thread | None = None
        self.current: Task | None = None
        """The task that was asked for last."""
        self.pid: int | None = None
        """Of the process, while there is one."""

    def do(self, task: Task) -> Frame:
        """Have a task done, and wait for it. Tasks that come meanwhile follow.

        Raises
        ------
        ServantError
            Where it was not done.
        """
        if self._owner != os.getpid():
            self._begin()  # In a fork there is no thread that keeps the process.
        tell_of_memory()
        with self._turn:
            with self._door:
                if self._keeper is None:
                    self._keeper = threading.Thread(
                        target=self._keep, args=(self._tasks,), name="servant", daemon=True
                    )
                    self._keeper.start()
                self.current = task
                self._tasks.put(task)
            try:
                # Not without a limit: a signal may have reached another thread than this one.
                while not task.done.wait(0.5):
                    pass
            except BaseException:
                task.give_up()
                raise
        if isinstance(task.answer, BaseException):
            raise task.answer
        assert task.answer is not None
        return task.answer

    def close(self) -> None:
        """End the process. A task that is in progress fails, and the next one starts another."""
        if self._owner != os.getpid():
            return
        with self._door:
            keeper, self._keeper = self._keeper, None
            if keeper is None:
                return
            if self.current is not None:
                self.current.give_up()
            self._tasks.put(None)
            self._tasks = queue.SimpleQueue()
        keeper.join()

    def _keep(self, tasks: "queue.SimpleQueue[Task | None]") -> None:
        """Start the process when it is needed, hand it one task after the other, and end it."""
        child: Child | None = None
        done = 0
        try:
            while True:
                try:
                    task = tasks.get(timeout=None if child is None else self._idle)
                except queue.Empty:
                    self._retire(child)
                    child = None
                    continue
                if task is None:
                    return
                if child is not None and (not child.alive or done >= self._most):
                    self._retire(child)
                    child = None
                try:
                    if child is None:
                        done = 0
                        child = Child(self._module, str(os.getpid()), *self._arguments)
                        self.pid = child.pid
                        self._hear(child, task, STARTUP_SECONDS, starting=True)
                    task.answer = self._worked(child, task)
                    done += 1
                except BaseException as error:  # noqa: BLE001 - the caller hears of it
                    task.answer = error
                    if child is not None:
                        child.kill()
                        child = self.pid = None
                task.done.set()
                # While it waits for the next task, the thread must not hold the last one.
                del task
                if child is not None and 2 * _resident(child.pid) > self._memory:
                    self._retire(child)
                    child = None
        finally:
            self._retire(child)

    def _worked(self, child: Child, task: Task) -> Frame | Exception:
        """Hand a task over, answer the questions of the process, and give its answer."""
        child.send(task.message, task.payload)
        end = time.monotonic() + self._seconds
        refused: Exception | None = None
        while True:
            frame = self._hear(child, task, end - time.monotonic(), starting=False)
            if task.reply is None or frame.message["type"] != QUESTION:
                return refused or frame
            begun = time.monotonic()
            try:
                child.send({"type": ANSWER}, task.reply(frame))
            except Exception as error:  # noqa: BLE001 - the caller hears of it
                refused = error
                child.send({"type": ABANDON})
            # What others take to find out is not the process's time.
            end += time.monotonic() - begun

    def _retire(self, child: Child | None) -> None:
        """End a process in good order."""
        self.pid = None
        if child is not None:
            child.retire()

    def _hear(self, child: Child, task: Task, seconds: float, *, starting: bool) -> Frame:
        """Wait for the next frame, within time and memory."""
        end = time.monotonic() + seconds
        while not child.ended:
            for frame in child.receive(min(LOOK_SECONDS, end - time.monotonic())):
                return frame
            if task.given_up:
                raise StoppedError(StoppedError.__doc__)
            if time.monotonic() >= end:
                most = STARTUP_SECONDS if starting else self._seconds
                raise LateError(most, starting=starting)
            if not starting and _resident(child.pid) > self._memory:
                raise OverweightError(self._memory)
        code = child.kill()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise DeadError(how, child.last_words, out_of_memory=child.out_of_memory)


def _resident(pid: int) -> int:
    """Give the memory that a process has resident, in bytes; 0 where it cannot be told.

    Only Linux tells.
    """
    if sys.platform != "linux":
        return 0
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
