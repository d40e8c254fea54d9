"""Platforms and applications, ours and foreign."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from steadygrid.formats.simgrid.notes import FORWARDS_ONLY
from tests.http.bodies import BODY
from tests.http.on_sqlite import settings

__all__ = ["settings"]

PLATFORM = BODY["problem"]["platform"]
APPLICATION = {
    "name": "fork",
    "tasks": [{"id": "T1", "work": 4}, {"id": "T2", "times": {"P2": "3/2"}}],
    "files": [{"source": "T1", "target": "T2", "size": "1/2"}],
}
XML = {"Content-Type": "application/simgrid+xml"}
SIMGRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="home" routing="Full">
    <host id="a" speed="1Gf"/><host id="b" speed="2Gf" core="4"/>
    <link id="l" bandwidth="1MBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>"""


@pytest.mark.parametrize(
    ("noun", "document", "counts"),
    [
        ("platform", PLATFORM, {"processors": 2, "links": 1, "media": 0, "routes": 0}),
        ("application", APPLICATION, {"tasks": 2, "files": 1}),
    ],
)
def test_a_document_is_stored_once_and_named_by_its_content(
    client: TestClient, noun: str, document: dict[str, Any], counts: dict[str, int]
) -> None:
    answer = client.post(f"/v1/{noun}s", json=document)
    assert answer.status_code == 201
    record = answer.json()
    own = answer.headers["Location"]
    drawn = {"pictures": f"{own}/pictures"} if noun == "platform" else {}
    assert record["links"] == {"self": own} | drawn
    assert own == f"/v1/{noun}s/{record['id']}"
    assert record["counts"] == counts
    assert (record["name"], record["warnings"]) == (document.get("name"), [])

    again = client.post(f"/v1/{noun}s", json=dict(reversed(document.items())))
    assert (again.status_code, again.json()) == (200, record)
    other = client.post(f"/v1/{noun}s", json=document | {"name": "other"})
    assert (other.status_code, other.json()["id"] == record["id"]) == (201, False)

    whole = client.get(own)
    stored = whole.json().pop(noun)
    assert stored.get("name") == document.get("name")
    assert whole.json() == record | {noun: stored}
    assert client.post(f"/v1/{noun}s", json=stored).json()["id"] == record["id"]
    tag = whole.headers["ETag"]
    assert client.get(own, headers={"If-None-Match": tag}).status_code == 304

    listed = client.get(f"/v1/{noun}s", params={"limit": 1}).json()
    assert [one["name"] for one in listed["items"]] == ["other"]
    rest = client.get(f"/v1/{noun}s", params={"page_token": listed["next_page_token"]}).json()
    assert rest == {"items": [record], "next_page_token": None}

    deleted = client.delete(own)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert client.get(own).status_code == 404
    assert client.delete(own).status_code == 404


def test_numbers_mean_their_shortest_decimal(client: TestClient) -> None:
    document = '{"processors": [{"id": "a", "speed": 0.1}, {"id": "b", "speed": 1e-7}]}'
    headers = {"Content-Type": "application/json"}
    own = client.post("/v1/platforms", content=document, headers=headers).headers["Location"]
    processors = client.get(own).json()["platform"]["processors"]
    assert [one["speed"] for one in processors] == ["1/10", "1/10000000"]


@pytest.mark.parametrize(
    ("path", "change", "pointer", "code"),
    [
        ("platforms", {"processors": []}, "#/processors", "too_short"),
        ("platforms", {"processors": [{"id": "a", "speed": "x"}], "links": []}, "#/processors/0/speed", "not_a_rational"),
        ("platforms", {"links": [{"source": "M", "target": "X", "unit_time": 1}]}, "#/links/0/target", "unknown_processor"),
        ("platforms", {"nodes": []}, "#/nodes", "extra_forbidden"),
        ("applications", {"tasks": [{"id": "T1"}, {"id": "T2", "work": 1}]}, "#/tasks/0", "ambiguous_work"),
        ("applications", {"tasks": [{"id": "T2", "work": 1}] * 2, "files": []}, "#/tasks/1/id", "duplicate_task"),
        ("applications", {"files": [{"source": "T1", "target": "X", "size": 1}]}, "#/files/0/target", "unknown_task"),
        ("applications", {"files": [{"source": "T1", "target": "T1", "size": 1}]}, "#/files", "cycle"),
        ("applications", {"files": [{"source": "T1", "target": "T2", "size": 1}] * 2}, "#/files/1", "duplicate_file"),
    ],
)  # fmt: skip
def test_a_faulty_document_is_refused(
    client: TestClient, path: str, change: dict[str, Any], pointer: str, code: str
) -> None:
    document = (PLATFORM if path == "platforms" else APPLICATION) | change
    answer = client.post(f"/v1/{path}", json=document)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert [(e["pointer"], e["code"]) for e in answer.json()["errors"]] == [(pointer, code)]
    assert client.get(f"/v1/{path}").json()["items"] == []


def test_many_faults_of_a_document_are_cut_short(client: TestClient) -> None:
    links = [{"source": "M", "target": "X", "unit_time": 1}] * 300
    answer = client.post("/v1/platforms", json=PLATFORM | {"links": links})
    assert len(answer.json()["errors"]) == 100


def test_simgrid_platforms_are_imported_with_warnings(client: TestClient) -> None:
    answer = client.post("/v1/platforms", content=SIMGRID, headers=XML)
    assert answer.status_code == 201
    record = answer.json()
    assert record["counts"]["processors"] == 2
    assert any("core" in warning for warning in record["warnings"])
    whole = client.get(answer.headers["Location"]).json()
    assert whole["platform"]["units"] == {"time": "s", "data": "B", "work": "flop"}
    assert whole["warnings"] == record["warnings"]
    again = client.post("/v1/platforms", content=SIMGRID, headers=XML)
    assert (again.status_code, again.json()["warnings"]) == (200, record["warnings"])


def test_what_a_format_cannot_say_is_asked_for_by_parameters(client: TestClient) -> None:
    answer = client.post("/v1/platforms", params={"name": "ours"}, content=SIMGRID, headers=XML)
    assert answer.json()["name"] == "ours"


@pytest.mark.parametrize(
    ("params", "headers", "content"),
    [
        ({"name": "ours"}, {"Content-Type": "application/json"}, "{}"),
        ({"colour": "red"}, XML, SIMGRID),
    ],
)
def test_parameters_of_another_format_are_refused(
    client: TestClient, params: dict[str, str], headers: dict[str, str], content: str
) -> None:
    answer = client.post("/v1/platforms", params=params, content=content, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    error = answer.json()["errors"][0]
    assert (error["parameter"], error["code"]) == (*params, "unknown_parameter")


@pytest.mark.parametrize("name", ["\x00", "x" * 201, "\u0085"])
def test_a_parameter_that_no_platform_can_carry_is_refused(client: TestClient, name: str) -> None:
    answer = client.post("/v1/platforms", params={"name": name}, content=SIMGRID, headers=XML)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")


def test_foreign_documents_that_are_wrong_name_the_line(client: TestClient) -> None:
    wrong = SIMGRID.replace("2Gf", "fast")
    answer = client.post("/v1/platforms", content=wrong, headers=XML)
    assert answer.status_code == 422
    assert "line 5" in answer.json()["errors"][0]["detail"]


def test_applications_have_no_xml_format(client: TestClient) -> None:
    answer = client.post("/v1/applications", content=SIMGRID, headers=XML)
    assert answer.status_code == 415
    accepted = answer.headers["Accept-Post"].split(", ")
    assert {"application/json", "application/wfformat+json", "application/dax+xml"} <= set(accepted)


def test_tables_are_sent_in_one_body_and_what_is_assumed_is_told(client: TestClient) -> None:
    tables = "id,gflops\nA,1\nB,\n\nfrom,to,bandwidth\nA,B,8 Gbit/s\n"
    headers = {"Content-Type": "text/csv"}
    answer = client.post("/v1/platforms", params={"name": "two"}, content=tables, headers=headers)
    assert (answer.status_code, answer.json()["name"]) == (201, "two")
    assert answer.json()["warnings"] == [f"{FORWARDS_ONLY}: B"]
    platform = client.get(answer.headers["Location"]).json()["platform"]
    assert platform["links"][0]["bandwidth"] == "1000000000"
    wrong = client.post("/v1/platforms", content=tables.replace("Gbit", "Gb"), headers=headers)
    assert wrong.status_code == 422
    (fault,) = wrong.json()["errors"]
    assert (fault["code"], fault["detail"][:7]) == ("ambiguous_unit", "line 6:")


@pytest.mark.parametrize(
    ("path", "content_type", "content", "code"),
    [
        ("platforms", "application/graphml+xml",
         '<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
         "missing_parameter"),
        ("platforms", "text/vnd.graphviz", "graph { a -- b }", "missing_parameter"),
        ("platforms", "application/nccl+xml", "<system/>", "missing_parameter"),
        ("applications", "text/vnd.graphviz", "digraph { a -> b }", "missing_parameter"),
        ("applications", "application/pegasus+yaml", "jobs: [{id: a}]", "missing_parameter"),
        ("applications", "text/stg", "1\n0 1\n", "malformed_stg"),
    ],
)  # fmt: skip
def test_what_a_foreign_document_does_not_say_is_a_fault(
    client: TestClient, path: str, content_type: str, content: str, code: str
) -> None:
    headers = {"Content-Type": content_type}
    answer = client.post(f"/v1/{path}", content=content, headers=headers)
    assert answer.status_code == 422
    assert [error["code"] for error in answer.json()["errors"]] == [code]


def test_a_workflow_says_that_its_speed_is_assumed(client: TestClient) -> None:
    dax = '<adag><job id="a" runtime="2"/></adag>'
    headers = {"Content-Type": "application/dax+xml"}
    answer = client.post("/v1/applications", content=dax, headers=headers)
    assert answer.json()["warnings"] == ["runtimes are read as work at 1 Gf/s: say reference_speed"]
    told = client.post(
        "/v1/applications", params={"reference_speed": "1"}, content=dax, headers=headers
    )
    assert told.json()["warnings"] == []
