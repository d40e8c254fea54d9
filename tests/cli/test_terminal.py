"""Standard streams of every kind: pipes that break, disks that are full, real terminals."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from steadygrid.cli.console import emit_lines, progress, progress_text
from steadygrid.cli.json_files import read_input
from steadygrid.cli.terminal import Refusal, complain, emit, prepare_streams
from steadygrid.report.glyphs import Glyphs

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "steadygrid.cli.command"]


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            "/bin/bash",
            "-c",
            f'set -o pipefail; steadygrid() {{ "{sys.executable}" -m steadygrid.cli.command "$@"; }}; {line}',
        ],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    done = shell("steadygrid problems master_worker --json | head -c 1; echo ${PIPESTATUS[0]}")
    assert done.stdout == "{0\n"
    assert done.stderr == ""


@pytest.mark.parametrize("asked", ["problems", "--help", "solve --help"])
def test_a_full_disk_behind_standard_output_is_a_sentence(asked: str) -> None:
    done = shell(f"steadygrid {asked} > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "steadygrid: standard output: No space left on device\n"


def test_closed_streams_do_not_matter() -> None:
    assert shell("steadygrid problems >&-").returncode == 0
    assert shell("steadygrid solve /none 2>&-").returncode == 2
    assert shell("steadygrid solve - <&-").returncode == 2


def test_ascii_terminals_get_ascii() -> None:
    done = shell("steadygrid problems master_worker", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_letters_that_a_stream_lacks_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    emit("é計\n")
    assert raw.getvalue() == b"\\xe9\\u8a08\n"


def test_a_terminal_gets_its_width_and_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def draw(width: int, glyphs: Glyphs) -> list[Text]:
        return [Text(f"{width} [bold]{glyphs.to}", style="bold")]

    emit_lines(draw)
    assert terminal.getvalue() == "\x1b[1m120 [bold]→\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "1000")
    terminal.truncate(0)
    emit_lines(draw)
    assert "160 [bold]" in terminal.getvalue()


def test_progress_is_shown_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress() as report:
        assert report is None
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress() as report:
        assert report is not None
        report({"phase": "solving", "elapsed": 1.2})
    assert "building" in terminal.getvalue() or "solving" in terminal.getvalue()


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ({}, "building, 0 s"),
        (
            {"phase": "solving", "elapsed": 2.6, "iterations": 12345},
            "solving, 3 s, 12,345 iterations",
        ),
        ({"phase": "solving", "bound": "21/40"}, "solving, 0 s, bound 21/40"),
        ({"phase": "solving", "value": "1" * 30}, f"solving, 0 s, value {'1' * 20}..."),
    ],
)
def test_progress_says_how_far_a_solve_is(state: dict[str, Any], text: str) -> None:
    assert progress_text(state) == text


def test_without_streams_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    prepare_streams()
    emit("x")
    emit_lines(lambda width, glyphs: [Text("x")])
    complain(["x"])
    assert read_input("-", 10) == b""
    with progress() as report:
        assert report is None


def test_a_file_may_be_as_long_as_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * 10)
    assert read_input(str(file), 10) == b"x" * 10
    with pytest.raises(Refusal, match="longer than 9 bytes"):
        read_input(str(file), 9)


def test_a_real_terminal_shows_progress_and_a_coloured_answer() -> None:
    master, slave = pty.openpty()
    body = ROOT / "examples" / "star.json"
    process = subprocess.Popen(
        [*COMMAND, "solve", str(body)],
        cwd=ROOT,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "90"},
    )
    os.close(slave)
    shown = b""
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:
        pass  # the other end is closed
    finally:
        os.close(master)
    assert process.wait(60) == 0
    assert b"\x1b[1;32mOPTIMAL" in shown
    assert "→middle".encode() in shown
