"""The OpenAPI document is true: no request brings a 5xx, and every answer conforms."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    create_test,
)
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from app.db.engine import Database
from app.main import create_app
from tests.draws import draws
from tests.http.bodies import BODY, SWEEP, finish
from workers.registration import OUR_SKILLS

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
]
BOUNDED = settings(
    max_examples=draws(7, 100),
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def url(address: tuple[str, int]) -> str:
    return f"http://{address[0]}:{address[1]}"


@pytest.fixture(scope="module", autouse=True)
def worker(address_database: Database) -> Iterator[None]:
    """A worker that ends every job at once, so that requests do not wait for their whole time."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            with address_database.write_all() as unit:
                taken = unit.queue.claim("tests", OUR_SKILLS, lease_seconds=60)
            if taken is not None:
                finish(address_database, taken)

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.fixture(scope="module")
def existing(url: str) -> dict[str, str]:
    """Ids of things that are there, by the names of path parameters."""
    with httpx2.Client(base_url=url) as client:
        job = client.post("/v1/jobs", params={"wait": 60}, json=BODY).json()
        platform = client.post("/v1/platforms", json=BODY["problem"]["platform"]).json()
        sweep = client.post("/v1/sweeps", params={"wait": 60}, json=SWEEP).json()
        application = {"tasks": [{"id": "T1", "work": 1}]}
        replan = client.post(f"/v1/jobs/{job['id']}/replan", json={"measured": {}}).json()
        wanted = {"url": "https://192.0.9.1/", "events": ["job.failed"]}
        webhook = client.post("/v1/webhooks", json=wanted).json()
        delivery = client.post(webhook["links"]["test"]).json()
        return {
            "webhook_id": webhook["id"],
            "delivery_id": delivery["id"],
            "job_id": job["id"],
            "schedule_id": job["schedule"],
            "sweep_id": sweep["id"],
            "platform_id": platform["id"],
            "application_id": client.post("/v1/applications", json=application).json()["id"],
            "replan_id": replan["id"],
            "kind": "master_worker",
            "name": "gantt",
            "format": "csv",
        }


SENT = draws(40, 10**9)
"""Of so many requests to an operation each is sent; of those after them every twentieth: one for each
keyword in the schemas of every kind makes thousands."""
seen: Counter[str] = Counter()


def is_sent(case: Any, why: str) -> bool:
    """Count a request to an operation, and say whether it is sent."""
    label = f"{why} {case.operation.label}"
    seen[label] += 1
    return seen[label] <= SENT or seen[label] % 20 == 0


def known_by_schemathesis(document: dict[str, Any]) -> dict[str, Any]:
    """Name the events of streams as OpenAPI 3.2 does, which Schemathesis knows and compares."""
    told: dict[str, Any] = json.loads(json.dumps(document))
    for path in told["paths"].values():
        for operation in path.values():
            for found in operation.get("responses", {}).values():
                stream = found.get("content", {}).get("text/event-stream")
                if stream is not None:
                    del stream["schema"]
                    stream["itemSchema"] = stream.pop("x-item-schema")
    return told


schema = schemathesis.openapi.from_dict(known_by_schemathesis(create_app().openapi()))


def each_operation(of: Any) -> pytest.MarkDecorator:
    """Make one test for each operation.

    It makes up its requests where it runs: they are thousands, too many to be made up wherever
    tests are collected, as the decorator of Schemathesis has it.
    """
    operations = [found.ok() for found in of.get_all_operations()]
    return pytest.mark.parametrize("operation", operations, ids=lambda one: one.label)


def check_each_case(operation: Any, check: Callable[[Any], None]) -> None:
    def test(case: Any) -> None:
        check(case)

    config = HypothesisTestConfig(operation.schema.config, list(HypothesisTestMode))
    create_test(operation=operation, test_func=BOUNDED(test), config=config)()


ENDLESS = "/v1/events"
"""A stream whose requests no answer ends; `test_live_state` reads it."""
OF_MEASUREMENTS = "/(measurements|measured)/events$"
"""Streams that do not end while a platform is there; the tests of measurements read them."""


@pytest.mark.unmeasured
@each_operation(schema.exclude(path=ENDLESS))
def test_every_answer_conforms(operation: Any, url: str) -> None:
    def conforms(case: Any) -> None:
        if is_sent(case, "made up"):
            case.call_and_validate(base_url=url, checks=CHECKS)

    check_each_case(operation, conforms)


@pytest.mark.unmeasured
@each_operation(
    schema.include(path_regex="{").exclude(method="DELETE").exclude(path_regex=OF_MEASUREMENTS)
)
def test_every_answer_about_what_is_there_conforms(
    operation: Any, url: str, existing: dict[str, str]
) -> None:
    checks = [check for check in CHECKS if check is not negative_data_rejection]

    def conforms(case: Any) -> None:
        if not is_sent(case, "there"):
            return
        for name in case.path_parameters or {}:
            case.path_parameters[name] = existing[name]
        case.call_and_validate(base_url=url, checks=checks)

    check_each_case(operation, conforms)
