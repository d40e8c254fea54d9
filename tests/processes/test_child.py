"""Both ends of the pipes between a process of ours and its parent."""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from steadygrid.processes.child import Child
from steadygrid.processes.frames import Frame
from steadygrid.processes.pipes import ThreadedPipes
from tests.integration.drills import gone, until

MODULE = "tests.processes.odd_child"


@pytest.fixture(scope="module", params=["polled", "threaded"], autouse=True)
def pipes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use the pipes of this system, or those of systems without a poll."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "threaded":
            patch.setattr("steadygrid.processes.child.pipes_of", threaded)
        yield


def threaded(process: "subprocess.Popen[bytes]") -> ThreadedPipes:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return ThreadedPipes(process.stdin, process.stdout, process.stderr)


@pytest.fixture(scope="module")
def child(pipes: None) -> Iterator[Child]:
    child = Child(MODULE, str(os.getpid()))
    (hello,) = hear(child, 1)
    assert hello.message == {"pid": child.pid, "session": child.pid}
    yield child
    child.kill()


@pytest.fixture
def another(pipes: None) -> Iterator[Child]:
    child = Child(MODULE, str(os.getpid()))
    hear(child, 1)
    yield child
    child.kill()


def hear(child: Child, count: int) -> list[Frame]:
    """The frames that come next."""
    patience = time.monotonic() + 60
    frames: list[Frame] = []
    while len(frames) < count:
        assert time.monotonic() < patience, "silence"
        assert not child.ended
        frames += child.receive(1)
    return frames


def hear_the_end(child: Child) -> list[Frame]:
    patience = time.monotonic() + 60
    frames: list[Frame] = []
    while not child.ended:
        assert time.monotonic() < patience
        frames += child.receive(1)
    return frames


def test_a_frame_longer_than_the_pipe_goes_there_and_comes_back(child: Child) -> None:
    payload = os.urandom(2**22)
    os.kill(child.pid, signal.SIGSTOP)  # It might have read all before the test looks.
    child.send({"number": 1}, payload)
    child.send({"number": 2})
    assert child.sending
    os.kill(child.pid, signal.SIGCONT)
    assert hear(child, 2) == [({"number": 1}, payload), ({"number": 2}, b"")]
    until(lambda: not child.sending, 45)


def test_nothing_is_given_where_nothing_comes(child: Child) -> None:
    begun = time.monotonic()
    assert child.receive(0.05) == []
    assert time.monotonic() - begun >= 0.05
    assert child.alive


def test_what_a_child_prints_and_reads_is_not_the_wire(child: Child) -> None:
    child.send({"do": "print"})
    assert hear(child, 1) == [({"read": ""}, b"")]


def test_frames_of_several_threads_are_not_mixed(child: Child) -> None:
    child.send({"do": "many"})
    frames = hear(child, 80)
    assert Counter(frame.message["from"] for frame in frames) == dict.fromkeys(range(4), 20)
    assert all(set(frame.payload) == {frame.message["from"]} for frame in frames)


def test_a_child_that_complains_at_length_goes_on(another: Child) -> None:
    another.send({"do": "shout"})
    assert hear(another, 1) == [({"shouted": True}, b"")]
    another.kill()
    assert another.out_of_memory


def test_signals_to_the_group_are_left_to_the_parent(another: Child) -> None:
    os.killpg(another.pid, signal.SIGINT)
    os.killpg(another.pid, signal.SIGTERM)
    another.send({"still": "there"})
    assert hear(another, 1) == [({"still": "there"}, b"")]


def test_a_child_that_cannot_listen_ends_and_says_why(another: Child) -> None:
    another.send({"do": "raise"})
    assert hear_the_end(another) == []
    assert another.kill() == 1
    assert another.out_of_memory


def test_the_last_words_arrive_before_the_end(another: Child) -> None:
    another.send({"do": "leave"})
    assert hear_the_end(another) == [({"last": True}, b"")]
    assert another.kill() == 7
    assert not another.alive


def test_a_killed_child_is_reaped_and_may_be_spoken_to_all_the_same(another: Child) -> None:
    assert another.kill() == -signal.SIGKILL
    assert gone(another.pid)
    another.send({"no child": "listens"}, bytes(2**20))
    assert not another.sending
    assert another.kill() == -signal.SIGKILL


def test_a_child_without_a_session_of_its_own_stays_in_ours() -> None:
    child = Child(MODULE, str(os.getpid()), own_session=False)
    (hello,) = hear(child, 1)
    assert hello.message["session"] == os.getsid(0)
    assert child.kill() == -signal.SIGKILL


def test_an_idle_child_retires_when_its_input_ends(another: Child) -> None:
    another.retire()
    assert another.kill() == 0


def test_a_system_without_processes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(FileNotFoundError):
        Child(MODULE, "0")
