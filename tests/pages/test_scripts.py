"""The scripts of pages, and the JavaScript of Vega: small, named by their content, made once."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.http.pictures import Studio
from app.main import create_app
from app.pages import assets, vega_bundle
from app.picture_process import answer
from tests.http.conftest import quiet
from tests.tree import ROOT

SCRIPTS = sorted((ROOT / "app" / "pages" / "static").glob("*.js"))
BUNDLE = b"window.vegaEmbed = 1;" * 100


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Orders of the bundle, which is a shorter one."""
    made: list[Any] = []

    async def drawn(_self: Studio, _request: Any, _tenant: str, order: Any) -> bytes:
        made.append(order())
        return BUNDLE

    monkeypatch.setattr(Studio, "drawn", drawn)
    return made


def service(folder: Path) -> TestClient:
    settings = quiet(f"sqlite:///{folder / 'x.db'}", folder)
    return TestClient(create_app(settings), base_url="http://localhost", follow_redirects=False)


def test_the_scripts_are_small() -> None:
    assert SCRIPTS
    assert sum(path.stat().st_size for path in SCRIPTS) < 20 * 1024


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_need_nothing_that_the_policy_forbids(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(
        r"\beval\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?:", text
    )
    assert not re.search(r"\bFunction\(|setAttribute\(\"(style|on)", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_what_a_script_imports_is_served(path: Path, tmp_path: Path) -> None:
    with service(tmp_path) as client:
        text = client.get(assets.address(path.name)).text
        for name in re.findall(r'(?:from|import) "\./([^"]+)"', text):
            assert re.fullmatch(r"[a-z]+-[0-9a-f]{12}\.js", name)
            assert client.get(f"{assets.FOLDER}/{name}").status_code == 200


def test_the_bundle_is_made_once_and_kept(tmp_path: Path, orders: list[Any]) -> None:
    for _ in range(2):
        with service(tmp_path) as client:
            led = client.get(vega_bundle.LEAD)
            assert (led.status_code, led.headers["Cache-Control"]) == (307, "no-cache")
            path = led.headers["Location"]
            assert hashlib.sha256(BUNDLE).hexdigest()[:12] in path
            packed = client.get(path, headers={"Accept-Encoding": "gzip"})
            plain = client.get(path, headers={"Accept-Encoding": "identity"})
            assert packed.content == plain.content == BUNDLE
            assert packed.headers["Content-Encoding"] == "gzip"
            assert "immutable" in plain.headers["Cache-Control"]
    assert [order.message for order in orders] == [{"format": "bundle"}]


def test_a_bundle_that_was_harmed_is_made_again(tmp_path: Path, orders: list[Any]) -> None:
    with service(tmp_path) as client:
        name = client.get(vega_bundle.LEAD).headers["Location"].rpartition("/")[2]
        kept = vega_bundle.folder(tmp_path) / name
        kept.write_bytes(BUNDLE[:10])
        assert client.get(vega_bundle.LEAD).status_code == 307
        assert kept.read_bytes() == BUNDLE
    assert len(orders) == 2


@pytest.mark.parametrize("name", ["vega-1.9-0123456789ab.js", "vega-..%2Fx.js", "vega-.js"])
def test_other_names_are_no_bundles(tmp_path: Path, name: str) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "x.js").write_text("secret")
    with service(tmp_path) as client:
        assert client.get(f"{assets.FOLDER}/{name}").status_code == 404


def test_without_what_draws_the_way_to_it_is_told(
    tmp_path: Path, orders: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vega_bundle, "pictures_installed", lambda: False)
    with service(tmp_path) as client:
        refused = client.get(vega_bundle.LEAD)
        assert (refused.status_code, refused.json()["code"]) == (501, "pictures_not_installed")
    assert orders == []


def test_the_process_that_draws_gives_the_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.picture_process.bundle", lambda: "script")
    assert answer({"format": "bundle"}, b"") == b"script"
