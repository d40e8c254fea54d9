import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.db.packing import pack, unpack
from app.settings import Settings
from steadygrid.kinds.master_worker import PROBLEM
from steadygrid.processes.frames import Frame
from workers.solver_child import SolverChild


@pytest.fixture(scope="module")
def spawn() -> Iterator[Callable[[], SolverChild]]:
    spawned: list[SolverChild] = []

    def make() -> SolverChild:
        settings = Settings(pipeline="tests.workers.fake_pipeline")
        spawned.append(SolverChild(settings))
        return spawned[-1]

    yield make
    for child in spawned:
        child.retire()


@pytest.fixture(scope="module")
def child(spawn: Callable[[], SolverChild]) -> SolverChild:
    """One that says nothing more of itself: it has said that it is ready."""
    child = spawn()
    assert next(frames(child)).message["type"] == "ready"
    return child


def give(child: SolverChild, padding: int = 0, time_limit: float = 60, **labels: str) -> None:
    body = dict(PROBLEM.example) | {"labels": {"do": "solve"} | labels}
    if padding:
        platform = body["problem"]["platform"] | {"name": None}
        spare = [{"id": os.urandom(90).hex()} for _ in range(padding)]
        platform["processors"] = [*platform["processors"], *spare]
        body["problem"] = body["problem"] | {"platform": platform}
    child.begin(pack(body), time_limit, Settings().limits.model_dump())


def frames(child: SolverChild, seconds: float = 30) -> Iterator[Frame]:
    patience = time.monotonic() + seconds
    while not child.ended:
        assert time.monotonic() < patience, "no answer"
        writing = [child.stdin] if child.sending else []
        select.select([child.stdout, child.stderr], writing, [], 0.5)
        child.write()
        yield from child.read()


def reply(child: SolverChild) -> dict[str, Any]:
    """The frame that ends a job."""
    final = ("answer", "failure", "interrupted")
    return next(frame.message for frame in frames(child) if frame.message["type"] in final)


def test_an_answer_brings_result_and_schedule(child: SolverChild) -> None:
    give(child)
    frame = next(frame for frame in frames(child) if frame.message["type"] == "answer")
    message, payload = frame
    result = unpack(payload[: message["result_size"]])
    limiter = {"key": "processor:P1", "label": "P1", "alike": 0}
    members = [result[name] for name in ("objective", "bound", "gap")]
    assert message["found"] == ["optimal", *members, limiter]
    assert result["outcome"] == "optimal"
    assert result["objective"]["value"] == "21/40"
    assert result["schedule"] == message["schedule"]["id"]
    assert message["schedule"]["header"]["period"] == "40"
    sizes = [chunk[-1] for chunk in message["schedule"]["chunks"]]
    assert len(payload) == message["result_size"] + sum(sizes)


def test_an_answer_brings_its_trace_behind_all_else(child: SolverChild) -> None:
    give(child, do="progress", seconds="0.1")
    message, payload = next(one for one in frames(child) if one.message["type"] == "answer")
    sizes = [chunk[-1] for chunk in message["schedule"]["chunks"]]
    end = message["result_size"] + sum(sizes)
    assert len(payload) == end + message["trace_size"]
    first, *_, last = unpack(payload[end:])
    assert first | {"seconds": None} == {
        "iteration": 1,
        "seconds": None,
        "value": None,
        "bound": "2",
        "exact": True,
    }
    assert last["value"] == "21/40"


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        ("refuse", ("failure", "not_certified")),
        ("overrun", ("failure", "hard_timeout")),
        ("raise", ("failure", "internal")),
        ("chatter", ("answer", None)),
    ],
)
def test_every_job_gets_one_reply(child: SolverChild, do: str, expected: tuple[str, str]) -> None:
    give(child, do=do)
    message = reply(child)
    assert (message["type"], message.get("code")) == expected
    assert "secret" not in str(message)


def test_an_instance_longer_than_a_pipe_arrives_whole(child: SolverChild) -> None:
    os.kill(child.pid, signal.SIGSTOP)
    give(child, padding=3000)
    assert child.sending
    os.kill(child.pid, signal.SIGCONT)
    assert reply(child)["type"] == "answer"


def test_a_cancel_reaches_the_running_job_only(child: SolverChild) -> None:
    give(child)
    child.cancel()
    assert reply(child)["type"] in ("answer", "interrupted")
    child.cancel()  # too late, and not meant for the next one
    give(child)
    assert reply(child)["type"] == "answer"
    give(child, do="wait", seconds="60")
    child.cancel()
    assert reply(child)["type"] == "interrupted"


def test_progress_comes_with_every_phase_but_not_with_every_step(child: SolverChild) -> None:
    give(child, do="progress", seconds="1")
    phases, steps = set(), 0
    for frame in frames(child):
        if frame.message["type"] == "answer":
            break
        progress = frame.message["progress"]
        phases.add(progress.get("phase"))
        steps += "bound" in progress and progress.get("phase") is None
    assert {"building", "solving", "certifying", "reconstructing", "verifying"} <= phases
    assert 0 < steps < 10


def test_a_solver_process_ends_with_its_input(spawn: Callable[[], SolverChild]) -> None:
    child = spawn()
    assert child.alive
    assert child._process.stdin is not None
    child._process.stdin.close()
    assert [frame.message["type"] for frame in frames(child)] in ([], ["ready"])
    child.kill()
    assert not child.alive
    assert child.kill() == child.kill()


def test_writing_to_a_dead_process_is_no_error(spawn: Callable[[], SolverChild]) -> None:
    child = spawn()
    os.kill(child.pid, 9)
    child._process.wait()
    give(child)
    assert not child.sending
    assert list(frames(child)) == []
    assert not child.out_of_memory


def test_a_process_without_memory_says_so(tmp_path: Path) -> None:
    settings = Settings(pipeline="tests.workers.fake_pipeline", solver_memory_bytes=2**20)
    child = SolverChild(settings)
    assert list(frames(child)) == []
    child.kill()
    assert child.out_of_memory
