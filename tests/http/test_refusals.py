"""Every refusal of the contract: status, code, place and text."""

import copy
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.http.bodies import BODY, body

JOBS = "/v1/jobs"
UNKNOWN_JOB = f"{JOBS}/job_{'0' * 32}"
UNKNOWN_SCHEDULE = f"/v1/schedules/sch_{'0' * 32}"
JSON = {"Content-Type": "application/json"}


def changed(path: str, value: Any) -> dict[str, Any]:
    """Give the body with one member set: ``problem/platform/links/0/target``."""
    result: Any = copy.deepcopy(BODY)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    part = result
    for step in steps:
        part = part.setdefault(step, {}) if isinstance(part, dict) else part[step]
    part[last] = value
    return result


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["type"] == f"urn:steadygrid:problem:{code}"
    assert problem["title"]
    assert problem["detail"]
    assert isinstance(problem["errors"], list)
    return problem


P = "problem/platform"
NUMBER = 'expected a number: an integer, a decimal, or a string like "3/4" or "2.5e-3"'
TOO_LONG = "at most 64 digits on each side and an exponent of at most 30"
PLAIN = "control characters and lone surrogates are not allowed"
ARROWS = 'an id cannot contain "->" or "--": they name links in answers'


@pytest.mark.parametrize(
    ("path", "value", "pointer", "code", "detail"),
    [
        ("problem/kind", "knapsack", "problem/kind", "unknown_kind", "the kind is one of: "),
        ("problem/kind", 3, "problem/kind", "unknown_kind", "the kind is one of: "),
        ("problem/master", "X", "problem/master", "unknown_processor", "there is no processor 'X'"),
        ("problem/color", "red", "problem/color", "extra_forbidden", "there is no field"),
        ("state", "succeeded", "state", "extra_forbidden", "there is no field"),
        ("id", "job_1", "id", "extra_forbidden", "there is no field"),
        ("attempt", 4, "attempt", "extra_forbidden", "there is no field"),
        ("callback", "http://localhost/", "callback", "extra_forbidden", "there is no field"),
        ("options/solver", "x", "options/solver", "extra_forbidden", "there is no field"),
        (
            "options/time_limit",
            3601,
            "options/time_limit",
            "less_than_equal",
            "must be at most 3600",
        ),
        ("options/time_limit", 0, "options/time_limit", "greater_than", "must be greater than 0"),
        ("options/mip_gap", -1, "options/mip_gap", "negative_rational", "a quantity cannot be"),
        ("options/max_period", 0, "options/max_period", "zero_rational", "must be greater than"),
        (
            "options/whole_files",
            "yes",
            "options/whole_files",
            "bool_type",
            "expected true or false, not a text",
        ),
        ("labels/a b", "c", "labels/a b", "string_pattern_mismatch", "only letters"),
        ("labels/a", "b\u0000", "labels/a", "control_character", PLAIN),
        ("labels/a", 1, "labels/a", "string_type", "expected a text, not a number"),
        ("problem/task/work", "x", "problem/task/work", "not_a_rational", NUMBER),
        ("problem/task/work", True, "problem/task/work", "not_a_rational", NUMBER),
        ("problem/task/work", "1/0", "problem/task/work", "zero_denominator", "the denominator"),
        ("problem/task/work", "-1/2", "problem/task/work", "negative_rational", "a quantity"),
        ("problem/task/work", "NaN", "problem/task/work", "not_a_rational", NUMBER),
        ("problem/task/work", "1e10000000", "problem/task/work", "rational_too_long", TOO_LONG),
        ("problem/task/work", 1e31, "problem/task/work", "rational_too_long", TOO_LONG),
        ("problem/task/work", 10**64, "problem/task/work", "rational_too_long", TOO_LONG),
        ("problem/task/work", "9" * 65, "problem/task/work", "rational_too_long", TOO_LONG),
        ("problem/ports", "two_port", "problem/ports", "literal_error", "expected 'one_port', "),
        ("problem/method", "milp", "problem/method", "literal_error", "expected 'auto', "),
        (f"{P}/processors", [], f"{P}/processors", "too_short", "at least 1 entry must be given"),
        (f"{P}/processors/1/id", "M", f"{P}/processors/1/id", "duplicate_processor", "processor"),
        (
            f"{P}/processors/1/id",
            "",
            f"{P}/processors/1/id",
            "string_too_short",
            "at least 1 character must",
        ),
        (f"{P}/processors/1/id", "a->b", f"{P}/processors/1/id", "invalid_id", ARROWS),
        (f"{P}/processors/1/id", "a\nb", f"{P}/processors/1/id", "control_character", PLAIN),
        (
            f"{P}/processors/1/id",
            "\ud800",
            f"{P}/processors/1/id",
            "string_unicode",
            PLAIN,
        ),
        (
            f"{P}/processors/1/id",
            "x" * 201,
            f"{P}/processors/1/id",
            "string_too_long",
            "at most 200 characters",
        ),
        (f"{P}/processors/1/speed", 1, f"{P}/processors/1", "ambiguous_speed", "give speed or"),
        (f"{P}/processors/1/unit_time", 0, f"{P}/processors/1/unit_time", "zero_rational", "must"),
        (f"{P}/processors/1/switch", True, f"{P}/processors/1", "switch_computes", "a switch only"),
        (f"{P}/links/0/target", "X", f"{P}/links/0/target", "unknown_processor", "there is no"),
        (f"{P}/links/0/target", "M", f"{P}/links/0", "self_link", "a link joins two different"),
        (f"{P}/links/0/bandwidth", 1, f"{P}/links/0", "ambiguous_speed", "give exactly one of"),
        (f"{P}/links/0/media", ["m"], f"{P}/links/0/media/0", "unknown_medium", "there is no"),
        (
            f"{P}/links/0/duplex",
            "none",
            f"{P}/links/0/duplex",
            "literal_error",
            "expected 'full', 'half' or ",
        ),
        (
            f"{P}/links",
            [{"source": a, "target": b, "unit_time": 1} for a, b in ("MW", "WM")],
            f"{P}/links/1",
            "duplicate_link",
            "there is already a link from 'W' to 'M'",
        ),
        (
            f"{P}/routes",
            [{"source": "W", "target": "M", "via": ["X"]}],
            f"{P}/routes/0",
            "unknown_processor",
            "there is no processor 'X'",
        ),
        (f"{P}/units", {"time": 1}, f"{P}/units/time", "string_type", "expected a text, not a"),
        (P, "plt_" + "0" * 32, P, "unknown_platform", "no platform is stored under this id"),
        (P, "\u0000", P, "unknown_platform", "no platform is stored under this id"),
        ("options", [], "options", "model_type", "expected a JSON object, not a list"),
        ("labels", None, "labels", "dict_type", "expected a JSON object, not null"),
    ],
)
def test_a_fault_is_refused_with_its_place(
    service: TestClient, path: str, value: Any, pointer: str, code: str, detail: str
) -> None:
    content = json.dumps(changed(path, value))
    problem = refused(service.post(JOBS, content=content, headers=JSON), 422, "invalid_request")
    errors = [error for error in problem["errors"] if error["pointer"] == f"#/{pointer}"]
    assert [error["code"] for error in errors] == [code], problem
    assert errors[0]["detail"].startswith(detail)


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        *(("problem", "#/problem"), ("problem/kind", "#/problem/kind"), (P, f"#/{P}")),
        *((f"{P}/links/0/source", f"#/{P}/links/0/source"), ("problem/task", "#/problem/task")),
    ],
)
def test_what_is_missing_is_named(service: TestClient, path: str, pointer: str) -> None:
    asked: Any = copy.deepcopy(BODY)
    *steps, last = path.split("/")
    part = asked
    for step in steps:
        part = part[int(step)] if step.isdigit() else part[step]
    del part[last]
    problem = refused(service.post(JOBS, json=asked), 422, "invalid_request")
    assert [(e["pointer"], e["code"]) for e in problem["errors"]] == [(pointer, "missing")]


def test_several_faults_are_reported_at_once(service: TestClient) -> None:
    asked = body(master="X")
    asked["problem"]["platform"]["links"][0]["target"] = "Y"
    problem = refused(service.post(JOBS, json=asked), 422, "invalid_request")
    pointers = {error["pointer"] for error in problem["errors"]}
    assert pointers == {"#/problem/master", "#/problem/platform/links/0/target"}

    asked = body(task={"work": "x"}, ports=1)
    asked["options"] = {"time_limit": -1}
    problem = refused(service.post(JOBS, json=asked), 422, "invalid_request")
    pointers = {error["pointer"] for error in problem["errors"]}
    assert pointers == {"#/problem/task/work", "#/problem/ports", "#/options/time_limit"}


def test_a_name_that_utf_8_cannot_write_is_answered_all_the_same(service: TestClient) -> None:
    answer = service.post(JOBS, content=b'{"a\\ud800": 1}', headers=JSON)
    refused(answer, 422, "invalid_request")


def test_pointers_are_escaped(service: TestClient) -> None:
    problem = refused(service.post(JOBS, json=BODY | {"a/b~c": 1}), 422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "#/a~1b~0c"


def test_at_most_a_hundred_faults_are_listed(service: TestClient) -> None:
    asked = body()
    asked["problem"]["platform"]["links"] = [{"source": "M", "target": "X"}] * 5000
    problem = refused(service.post(JOBS, json=asked), 422, "invalid_request")
    assert len(problem["errors"]) == 100


def test_faults_of_a_stored_platform_point_to_the_reference(service: TestClient) -> None:
    processors = [{"id": "A", "unit_time": 1}, {"id": "B"}]
    link = {"source": "A", "target": "B", "unit_time": 1, "media": ["m"]}
    document = {"processors": processors, "links": [link], "media": [{"id": "m", "bandwidth": 1}]}
    stored = service.post("/v1/platforms", json=document).json()["id"]
    problem = refused(service.post(JOBS, json=body(platform=stored)), 422, "invalid_request")
    pointers = {error["pointer"] for error in problem["errors"]}
    assert "#/problem/master" in pointers
    assert pointers <= {"#/problem/master", "#/problem/platform"}
    application = {"tasks": [{"id": "t", "times": {"Z": 1}}], "files": []}
    kept = service.post("/v1/applications", json=application).json()["id"]
    asked = {"problem": {"kind": "task_graph", "platform": stored, "application": kept}}
    problem = refused(service.post(JOBS, json=asked), 422, "invalid_request")
    told = {error["pointer"]: error["detail"] for error in problem["errors"]}
    assert told.keys() == {"#/problem/application", "#/problem/platform"}
    at = "(at #/tasks/0/times/Z of the stored application)"
    assert told["#/problem/application"].endswith(at)
    assert told["#/problem/platform"].endswith(" of the stored platform)")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "line 1, column 1: a value is expected here"),
        (b"{", "line 1, column 2: a name in double quotes is expected here"),
        (
            b'{"problem": {}, "problem": {}}',
            "line 1, column 17: the name 'problem' is given twice in one object",
        ),
        (b'{"problem": NaN}', "line 1, column 13: NaN is not a JSON number"),
        (b'{"problem": -Infinity}', "line 1, column 13: -Infinity is not a JSON number"),
        (b'{"problem": "\xff"}', "line 1, column 14: the document is not UTF-8"),
        (b"[" * 100_000, "the document is nested too deeply"),
        (b'{"a":' * 100_000, "the document is nested too deeply"),
        (b'{"problem": 1} x', "line 1, column 16: the document has ended before this"),
    ],
)
@pytest.mark.parametrize("path", [JOBS, "/v1/platforms", "/v1/applications"])
def test_what_is_not_json_is_malformed(
    service: TestClient, path: str, content: bytes, detail: str
) -> None:
    answer = service.post(path, content=content, headers=JSON)
    problem = refused(answer, 400, "malformed_json")
    assert problem["detail"] == f"The body is not acceptable JSON: {detail}."


@pytest.mark.parametrize("content", [b"null", b"[]", b'"x"', b"3", b"true"])
@pytest.mark.parametrize("path", [JOBS, "/v1/platforms", "/v1/applications"])
def test_a_body_that_is_no_object_is_refused(
    service: TestClient, path: str, content: bytes
) -> None:
    problem = refused(service.post(path, content=content, headers=JSON), 422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "#"


@pytest.mark.parametrize("path", [JOBS, "/v1/platforms", "/v1/applications"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
        {"Content-Type": "application/json", "Content-Encoding": "identity, br"},
        {"Content-Type": ""},
    ],
)
def test_other_content_is_unsupported(
    service: TestClient, path: str, headers: dict[str, str]
) -> None:
    answer = service.post(path, content=json.dumps(BODY), headers=headers)
    problem = refused(answer, 415, "unsupported_media_type")
    if "Content-Encoding" in headers:
        assert "Encoded request bodies are not accepted" in problem["detail"]


def test_a_missing_content_type_is_unsupported(service: TestClient) -> None:
    problem = refused(service.post(JOBS, content=b"{}"), 415, "unsupported_media_type")
    assert problem["detail"] == "The Content-Type of the body must be application/json."


def test_a_charset_of_utf_8_is_fine(service: TestClient) -> None:
    headers = {"Content-Type": 'Application/JSON; charset="UTF-8"'}
    assert service.post(JOBS, content=json.dumps(BODY), headers=headers).status_code == 202


@pytest.mark.parametrize(
    ("path", "code", "detail"),
    [
        (f"{JOBS}?wait=61", "less_than_equal", "must be at most 60"),
        (f"{JOBS}?wait=-1", "greater_than_equal", "must be at least 0"),
        (f"{JOBS}?wait=x", "int_parsing", "expected a whole number"),
        (f"{JOBS}?wait=1_0", "int_parsing", "expected a whole number"),
        (f"{JOBS}?wait=1.0", "int_parsing", "expected a whole number"),
        (f"{JOBS}?wait={'9' * 5000}", "int_parsing_size", "the number has too many digits"),
        (f"{JOBS}?validate_only=maybe", "bool_parsing", "expected true or false"),
        (f"{JOBS}?numbers=double", "literal_error", "expected 'exact' or 'float'"),
        (f"{JOBS}?validate_onyl=true", "unknown_parameter", "unknown query parameter"),
        (f"{JOBS}?validate_only=true&validate_only=false", "given_twice", "give it once"),
        (f"{JOBS}?faults=answer", "parameter_not_applicable", "it says how faults are"),
    ],
)
def test_wrong_parameters_of_a_post_are_refused(
    service: TestClient, path: str, code: str, detail: str
) -> None:
    problem = refused(service.post(path, json=BODY), 422, "invalid_request")
    error = problem["errors"][0]
    assert error["parameter"] == path.partition("?")[2].partition("=")[0]
    assert error["code"] == code
    assert error["detail"].startswith(detail)


def test_an_idempotency_key_is_given_once(service: TestClient) -> None:
    twice = [("Idempotency-Key", "one"), ("Idempotency-Key", "two")]
    problem = refused(service.post(JOBS, json=BODY, headers=twice), 422, "invalid_request")
    assert [(one["header"], one["code"]) for one in problem["errors"]] == [
        ("Idempotency-Key", "given_twice")
    ]


def test_pages_take_once_what_has_one_value(service: TestClient) -> None:
    problem = refused(service.get("/jobs?kind=a&kind=b"), 422, "invalid_request")
    assert [one["code"] for one in problem["errors"]] == ["given_twice"]
    # Two jobs are compared, which are not there.
    refused(service.get("/compare?job=job_a&job=job_b"), 404, "not_found")


TOKEN = "it is not a next_page_token of this list"


@pytest.mark.parametrize(
    ("path", "parameter", "code", "detail"),
    [
        (f"{JOBS}?limit=0", "limit", "greater_than_equal", "must be at least 1"),
        (f"{JOBS}?limit=many", "limit", "int_parsing", "expected a whole number"),
        (f"{JOBS}?state=done", "state", "enum", "expected 'queued', 'running'"),
        (f"{JOBS}?kind=knapsack", "kind", "unknown_kind", "the kind is one of: "),
        (f"{JOBS}?kind=%00", "kind", "unknown_kind", "the kind is one of: "),
        (f"{JOBS}?label=experiment", "label", "invalid_label", "expected key:value"),
        (f"{JOBS}?label=a:%00", "label", "invalid_label", "expected key:value"),
        (
            f"{JOBS}?{'&'.join(['label=a:b'] * 65)}",
            "label",
            "too_long",
            "at most 64 entries are accepted",
        ),
        (f"{JOBS}?label=a%20b:c", "label", "invalid_label", "expected key:value"),
        (f"{JOBS}?label=a:{'b' * 201}", "label", "invalid_label", "expected key:value"),
        (f"{JOBS}?page_token=%00", "page_token", "invalid_page_token", TOKEN),
        (f"{JOBS}?page_token=%ED%A0%80", "page_token", "invalid_page_token", TOKEN),
        (f"{JOBS}?page_token=a", "page_token", "invalid_page_token", TOKEN),
        (f"{JOBS}?page_token=WyJcdTAwMDAiXQ", "page_token", "invalid_page_token", TOKEN),
        (
            f"{JOBS}?page_token=Wzk5OTk5OTk5OTk5OTk5OTk5OTk5XQ",
            "page_token",
            "invalid_page_token",
            TOKEN,
        ),
        (f"{JOBS}?page_token=WzFd", "page_token", "invalid_page_token", TOKEN),
        (
            f"{JOBS}?page_token={'a' * 2001}",
            "page_token",
            "string_too_long",
            "at most 2,000 characters",
        ),
        ("/v1/platforms?page_token=e30", "page_token", "invalid_page_token", TOKEN),
        ("/v1/applications?limit=-3", "limit", "greater_than_equal", "must be at least 1"),
        ("/v1/info?verbose=1", "verbose", "unknown_parameter", "unknown query parameter"),
        ("/v1/problems?page=2", "page", "unknown_parameter", "unknown query parameter"),
        ("/livez?%00=1", "\x00", "unknown_parameter", "unknown query parameter"),
    ],
)
def test_wrong_parameters_are_refused(
    service: TestClient, path: str, parameter: str, code: str, detail: str
) -> None:
    error = refused(service.get(path), 422, "invalid_request")["errors"][0]
    assert (error["parameter"], error["code"]) == (parameter, code)
    assert error["detail"].startswith(detail)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Idempotency-Key", "k" * 256, "string_too_long"),
        ("Idempotency-Key", "", "string_too_short"),
    ],
)
def test_wrong_header_fields_are_refused(
    service: TestClient, name: str, value: str, code: str
) -> None:
    answer = service.post(JOBS, json=BODY, headers={name: value})
    error = refused(answer, 422, "invalid_request")["errors"][0]
    assert (error["header"].lower(), error["code"]) == (name.lower(), code)


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "9" * 10, "²"])
def test_a_last_event_id_that_is_none_is_refused(service: TestClient, value: str) -> None:
    own = service.post(JOBS, json=BODY).headers["Location"]
    headers = {"Last-Event-ID": value.encode("latin-1")}
    answer = service.get(f"{own}/events", headers=headers)  # type: ignore[arg-type]
    error = refused(answer, 422, "invalid_request")["errors"][0]
    assert (error["header"], error["code"]) == ("Last-Event-ID", "invalid_event_id")


PARTS = ("", "/allocations", "/computations", "/slots", "/timeline", "/dispatch")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1"),
        ("GET", "/v1/jobs/"),
        ("GET", "/v2/jobs"),
        ("GET", UNKNOWN_JOB),
        ("DELETE", UNKNOWN_JOB),
        ("POST", f"{UNKNOWN_JOB}/cancel"),
        ("GET", f"{UNKNOWN_JOB}/instance"),
        ("GET", f"{UNKNOWN_JOB}/result"),
        ("GET", f"{UNKNOWN_JOB}/events"),
        ("GET", f"{UNKNOWN_JOB}?wait=60"),
        ("GET", f"{JOBS}/%00"),
        ("GET", f"{JOBS}/%ED%A0%80"),
        ("GET", f"{JOBS}/{'x' * 10_000}"),
        ("GET", f"{JOBS}/job_%F0%9D%9F%98" + "0" * 31),
        ("DELETE", f"{JOBS}/%00"),
        ("POST", f"{JOBS}/%00/cancel"),
        *(("GET", UNKNOWN_SCHEDULE + part) for part in PARTS),
        *(("GET", f"/v1/schedules/%00{part}") for part in PARTS),
        ("GET", f"/v1/platforms/plt_{'0' * 32}"),
        ("GET", "/v1/platforms/%00"),
        ("DELETE", "/v1/platforms/%00"),
        ("DELETE", f"/v1/platforms/plt_{'0' * 32}"),
        ("GET", f"/v1/applications/app_{'0' * 32}"),
        ("DELETE", f"/v1/applications/plt_{'0' * 32}"),
        ("GET", "/v1/problems/knapsack"),
        ("GET", "/v1/problems/%00"),
    ],
)
def test_what_is_not_there_is_not_found(service: TestClient, method: str, path: str) -> None:
    refused(service.request(method, path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", JOBS, "DELETE, GET, HEAD, POST"),
        ("POST", UNKNOWN_JOB, "DELETE, GET, HEAD"),
        ("GET", f"{UNKNOWN_JOB}/cancel", "POST"),
        ("PATCH", UNKNOWN_SCHEDULE, "GET, HEAD"),
        ("POST", "/v1/info", "GET, HEAD"),
        ("OPTIONS", JOBS, "DELETE, GET, HEAD, POST"),
        ("TRACE", JOBS, "DELETE, GET, HEAD, POST"),
    ],
)
def test_other_methods_are_not_allowed(
    service: TestClient, method: str, path: str, allowed: str
) -> None:
    answer = service.request(method, path)
    said = refused(answer, 405, "method_not_allowed")
    assert answer.headers["Allow"] == allowed
    assert said["detail"] == f"This path answers to {allowed}."


def test_a_path_that_is_not_there_is_told_where_the_paths_are_listed(service: TestClient) -> None:
    said = refused(service.get("/v1/job"), 404, "not_found")
    assert (
        said["detail"] == "There is nothing at this path; /openapi.json lists all that there are."
    )
