"""An installation has the files that pages are made of."""

import tomllib
from importlib.resources import files

from tests.tree import ROOT, tracked_files


def test_an_installation_has_templates_and_static_files() -> None:
    table = tomllib.loads((ROOT / "service" / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = table["tool"]["setuptools"]["package-data"]["app.pages"]
    folder = ROOT / "app" / "pages"
    wanted = {path for path in tracked_files() if folder in path.parents and path.suffix != ".py"}
    copied = {path for pattern in patterns for path in folder.glob(pattern)}
    assert wanted
    assert wanted <= copied


def test_the_parts_are_found_where_the_package_is() -> None:
    place = files("app.pages")
    assert (place / "templates" / "base.html").is_file()
    assert (place / "static" / "steadygrid.css").is_file()
