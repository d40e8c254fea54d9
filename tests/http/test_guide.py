"""`/docs/guide/`: the guide, from the folder that a setting names."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from tests.http.conftest import quiet

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
    page = tmp_path / "guide" / "reference" / "generated" / "errors.html"
    page.parent.mkdir(parents=True)
    page.write_text('<h3 id="unauthorized">')
    entry = "/docs/guide/reference/generated/errors.html#unauthorized"
    assert guide.get("/v1/jobs").json() == {**refused.json(), "help": entry}
    assert f'<a href="{entry}">' not in refused.text


def test_an_error_page_links_to_the_entry_of_its_code(tmp_path: Path) -> None:
    page = tmp_path / "guide" / "reference" / "generated" / "errors.html"
    page.parent.mkdir(parents=True)
    page.write_text("errors")
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
    assert 'href="/a/docs/guide/reference/generated/errors.html#not-found"' in shown.text
