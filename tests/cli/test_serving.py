"""``steadygrid serve`` as a process: it listens, answers, refuses a second one, and ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

import app.server.run
import steadygrid.cli.command
import workers.commands.environment
import workers.commands.serving
from app.db.errors import NotStartedError
from steadygrid.cli.terminal import Refusal
from steadygrid.kinds import PROBLEMS
from tests.environment import bare
from workers.commands.serving import listen, settings_for

ROOT = Path(__file__).resolve().parents[2]


class Service(NamedTuple):
    process: subprocess.Popen[str]
    url: str
    data_dir: Path


def start(data_dir: Path) -> Service:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "steadygrid.cli.command",
            "serve",
            "--port",
            "0",
            "--data-dir",
            str(data_dir),
        ],
        cwd=ROOT,
        env=bare(covered=True),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    seen = []
    for line in process.stderr:
        seen.append(line)
        if found := re.search(r"steadygrid listens on (http://127\.0\.0\.1:\d+) ", line):
            return Service(process, found[1], data_dir)
    raise AssertionError("".join(seen))


def end(process: subprocess.Popen[str], number: int) -> int:
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    return process.returncode


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = start(tmp_path_factory.mktemp("data"))
    yield running
    assert end(running.process, signal.SIGTERM) == 0


def post(service: Service, path: str, body: Any) -> Any:
    request = urllib.request.Request(
        service.url + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_serve_solves_what_is_posted(service: Service) -> None:
    job = post(service, "/v1/jobs?wait=30", PROBLEMS["master_worker"].example)
    assert (job["state"], job["outcome"]) == ("succeeded", "optimal")
    with urllib.request.urlopen(service.url + job["links"]["result"], timeout=60) as answer:
        assert json.load(answer)["objective"]["value"] == "21/40"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as exit_:
        steadygrid.cli.command.main(arguments)
    assert isinstance(exit_.value.code, int)
    return exit_.value.code, capsys.readouterr().err


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Put back the signal handler and the environment that `serve` changes."""
    before, environment = signal.getsignal(signal.SIGTERM), dict(os.environ)
    yield
    signal.signal(signal.SIGTERM, before)
    os.environ.clear()
    os.environ.update(environment)


def test_a_taken_port_is_refused_in_a_sentence(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    port = service.url.rsplit(":", 1)[1]
    code, err = run(capsys, "serve", "--port", port)
    assert code == 2
    assert err == (
        f"steadygrid: 127.0.0.1, port {port} is taken already: give another port with --port\n"
    )


@pytest.mark.usefixtures("own_signals")
def test_a_data_directory_has_one_service(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(capsys, "serve", "--port", "0", "--data-dir", str(service.data_dir))
    assert code == 2
    assert "Another `steadygrid serve` uses this data directory." in err
    assert "Give another one with --data-dir." in err


@pytest.mark.usefixtures("own_signals")
def test_a_data_directory_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    code, err = run(capsys, "serve", "--port", "0", "--data-dir", str(tmp_path / "file" / "in"))
    assert code == 2
    assert "cannot be used: Not a directory" in err


class NoWorkers:
    """Stands for the worker processes where a test has no use for them."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.usefixtures("own_signals")
def test_a_database_that_is_away_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away(NoWorkers):
        def __enter__(self) -> Self:
            raise NotStartedError("the database cannot be used (no such host): start it")

    monkeypatch.setattr(workers.commands.serving, "EmbeddedWorkers", Away)
    code, err = run(capsys, "serve", "--port", "0", "--data-dir", str(tmp_path))
    assert code == 2
    assert err == "steadygrid: the database cannot be used (no such host): start it\n"


@pytest.mark.usefixtures("own_signals")
def test_an_application_that_does_not_start_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers.commands.serving, "EmbeddedWorkers", NoWorkers)
    for application in ("tests.data:shared_data", "tests.cli.test_serving:broken_application"):
        monkeypatch.setattr(app.server.run, "APPLICATION", application)
        code, err = run(capsys, "serve", "--port", "0", "--data-dir", str(tmp_path))
        assert code == 1
        assert "the service could not start" in err


def broken_application() -> Any:
    """Make an ASGI application that fails while it starts."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no"})

    return application


def test_ctrl_c_ends_the_service_with_130(tmp_path: Path) -> None:
    running = start(tmp_path)
    assert end(running.process, signal.SIGINT) == 130
    again = start(tmp_path)
    assert end(again.process, signal.SIGTERM) == 0


def test_serve_has_no_use_for_a_broker(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_REDIS_URL", "redis://localhost:1/0")
    code, err = run(capsys, "serve")
    assert code == 2
    assert "unset it, or run `steadygrid worker`" in err


def test_a_production_worker_needs_a_broker(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEADYGRID_REDIS_URL", raising=False)
    code, err = run(capsys, "worker")
    assert code == 2
    assert "`steadygrid serve` needs none" in err


def test_the_data_directory_of_the_settings_is_kept_unless_another_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("STEADYGRID_REDIS_URL", raising=False)
    settings = workers.commands.environment.settings()
    assert settings_for(settings, None) is settings
    assert settings_for(settings, Path("other")).data_dir == Path("other")


def test_addresses_that_cannot_be_listened_on_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Refusal, match="cannot listen on no host at all, port 1"):
        listen("no host at all", 1)
    with pytest.raises(Refusal, match="cannot listen on"):
        listen("x" * 100, 1)

    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", forbidden)
    with pytest.raises(Refusal, match=r"needs more rights. Ports from 1024 on do not"):
        listen("127.0.0.1", 80)


def test_an_address_of_version_6_stands_in_brackets() -> None:
    assert workers.commands.serving._url("::1", 80) == "http://[::1]:80"
