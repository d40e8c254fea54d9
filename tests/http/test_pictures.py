"""Pictures of answers over HTTP: formats, header fields, what is refused, and the process that draws."""

import csv
import io
import os
import signal
import threading
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack
from app.db.queue import Found
from app.main import create_app
from app.settings import Settings
from steadygrid.domain.job import Outcome
from steadygrid.pictures.gallery import GALLERY
from tests.http.bodies import BODY, claim, finish
from tests.http.on_sqlite import settings
from tests.http.sketch_process import MODULE, SKETCH
from tests.http.test_refusals import UNKNOWN_JOB, refused

__all__ = ["settings"]

PATIENCE = 60.0


@pytest.fixture(scope="module", autouse=True)
def sketches() -> Iterator[None]:
    """Have the service draw by a process that knows one picture more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.main.PROCESS", MODULE)
        patch.setitem(GALLERY, "sketch", SKETCH)
        yield


def posted(client: TestClient, labels: dict[str, str] | None = None) -> str:
    """Post the body, and give the path of its pictures."""
    body = BODY | {"labels": labels or {}}
    return f"{client.post('/v1/jobs', json=body).headers['Location']}/pictures"


def drawable(client: TestClient, database: Database, **labels: str) -> str:
    own = posted(client, labels)
    finish(database, claim(database))
    return own


def table(text: str) -> dict[str, str]:
    rows = [*csv.reader(io.StringIO(text))]
    return {row[0]: row[1] for row in rows[1:]}


def test_an_answer_lists_its_pictures(client: TestClient, database: Database) -> None:
    own = drawable(client, database)
    answer = client.get(own)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-cache"
    (sketch,) = [item for item in answer.json()["items"] if item["name"] == "sketch"]
    assert sketch == {
        "name": "sketch",
        "title": "A sketch",
        "description": "What was asked for.",
        "links": {
            "vega": f"{own}/sketch.vega",
            "svg": f"{own}/sketch.svg",
            "png": f"{own}/sketch.png",
            "pdf": f"{own}/sketch.pdf",
            "html": f"{own}/sketch.html",
            "table": f"{own}/sketch.csv",
        },
    }
    names = [item["name"] for item in answer.json()["items"]]
    assert names == [name for name in GALLERY if name in names]
    for item in answer.json()["items"]:
        for path in item["links"].values():
            assert client.get(path).status_code == 200, path


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Figure 3, at night", "Figure-3-at-night"),
        ('../"x"\u202e; \u00fc', "x"),
        (f"{'a' * 59} {'b' * 90}", "a" * 59),
        ("\u56fe", None),
    ],
)
def test_files_are_named_like_their_job(
    client: TestClient, database: Database, name: str, stem: str | None
) -> None:
    own = client.post("/v1/jobs", json=BODY | {"name": name}).headers["Location"]
    finish(database, claim(database))
    file = f"{stem or own.rpartition('/')[2]}-sketch.png"
    told = client.get(f"{own}/pictures/sketch.png").headers["Content-Disposition"]
    assert told == f'inline; filename="{file}"'


def test_each_format_has_its_type_and_its_policy(client: TestClient, database: Database) -> None:
    own = drawable(client, database)
    style = "style-src 'unsafe-inline'"
    data = "default-src 'none'; frame-ancestors 'none'"
    job = own.split("/")[3]
    scripts = "script-src 'unsafe-inline'"
    for form, content_type, policy, disposition, begin in (
        ("vega", "application/vnd.vegalite.v6+json", data, "inline", b'{"$schema"'),
        ("svg", "image/svg+xml", f"sandbox; default-src 'none'; {style}", "inline", b"<svg"),
        ("png", "image/png", data, "inline", b"\x89PNG"),
        ("pdf", "application/pdf", data, "inline", b"%PDF-"),
        (
            "html",
            "text/html; charset=utf-8",
            f"sandbox allow-scripts; default-src 'none'; {scripts}; {style}",
            "attachment",
            b"<!DOCTYPE html>",
        ),
        ("csv", "text/csv; charset=utf-8", data, "inline", b"what,value"),
    ):
        answer = client.get(f"{own}/sketch.{form}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"] == content_type
        assert answer.headers["Content-Security-Policy"] == policy
        suffix = "vl.json" if form == "vega" else form
        file = f'{disposition}; filename="{job}-sketch.{suffix}"'
        assert answer.headers["Content-Disposition"] == file
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "private, max-age=86400"
        assert answer.content.startswith(begin), answer.content[:80]


def test_what_is_stored_is_what_is_drawn(client: TestClient, database: Database) -> None:
    shown = table(client.get(f"{drawable(client, database)}/sketch.csv").text)
    assert shown["throughput"] == "1/2"
    assert shown["allocations"] == "1"
    assert shown["unread"] == "{'slots': 1, 'transfers': 1}"


def test_parameters_reach_the_picture(client: TestClient, database: Database) -> None:
    own = drawable(client, database)
    svg = client.get(f"{own}/sketch.svg", params={"width": 4000}).text
    assert 'width="4000"' in svg
    small = client.get(f"{own}/sketch.png", params={"width": 320}).content
    large = client.get(f"{own}/sketch.png", params={"width": 320, "scale": 2}).content
    assert [int.from_bytes(one[16:20], "big") for one in (small, large)] == [320, 640]
    assert client.get(f"{own}/sketch.html", params={"theme": "dark"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "parameters", "names", "code"),
    [
        ("sketch.svg", {"theme": "blue"}, ["theme"], "literal_error"),
        ("sketch.svg", {"width": 319}, ["width"], "greater_than_equal"),
        ("sketch.svg", {"width": 4001}, ["width"], "less_than_equal"),
        ("sketch.svg", {"width": "wide"}, ["width"], "int_parsing"),
        ("sketch.png", {"scale": 0.9}, ["scale"], "greater_than_equal"),
        ("sketch.png", {"scale": 4.1}, ["scale"], "less_than_equal"),
        ("sketch.png", {"scale": "nan"}, ["scale"], "finite_number"),
        ("sketch.svg", {"scale": 2}, ["scale"], "parameter_not_applicable"),
        ("sketch.pdf", {"scale": 2}, ["scale"], "parameter_not_applicable"),
        ("sketch.csv", {"theme": "dark", "width": 900}, ["theme", "width"], None),
        ("sketch.svg", {"from": "0", "to": "1", "cells": 100}, ["from", "to", "cells"], None),
        ("sketch.svg", {"lanes": "W compute"}, ["lanes"], "parameter_not_applicable"),
        ("gantt.svg", {"from": "x"}, ["from"], "not_a_rational"),
        ("gantt.svg", {"to": "-1"}, ["to"], "not_a_rational"),
        ("gantt.svg", {"from": "1/2", "to": "0.5"}, ["to"], "window_backwards"),
        ("gantt.svg", {"to": "0"}, ["to"], "window_backwards"),
        ("gantt.svg", {"cells": 99}, ["cells"], "greater_than_equal"),
        ("gantt.svg", {"cells": 4001}, ["cells"], "less_than_equal"),
        ("gantt.svg", {"lanes": ["a"] * 501}, ["lanes"], "too_long"),
        ("gantt.svg", {"around": "W", "hops": 2}, ["around", "hops"], None),
        ("platform.svg", {"around": "W", "hops": 4}, ["hops"], "less_than_equal"),
        ("platform.csv", {"hops": 2}, ["hops"], "parameter_not_applicable"),
        ("platform.csv", {"around": "nope"}, ["around"], "unknown_processor"),
        ("gantt.svg", {"witdh": 900}, ["witdh"], "unknown_parameter"),
    ],
)
def test_parameters_that_cannot_be_are_refused(
    client: TestClient,
    database: Database,
    path: str,
    parameters: dict[str, Any],
    names: list[str],
    code: str | None,
) -> None:
    own = drawable(client, database)
    problem = refused(client.get(f"{own}/{path}", params=parameters), 422, "invalid_request")
    assert [error["parameter"] for error in problem["errors"]] == names
    codes = {error["code"] for error in problem["errors"]}
    assert codes == {code or "parameter_not_applicable"}


def test_a_client_may_send_all_defaults(client: TestClient, database: Database) -> None:
    own = f"{drawable(client, database)}/sketch.csv"
    operation = "/v1/jobs/{job_id}/pictures/{name}.{format}"
    asked = client.get("/openapi.json").json()["paths"][operation]["get"]["parameters"]
    defaults = {one["name"]: one["schema"].get("default") for one in asked if one["in"] == "query"}
    sent = {name: value for name, value in defaults.items() if value is not None}
    assert sent == {"theme": "light", "width": 800, "scale": 1, "cells": 1000, "hops": 1}
    for scale in (1, 1.0):
        assert client.get(own, params=sent | {"scale": scale}).status_code == 200


def test_what_there_is_not_is_said_with_what_there_is(
    client: TestClient, database: Database
) -> None:
    own = drawable(client, database)
    problem = refused(client.get(f"{own}/portrait.svg"), 404, "no_such_picture")
    assert "sketch" in problem["detail"]
    problem = refused(client.get(f"{own}/sketch.eps"), 404, "no_such_picture")
    assert "vega, svg, png, pdf, html, csv" in problem["detail"]
    refused(client.get(f"{own}/sketch"), 404, "not_found")
    for path in ("", "/sketch.svg"):
        refused(client.get(f"{UNKNOWN_JOB}/pictures{path}"), 404, "not_found")
        refused(client.get(f"/v1/jobs/job_x/pictures{path}"), 404, "not_found")


def test_pictures_wait_for_the_end_and_are_of_answers_only(
    client: TestClient, database: Database
) -> None:
    own = posted(client)
    for path in (own, f"{own}/sketch.svg", f"{own}/portrait.svg"):
        answer = client.get(path)
        refused(answer, 409, "job_not_finished")
        assert answer.headers["Retry-After"] == "1"
    client.post(own.replace("/pictures", "/cancel"))
    refused(client.get(f"{own}/sketch.svg"), 409, "job_cancelled")
    failed = posted(client)
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(taken, {"code": "internal", "detail": "x"})
    for path in (failed, f"{failed}/sketch.svg"):
        refused(client.get(path), 409, "job_failed")


def test_who_has_a_picture_is_told_so_without_drawing_it(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = drawable(client, database)
    asked: dict[str, Any] = {"width": 900, "theme": "dark"}
    first = client.get(f"{own}/sketch.svg", params=asked)
    tag = first.headers["ETag"]
    assert client.get(f"{own}/sketch.svg", params=asked).headers["ETag"] == tag
    others = [
        client.get(f"{own}/sketch.svg", params=asked | {"width": 901}),
        client.get(f"{own}/sketch.svg"),
        client.get(f"{own}/sketch.vega", params=asked),
        client.get(f"{drawable(client, database)}/sketch.svg", params=asked),
    ]
    assert len({tag, *(other.headers["ETag"] for other in others)}) == 5

    def refuse(*_: Any) -> Any:
        raise AssertionError("something was drawn")

    monkeypatch.setattr("steadygrid.pictures.drawing.Drawer.draw", refuse)
    again = client.get(f"{own}/sketch.svg", params=asked, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Cache-Control"] == "private, max-age=86400"


def test_the_tag_of_a_pdf_is_weak(client: TestClient, database: Database) -> None:
    own = drawable(client, database)
    tags = [client.get(f"{own}/sketch.{form}").headers["ETag"] for form in ("pdf", "png")]
    assert [tag.startswith("W/") for tag in tags] == [True, False]
    again = client.get(f"{own}/sketch.pdf", headers={"If-None-Match": tags[0]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_new_version_draws_anew(
    settings: Settings, client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{drawable(client, database)}/sketch.csv"
    tag = client.get(path).headers["ETag"]
    monkeypatch.setattr("app.main.version", lambda _: version("steadygrid") + ".1")
    with TestClient(create_app(settings), base_url="http://localhost") as newer:
        answer = newer.get(path, headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert answer.headers["ETag"] != tag


def test_what_is_too_large_has_its_table(client: TestClient, database: Database) -> None:
    own = drawable(client, database, sketch="large")
    for form in ("svg", "png", "vega"):
        problem = refused(client.get(f"{own}/sketch.{form}"), 422, "invalid_request")
        (error,) = problem["errors"]
        assert (error["parameter"], error["code"]) == ("format", "too_large")
        assert "It is large." in problem["detail"]
    assert client.get(f"{own}/sketch.csv").status_code == 200


def test_what_the_answer_has_not_is_told_at_its_parameter(
    client: TestClient, database: Database
) -> None:
    own = drawable(client, database, sketch="unfit")
    problem = refused(client.get(f"{own}/sketch.svg"), 422, "invalid_request")
    assert problem["errors"] == [
        {"parameter": "from", "code": "too_early", "detail": "it begins later"}
    ]


def test_a_fault_of_the_picture_is_ours_and_tells_nothing(
    client: TestClient, database: Database
) -> None:
    own = drawable(client, database, sketch="fail")
    answer = client.get(f"{own}/sketch.svg")
    refused(answer, 503, "picture_failed")
    assert "secret" not in answer.text


def test_without_the_extra_how_to_install_it_is_told(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = drawable(client, database)
    assert client.get("/v1/info").json()["pictures"] is True
    monkeypatch.setattr("app.http.picture_answers.pictures_installed", lambda: False)
    for form in ("svg", "csv"):
        problem = refused(client.get(f"{own}/sketch.{form}"), 501, "pictures_not_installed")
        assert "pip install 'steadygrid[pictures]'" in problem["detail"]
    assert [item["name"] for item in client.get(own).json()["items"]][-1] == "sketch"


def drawing_process(path: Path) -> int:
    """Wait until something is being drawn, and give the id of the process."""
    end = time.monotonic() + PATIENCE
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return int(path.read_text())


def test_while_one_draws_others_are_answered_and_its_death_costs_one_picture(
    client: TestClient, database: Database, tmp_path: Path
) -> None:
    sign = tmp_path / "drawing"
    hanging = drawable(client, database, sketch="hang", file=str(sign))
    other = drawable(client, database)
    answers: list[Any] = []
    asking = threading.Thread(target=lambda: answers.append(client.get(f"{hanging}/sketch.svg")))
    asking.start()
    process = drawing_process(sign)
    assert process != os.getpid()
    for path in ("/livez", "/readyz", "/v1/jobs", other.replace("/pictures", "/result")):
        assert client.get(path).status_code == 200
    assert answers == []
    os.kill(process, signal.SIGKILL)
    asking.join(PATIENCE)
    problem = refused(answers[0], 503, "picture_failed")
    assert "signal 9" in problem["detail"]
    assert client.get(f"{other}/sketch.svg").status_code == 200


def test_too_many_pictures_at_a_time_are_refused(
    client: TestClient, database: Database, tmp_path: Path
) -> None:
    sign = tmp_path / "drawing"
    hanging = drawable(client, database, sketch="hang", file=str(sign))
    other = drawable(client, database)
    answers: list[Any] = []

    def ask(path: str) -> None:
        answers.append(client.get(path))

    first = threading.Thread(target=ask, args=[f"{hanging}/sketch.svg"])
    first.start()
    process = drawing_process(sign)
    rest = [threading.Thread(target=ask, args=[f"{other}/sketch.csv"]) for _ in range(10)]
    for one in rest:
        one.start()
    end = time.monotonic() + PATIENCE
    while len(answers) < 2:
        assert time.monotonic() < end
        time.sleep(0.02)
    for answer in answers:
        refused(answer, 503, "too_many_pictures")
        assert answer.headers["Retry-After"] == "5"
    os.kill(process, signal.SIGKILL)
    for one in (first, *rest):
        one.join(PATIENCE)
    assert sorted(answer.status_code for answer in answers) == [200] * 8 + [503] * 3


def test_a_picture_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    sign = tmp_path / "drawing"
    settings = Settings(data_dir=tmp_path, log_level="CRITICAL", picture_seconds=0.5)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        database = Database.open(settings.effective_database_url)
        hanging = drawable(client, database, sketch="hang", file=str(sign))
        database.close()
        answer = client.get(f"{hanging}/sketch.svg")
        problem = refused(answer, 503, "picture_failed")
        assert "0.5 s" in problem["detail"]
        with pytest.raises(ProcessLookupError):
            os.kill(drawing_process(sign), 0)


def test_the_end_of_the_service_ends_the_process(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, log_level="CRITICAL")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        database = Database.open(settings.effective_database_url)
        own = drawable(client, database)
        database.close()
        assert client.get(f"{own}/sketch.csv").status_code == 200
        pid = client.app.state.resources.pictures.drawer.pid  # type: ignore[attr-defined]
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_job_that_is_gone_has_no_pictures(client: TestClient, database: Database) -> None:
    own = drawable(client, database)
    assert client.get(own).status_code == 200
    assert client.delete(own.removesuffix("/pictures")).status_code == 204
    refused(client.get(own), 404, "not_found")
    refused(client.get(f"{own}/sketch.svg"), 404, "not_found")


def test_results_of_other_versions_have_no_pictures(client: TestClient, database: Database) -> None:
    own = posted(client)
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.succeed(taken, Found(Outcome.OPTIMAL, None, None, None), pack({"old": 1}), None)
    problem = refused(client.get(f"{own}/sketch.svg"), 404, "no_such_picture")
    assert "submit the instance again" in problem["detail"]
    refused(client.get(own), 404, "no_such_picture")


def test_a_stored_platform_has_a_picture(client: TestClient) -> None:
    own = client.post("/v1/platforms", json=BODY["problem"]["platform"]).headers["Location"]
    (item,) = client.get(f"{own}/pictures").json()["items"]
    assert item["name"] == "platform"
    for path in item["links"].values():
        answer = client.get(path)
        assert answer.status_code == 200, answer.text
        tag = {"If-None-Match": answer.headers["ETag"]}
        assert client.get(path, headers=tag).status_code == 304
    disposition = client.get(item["links"]["html"]).headers["Content-Disposition"]
    assert disposition == f'attachment; filename="{own.split("/")[-1]}-platform.html"'
    assert "W" in client.get(item["links"]["table"]).text
    path = f"{own}/pictures/platform"
    problem = refused(client.get(f"{path}.svg", params={"from": 0}), 422, "invalid_request")
    assert problem["errors"][0]["code"] == "unknown_parameter"
    problem = refused(client.get(f"{path}.csv", params={"width": 900}), 422, "invalid_request")
    assert problem["errors"][0]["code"] == "parameter_not_applicable"
    near = client.get(f"{path}.csv", params={"around": "W", "hops": 1})
    assert (near.status_code, near.text) == (200, client.get(f"{path}.csv").text)
    problem = refused(client.get(f"{path}.svg", params={"around": "x"}), 422, "invalid_request")
    assert problem["errors"][0]["code"] == "unknown_processor"
    refused(client.get(f"{path}.eps"), 404, "no_such_picture")
    refused(client.get(f"{own}/pictures/gantt.svg"), 404, "not_found")
    unknown = f"/v1/platforms/plt_{'0' * 32}/pictures"
    refused(client.get(unknown), 404, "not_found")
    refused(client.get(f"{unknown}/platform.svg"), 404, "not_found")
