"""`/docs` and `/redoc` for those who have no Internet."""

import re

import pytest
from fastapi.testclient import TestClient

PAGES = ["/docs", "/redoc"]


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_name_no_other_host(service: TestClient, page: str) -> None:
    answer = service.get(page)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert re.findall(r"[a-z]+://|[\"'(]//", answer.text) == []
    assert "/openapi.json" in answer.text


@pytest.mark.parametrize("page", PAGES)
def test_a_browser_lets_the_pages_ask_no_other_host(service: TestClient, page: str) -> None:
    policy = service.get(page).headers["Content-Security-Policy"]
    sources = {source for rule in policy.split("; ") for source in rule.split()[1:]}
    assert policy.startswith("default-src 'none'; ")
    assert sources == {"'none'", "'self'", "'unsafe-inline'", "data:", "blob:"}


@pytest.mark.parametrize("page", PAGES)
def test_what_the_pages_need_is_served_here(service: TestClient, page: str) -> None:
    wanted = re.findall(r"(?:src|href)=\"([^\"]+)\"", service.get(page).text)
    assert any(path.endswith(".js") for path in wanted)
    for path in wanted:
        asset = service.get(path)
        assert asset.status_code == 200, path
        assert len(asset.content) > 1000
        if path.endswith(".js"):
            assert "javascript" in asset.headers["Content-Type"]


def test_behind_a_proxy_the_pages_ask_where_they_are(service: TestClient) -> None:
    below = TestClient(service.app, root_path="/grid")
    text = below.get("/docs").text
    assert "'/grid/openapi.json'" in text
    assert '"/grid/docs/assets/swagger-ui-bundle.js"' in text


def test_there_is_nothing_else_beside_the_assets(service: TestClient) -> None:
    for path in ("/docs/assets/none.js", "/docs/assets/../core.py", "/docs/assets/%2e%2e/core.py"):
        answer = service.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
