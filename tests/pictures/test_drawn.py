"""Pictures in Python."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest

from steadygrid.answer import Answer
from steadygrid.pictures import drawn
from steadygrid.pictures.drawn import DrawnPicture, write_whole
from steadygrid.pictures.errors import NoSuchPicture, PicturesNotInstalled, UnfitPicture
from steadygrid.pictures.picture import Picture, Wanted
from tests.pictures.reports import example
from tests.pictures.test_rendering import picture

SPEC = "application/vnd.vegalite.v6+json"


@pytest.fixture(scope="module")
def answer() -> Answer:
    report = example("rr4870-figure-3")
    return Answer(report.submission, report.result, report.found)


def test_an_answer_names_its_pictures_and_draws_them(answer: Answer) -> None:
    assert answer.pictures["prices"] == "What limits the throughput"
    shown = answer.picture("prices", theme="dark", width=500)
    assert shown.title
    assert repr(shown) == f"{shown.title}: {shown.description}"
    assert ET.fromstring(shown.svg).get("width") == "500"
    assert int.from_bytes(shown.png(2)[16:20]) == 1000
    assert b"/MediaBox [0 0 500 " in shown.pdf
    assert shown.vega["datasets"]
    assert shown.table.rows
    assert "vegaEmbed" in shown.html


def test_a_picture_that_it_does_not_have_is_refused_with_those_that_it_has(answer: Answer) -> None:
    with pytest.raises(
        NoSuchPicture, match=r"This answer has no picture 'price'. It has .*Did you mean 'prices'"
    ):
        answer.picture("price")
    with pytest.raises(UnfitPicture, match="#/width"):
        answer.picture("prices", width=1)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("a.svg", b"<svg"),
        ("a.PNG", b"\x89PNG"),
        ("a.html", b"<!DOCTYPE html>"),
        ("a.csv", b"resource,"),
        ("a.json", b'{"'),
        ("a.vl.json", b'{"'),
    ],
)
def test_a_file_is_written_by_its_name(
    answer: Answer, tmp_path: Path, name: str, begins: bytes
) -> None:
    answer.picture("prices").save(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_format_that_cannot_be_told_is_refused(answer: Answer, tmp_path: Path) -> None:
    shown = answer.picture("prices")
    with pytest.raises(ValueError, match=r"expected a name that ends in \.svg, \.png, \.pdf"):
        shown.save(tmp_path / "a.eps")
    with pytest.raises(ValueError, match="'eps' is no format"):
        shown.save(tmp_path / "a", "eps")  # type: ignore[arg-type]
    shown.save(tmp_path / "a", "csv")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_file_is_replaced_at_once_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    os.umask(mask := os.umask(0))
    write_whole(path, b"first")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o600)
    before = path.stat().st_ino
    write_whole(path, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_ino != before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    link = tmp_path / "link.svg"
    link.symlink_to(path.name)
    write_whole(link, b"linked")
    assert (link.is_symlink(), path.read_bytes()) == (True, b"linked")
    write_whole(Path(os.devnull), b"third")
    assert not Path(os.devnull).is_file()


def test_what_stops_a_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a.svg", b"first")
    assert [path.name for path in tmp_path.iterdir()] == []


def test_the_chart_can_be_changed(answer: Answer) -> None:
    shown = answer.picture("prices")
    chart = shown.altair().properties(title="Mine")
    assert isinstance(chart, alt.TopLevelMixin)
    document = json.loads(chart.to_json())
    assert document["title"] == "Mine"
    assert document["datasets"] == shown.vega["datasets"]


def in_notebook(make: Callable[[Wanted], Picture]) -> dict[str, Any]:
    return DrawnPicture(make, Wanted())._repr_mimebundle_(include=None, exclude=None)


def test_a_notebook_gets_a_specification_a_drawing_and_words() -> None:
    shown = in_notebook(lambda wanted: picture("P", "Q"))
    assert list(shown) == ["text/plain", SPEC, "image/svg+xml"]
    assert shown[SPEC] == picture("P", "Q").vega
    assert shown["image/svg+xml"].startswith("<svg")
    assert shown["text/plain"] == "A title & more: Some <bars>."


def test_a_notebook_gets_fewer_bars() -> None:
    asked: list[int] = []

    def make(wanted: Wanted) -> Picture:
        asked.append(wanted.cells)
        return replace(picture("P"), marks=8 * wanted.cells)

    assert SPEC in in_notebook(make)
    assert asked == [1000, 500, 250]


def test_a_notebook_gets_no_rows_where_they_cannot_be_fewer() -> None:
    shown = in_notebook(lambda wanted: replace(picture("P"), marks=2_001))
    assert list(shown) == ["text/plain", "image/svg+xml"]
    shown = in_notebook(lambda wanted: replace(picture("P"), spec=None))
    assert list(shown) == ["text/plain"]


def test_without_the_extra_a_sentence_says_what_to_install(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answer.picture("prices")
    # What the process would be without it is looked at in tests of the process.
    monkeypatch.setitem(sys.modules, "altair", None)
    assert "prices" in answer.pictures
    for name in [name for name in sys.modules if name.startswith("steadygrid.pictures.prices")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(PicturesNotInstalled, match=r"pip install 'steadygrid\[pictures\]'"):
        answer.picture("prices")
    assert shown.table.rows


def test_a_process_without_vl_convert_says_the_same() -> None:
    code = (
        "import sys; sys.argv = ['', str(__import__('os').getppid())]\n"
        "sys.modules['vl_convert'] = None\n"
        "from steadygrid.pictures import drawing_process as d\n"
        "try: d.answer({'format': 'svg', 'width': 1}, b'{}')\n"
        "except ModuleNotFoundError as e: print(d._picture_error(e)[0].code)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "pictures_not_installed\n"


def test_the_script_that_draws_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []

    def draw(message: dict[str, Any], payload: bytes = b"") -> bytes:
        made.append(message)
        return b"vegaEmbed"

    monkeypatch.setattr(drawn, "_BUNDLE", [])
    monkeypatch.setattr(drawn.DRAWER, "draw", draw)
    for _ in range(2):
        drawn.drawn(picture("P"), "html", Wanted())
    assert made == [{"format": "bundle"}]
