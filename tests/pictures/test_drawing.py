"""The process that draws, and its parent."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from steadygrid.domain.errors import Fault
from steadygrid.pictures.drawing import Drawer
from steadygrid.pictures.errors import (
    NoSuchPicture,
    PictureFailed,
    PicturesNotInstalled,
    UnfitPicture,
)
from tests.integration.drills import gone

ODD = "tests.pictures.odd_drawing"


@pytest.fixture(scope="module")
def drawer() -> Iterator[Drawer]:
    drawer = Drawer(ODD)
    yield drawer
    drawer.close()


def pid_of(drawer: Drawer) -> int:
    return int(drawer.draw({"do": "pid"}))


def wait_until_gone(pid: int) -> None:
    patience = time.monotonic() + 60
    while not gone(pid):
        assert time.monotonic() < patience
        time.sleep(0.02)


def test_bytes_go_there_and_come_back_in_one_process(drawer: Drawer) -> None:
    payload = os.urandom(2**21)
    assert drawer.draw({"do": "echo"}, payload) == payload[::-1]
    assert pid_of(drawer) == pid_of(drawer) == drawer.pid != os.getpid()


def test_several_threads_get_each_its_own(drawer: Drawer) -> None:
    drawn: dict[int, bytes] = {}

    def ask(number: int) -> None:
        drawn[number] = drawer.draw({"do": "echo"}, b"%d." % number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawn == {number: b".%d" % number for number in range(8)}


def test_what_the_process_refuses_is_raised_here_and_it_goes_on(drawer: Drawer) -> None:
    before = pid_of(drawer)
    with pytest.raises(UnfitPicture) as unfit:
        drawer.draw({"do": "refuse"})
    assert unfit.value.faults == (Fault(("lanes", 0), "unknown", "there is no P9"),)
    assert unfit.value.detail.endswith("#/lanes/0: there is no P9")
    with pytest.raises(NoSuchPicture, match=r"^There is no such picture. It has none called sh"):
        drawer.draw({"do": "miss"})
    with pytest.raises(PictureFailed, match="KeyError: 'what is not known'") as failed:
        drawer.draw({"do": "what is not known"})
    assert "Traceback" in failed.value.__notes__[0]
    assert pid_of(drawer) == before


def test_only_what_the_extra_brings_makes_it_not_installed(drawer: Drawer) -> None:
    with pytest.raises(PicturesNotInstalled, match=r"pip install 'steadygrid\[pictures\]'"):
        drawer.draw({"do": "lack the extra"})
    with pytest.raises(PictureFailed, match="vl_convert_that_is_not_there"):
        drawer.draw({"do": "lack"})


def test_a_process_that_dies_is_told_of_and_followed_by_another(drawer: Drawer) -> None:
    before = pid_of(drawer)
    with pytest.raises(PictureFailed, match="ended with exit code 9") as died:
        drawer.draw({"do": "leave"})
    assert died.value.__notes__ == ["It said last:\nlast words"]
    after = pid_of(drawer)
    assert after != before
    os.kill(after, signal.SIGKILL)
    wait_until_gone(after)
    assert pid_of(drawer) not in (before, after)


def test_what_takes_too_long_is_killed() -> None:
    drawer = Drawer(ODD, seconds=0.3)
    before = int(drawer.draw({"do": "pid"}))
    with pytest.raises(PictureFailed, match=r"0\.3 s were not enough for it"):
        drawer.draw({"do": "sleep"})
    wait_until_gone(before)
    assert drawer.pid is None
    assert drawer.draw({"do": "echo"}, b"ab") == b"ba"
    drawer.close()


def test_what_takes_too_much_memory_is_killed() -> None:
    drawer = Drawer(ODD, memory=2**28, seconds=100)
    before = pid_of(drawer)
    with pytest.raises(PictureFailed, match="more than 268,435,456 bytes"):
        drawer.draw({"do": "grow"})
    wait_until_gone(before)
    drawer.close()


def test_another_takes_over_after_some_pictures() -> None:
    drawer = Drawer(ODD, most=2)
    pids = [pid_of(drawer) for _ in range(5)]
    assert pids[0] == pids[1] != pids[2] == pids[3] != pids[4]
    drawer.close()
    for pid in pids:
        wait_until_gone(pid)


def test_it_ends_when_no_more_requests_come() -> None:
    drawer = Drawer(ODD, idle=0.05)
    before = pid_of(drawer)
    wait_until_gone(before)
    assert pid_of(drawer) != before
    drawer.close()


def test_closing_stops_what_is_being_drawn() -> None:
    drawer = Drawer(ODD, seconds=500)
    before = pid_of(drawer)
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            drawer.draw({"do": "sleep"})
        except PictureFailed as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    asked = {"type": "draw", "message": {"do": "sleep"}}
    while drawer.servant.current is None or drawer.servant.current.message != asked:
        time.sleep(0.01)
    drawer.close()
    thread.join()
    assert "Drawing was stopped." in str(failed[0])
    wait_until_gone(before)
    drawer.close()
    assert drawer.draw({"do": "echo"}, b"again") == b"niaga"
    drawer.close()


def test_a_fork_has_a_process_of_its_own(drawer: Drawer) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORKS], capture_output=True, text=True, check=True
    )
    first, second, third = ran.stdout.split()
    assert first == third != second


_FORKS = f"""
import os
from steadygrid.pictures.drawing import Drawer
drawer = Drawer({ODD!r})
print(drawer.draw({{"do": "pid"}}).decode(), flush=True)
if (pid := os.fork()) == 0:
    print(drawer.draw({{"do": "pid"}}).decode(), flush=True)
    os._exit(0)
os.waitpid(pid, 0)
print(drawer.draw({{"do": "pid"}}).decode(), flush=True)
"""


@pytest.mark.parametrize("end", ["", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_it_dies_with_its_parent(end: str) -> None:
    code = (
        "import os\nfrom steadygrid.pictures.drawing import Drawer\n"
        f"print(Drawer({ODD!r}).draw({{'do': 'pid'}}).decode(), flush=True)\n{end}"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    wait_until_gone(int(ran.stdout))


def test_ctrl_c_gives_the_picture_up() -> None:
    code = (
        "import signal\nfrom steadygrid.pictures.drawing import Drawer\n"
        f"drawer = Drawer({ODD!r}, seconds=500)\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "print(drawer.draw({'do': 'pid'}).decode(), flush=True)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "try:\n    drawer.draw({'do': 'sleep'})\n"
        "except KeyboardInterrupt:\n    print(drawer.draw({'do': 'pid'}).decode())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = map(int, ran.stdout.split())
    assert before != after
    wait_until_gone(before)
