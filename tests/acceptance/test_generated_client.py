"""A client that a generator makes of the OpenAPI document: it asks for everything and misses nothing."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

import pytest

from steadygrid.formats import IMPORTERS
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.exports import EXPORTERS
from tests.acceptance.client import Service

NAME = "client_that_was_generated"
# The generator knows the common content types only. For it a foreign format is a stream of bytes.
CONFIGURATION = {
    "post_hooks": [],
    "content_type_overrides": {
        content_type: replacement
        for formats, replacement in (
            (EXPORTERS.values(), "text/plain"),
            (IMPORTERS.values(), "application/octet-stream"),
        )
        for content_type in (one.content_type for one in formats)
        if not content_type.endswith("+json")
    },
}


@pytest.fixture(scope="module")
def package(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The generated package, importable; no part of the document may be beyond the generator."""
    place = tmp_path_factory.mktemp("generated")
    configuration = place / "configuration.json"
    configuration.write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    generated = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"),
            *("--url", f"{service.url}/openapi.json", "--config", configuration),
            *("--meta", "none", "--output-path", place / NAME),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        yield NAME
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def client(service: Service, package: str) -> Iterator[Any]:
    made = importlib.import_module(package).Client(
        base_url=service.url, raise_on_unexpected_status=True, timeout=120
    )
    with made as entered:
        yield entered


def operation(name: str, tag: str = "schedules") -> ModuleType:
    return importlib.import_module(f"{NAME}.api.{tag}.{name}")


def document(answer: Any) -> Any:
    """Give what a model was read from, as it reads it."""
    return json.loads(json.dumps(answer.to_dict()))


def solved(client: Any, kind: str) -> Any:
    """Post the example of a kind, then wait for its end."""
    models = importlib.import_module(f"{NAME}.models")
    asked = models.JobRequest.from_dict(dict(PROBLEMS[kind].example))
    job = operation("submit_job", "jobs").sync(client=client, body=asked)
    while job.state.value in ("queued", "running"):
        job = operation("get_job", "jobs").sync(job.id, client=client, wait=60)
    assert job.state.value == "succeeded"
    return job


@pytest.mark.parametrize("kind", list(PROBLEMS))
def test_it_submits_waits_and_reads_every_part(client: Any, service: Service, kind: str) -> None:
    job = solved(client, kind)
    result = operation("get_job_result", "jobs").sync(job.id, client=client)
    assert type(result).__name__ == PROBLEMS[kind].result.__name__
    assert document(result) == service.read(f"/v1/jobs/{job.id}/result")
    told = operation("get_job_trace", "jobs").sync(job.id, client=client)
    if document(told).get("code") != "no_trace":
        assert document(told) == service.read(f"/v1/jobs/{job.id}/trace")
    instance = operation("get_job_instance", "jobs").sync(job.id, client=client)
    assert document(instance) == service.read(f"/v1/jobs/{job.id}/instance")

    if job.schedule is None:
        assert PROBLEMS[kind].simulated
        return
    own = f"/v1/schedules/{job.schedule}"
    assert document(operation("get_schedule").sync(job.schedule, client=client)) == (
        service.read(own)
    )
    parts = {
        "allocations": "list_allocations",
        "computations": "list_computations",
        "runs": "list_runs",
        "slots": "list_slots",
        "timeline": "get_timeline",
        "dispatch": "get_dispatch",
        "document": "get_schedule_document",
    }
    first = service.read(f"{own}/allocations")["items"]
    message = first[0].get("message") if first else None
    for part, name in parts.items():
        asked = {"message": message} if message and part == "dispatch" else {}
        answer = operation(name).sync(job.schedule, client=client, **asked)
        query = f"?{urlencode(asked)}" if asked else ""
        assert document(answer) == service.read(f"{own}/{part}{query}"), part


def test_it_reads_numbers_and_refusals(client: Any, package: str) -> None:
    models = importlib.import_module(f"{package}.models")
    job = solved(client, "master_worker")
    slots = operation("list_slots").sync(
        job.schedule, client=client, numbers=models.ListSlotsNumbers.FLOAT
    )
    assert isinstance(slots.items[0].duration, int | float)
    refused = operation("get_job", "jobs").sync("job_none", client=client)
    assert isinstance(refused, models.ProblemDetails)
    assert refused.code == "not_found"
