"""Jobs over HTTP, as the contract promises them to other programs."""

import json
import re
import threading
import time
import urllib.request
from fractions import Fraction
from typing import Any

import jsonschema_rs
import pytest

from steadygrid.kinds import PROBLEMS
from tests.acceptance.checking import check
from tests.acceptance.client import Answer, Service
from tests.acceptance.grids import figure_3, huge_grid, star

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FIELDS = {
    "id",
    "kind",
    "state",
    "outcome",
    "objective",
    "bound",
    "gap",
    "limited_by",
    "name",
    "labels",
    "priority",
    "attempt",
    "transient",
    "sweep",
    "retry_of",
    "replaced_by",
    "replan_of",
    "simulation_of",
    "created_at",
    "started_at",
    "finished_at",
    "progress",
    "schedule",
    "error",
    "warnings",
    "links",
}


def ended(service: Service, asked: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = service.post("/v1/jobs?wait=60", asked, **headers)
    assert answer.status == 200, answer.body[:1000]
    job: dict[str, Any] = answer.json
    return job


def slow() -> dict[str, Any]:
    """A job of some seconds, to be looked at while it runs."""
    return huge_grid(2, 1000, 6000, 400)


def settled(service: Service, job: dict[str, Any]) -> dict[str, Any]:
    """Wait for the end of a job."""
    while job["state"] not in ("succeeded", "failed", "cancelled"):
        job = service.read(f"/v1/jobs/{job['id']}?wait=60")
    return job


def test_a_posted_job_is_accepted_with_its_place_and_ends_there(service: Service) -> None:
    answer = service.post("/v1/jobs", figure_3())
    assert answer.status == 202
    job = answer.json
    assert job.keys() == FIELDS
    assert answer.header("Location") == f"/v1/jobs/{job['id']}" == job["links"]["self"]
    assert int(answer.header("Retry-After") or "") >= 0
    assert job["state"] in ("queued", "running")
    assert (job["outcome"], job["schedule"], job["error"]) == (None, None, None)
    done = settled(service, job)
    assert (done["state"], done["outcome"], done["attempt"]) == ("succeeded", "optimal", 1)
    assert done["created_at"] <= done["started_at"] <= done["finished_at"]
    for link in done["links"].values():
        assert service.get(link).status == 200


@pytest.mark.parametrize(
    ("query", "headers"),
    [("?wait=20", {}), ("", {"Prefer": "wait=20"}), ("", {"Prefer": "respond-async, wait=20"})],
)
def test_who_asks_to_wait_gets_the_ended_job(
    service: Service, query: str, headers: dict[str, str]
) -> None:
    answer = service.post(f"/v1/jobs{query}", figure_3(), **headers)
    assert (answer.status, answer.json["state"]) == (200, "succeeded")
    again = service.get(f"/v1/jobs/{answer.json['id']}{query}", **headers)
    assert (again.status, again.json) == (200, answer.json)


def test_no_client_waits_longer_than_asked(service: Service) -> None:
    answer = service.post("/v1/jobs?wait=0", slow())
    assert answer.status == 202
    job = answer.json
    seen = service.get(f"/v1/jobs/{job['id']}?wait=1")
    assert (seen.status, seen.json["state"] in ("queued", "running")) == (200, True)
    service.post(f"/v1/jobs/{job['id']}/cancel", None)
    assert settled(service, job)["state"] in ("cancelled", "succeeded")
    for wait in ("61", "-1", "soon", "nan"):
        service.get(f"/v1/jobs/{job['id']}?wait={wait}").problem(422, "invalid_request")


def test_validating_says_what_would_be_solved_and_stores_nothing(service: Service) -> None:
    before = service.items("/v1/jobs")
    answer = service.post("/v1/jobs?validate_only=true", star([(1, 2)]))
    assert answer.status == 200
    said = answer.json
    assert said.keys() == {"valid", "kind", "method", "sizes", "warnings"}
    assert (said["valid"], said["kind"]) == (True, "master_worker")
    assert said["method"] == "bandwidth_centric"
    assert {"variables", "constraints"} <= said["sizes"].keys()
    assert service.post("/v1/jobs?validate_only=true", figure_3()).json["method"] == "lp"
    refused = service.post("/v1/jobs?validate_only=true", {"problem": {"kind": "tea"}})
    refused.problem(422, "invalid_request")
    assert service.items("/v1/jobs") == before


def test_a_job_unchanged_is_not_sent_again(service: Service) -> None:
    at = f"/v1/jobs/{ended(service, figure_3())['id']}"
    first = service.get(at)
    tag = first.header("ETag")
    assert tag
    assert tag.startswith('W/"')
    for known in (tag, f'"other", {tag}', "*", tag.removeprefix("W/")):
        again = service.get(at, If_None_Match=known)
        assert (again.status, again.body, again.header("ETag")) == (304, b"", tag)
    assert service.get(at, If_None_Match='W/"other"').status == 200


def test_one_key_and_one_body_are_one_job(service: Service) -> None:
    asked = figure_3()
    first = service.post("/v1/jobs", asked, Idempotency_Key="acceptance-1")
    assert first.status == 202
    assert first.header("Idempotent-Replayed") is None
    otherwise = json.dumps(asked, indent=3, sort_keys=True).replace("10", "10.0").encode()
    again = service.call(
        "POST",
        "/v1/jobs",
        otherwise,
        {"Idempotency-Key": "acceptance-1", "Content-Type": "application/json"},
    )
    assert (again.status, again.json["id"]) == (200, first.json["id"])
    assert again.header("Idempotent-Replayed") == "true"
    other = service.post("/v1/jobs", star([(1, 1)]), Idempotency_Key="acceptance-1")
    other.problem(422, "idempotency_key_reused")
    service.post("/v1/jobs", asked, Idempotency_Key="k" * 256).problem(422, "invalid_request")
    assert service.post("/v1/jobs", asked, Idempotency_Key="k" * 255).status == 202


def test_jobs_are_found_by_state_kind_and_labels_page_by_page(service: Service) -> None:
    made = []
    for number in range(5):
        asked = star([(1, 1)]) | {"labels": {"set": "five", "number": str(number)}}
        made.append(ended(service, asked)["id"])
    of_set = service.items("/v1/jobs?label=set:five", limit=2)
    assert [job["id"] for job in of_set] == made[::-1]
    assert {job["state"] for job in of_set} == {"succeeded"}
    both = service.items("/v1/jobs?label=set:five&label=number:3")
    assert [job["id"] for job in both] == [made[3]]
    both = service.items("/v1/jobs?label=set:five&state=succeeded&kind=master_worker")
    assert len(both) == 5
    for wanted in ("state=failed", "label=number:9"):
        assert service.items(f"/v1/jobs?label=set:five&{wanted}") == []
    for wrong in ("state=asleep", "label=five", "limit=0", "limit=x", "page_token=made-up"):
        service.get(f"/v1/jobs?{wrong}").problem(422, "invalid_request")
    assert service.get("/v1/jobs?limit=100000").status == 200


def events(service: Service, job: str, after: str | None = None) -> list[dict[str, Any]]:
    """Read the stream of a job to its end, as the living standard of HTML says."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
    request = urllib.request.Request(f"{service.url}/v1/jobs/{job}/events", headers=headers)
    found: list[dict[str, Any]] = []
    event: dict[str, Any] = {}
    with urllib.request.urlopen(request, timeout=60) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(":")
            if name in ("event", "data", "id"):
                event[name] = value.removeprefix(" ")
            elif not line.strip() and event:
                found.append({**event, "data": json.loads(event["data"])} if event else {})
                event = {}
                if found[-1]["event"] == "end":
                    break
    return found


def test_events_tell_a_jobs_story_and_go_on_where_they_were_left(service: Service) -> None:
    job = service.post("/v1/jobs", figure_3()).json["id"]
    told = events(service, job)
    states = [event["data"]["state"] for event in told if event["event"] == "state"]
    assert states == ["queued", "running", "succeeded"]
    assert told[-1]["event"] == "end"
    assert {event["event"] for event in told} <= {"state", "progress", "end"}
    numbers = [int(event["id"]) for event in told]
    assert numbers == sorted(set(numbers))
    assert events(service, job, told[1]["id"]) == told[2:]


def test_a_running_job_can_be_watched_and_cancelled(service: Service) -> None:
    job = service.post("/v1/jobs", slow()).json
    while job["state"] == "queued":
        job = service.read(f"/v1/jobs/{job['id']}")
    assert job["state"] == "running"
    at = f"/v1/jobs/{job['id']}"
    service.get(f"{at}/result").problem(409, "job_not_finished")
    service.call("DELETE", at).problem(409, "job_active")
    told: list[dict[str, Any]] = []
    listener = threading.Thread(target=lambda: told.extend(events(service, job["id"])))
    listener.start()
    asked = service.post(f"{at}/cancel", None)
    assert (asked.status, asked.json["state"]) == (202, "cancelling")
    began = time.monotonic()
    job = settled(service, job)
    assert time.monotonic() - began < 45
    listener.join(timeout=30)
    assert job["state"] == "cancelled"
    assert told[-1]["data"]["state"] == "cancelled"
    service.get(f"{at}/result").problem(409, "job_cancelled")
    again = service.post(f"{at}/cancel", None)
    assert (again.status, again.json["state"]) == (200, "cancelled")
    assert service.call("DELETE", at).status == 204
    service.get(at).problem(404, "not_found")


def test_a_queued_job_is_cancelled_at_once(service: Service) -> None:
    first = service.post("/v1/jobs", slow()).json
    queued = service.post("/v1/jobs", figure_3()).json
    cancelled = service.post(f"/v1/jobs/{queued['id']}/cancel", None)
    assert (cancelled.status, cancelled.json["state"]) == (200, "cancelled")
    service.post(f"/v1/jobs/{first['id']}/cancel", None)
    assert settled(service, first)["state"] == "cancelled"


def test_a_schedule_is_kept_while_a_job_has_it(service: Service) -> None:
    asked = star([(3, 7), (2, 11)])
    jobs = [ended(service, asked) for _ in range(2)]
    assert jobs[0]["schedule"] == jobs[1]["schedule"]
    at = f"/v1/schedules/{jobs[0]['schedule']}"
    for job, expected in zip(jobs, (200, 404), strict=True):
        gone = service.call("DELETE", f"/v1/jobs/{job['id']}")
        assert (gone.status, gone.body) == (204, b"")
        assert service.get(at).status == expected


def test_the_instance_of_a_job_can_be_posted_again(service: Service) -> None:
    job = ended(service, figure_3() | {"labels": {"x": "y"}, "options": {"max_period": 30}})
    instance = service.read(f"/v1/jobs/{job['id']}/instance")
    again = ended(service, instance)
    assert service.read(f"/v1/jobs/{again['id']}/instance") == instance
    assert again["schedule"] == job["schedule"]
    assert again["labels"] == {"x": "y"}


def no_strings_of_numbers(value: Any) -> None:
    if isinstance(value, dict):
        for member in value.values():
            no_strings_of_numbers(member)
    elif isinstance(value, list):
        for member in value:
            no_strings_of_numbers(member)
    else:
        assert not (isinstance(value, str) and re.fullmatch("[0-9]+(/[0-9]+)?", value)), value


def close(exact: Any, as_float: Any) -> None:
    """Expect the same document with each rational as a number."""
    if isinstance(exact, dict):
        assert exact.keys() == as_float.keys()
        for name in exact:
            close(exact[name], as_float[name])
    elif isinstance(exact, list):
        assert len(exact) == len(as_float)
        for one, other in zip(exact, as_float, strict=True):
            close(one, other)
    elif exact != as_float:
        assert isinstance(as_float, int | float)
        assert float(Fraction(exact)) == as_float


def test_numbers_float_makes_every_rational_a_number(service: Service) -> None:
    job = ended(service, figure_3(output_size=1))
    schedule = f"/v1/schedules/{job['schedule']}"
    parts = ("/allocations", "/computations", "/runs", "/slots", "/timeline?to=100")
    for path in (
        f"/v1/jobs/{job['id']}",
        f"/v1/jobs/{job['id']}/result",
        schedule,
        *(schedule + part for part in parts),
    ):
        as_float = service.read(path + ("&" if "?" in path else "?") + "numbers=float")
        no_strings_of_numbers(as_float)
        close(service.read(path), as_float)
    service.get(f"{schedule}?numbers=roman").problem(422, "invalid_request")


def test_what_no_double_can_hold_stays_a_string(service: Service) -> None:
    exactly = {"options": {"max_period": "exact"}}
    solved = service.solve(huge_grid(1, 100, 300, 100) | exactly)
    assert len(solved.result["schedule"]) > 0
    header = service.read(f"/v1/schedules/{solved.job['schedule']}?numbers=float")
    exact = service.read(f"/v1/schedules/{solved.job['schedule']}")
    assert header["period"] == exact["period"]
    assert isinstance(header["throughput"], float)


def test_a_schedule_never_changes(service: Service) -> None:
    at = f"/v1/schedules/{ended(service, figure_3())['schedule']}"
    lists = ("/allocations", "/computations", "/runs", "/slots")
    parts = ("", *lists, "/timeline", "/dispatch?count=5")
    tags = set()
    for path in (at + part for part in parts):
        answer = service.get(path)
        tag = answer.header("ETag") or ""
        assert re.fullmatch('"[^"]+"', tag)
        assert "immutable" in (answer.header("Cache-Control") or "")
        again = service.get(path, If_None_Match=tag)
        assert (again.status, again.body) == (304, b"")
        tags.add(tag)
    assert len(tags) == len(parts)
    as_float = service.get(f"{at}?numbers=float").header("ETag")
    assert as_float not in tags


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_pages_of_any_size_make_the_same_schedule(service: Service, limit: int) -> None:
    asked = figure_3(output_size=2)
    solved = service.solve(asked, limit)
    check(asked, solved.result, solved.schedule)
    assert solved.schedule == service.schedule(solved.job["schedule"])
    for derived in ("slots", "timeline?from=0&to=500", "dispatch?count=30"):
        at = f"/v1/schedules/{solved.job['schedule']}/{derived}"
        assert service.items(at, limit) == service.items(at)


def test_a_timeline_is_asked_for_in_windows(service: Service) -> None:
    at = f"/v1/schedules/{ended(service, figure_3())['schedule']}"
    assert service.items(f"{at}/timeline?from=7&to=7") == []
    far = service.items(f"{at}/timeline?from=4000000000000000001/1&to=4000000000000000002")
    assert {event["period"] for event in far} == {10**17 + 1}
    assert all(Fraction(event["end"]) > 4 * 10**18 + 1 for event in far)
    assert len(service.read(f"{at}/timeline?to=1000000&limit=500")["items"]) == 500
    for wrong in ("from=2&to=1", "from=-1", "to=x", "from=1e99"):
        service.get(f"{at}/timeline?{wrong}").problem(422, "invalid_request")
    for wrong in ("count=-1", "count=x"):
        service.get(f"{at}/dispatch?{wrong}").problem(422, "invalid_request")


def test_what_is_not_there_is_not_found(service: Service) -> None:
    for path in (
        "/v1/jobs/job_none",
        "/v1/jobs/job_none/result",
        "/v1/jobs/job_none/events",
        "/v1/schedules/sch_none",
        "/v1/schedules/sch_none/slots",
        "/v1/platforms/none",
        "/v1/applications/none",
        "/v1/problems/tea",
        "/v2",
    ):
        service.get(path).problem(404, "not_found")


def raw(service: Service, body: bytes, content_type: str = "application/json") -> Answer:
    return service.call("POST", "/v1/jobs", body, {"Content-Type": content_type})


def test_bad_bodies_are_refused_by_kind_of_fault(service: Service) -> None:
    for text in (b"", b"{", b'{"a": 1, "a": 2}', b"[NaN]", b"\xff", b'{"problem": 1} x'):
        refused = raw(service, text)
        assert refused.status == 400, text
        assert refused.header("Content-Type") == "application/problem+json"
    assert raw(service, b"{}", "text/plain").status == 415
    assert raw(service, b"1").status == 422
    assert service.call("PUT", "/v1/jobs", b"{}").status == 405


@pytest.mark.parametrize(
    ("where", "value", "pointer"),
    [
        (("problem", "platform", "links", 3, "target"), "P9", "#/problem/platform/links/3/target"),
        (("problem", "platform", "processors", 1, "id"), "P1", "#/problem/platform/processors/1"),
        (("problem", "platform", "processors", 1, "id"), "a->b", "#/problem/platform/processors/1"),
        (("problem", "platform", "links", 0, "unit_time"), 0, "#/problem/platform/links/0/unit"),
        (("problem", "platform", "links", 0, "unit_time"), True, "#/problem/platform/links/0/unit"),
        (("problem", "platform", "links", 0, "bandwidth"), 1, "#/problem/platform/links/0"),
        (("problem", "platform", "links", 2, "source"), "P4", "#/problem/platform/links/2"),
        (("problem", "platform", "links", 2, "media"), ["m"], "#/problem/platform/links/2/media"),
        (("problem", "task", "work"), "1e10000000", "#/problem/task/work"),
        (("problem", "task", "work"), "-1", "#/problem/task/work"),
        (("problem", "task", "work"), "1/0", "#/problem/task/work"),
        (("problem", "task", "input_size"), "1" * 65, "#/problem/task/input_size"),
        (("problem", "master"), "P9", "#/problem/master"),
        (("problem", "method"), "bandwidth_centric", "#/problem/method"),
        (("problem", "surprise"), 1, "#/problem/surprise"),
        (("options", "time_limit"), 3601, "#/options/time_limit"),
        (("options", "max_period"), 0, "#/options/max_period"),
        (("options", "mip_gap"), -1, "#/options/mip_gap"),
        (("labels", "a"), 1, "#/labels/a"),
        (("problem", "platform"), "plat_none", "#/problem/platform"),
    ],
)
def test_a_fault_is_refused_with_its_place(
    service: Service, where: tuple[str | int, ...], value: Any, pointer: str
) -> None:
    asked: Any = figure_3() | {"options": {}, "labels": {}}
    part = asked
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = value
    problem = service.post("/v1/jobs", asked).problem(422, "invalid_request")
    assert any(error["pointer"].startswith(pointer) for error in problem["errors"]), problem
    assert all({"pointer", "code", "detail"} <= error.keys() for error in problem["errors"])


def test_too_many_processors_are_refused_with_the_number_and_the_limit(service: Service) -> None:
    asked = star([])
    asked["problem"]["platform"]["processors"] += [{"id": f"p{i}"} for i in range(100_000)]
    problem = service.post("/v1/jobs", asked).problem(422, "limit_exceeded")
    assert "100,001" in json.dumps(problem) or "100001" in json.dumps(problem)
    assert service.read("/v1/info")["limits"]["max_processors"] == 100_000


def test_what_is_given_but_not_used_is_named(service: Service) -> None:
    asked = figure_3()
    platform = asked["problem"]["platform"]
    platform["links"][0]["latency"] = 2
    platform["processors"][0]["bandwidth_out"] = 3
    platform["routes"] = [{"source": "P1", "target": "P4", "via": ["P3"]}]
    job = ended(service, asked)
    result = service.read(f"/v1/jobs/{job['id']}/result")
    assert job["warnings"] == result["warnings"]
    named = " ".join(job["warnings"])
    assert all(word in named for word in ("latenc", "bandwidth_out", "route"))
    assert result["objective"]["value"] == "21/40"


def test_every_kind_says_what_it_asks_and_its_example_can_be_posted(service: Service) -> None:
    kinds = service.items("/v1/problems")
    assert [kind["kind"] for kind in kinds] == service.read("/v1/info")["problems"]
    for kind in kinds:
        said = service.read(f"/v1/problems/{kind['kind']}")
        assert said["methods"]
        assert said["sources"]
        instance = jsonschema_rs.Draft202012Validator(said["instance_schema"])
        result = jsonschema_rs.Draft202012Validator(said["result_schema"])
        example = said["example"]
        assert instance.is_valid(example["problem"])
        assert not instance.is_valid({**example["problem"], "surprise": 1})
        simulates = PROBLEMS[kind["kind"]].simulated
        assert instance.is_valid({"kind": kind["kind"]}) is simulates, "a job or documents"
        solved = service.solve(example)
        assert solved.result["outcome"] == ("feasible" if simulates else "optimal")
        if kind["kind"] == "master_worker":
            check(example, solved.result, solved.schedule)
        result.validate(solved.result)


def test_the_openapi_document_describes_what_is_there(service: Service) -> None:
    document = service.read("/openapi.json")
    assert document["openapi"].startswith("3.1")
    text = json.dumps(document)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        part = document
        for step in reference.split("/"):
            part = part[step.replace("~1", "/").replace("~0", "~")]
    names = [o["operationId"] for path in document["paths"].values() for o in path.values()]
    assert len(set(names)) == len(names)
    for path in (
        "/v1/jobs",
        "/v1/jobs/{job_id}/cancel",
        "/v1/jobs/{job_id}/events",
        "/v1/schedules/{schedule_id}/timeline",
        "/v1/platforms",
        "/v1/applications",
        "/v1/problems/{kind}",
        "/livez",
        "/readyz",
        "/metrics",
        "/v1/info",
    ):
        assert path in document["paths"]
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({**schema, "$schema": DIALECT})
    assert service.get("/docs").status == 200


def test_probes_and_metrics_answer(service: Service) -> None:
    assert service.get("/livez").status == 200
    assert service.get("/readyz").status == 200
    metrics = service.get("/metrics")
    assert metrics.status == 200
    assert b"# TYPE" in metrics.body
    info = service.read("/v1/info")
    assert info["version"]
    assert {solver["name"] for solver in info["solvers"]} >= {"highspy"}
    assert info["limits"]["max_period_digits"] == 1000
