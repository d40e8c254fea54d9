"""The command ends when it is told to, and when its time is long over."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from steadygrid import solving
from steadygrid.cli import commands
from steadygrid.cli.__main__ import main
from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, write
from tests.integration.drills import command_of, gone, until
from tests.library.test_solving import STUBBORN
from tests.library.test_solving import children as children_of


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the built-in solver by one that does not respond."""
    monkeypatch.setattr(solving, "MODULE", STUBBORN)
    monkeypatch.setenv("STUBBORN", "holds_the_lock")


def test_the_command_leaves_with_130_after_ctrl_c(hanging: None, tmp_path: Path) -> None:
    body = write(tmp_path / "body.json", PROBLEMS["master_worker"].example)
    code = (
        "from steadygrid import solving\n"
        "from steadygrid.cli.command import main\n"
        f"solving.MODULE = {STUBBORN!r}\n"
        f"main(['solve', {str(body)!r}, '--json'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        (solver,) = until(lambda: children_of(command.pid))
        until(lambda: STUBBORN in command_of(solver))  # else it may still be a copy of the command
        command.send_signal(signal.SIGINT)
        assert command.communicate(timeout=30) == (b"", b"steadygrid: interrupted\n")
    assert command.returncode == 130
    until(lambda: gone(solver), 45)


def test_ctrl_c_while_the_command_loads_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def find_spec(self, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "steadygrid.cli.command")
    monkeypatch.setattr(sys, "meta_path", [Interrupted()])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr().err == "steadygrid: interrupted\n"


def test_ctrl_c_while_a_command_is_loaded_is_told_in_a_line(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "import_module", interrupted)
    left = command("solve", "--help")
    assert (left.code, left.out, left.err) == (130, "", "steadygrid: interrupted\n")


def test_the_command_leaves_with_4_when_time_is_long_over(
    command: Command, hanging: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_HARD_STOP_GRACE_SECONDS", "0.3")
    example = {**PROBLEMS["master_worker"].example, "options": {"time_limit": 0.1}}
    finished = command("solve", write(tmp_path / "body.json", example))
    assert finished.code == 4
    assert "the time limit of 0.1 s left no answer" in finished.err
