"""`/docs` for those who have no Internet."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from fastapi.testclient import TestClient

from app.http.conditions import strong_tag

PAGE = "/docs"


def test_the_page_names_no_other_host(service: TestClient) -> None:
    answer = service.get(PAGE)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert re.findall(r"[a-z]+://|[\"'(]//", answer.text) == []
    assert "/openapi.json" in answer.text


def test_who_has_the_document_is_told_so(service: TestClient) -> None:
    first = service.get("/openapi.json")
    assert first.headers["ETag"] == strong_tag(first.content)
    tag = {"If-None-Match": first.headers["ETag"]}
    assert service.get("/openapi.json", headers=tag).status_code == 304
    assert service.get("/openapi.json", headers={"If-None-Match": '"x"'}).content == first.content


def test_a_browser_lets_the_page_ask_no_other_host(service: TestClient) -> None:
    policy = service.get(PAGE).headers["Content-Security-Policy"]
    sources = {source for rule in policy.split("; ") for source in rule.split()[1:]}
    own = {source for source in sources if source.startswith("'sha256-")}
    assert policy.startswith("default-src 'none'; ")
    assert sources - own == {"'none'", "'self'", "data:"}


@pytest.mark.parametrize("root_path", ["", "/grid"])
def test_a_browser_runs_no_script_that_is_not_ours(service: TestClient, root_path: str) -> None:
    answer = TestClient(service.app, root_path=root_path).get(PAGE)
    rules = dict(
        rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; ")
    )
    inline = re.findall("<script>(.*?)</script>", answer.text, re.DOTALL)
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in inline]
    assert len(inline) == 1
    assert rules["script-src"].split() == ["'self'", *(f"'sha256-{one}'" for one in hashes)]
    assert rules["frame-ancestors"] == "'none'"


def test_what_the_page_needs_is_served_here(service: TestClient) -> None:
    wanted = re.findall(r"(?:src|href)=\"([^\"]+)\"", service.get(PAGE).text)
    assert any(path.endswith(".js") for path in wanted)
    for path in wanted:
        asset = service.get(path)
        assert asset.status_code == 200, path
        assert len(asset.content) > 1000
        if path.endswith(".js"):
            assert "javascript" in asset.headers["Content-Type"]


def test_behind_a_proxy_the_page_asks_where_it_is(service: TestClient) -> None:
    below = TestClient(service.app, root_path="/grid")
    text = below.get("/docs").text
    assert "'/grid/openapi.json'" in text
    assert '"/grid/docs/assets/swagger-ui-bundle.js"' in text


def test_there_is_nothing_else_beside_the_assets(service: TestClient) -> None:
    for path in ("/docs/assets/none.js", "/docs/assets/../core.py", "/docs/assets/%2e%2e/core.py"):
        answer = service.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
