"""A pipeline that first misbehaves as a job's labels say, and then solves."""

import os
import signal
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from steadygrid.domain.errors import CertificationError, OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import Submission

if TYPE_CHECKING:
    from steadygrid.engine.pipeline import Answer


def run(submission: Submission, control: Control, limits: Limits) -> "Answer":
    misbehave_first(submission, control)
    from steadygrid.engine import (
        pipeline,  # loads the modelling language, for which most have no use
    )

    return pipeline.run(submission, control, limits)


def misbehave_first(submission: Submission, control: Control) -> None:
    labels = submission.labels
    if "do" not in labels:
        raise LookupError("no rehearsals: most processes of the drills never solve")
    if "trace" in labels:
        with Path(labels["trace"]).open("a") as trace:
            trace.write(f"{os.getpid()}\n")
    seconds = float(labels.get("seconds", "0"))
    misbehave(labels.get("do", ""), seconds, control, labels)
    misbehave(labels.get("then", ""), seconds, control, labels)


def misbehave(do: str, seconds: float, control: Control, labels: Mapping[str, str]) -> None:
    end = time.monotonic() + seconds
    match do:
        case "wait":
            while time.monotonic() < end:
                control.check()
                time.sleep(0.01)
        case "until":
            while not Path(labels["file"]).exists():
                control.check()
                time.sleep(0.01)
        case "spin":
            while time.monotonic() < end:
                control.check()
        case "ignore":
            while time.monotonic() < end:
                pass
        case "hold":
            pow(7, 10 ** int(labels["digits"]), 10**4000 + 7)  # holds the interpreter lock
        case "progress":
            iterations = 0
            while time.monotonic() < end:
                iterations += 1
                control.progress(iterations=iterations, bound=1 + Fraction(1, iterations))
                control.check()
                time.sleep(0.01)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "abort":
            os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
            os.abort()
        case "devour":
            kept = [bytes(2**20)]
            while True:
                kept.append(bytes(len(kept[-1]) * 2))
        case "raise":
            raise KeyError("P1 is secret")
        case "refuse":
            raise CertificationError("the basis is singular")
        case "overrun":
            raise OutOfTime
        case "chatter":
            print("noise on standard output" * 1000, flush=True)
            os.write(2, b"noise on standard error\n" * 20_000)
