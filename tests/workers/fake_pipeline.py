"""A pipeline that does what a job's labels say, and then answers something small."""

import os
import signal
import threading
import time
from fractions import Fraction
from typing import Any, NamedTuple

from app.domain.errors import CertificationError
from app.domain.job import Certificate, Bound, Objective, Outcome, Phase
from app.domain.schedule import Schedule
from app.problems.master_worker.schemas import MasterWorkerResult
from app.problems.submission import Submission
from app.settings import Limits
from tests.databases import small_schedule
from workers.solving.control import Control, Interrupted


class Answer(NamedTuple):
    result: MasterWorkerResult
    schedule: Schedule | None


def run(submission: Submission, control: Control, limits: Limits) -> Answer:
    labels = submission.labels
    control.phase(Phase.SOLVING)
    seconds = float(labels.get("seconds", "0"))
    match labels.get("do"):
        case "wait":
            _wait(control, seconds)
        case "spin":
            _spin(control, seconds)
        case "ignore":
            _spin(None, seconds)
        case "hold":
            # One long computation in C that holds the interpreter lock.
            pow(7, 10 ** int(labels["digits"]), 10**4000 + 7)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "die-once":
            _die_once(labels["marker"])
        case "abort":
            os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
            os.abort()
        case "devour":
            _devour()
        case "raise":
            raise KeyError("P1 is secret")
        case "refuse":
            raise CertificationError("the basis is singular.")
        case "overrun":
            raise Interrupted("time_limit")
        case "progress":
            _progress(control, seconds)
        case "chatter":
            print("noise on standard output" * 1000, flush=True)
            os.write(2, b"noise on standard error\n" * 20_000)
    return Answer(_result(), small_schedule(int(labels.get("slots", "2"))))


def _wait(control: Control, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        control.check()
        time.sleep(0.01)


def _spin(control: Control | None, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if control is not None:
            control.check()


def _die_once(marker: str) -> None:
    if not os.path.exists(marker):
        with open(marker, "w"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)


def _devour() -> None:
    kept: list[Any] = []
    while True:
        kept.append(bytearray(64 * 2**20))


def _progress(control: Control, seconds: float) -> None:
    end = time.monotonic() + seconds
    iterations = 0
    while time.monotonic() < end:
        iterations += 1
        control.progress(iterations=iterations, bound=Fraction(iterations, 7))
        control.check()
        time.sleep(0.01)


def _result() -> MasterWorkerResult:
    value = Fraction(1, 2)
    return MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(value),
        bound=Bound.of(value, exact=True),
        gap=Fraction(0),
        certificate=Certificate(type="none"),
        verified=True,
        computed={"W": value},
        sent=[],
    )
