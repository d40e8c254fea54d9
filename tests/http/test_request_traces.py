"""One trace leads from a request through the queue to the phases of the solve."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

pytest.importorskip("opentelemetry.sdk.trace")
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from app import tracing as module
from app.db.engine import Database
from app.db.models import jobs
from app.main import create_app
from app.settings import SettingsError, read_settings
from app.tracing import Tracing
from tests.environment import bare
from tests.http.bodies import BODY
from tests.http.conftest import quiet
from tests.tree import ROOT
from workers.supervisor import Ran, Supervisor

SENT = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
NUMBER = 0x0123456789ABCDEF0123456789ABCDEF


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def supervisor(
    database: Database, spans: InMemorySpanExporter, tmp_path: Path
) -> Iterator[Supervisor]:
    reading, writing = os.pipe()
    settings = quiet("sqlite:///unused", tmp_path)
    tracing = Tracing("worker", spans, at_once=True)
    made = Supervisor(database, settings, "w", reading, tracing=tracing)
    yield made
    made.close()
    os.close(reading)
    os.close(writing)


def parent(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id


def number(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


def test_one_trace_leads_from_the_request_to_the_phases(
    database: Database, supervisor: Supervisor, spans: InMemorySpanExporter, tmp_path: Path
) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    tracing = Tracing("api", spans, at_once=True)
    application = create_app(quiet(url, tmp_path), tracing=tracing)
    with TestClient(application, base_url="http://localhost") as client:
        client.get("/livez")
        answer = client.post("/v1/jobs", json=BODY, headers={"traceparent": SENT})
        assert answer.status_code == 202
        job = answer.json()["id"]
        assert supervisor.run() is Ran.ENDED
        found = {one.name: one for one in spans.get_finished_spans()}
    request, queue, attempt = found["POST /v1/jobs"], found["queue"], found["attempt"]
    phases = [one for name, one in found.items() if name.startswith("phase ")]
    assert {one.name for one in phases} >= {"phase verifying", "phase store"}
    assert len(found) == 3 + len(phases)
    assert {one.context.trace_id for one in found.values() if one.context} == {NUMBER}
    assert parent(request) == int(SENT.split("-")[2], 16)
    assert [parent(queue), parent(attempt)] == [number(request)] * 2
    assert {parent(one) for one in phases} == {number(attempt)}
    told = dict(attempt.attributes or {})
    assert (told["steadygrid.job"], told["steadygrid.attempt"]) == (job, 1)
    assert (told["steadygrid.state"], told["steadygrid.code"]) == ("succeeded", "optimal")
    assert (request.attributes or {})["steadygrid.tenant"] == "local"
    assert (queue.start_time or 0) <= (queue.end_time or 0) <= (attempt.end_time or 0)
    assert all((attempt.end_time or 0) >= (one.end_time or 1) for one in phases)


def test_what_fails_is_an_error_in_the_trace(
    database: Database, supervisor: Supervisor, spans: InMemorySpanExporter, tmp_path: Path
) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    with TestClient(create_app(quiet(url, tmp_path)), base_url="http://localhost") as client:
        # A client's own trace is not kept where there are no traces.
        job = client.post("/v1/jobs", json=BODY, headers={"traceparent": SENT}).json()["id"]
    with database.engine.begin() as connection:
        assert connection.execute(jobs.select()).one().traceparent is None
        broken = jobs.update().where(jobs.c.id == job).values(time_limit=0.0)
        connection.execute(broken)
    supervisor.settings = supervisor.settings.model_copy(update={"hard_stop_grace_seconds": 1e-9})
    supervisor.warm_up()
    child: Any = supervisor._child
    while not child.look():
        pass
    assert supervisor.run() is Ran.ENDED
    found = {one.name: one for one in spans.get_finished_spans()}
    attempt = found["attempt"]
    assert attempt.status.description == "hard_timeout"
    assert parent(attempt) == number(found["queue"])
    assert parent(found["queue"]) is None


def test_without_the_setting_nothing_of_it_is_loaded() -> None:
    code = (
        "import sys, app.main, workers.embedded; from app.settings import Settings;"
        "app.main.create_app(Settings());"
        "print([one for one in sys.modules if one.startswith('opentelemetry.sdk.trace')"
        " or one.startswith('opentelemetry.exporter')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=bare(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_without_the_extra_the_setting_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STEADYGRID_TRACES_URL", "http://127.0.0.1:4318")
    assert read_settings().traces_url == "http://127.0.0.1:4318"
    monkeypatch.setattr(module, "_NEEDED", ("opentelemetry.no_such_part",))
    with pytest.raises(SettingsError, match=r"pip install 'steadygrid-service\[traces\]'"):
        read_settings()
    monkeypatch.setattr(module, "_NEEDED", ("no_such_package.sdk",))
    with pytest.raises(SettingsError, match="STEADYGRID_TRACES_URL"):
        read_settings()
    monkeypatch.setenv("STEADYGRID_TRACES_URL", "collector")
    with pytest.raises(SettingsError, match="it must be a URL"):
        read_settings()
