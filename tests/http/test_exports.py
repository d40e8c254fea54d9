"""Answers in foreign formats over HTTP: what is given, and every refusal."""

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient

import steadygrid as sg
from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from app.http import exporting
from app.jobs import exports
from steadygrid.domain.errors import TimeLimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.engine.answer_process import program
from steadygrid.solving import ProgramQuestion, Solver
from tests.formats.msccl_machine import check
from tests.formats.pnml_net import period, read
from tests.http.bodies import BODY, claim, finish
from tests.http.on_sqlite import settings
from tests.http.test_refusals import UNKNOWN_JOB, refused
from tests.kinds.collective.bodies import body
from tests.kinds.replicated_workflow.workflows import example_a, workflow
from tests.solved import solve

__all__ = ["settings"]

RING = "a>b 1, b>c 1, c>a 1"
UNEVEN = "a>b 1/1000003, b>a 1/1000003, b>c 1/999983, c>b 1/999983, c>a 1/7, a>c 1/7"
MSCCL = {"format": "msccl"}
PNML = {"format": "pnml"}


def submitted(client: TestClient, problem: dict[str, Any]) -> str:
    location: str = client.post("/v1/jobs", json=problem).headers["Location"]
    return location


def solved(client: TestClient, database: Database, problem: dict[str, Any]) -> str:
    """Post a body and play the worker."""
    own = submitted(client, problem)
    result, schedule = solve(problem)
    packed = None if schedule is None else pack_schedule(schedule)
    document = result.model_dump(mode="json") | {"schedule": packed and packed.id}
    members = (document[name] for name in ("objective", "bound", "gap"))
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.succeed(taken, Found(result.outcome, *members), pack(document), packed)
    return f"{own}/export"


def test_an_allgather_is_given_as_an_algorithm(client: TestClient, database: Database) -> None:
    at = solved(client, database, body(RING, "allgather"))
    answer = client.get(at, params=MSCCL)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/msccl+xml")
    assert check(answer.text).name == "steadygrid_allgather"
    parameters = [("rank", "c"), ("rank", "b"), ("rank", "a"), ("proto", "LL"), ("inplace", "true")]
    algorithm = check(client.get(at, params=[*MSCCL.items(), *parameters]).text)
    assert (algorithm.proto, algorithm.inplace) == ("LL", 1)
    assert [gpu.children[-1].send for gpu in algorithm.children] == [2, 0, 1]


def test_a_reduction_is_given_in_another_dialect_by_a_plan(
    client: TestClient, database: Database
) -> None:
    at = solved(client, database, body(RING, "reduce_scatter", ports="multiport"))
    plan = {"dialect": "executor", "split": "depth", "order": "start", "instances": "2"}
    algorithm = check(client.get(at, params=MSCCL | plan).text, "executor")
    assert algorithm.coll == "reducescatter"
    one_port = solved(client, database, body(RING, "reduce_scatter"))
    answer = client.get(one_port, params=MSCCL | plan)
    (error,) = refused(answer, 422, "invalid_request")["errors"]
    assert (error["parameter"], error["code"]) == ("order", "not_predicted")


def test_what_the_schedule_does_in_a_period_is_exported(
    client: TestClient, database: Database
) -> None:
    problem = body(UNEVEN, "allgather", ports="multiport") | {"options": {"max_period": "1/1000"}}
    at = solved(client, database, problem)
    assert check(client.get(at, params=MSCCL).text).nchunksperloop == 3
    exact = body(UNEVEN, "allgather", ports="multiport") | {"options": {"max_period": "exact"}}
    answer = client.get(solved(client, database, exact), params=MSCCL)
    (error,) = refused(answer, 422, "limit_exceeded")["errors"]
    assert (error["parameter"], error["code"]) == ("format", "too_many_chunks")
    assert "options.max_period" in error["detail"]


def test_a_mapping_is_given_as_a_petri_net(client: TestClient, database: Database) -> None:
    answer = client.get(solved(client, database, example_a("one_port")), params=PNML)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/pnml+xml")
    net = read(answer.text)
    assert period(net) == 6 * 189
    large = workflow({"a": [1] * 409, "b": [1] * 256}, {})
    problem = refused(
        client.get(solved(client, database, large), params=PNML), 422, "limit_exceeded"
    )
    (error,) = problem["errors"]
    assert (error["parameter"], error["code"]) == ("format", "too_many_transitions")
    assert "209,408 transitions" in error["detail"]


def test_a_schedule_of_any_kind_is_given_as_a_trace_and_as_tables(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = solved(client, database, BODY)
    answer = client.get(at, params={"format": "trace"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/vnd.chrome-trace+json")
    events = answer.json()["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    first = int(spans[0]["args"]["period"])
    later = client.get(at, params={"format": "trace", "from": first + 1, "to": first + 2})
    assert {e["args"]["period"] for e in later.json()["traceEvents"] if e["ph"] == "X"} == {
        first + 1
    }
    assert client.get(at, params={"format": "paje"}).text.startswith("%EventDef ")
    table = client.get(at, params={"format": "csv", "part": "transfers"})
    assert table.headers["Content-Type"].startswith("text/csv")
    assert table.text.startswith("sender,receiver,")
    for parameters, parameter in (
        ({"format": "trace", "to": "x"}, "to"),
        ({"format": "csv", "part": "x"}, "part"),
    ):
        problem = refused(client.get(at, params=parameters), 422, "invalid_request")
        assert [e["parameter"] for e in problem["errors"]] == [parameter]
    monkeypatch.setattr(exporting, "MOST_ACTIVITIES", 0)
    refused(client.get(at, params={"format": "csv"}), 422, "limit_exceeded")


def test_the_program_of_a_job_is_built_by_a_process_of_its_own(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = solved(client, database, BODY)
    answer = client.get(at, params={"format": "lp"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/x-lp")
    assert "\\ exact optimum: 1/2" in answer.text
    assert " compute(W): + 2 computed(W) <= 1\n" in answer.text
    for parameters, code in (
        ({"numbers": "few"}, "invalid_parameter"),
        ({"number": "exact"}, "unknown_parameter"),
    ):
        problem = refused(
            client.get(at, params={"format": "mps"} | parameters), 422, "invalid_request"
        )
        assert [error["code"] for error in problem["errors"]] == [code]

    def asked(self: Solver, question: ProgramQuestion, seconds: float) -> None:
        assert question.submission.options.time_limit == seconds == exports.PROGRAM_SECONDS
        refused(client.get(at, params={"format": "lp"}), 503, "unavailable")
        raise TimeLimitError("late")

    monkeypatch.setattr(Solver, "ask", asked)
    problem = refused(client.get(at, params={"format": "lp"}), 422, "limit_exceeded")
    assert "let `steadygrid export` write it" in problem["errors"][0]["detail"]


def test_what_has_no_program_says_so(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(self: Solver, question: ProgramQuestion, seconds: float) -> object:
        return program(question.submission, Limits())

    monkeypatch.setattr(Solver, "ask", asked)
    at = solved(client, database, body(RING, "allgather"))
    problem = refused(client.get(at, params={"format": "lp"}), 422, "invalid_request")
    assert [error["code"] for error in problem["errors"]] == ["no_program"]


def test_a_schedule_is_given_by_itself(client: TestClient, database: Database) -> None:
    at = solved(client, database, BODY)
    own = client.get(at.removesuffix("/export")).json()["schedule"]
    alone = f"/v1/schedules/{own}/export"
    for parameters in (
        {"format": "csv"},
        {"format": "csv", "part": "rates"},
        {"format": "csv", "part": "transfers"},
    ):
        answer = client.get(alone, params=parameters)
        assert answer.text == client.get(at, params=parameters).text
        assert answer.headers["Content-Type"].startswith("text/csv")
    traced = client.get(alone, params={"format": "trace", "from": 4, "to": 5})
    events = [event for event in traced.json()["traceEvents"] if event["ph"] == "X"]
    of_job = client.get(at, params={"format": "trace", "from": 4, "to": 5}).json()["traceEvents"]
    times = {(one["name"], one["ts"], one["dur"]) for one in events}
    assert times == {(one["name"], one["ts"], one["dur"]) for one in of_job if one["ph"] == "X"}
    assert client.get(alone, params={"format": "paje"}).text.startswith("%EventDef ")
    for parameters, parameter, code in (
        ({"format": "graphml"}, "format", "unknown_format"),
        ({}, "format", "missing"),
        ({"format": "csv", "part": "prices"}, "part", "invalid_parameter"),
        ({"format": "csv", "parts": "rates"}, "parts", "unknown_parameter"),
        ({"format": "trace", "from": "-1"}, "from", "invalid_parameter"),
    ):
        problem = refused(client.get(alone, params=parameters), 422, "invalid_request")
        assert [(e["parameter"], e["code"]) for e in problem["errors"]] == [(parameter, code)]
    unknown = f"/v1/schedules/{own[:-4]}0000/export"
    refused(client.get(unknown, params={"format": "csv"}), 404, "not_found")


def test_the_links_of_a_trace_of_a_schedule_alone_are_lanes(
    client: TestClient, database: Database
) -> None:
    """Nothing says which processors are switches, on whose ports transfers would overlap."""
    star = {
        "processors": [{"id": "M"}, {"id": "s", "switch": True}]
        + [{"id": name, "unit_time": 2} for name in "ab"],
        "links": [{"source": end, "target": "s", "unit_time": 1} for end in "Mab"],
    }
    task = {"kind": "master_worker", "platform": star, "master": "M", "task": {"work": 1}}
    at = solved(client, database, {"problem": task})
    own = client.get(at.removesuffix("/export")).json()["schedule"]
    traced = client.get(f"/v1/schedules/{own}/export", params={"format": "trace"}).json()
    lanes = {
        event["args"]["name"]
        for event in traced["traceEvents"]
        if event["ph"] == "M" and event["name"] == "thread_name"
    }
    assert {"s receive from M", "s send to a", "s send to b", "M send to s"} <= lanes
    spans: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for event in traced["traceEvents"]:
        if event["ph"] == "X":
            lane = spans.setdefault((event["pid"], event["tid"]), [])
            lane.append((event["ts"], event["ts"] + event["dur"]))
    for lane in spans.values():
        lane.sort()
        assert all(end <= start + 1e-6 for (_, end), (start, _) in pairwise(lane))


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"format": "xml"}, "format", "unknown_format"),
    ({}, "format", "missing"),
    (MSCCL | {"rank": ["a", "b", "x"]}, "rank", "not_a_participant"),
    (MSCCL | {"rank": ["a", "a", "b", "c"]}, "rank", "duplicate_participant"),
    (MSCCL | {"rank": ["a"]}, "rank", "missing_participant"),
    (MSCCL | {"proto": "ll"}, "proto", "unknown_protocol"),
    (MSCCL | {"inplace": "2"}, "inplace", "invalid_flag"),
    (MSCCL | {"name": '"><'}, "name", "invalid_name"),
    (MSCCL | {"name": "a" * 64}, "name", "invalid_name"),
    (MSCCL | {"name": ["a", "b"]}, "name", "given_twice"),
    (MSCCL | {"max_bytes": "1e3"}, "max_bytes", "invalid_size"),
    (MSCCL | {"min_bytes": "٣"}, "min_bytes", "invalid_size"),
    (MSCCL | {"ranks": "a"}, "ranks", "unknown_parameter"),
]
"""Parameters, the one that is wrong, and the code of its fault."""


def test_wrong_parameters_are_refused(client: TestClient, database: Database) -> None:
    at = solved(client, database, body(RING, "allgather"))
    for parameters, parameter, code in WRONG:
        problem = refused(client.get(at, params=parameters), 422, "invalid_request")
        assert [(e["parameter"], e["code"]) for e in problem["errors"]] == [(parameter, code)]


def test_answers_without_such_a_form_are_refused(client: TestClient, database: Database) -> None:
    def code(at: str) -> str:
        problem = refused(client.get(at, params=MSCCL), 422, "invalid_request")
        (error,) = problem["errors"]
        assert error["parameter"] == "format"
        told: str = error["code"]
        return told

    scatter = body(RING, "scatter", source="a", targets=["b", "c"])
    assert code(solved(client, database, scatter)) == "not_in_format"
    sizes = body(RING, "allgather", sizes={"a": 2})
    assert code(solved(client, database, sizes)) == "unequal_sizes"
    unreachable = body("a>b 1, b>c 1", "allgather")
    assert code(solved(client, database, unreachable)) == "nothing_to_export"
    other = submitted(client, BODY)
    finish(database, claim(database))
    assert code(f"{other}/export") == "format_not_applicable"


def test_jobs_without_a_result_have_no_export(client: TestClient, database: Database) -> None:
    refused(client.get(f"{UNKNOWN_JOB}/export", params=MSCCL), 404, "not_found")
    own = submitted(client, body(RING, "allgather"))
    refused(client.get(f"{own}/export", params=MSCCL), 409, "job_not_finished")
    assert client.post(f"{own}/cancel").status_code == 200
    refused(client.get(f"{own}/export", params=MSCCL), 409, "job_cancelled")


def test_a_result_of_another_version_is_not_exported(
    client: TestClient, database: Database
) -> None:
    own = submitted(client, body(RING, "allgather"))
    result, _ = solve(body(RING, "allgather"))
    document = result.model_dump(mode="json") | {"since": time.time()}
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.succeed(taken, Found(result.outcome, None, None, None), pack(document), None)
    problem = refused(client.get(f"{own}/export", params=MSCCL), 422, "invalid_request")
    assert [error["code"] for error in problem["errors"]] == ["unknown_result"]


def test_the_document_has_the_parameters_of_all_formats(client: TestClient) -> None:
    operation = client.get("/openapi.json").json()["paths"]["/v1/jobs/{job_id}/export"]["get"]
    listed = {one["name"]: one for one in operation["parameters"] if one["in"] == "query"}
    assert listed["format"]["schema"]["enum"] == [
        "msccl",
        "pnml",
        "wfformat",
        "trace",
        "paje",
        "graphml",
        "csv",
        "lp",
        "mps",
    ]
    assert listed["format"]["required"]
    assert listed["rank"]["schema"] == {"type": "array", "items": {"type": "string"}}
    sizes = {"min_bytes", "max_bytes"}
    plan = {"dialect", "trees", "bytes", "split", "order", "instances"}
    of_schedules = {"from", "to", "part"}
    of_programs = {"numbers"}
    named = {"format", "rank", "name", "proto", "inplace"}
    assert listed.keys() == named | sizes | plan | of_schedules | of_programs
    assert listed["to"]["description"].startswith("trace, paje only: ")
    assert list(operation["responses"]["200"]["content"]) == [
        "application/msccl+xml",
        "application/pnml+xml",
        "application/wfformat+json",
        "application/vnd.chrome-trace+json",
        "text/paje",
        "application/graphml+xml",
        "text/csv",
        "text/x-lp",
        "text/x-mps",
    ]


def test_a_stored_platform_is_given_as_a_graph(client: TestClient) -> None:
    own = client.post("/v1/platforms", json=BODY["problem"]["platform"]).json()["links"]["self"]
    answer = client.get(f"{own}/export", params={"format": "graphml"})
    assert answer.headers["Content-Type"].startswith("application/graphml+xml")
    platform = Platform.model_validate_json(json.dumps(BODY["problem"]["platform"]))
    assert answer.text == platform.export("graphml")
    simgrid = client.get(f"{own}/export", params={"format": "simgrid"})
    assert simgrid.headers["Content-Type"].startswith("application/simgrid+xml")
    assert simgrid.text == platform.export("simgrid")
    problem = refused(client.get(f"{own}/export", params={"format": "lp"}), 422, "invalid_request")
    assert [(one["parameter"], one["code"]) for one in problem["errors"]] == [
        ("format", "unknown_format")
    ]
    missing = client.get(f"/v1/platforms/plt_{'0' * 64}/export", params={"format": "graphml"})
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_a_job_gives_its_platform_with_use_and_prices(
    client: TestClient, database: Database
) -> None:
    at = solved(client, database, BODY)
    answer = client.get(at, params={"format": "graphml"})
    assert answer.text == sg.solve(BODY, in_process=True).export("graphml")
