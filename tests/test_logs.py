"""Every line of the log has one form, tells no contents, and an outage is told once."""

import io
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.logs import Outage, configure_logging, places
from app.settings import Settings
from tests.http.processes import ended, served
from tests.tree import ROOT


@contextmanager
def json_log(patch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Give what is written to standard error while the log is JSON."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    told: list[dict[str, Any]] = []
    with patch.context() as changed:
        changed.setattr(sys, "excepthook", sys.excepthook)
        changed.setattr(threading, "excepthook", threading.excepthook)
        changed.setattr(sys, "stderr", io.StringIO())
        try:
            configure_logging(Settings(log_json=True))
            yield told
            written = sys.stderr.getvalue()  # type: ignore[attr-defined]
            told.extend(json.loads(line) for line in written.splitlines())
        finally:
            structlog.reset_defaults()
            logging.captureWarnings(False)
            root.handlers, root.level = handlers, level


def test_a_log_line_is_one_json_object(monkeypatch: pytest.MonkeyPatch) -> None:
    with json_log(monkeypatch) as told:
        log = structlog.get_logger()
        log.debug("too quiet")
        log.warning("job_failed", job="job_1")
        logging.getLogger("some.library").warning("retry %d", 3)
        logging.getLogger("some.library").info("too quiet")
        try:
            raise RuntimeError("first\nsecond")
        except RuntimeError:
            logging.getLogger("some.library").exception("failed")
    ours, theirs, failed = told
    assert (ours["event"], ours["job"], ours["level"]) == ("job_failed", "job_1", "warning")
    assert theirs["event"] == "retry 3"
    assert "RuntimeError: first\nsecond" in failed["exception"]


def test_what_a_request_raised_and_asked_for_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with json_log(monkeypatch) as told:
        try:
            raise RuntimeError("a secret")
        except RuntimeError as error:
            server = logging.getLogger("uvicorn.error")
            server.error("Exception in ASGI application\n", exc_info=error)
            structlog.get_logger().error("request_failed", places=places(error))
        access = logging.getLogger("uvicorn.access")
        access.setLevel(logging.INFO)
        asked = ("127.0.0.1:1", "GET", "/v1/jobs?label=a:secret", "1.1", 200)
        access.info('%s - "%s %s HTTP/%s" %d', *asked)
        access.setLevel(logging.NOTSET)
    first, second = told
    assert first["places"][-1].endswith("test_what_a_request_raised_and_asked_for_is_not_told")
    assert second["event"] == '127.0.0.1:1 - "GET /v1/jobs HTTP/1.1" 200'


def test_lines_for_people_are_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with json_log(monkeypatch):
        pass
    configure_logging(Settings())
    structlog.get_logger().info("readable")
    assert "readable" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    structlog.reset_defaults()


def test_whatever_a_process_says_is_json() -> None:
    code = """
import threading, warnings
from app.logs import configure_logging
from app.settings import Settings
configure_logging(Settings(log_json=True))
warnings.warn("a warning")
def fail(): raise RuntimeError("in a thread")
thread = threading.Thread(target=fail); thread.start(); thread.join()
raise RuntimeError("at the end")
"""
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [line["event"] for line in told][1:] == ["uncaught", "uncaught"]
    assert "a warning" in told[0]["event"]
    assert "RuntimeError: in a thread" in told[1]["exception"]
    assert "RuntimeError: at the end" in told[2]["exception"]


def all_json(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_every_line_of_the_service_is_json(tmp_path: Path) -> None:
    with served(tmp_path, "serve", log_json="true", header_seconds=1) as service:
        with service.connect() as client:
            client.sendall(b"nonsense\r\n\r\n")
            ended(client)
        with service.connect() as client:
            upgrade = b"GET /v1/info HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket"
            client.sendall(upgrade + b"\r\n\r\n")
        assert service.alive()
    told = all_json(service.log)
    assert "listening" in [line["event"] for line in told]


def test_a_service_that_does_not_start_says_why_in_json(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = subprocess.run(
            [Path(sys.executable).with_name("steadygrid"), "api", "--port", port],
            env=os.environ | {"STEADYGRID_LOG_JSON": "true"},
            check=False,
            capture_output=True,
            text=True,
        )
    (line,) = ran.stderr.splitlines()
    assert "is taken already" in json.loads(line)["said"][0]


@pytest.mark.redis
def test_every_line_of_a_worker_is_json(tmp_path: Path, redis_url: str) -> None:
    log = tmp_path / "log"
    given = {
        "STEADYGRID_LOG_JSON": "true",
        "STEADYGRID_REDIS_URL": redis_url,
        "STEADYGRID_DATABASE_URL": f"sqlite:///{tmp_path / 'steadygrid.db'}",
    }
    environment = os.environ | given
    subprocess.run([sys.executable, "-m", "app.db.migrate"], env=environment, check=True, cwd=ROOT)
    with log.open("wb") as sink:
        worker = subprocess.Popen(
            [Path(sys.executable).with_name("steadygrid"), "worker"],
            env=environment,
            stdout=sink,
            stderr=sink,
        )
        try:
            database = Database.open(given["STEADYGRID_DATABASE_URL"])
            seen = False
            while not seen:
                assert worker.poll() is None, log.read_text()
                time.sleep(0.05)
                with database.read_all() as unit:
                    seen = bool(unit.workers.active())
            database.close()
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(60) == 0
        finally:
            worker.kill()
            worker.wait()
    all_json(log)


def test_an_outage_is_told_once_with_its_cause_and_counted() -> None:
    outage = Outage("database", settled=0.0)
    structlog.reset_defaults()
    with capture_logs() as logs:
        outage.end()
        for number in range(5):
            outage.noticed(f"cause {number}")
        outage.end()
        outage.end()
    assert [line["event"] for line in logs] == ["database_unavailable", "database_back"]
    assert logs[0]["cause"] == "cause 0"
    assert logs[1]["failures"] == 5


def test_what_the_pool_of_celery_says_takes_our_form() -> None:
    program = """
from app.logs import configure_logging
from app.settings import Settings
from workers.celery_app import app
import workers.tasks
from billiard import util

configure_logging(Settings())
app.log.setup_logging_subsystem(loglevel="WARNING")
util.error("Process %r exited with %r", "pool-1", "signal 9")
"""
    environment = os.environ | {"STEADYGRID_LOG_JSON": "true"}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = ran.stderr.splitlines()
    assert json.loads(line)["event"] == "Process 'pool-1' exited with 'signal 9'"


def test_an_outage_ends_only_when_nothing_has_failed_for_a_while() -> None:
    outage = Outage("database", settled=60.0)
    structlog.reset_defaults()
    with capture_logs() as logs:
        for _ in range(5):
            outage.noticed("too busy")
            outage.end()
    assert [line["event"] for line in logs] == ["database_unavailable"]


def test_a_database_that_is_away_is_told_once_with_the_drivers_own_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    database = Database.open(f"postgresql://nobody:secret@127.0.0.1:{port}/nothing")
    structlog.reset_defaults()
    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(DatabaseUnavailableError), database.read("local"):
                pass
    (line,) = logs
    assert line["event"] == "database_unavailable"
    assert "Connection refused" in line["cause"]
    assert "secret" not in str(logs)
    database.close()


@pytest.mark.parametrize("url", ["sqlite:///unused.db", "postgresql://nobody@localhost/nothing"])
def test_no_statement_is_told_with_its_parameters(url: str) -> None:
    assert Database.open(url).engine.hide_parameters
