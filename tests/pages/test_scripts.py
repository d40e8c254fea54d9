"""The scripts of pages, and the JavaScript of Vega: small, named by their content, made once."""

import errno
import gzip
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.http.pictures import Studio
from app.main import create_app
from app.pages import assets, vega_bundle
from app.picture_process import answer
from steadygrid.pictures import bundle
from tests.http.conftest import quiet
from tests.tree import ROOT

SCRIPTS = sorted((ROOT / "app" / "pages" / "static").glob("*.js"))
BUNDLE = b"window.vegaEmbed = 1;" * 100


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Orders of the bundle, which is a shorter one."""
    made: list[Any] = []

    async def drawn(_self: Studio, _request: Any, order: Any) -> bytes:
        made.append(order())
        return BUNDLE

    monkeypatch.setattr(Studio, "drawn", drawn)
    return made


def service(folder: Path, **changed: Any) -> TestClient:
    settings = quiet(f"sqlite:///{folder / 'x.db'}", folder).model_copy(update=changed)
    return TestClient(create_app(settings), base_url="http://localhost", follow_redirects=False)


BASE = "base.html"
TEMPLATES = {
    path.name: path.read_text(encoding="utf-8")
    for path in (ROOT / "app" / "pages" / "templates").glob("*.html")
}


def loaded(template: str) -> set[Path]:
    """Give the scripts of a page, those that they import among them."""
    text, found = TEMPLATES[template], set[Path]()
    if "block scripts" not in text or "super()" in text:
        text += TEMPLATES[BASE]
    left = ["theme.js", *re.findall(r"asset\(\"([a-z]+\.js)\"\)", text)]
    while left:
        path = SCRIPTS[0].parent / left.pop()
        if path not in found:
            found.add(path)
            left += re.findall(r'(?:from|import) "\./([^"]+)"', path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_scripts_of_a_page_are_small(template: str) -> None:
    assert sum(path.stat().st_size for path in loaded(template)) <= 24 * 1024


def on_demand(scripts: set[Path]) -> set[Path]:
    """Give the scripts that others load where they need them."""
    texts = [path.read_text(encoding="utf-8") for path in scripts]
    names = {name for text in texts for name in re.findall(r'import\("\./([^"]+)"\)', text)}
    return {SCRIPTS[0].parent / name for name in names}


def test_each_script_is_loaded_by_a_page() -> None:
    at_once = set().union(*map(loaded, TEMPLATES))
    later = on_demand(at_once)
    assert at_once | later == set(SCRIPTS)
    assert not at_once & later
    assert all(path.stat().st_size <= 4 * 1024 for path in later)


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


def asked(client: TestClient) -> str:
    """Follow the lead to the bundle, which is whole, and give its path."""
    led = client.get(vega_bundle.LEAD)
    assert (led.status_code, led.headers["Cache-Control"]) == (307, "no-cache")
    path = led.headers["Location"]
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert packed.content == plain.content == BUNDLE
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "immutable" in plain.headers["Cache-Control"]
    return path


def test_the_bundle_is_made_once_and_kept(tmp_path: Path, orders: list[Any]) -> None:
    folder = tmp_path / "made" / "beforehand"
    for _ in range(2):
        with service(tmp_path, assets_dir=folder) as client:
            path = asked(client)
            assert hashlib.sha256(BUNDLE).hexdigest()[:12] in path
            assert [f"{assets.FOLDER}/{kept.name}" for kept in folder.iterdir()] == [path]
    assert [order.message for order in orders] == [{"format": "bundle"}]


def test_it_is_compressed_once(
    tmp_path: Path, orders: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed: list[int] = []
    compress = gzip.compress

    def counted(content: bytes, *how: Any, **more: Any) -> bytes:
        compressed.append(len(content))
        return compress(content, *how, **more)

    monkeypatch.setattr(gzip, "compress", counted)
    with service(tmp_path) as client:
        for _ in range(3):
            asked(client)
    assert compressed.count(len(BUNDLE)) == 1


def _absent(_folder: Path) -> None:
    """The bundle has not been made."""


def _file(folder: Path) -> None:
    folder.write_text("a file")


def _harmed(folder: Path) -> None:
    bundle.keep(folder, BUNDLE).write_bytes(BUNDLE[:10])


def _folders(folder: Path) -> None:
    (folder / bundle.name_of(BUNDLE)).mkdir(parents=True)


def _stale(folder: Path) -> None:
    bundle.keep(folder, b"old").rename(folder / f"vega-0.1-{'0' * 12}.js")


@pytest.mark.parametrize("folder_is", [_absent, _file, _harmed, _folders, _stale])
@pytest.mark.parametrize("writable", [True, False])
def test_no_folder_breaks_pages(
    tmp_path: Path,
    orders: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    folder_is: Callable[[Path], None],
    writable: bool,
) -> None:
    folder = tmp_path / "assets"
    folder_is(folder)
    if not writable:

        def refuse(*_: Any) -> None:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(bundle, "write_whole", refuse)
    with service(tmp_path) as client:
        path = asked(client)
        assert asked(client) == path
    # Another process that serves the same pages may be asked for the file alone.
    with service(tmp_path) as client:
        assert client.get(path).content == BUNDLE
        unknown = path[: -len("0123456789ab.js")] + "0123456789ab.js"
        assert client.get(unknown).status_code == 404
    kept = writable and folder_is in (_absent, _harmed, _stale)
    assert len(orders) == (1 if kept else 2)


def test_pages_of_the_version_before_get_its_bundle(tmp_path: Path, orders: list[Any]) -> None:
    older = f"vega-0.1-{hashlib.sha256(b'old').hexdigest()[:12]}.js"
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / older).write_bytes(b"old")
    with service(tmp_path) as client:
        assert client.get(f"{assets.FOLDER}/{older}").content == b"old"
        assert asked(client) != f"{assets.FOLDER}/{older}"
    assert len(orders) == 1


@pytest.mark.parametrize("name", ["vega-1.9-0123456789ab.js", "vega-..%2Fx.js", "vega-.js"])
def test_other_names_are_no_bundles(tmp_path: Path, name: str) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "x.js").write_text("secret")
    with service(tmp_path) as client:
        assert client.get(f"{assets.FOLDER}/{name}").status_code == 404


def test_without_the_extra_that_draws_its_absence_is_told(
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
