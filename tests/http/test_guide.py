"""`/docs/guide/`: the guide, from the folder that a setting names."""

import json
import socket
from base64 import b64encode
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.error_entries import ErrorEntries
from app.main import create_app
from app.server.answers import PreparedAnswers
from tests.http.bodies import BODY
from tests.http.conftest import listening, quiet
from workers.registration import OUR_SKILLS

ERRORS = "/docs/guide/reference/generated/errors.html"
SCRIPT = "document.body.dataset.theme = 'auto';"


@pytest.fixture
def guide(tmp_path: Path) -> TestClient:
    folder = tmp_path / "guide"
    (folder / "_static").mkdir(parents=True)
    (folder / "index.html").write_text(f"<body><script>{SCRIPT}</script>first")
    (folder / "model.html").write_text("<body>the model")
    (folder / "_static" / "furo.css").write_text("body {}")
    (folder / ".buildinfo").write_text("hidden")
    (tmp_path / "secret.txt").write_text("outside")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return client(tmp_path, guide_dir=folder)


def install_entries(data: Path) -> None:
    page = data / "guide" / "reference" / "generated" / "errors.html"
    page.parent.mkdir(parents=True)
    page.write_text("errors")


def client(data: Path, **values: Path) -> TestClient:
    settings = quiet(f"sqlite:///{data / 'steadygrid.db'}", data, auth="keys", **values)
    return TestClient(create_app(settings), follow_redirects=False)


def test_pages_are_served_without_a_key_and_run_the_one_script(guide: TestClient) -> None:
    first, page = guide.get("/docs/guide/"), guide.get("/docs/guide/model.html")
    assert (first.status_code, page.text) == (200, "<body>the model")
    assert first.headers["Content-Type"].startswith("text/html")
    digest = b64encode(sha256(SCRIPT.encode()).digest()).decode()
    for answer in (first, page):
        policy = answer.headers["Content-Security-Policy"]
        assert f"script-src 'self' 'sha256-{digest}';" in policy
        assert answer.headers["Cache-Control"] == "no-cache"
    assert guide.get("/v1/jobs").status_code == 401


def test_a_page_is_asked_for_again_by_its_tag_and_a_versioned_file_is_kept(
    guide: TestClient,
) -> None:
    tag = guide.get("/docs/guide/model.html").headers["ETag"]
    again = guide.get("/docs/guide/model.html", headers={"If-None-Match": tag})
    assert again.status_code == 304
    kept = guide.get("/docs/guide/_static/furo.css?v=1a2b")
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert guide.get("/docs/guide/_static/furo.css").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "name", ["none.html", ".buildinfo", "../secret.txt", "%2e%2e/secret.txt", "link.txt", "_static"]
)
def test_other_files_are_not_found(guide: TestClient, name: str) -> None:
    answer = guide.get(f"/docs/guide/{name}")
    assert (answer.status_code, answer.json()["code"]) in {
        (404, "not_found"),
        (401, "unauthorized"),
    }
    assert "outside" not in answer.text


def test_the_guide_is_read_only_and_its_bare_address_leads_to_it(guide: TestClient) -> None:
    assert guide.post("/docs/guide/model.html").status_code == 405
    assert guide.head("/docs/guide/model.html").status_code == 200
    assert guide.get("/docs/guide").headers["Location"] == "/docs/guide/"


def test_without_a_folder_the_answer_says_how_to_install_the_guide(tmp_path: Path) -> None:
    answer = client(tmp_path).get("/docs/guide/")
    assert (answer.status_code, answer.json()["code"]) == (404, "guide_not_installed")
    assert "STEADYGRID_GUIDE_DIR" in answer.json()["detail"]


def test_the_default_folder_is_in_the_data_directory(tmp_path: Path) -> None:
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "index.html").write_text("here")
    assert client(tmp_path).get("/docs/guide/").text == "here"


def test_refusals_lead_to_the_entry_of_their_code_where_the_guide_is_installed(
    guide: TestClient, tmp_path: Path
) -> None:
    refused = guide.get("/v1/jobs")
    assert "help" not in refused.json()
    install_entries(tmp_path)
    entry = f"{ERRORS}#unauthorized"
    assert guide.get("/v1/jobs").json() == {**refused.json(), "help": entry}
    assert f'<a href="{entry}">' not in refused.text


def test_an_error_page_links_to_the_entry_of_its_code(tmp_path: Path) -> None:
    install_entries(tmp_path)
    database, data = f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path
    settings = quiet(
        database,
        data,
        auth="off",
        insecure=True,
        guide_dir=tmp_path / "guide",
        public_url="http://testserver/a",
    )
    with TestClient(create_app(settings), headers={"Accept": "text/html"}) as browser:
        shown = browser.get("/nothing")
    assert shown.status_code == 404
    assert f'href="/a{ERRORS}#not-found"' in shown.text


@pytest.mark.parametrize(("code", "anchor"), [("out_of_memory", "#out-of-memory"), ("lost", None)])
def test_the_error_of_a_failed_job_leads_to_the_entry_of_its_code(
    tmp_path: Path, code: str, anchor: str | None
) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    with (
        TestClient(create_app(settings), base_url="http://localhost") as service,
        closing(Database.open(settings.effective_database_url)) as database,
    ):
        own = service.post("/v1/jobs", json=BODY).json()["links"]["self"]
        with database.write_all() as unit:
            taken = unit.queue.claim("tests", OUR_SKILLS, 60)
            assert taken is not None
            unit.queue.fail(taken, {"code": code, "detail": "It needed more."})
        without = service.get(own).json()["error"]
        assert "help" not in without
        install_entries(tmp_path)
        told = without if anchor is None else {**without, "help": f"{ERRORS}{anchor}"}
        assert service.get(own).json()["error"] == told
        assert service.get("/v1/jobs").json()["items"][0]["error"] == told
        page = service.get(own.removeprefix("/v1"), headers={"Accept": "text/html"}).text
        assert (f'href="{ERRORS}{anchor}"' in page) is (anchor is not None)


def test_answers_without_a_request_lead_to_the_entry_of_their_code(tmp_path: Path) -> None:
    install_entries(tmp_path)
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, header_seconds=0.3)
    with (
        listening(settings) as address,
        socket.create_connection(address, timeout=10) as slow,
    ):
        slow.sendall(b"GET /v1/info HTTP/1.1\r\n")
        late = b"".join(iter(lambda: slow.recv(65536), b""))
    crowded = PreparedAnswers(ErrorEntries(settings)).crowded()
    for answer, anchor in ((late, "request-timeout"), (crowded, "too-many-connections")):
        head, body = answer.split(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}".encode() in head
        assert json.loads(body)["help"] == f"{ERRORS}#{anchor}"
