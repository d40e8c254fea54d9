"""Platforms and applications that are posted once and referred to, in our format and others."""

import copy
from pathlib import Path
from typing import Any

from tests.acceptance.checking import check
from tests.acceptance.client import Service
from tests.acceptance.grids import figure_3

SIMGRID = b"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="site" routing="Full">
    <host id="store" speed="1Gf"/>
    <host id="worker" speed="2Gf" core="4"/>
    <link id="wire" bandwidth="100MBps" latency="1ms"/>
    <route src="store" dst="worker"><link_ctn id="wire"/></route>
  </zone>
</platform>
"""
FORK_JOIN = {
    "name": "fork-join",
    "tasks": [
        {"id": "T1", "work": 4, "allowed": ["P1"]},
        {"id": "T2", "times": {"P2": 1, "P3": "3/2"}},
    ],
    "files": [{"source": "T1", "target": "T2", "size": "1/2"}],
}
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def platform() -> dict[str, Any]:
    found: dict[str, Any] = figure_3()["problem"]["platform"]
    return found


def test_a_platform_is_stored_once_under_a_name_of_its_content(service: Service) -> None:
    first = service.post("/v1/platforms", platform())
    assert first.status == 201
    name = first.json["id"]
    assert first.header("Location") == f"/v1/platforms/{name}"
    otherwise = copy.deepcopy(platform())
    otherwise["processors"][0]["unit_time"] = "20/2"
    again = service.post("/v1/platforms", otherwise)
    assert (again.status, again.json["id"]) == (200, name)
    otherwise["processors"][0]["unit_time"] = 11
    other = service.post("/v1/platforms", otherwise).json["id"]
    assert other != name
    listed = [item["id"] for item in service.items("/v1/platforms", limit=1)]
    assert {name, other} <= set(listed)
    answer = service.get(f"/v1/platforms/{name}")
    assert answer.status == 200
    assert (
        service.get(f"/v1/platforms/{name}", If_None_Match=answer.header("ETag") or "").status
        == 304
    )
    assert service.call("DELETE", f"/v1/platforms/{other}").status == 204
    service.get(f"/v1/platforms/{other}").problem(404, "not_found")


def test_a_job_refers_to_a_stored_platform_and_outlives_it(service: Service) -> None:
    named = platform() | {"name": "referred to"}
    name = service.post("/v1/platforms", named).json["id"]
    asked = figure_3()
    asked["problem"]["platform"] = name
    solved = service.solve(asked)
    assert service.call("DELETE", f"/v1/platforms/{name}").status == 204
    instance = service.read(f"/v1/jobs/{solved.job['id']}/instance")
    assert instance["problem"]["platform"]["name"] == "referred to"
    check(instance, solved.result, solved.schedule)
    problem = service.post("/v1/jobs", asked).problem(422, "invalid_request")
    assert problem["errors"][0]["pointer"] == "#/problem/platform"


def test_faults_of_a_document_are_refused_with_their_places(service: Service) -> None:
    faulty = platform()
    faulty["links"][1]["target"] = "P9"
    faulty["links"][2]["source"] = "P8"
    problem = service.post("/v1/platforms", faulty).problem(422, "invalid_request")
    places = [error["pointer"] for error in problem["errors"]]
    assert places == ["#/links/1/target", "#/links/2/source"]
    assert all(error["code"] == "unknown_processor" for error in problem["errors"])


def test_applications_are_stored_and_their_cycles_named(service: Service) -> None:
    stored = service.post("/v1/applications", FORK_JOIN)
    assert stored.status == 201
    assert service.post("/v1/applications", FORK_JOIN).status == 200
    at = f"/v1/applications/{stored.json['id']}"
    assert service.get(at).status == 200
    back = {"source": "T2", "target": "T1", "size": 1}
    cyclic = {**FORK_JOIN, "files": [*FORK_JOIN["files"], back]}
    problem = service.post("/v1/applications", cyclic).problem(422, "invalid_request")
    assert "T1" in problem["errors"][0]["detail"]
    assert "T2" in problem["errors"][0]["detail"]
    twice = {**FORK_JOIN, "files": FORK_JOIN["files"] * 2}
    service.post("/v1/applications", twice).problem(422, "invalid_request")
    no_processor = {"tasks": [{"id": "T", "work": 1, "allowed": []}]}
    service.post("/v1/applications", no_processor).problem(422, "invalid_request")
    assert service.call("DELETE", at).status == 204


def imported(service: Service, document: bytes) -> dict[str, Any]:
    headers = {"Content-Type": "application/simgrid+xml"}
    answer = service.call("POST", "/v1/platforms", document, headers)
    assert answer.status in (200, 201), answer.body
    found: dict[str, Any] = answer.json
    return found


def test_a_simgrid_platform_becomes_ours_in_seconds_bytes_and_flops(service: Service) -> None:
    stored = imported(service, SIMGRID)
    document = service.read(f"/v1/platforms/{stored['id']}")
    found = document.get("platform", document)
    assert found["units"] == {"time": "s", "data": "B", "work": "flop"}
    speeds = {p["id"]: p.get("speed") for p in found["processors"]}
    assert (speeds["store"], speeds["worker"]) == ("1000000000", "8000000000")
    assert any("core" in warning for warning in stored["warnings"])
    asked = {
        "problem": {
            "kind": "master_worker",
            "platform": stored["id"],
            "master": "store",
            "task": {"work": 10**9, "input_size": 10**7, "output_size": 10**6},
            "ports": "multiport",
        }
    }
    solved = service.solve(asked)
    instance = service.read(f"/v1/jobs/{solved.job['id']}/instance")
    check(instance, solved.result, solved.schedule)
    assert solved.result["objective"]["value"] == "9"


def test_the_three_sites_of_the_examples_are_imported_and_solved(service: Service) -> None:
    stored = imported(service, (EXAMPLES / "three_sites.xml").read_bytes())
    document = service.read(f"/v1/platforms/{stored['id']}")
    found = document.get("platform", document)
    master = next(p["id"] for p in found["processors"] if "speed" in p)
    task = {"work": 10**12, "input_size": 10**7, "output_size": 10**6}
    asked = {
        "problem": {
            "kind": "master_worker",
            "platform": stored["id"],
            "master": master,
            "task": task,
            "ports": "multiport",
        }
    }
    solved = service.solve(asked)
    instance = service.read(f"/v1/jobs/{solved.job['id']}/instance")
    check(instance, solved.result, solved.schedule)
    assert solved.result["outcome"] == "optimal"


def test_foreign_documents_that_are_wrong_are_refused(service: Service) -> None:
    xml = {"Content-Type": "application/simgrid+xml"}
    for document in (b"<platform", b"<a/>", b"", SIMGRID.replace(b'dst="worker"', b'dst="nobody"')):
        refused = service.call("POST", "/v1/platforms", document, xml)
        assert refused.status in (400, 422), document
        assert refused.header("Content-Type") == "application/problem+json"
    bomb = SIMGRID.replace(
        b'<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        b'<!DOCTYPE platform [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>',
    )
    assert service.call("POST", "/v1/platforms", bomb, xml).status in (400, 422)
    assert service.call("POST", "/v1/platforms", b"x", {"Content-Type": "text/x"}).status == 415
