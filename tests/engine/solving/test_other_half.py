"""Two halves of a search, each in a process of its own."""

import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, InternalError
from steadygrid.engine.solving import other_half
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.other_half import OtherHalf, start_half
from tests.engine.solving import halves
from tests.engine.solving.test_search_child import gone


def next_heard(other: OtherHalf) -> Any:
    """What the other half tells next, if it tells anything within some seconds."""
    patience = time.monotonic() + 30
    while time.monotonic() < patience:
        heard = other.heard()
        if heard:
            (found,) = heard
            return found
        time.sleep(0.01)
    return None


def test_one_core_has_no_other_half() -> None:
    with start_half(Control(), halves.doubling, 1) as other:
        assert other is None


def test_two_halves_tell_each_other_what_they_find() -> None:
    with start_half(Control(60, cores=2), halves.doubling, 3) as other:
        assert other is not None
        double, seconds = next_heard(other)
        assert double == 6
        assert 0 < seconds < 60
        other.send(5)
        assert next_heard(other) == 10
        assert not other.ended
        other.send(0)
        other.wait(Control(30))
        assert other.ended
        other.send(7)
        assert other.heard() == []
    assert gone(other.pid)


def test_parts_have_as_many_cores_as_the_whole() -> None:
    assert Control(cores=2).limited(1).cores == 2


def test_what_is_found_at_the_end_of_the_time_is_heard_before_it_is_over() -> None:
    control = Control(5, cores=2)
    with start_half(control, halves.ending_late, "late") as other:
        assert other is not None
        other.wait(control)
        assert control.remaining > 0
        assert other.heard() == ["late"]
        assert other.ended


def test_a_half_without_a_limit_has_none() -> None:
    with start_half(Control(cores=2), halves.doubling, 1) as other:
        assert other is not None
        assert next_heard(other) == (2, float("inf"))


def test_a_mistake_in_the_other_half_is_told() -> None:
    with (
        start_half(Control(60, cores=2), halves.failing) as other,
        pytest.raises(InternalError, match="a mistake"),
    ):
        assert other is not None
        other.wait(Control(30))
    assert gone(other.pid)


def test_without_the_other_half_the_search_goes_on() -> None:
    with start_half(Control(60, cores=2), halves.dying) as other:
        assert other is not None
        other.wait(Control(30))
        assert other.heard() == ["before"]
        assert other.ended


def test_while_a_search_waits_for_its_other_half_it_can_be_cancelled() -> None:
    control = Control(60, cores=2)
    timer = threading.Timer(0.5, control.cancel)
    timer.start()
    with start_half(control, halves.doubling, 1) as other, pytest.raises(Cancelled):
        assert other is not None
        other.wait(control)
    timer.join()
    assert gone(other.pid)
    assert control.remaining > 30


def test_where_the_system_gives_no_process_there_is_no_other_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(other_half, "Child", refuse)
    with start_half(Control(cores=2), halves.doubling, 1) as other:
        assert other is None


def test_the_other_half_dies_with_the_one_that_started_it() -> None:
    program = (
        "import os\n"
        "from steadygrid.engine.solving.control import Control\n"
        "from steadygrid.engine.solving.other_half import start_half\n"
        "from tests.engine.solving import halves\n"
        "with start_half(Control(cores=2), halves.doubling, 1) as other:\n"
        "    while not other.heard(): pass\n"
        "    print(other.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.returncode == -9, ended.stderr
    assert gone(int(ended.stdout))
