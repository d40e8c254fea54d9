"""``steadygrid picture`` and ``steadygrid solve --pictures``."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from steadygrid.documents import schedule_chunks
from steadygrid.pictures import drawn
from steadygrid.pictures.errors import PictureFailed
from steadygrid.pictures.gallery import GALLERY
from tests.cli.commands import Command, write
from tests.integration.drills import children_of, gone, until
from tests.pictures.reports import example
from tests.tree import ROOT

FIGURE = ROOT / "examples" / "rr4870-figure-3.json"
SITES = ROOT / "examples" / "three_sites.xml"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Instance, result and schedule."""
    folder, report = tmp_path_factory.mktemp("answer"), example("rr4870-figure-3")
    result = write(folder / "result.json", report.result.model_dump(mode="json"))
    schedule = folder / "schedule.json"
    assert report.found is not None
    schedule.write_text("".join(schedule_chunks(report.found)), encoding="utf-8")
    return FIGURE, result, schedule


def pictures_of_figure_3() -> list[str]:
    return [
        entry.name for entry in GALLERY.values() if entry.applies_to(example("rr4870-figure-3"))
    ]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_pictures_are_listed(command: Command, files: tuple[Path, Path, Path]) -> None:
    instance, result, schedule = files
    asked = ("picture", instance, "--result", result, "--schedule-in", schedule, "--list")
    listed = command(*asked)
    assert (listed.code, listed.err) == (0, "")
    as_json = command(*asked, "--json")
    names = [one["name"] for one in json.loads(as_json.out)["pictures"]]
    assert names == pictures_of_figure_3()
    assert [line.split()[0] for line in listed.out.splitlines()] == pictures_of_figure_3()


def test_a_platform_alone_has_one_picture(command: Command) -> None:
    assert command("picture", SITES, "--list").out.startswith("platform ")


def given(files: tuple[Path, Path, Path]) -> tuple[Path | str, ...]:
    """Name each of the three files by its option."""
    instance, result, schedule = files
    return instance, "--result", result, "--schedule-in", schedule


def test_an_answer_is_drawn(
    command: Command, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    for name in ("a.svg", "a.png", "a.pdf", "a.html", "a.csv", "a.json"):
        ran = command(
            "picture", *given(files), "--name", "prices", "-o", tmp_path / name, "--width", 500
        )
        assert ran == (0, "", "")
    assert names_in(tmp_path) == ["a.csv", "a.html", "a.json", "a.pdf", "a.png", "a.svg"]
    assert ET.parse(tmp_path / "a.svg").getroot().get("width") == "500"
    assert (tmp_path / "a.csv").read_text().splitlines()[1].startswith("P1.send,1/2,0.5")
    assert json.loads((tmp_path / "a.json").read_text())["datasets"]


def test_without_a_result_it_is_solved(command: Command, tmp_path: Path) -> None:
    ran = command("picture", FIGURE, "--name", "prices", "-o", tmp_path / "a.csv")
    assert ran == (0, "", "")
    assert (tmp_path / "a.csv").read_text().splitlines()[1].startswith("P1.send,1/2,0.5")


def test_standard_output_gets_bytes_and_nothing_else(files: tuple[Path, Path, Path]) -> None:
    line = [
        sys.executable,
        "-m",
        "steadygrid",
        "picture",
        *map(str, given(files)),
        "--name",
        "prices",
    ]
    line += ["-o", "-", "--format", "png", "--scale", "2", "--theme", "dark"]
    ran = subprocess.run(line, capture_output=True, check=True)
    assert ran.stderr == b""
    assert ran.stdout[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(ran.stdout[16:20]) == 1600


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([FIGURE], "--output FILE says where"),
        ([FIGURE, "-o", "a.svg"], "--name says which picture. --list lists those that this"),
        ([FIGURE, "-o", "a.svg", "--name", "trees"], "This answer has no picture 'trees'. It has"),
        ([FIGURE, "-o", "a.svg", "--name", "price"], "Did you mean 'prices'?"),
        ([FIGURE, "-o", "a.eps", "--name", "prices"], "ends in .svg, .png"),
        ([FIGURE, "-o", "a", "--name", "prices"], "or give --format"),
        ([FIGURE, "-o", "-", "--name", "prices"], "--format says in which format"),
        ([FIGURE, "-o", "a", "--name", "prices", "--format", "pn"], "Did you mean 'png'?"),
        ([FIGURE, "-o", "no/a.svg", "--name", "prices"], "there is no directory no"),
        ([FIGURE, "-o", "a" * 300 + ".svg", "--name", "prices"], "File name too long"),
        ([FIGURE, "--list", "--width", "1"], "--width: expected a whole number from 320"),
        ([FIGURE, "--list", "--from", "2", "--to", "1"], "--to: the window from 2 to 1 is empty"),
        ([FIGURE, "--list", "--theme", "pink", "--cells", "1"], "2 faults\n  --theme: "),
        (
            [FIGURE, "-o", "a.svg", "--name", "prices", "--from", "1", "--cells", "200"],
            "2 faults\n  --from: only the picture gantt has it\n  --cells: only the picture gantt",
        ),
        ([SITES, "-o", "a.svg", "--lane", "A"], "--lane: only the picture gantt has it"),
        ([SITES, "-o", "a.svg", "--around", "nope"], "--around: the platform has no processor"),
        (
            [FIGURE, "-o", "a.svg", "--name", "prices", "--around", "P1"],
            "--around: only the picture platform has it",
        ),
        (["-", "-", "--list"], "only one of the files can be standard input"),
        ([SITES, "--result", FIGURE, "--list"], "is a platform alone, and has no result"),
        ([SITES, "-o", "a.svg", "--name", "prices"], "has one picture: platform"),
        ([SITES, "-o", "a.svg", "--json"], "--json is for --list"),
        (["no.json", "--list"], "no.json: No such file"),
        ([ROOT / "pyproject.toml", "--list"], "not a JSON document"),
    ],
)
def test_a_refusal_says_what_to_do(
    command: Command,
    arguments: list[Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = command("picture", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert names_in(tmp_path) == []


def test_a_faulty_platform_is_told_with_its_places(command: Command, tmp_path: Path) -> None:
    links = [{"source": "P", "target": "Q", "unit_time": 1}]
    path = write(tmp_path / "p.json", {"processors": [{"id": "P"}], "links": links})
    ran = command("picture", path, "-o", tmp_path / "a.svg")
    assert (ran.code, ran.out) == (2, "")
    assert "links/0/target" in ran.err


def test_an_answer_to_something_else_is_refused(
    command: Command,
    files: tuple[Path, Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot be drawn, or prices what is not there, is given to the referee, who says why."""
    star = ROOT / "examples" / "star.json"
    ran = command("picture", star, *files[1:2], "--name", "prices", "-o", tmp_path / "a.svg")
    assert ran.code == 2
    assert "prices 'P1.compute', which is no limited resource of this platform" in ran.err

    def fail(*_: Any) -> None:
        raise KeyError("P3")

    monkeypatch.setattr("steadygrid.cli.picturing.picture_of_answer", fail)
    ran = command("picture", *given(files), "--name", "prices", "-o", tmp_path / "a.svg")
    assert ran.code == 1
    assert "internal error: KeyError" in ran.err


def test_solving_writes_all_pictures_and_tells_their_names(
    command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "some" / "where"
    ran = command("solve", FIGURE, "--json", "--pictures", folder)
    assert ran.code == 0
    assert json.loads(ran.out)["objective"]["value"] == "21/40"
    assert names_in(folder) == sorted(f"{name}.svg" for name in pictures_of_figure_3())
    assert [
        Path(line.split(": ")[0]).stem for line in ran.err.splitlines()
    ] == pictures_of_figure_3()
    for path in folder.iterdir():
        assert ET.parse(path).getroot().tag.endswith("svg")


def test_an_answer_without_pictures_says_so(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steadygrid.cli.picturing.entries_of", lambda report: [])
    ran = command("solve", FIGURE, "--json", "--pictures", tmp_path)
    assert (ran.code, ran.err) == (0, "steadygrid: this answer has no picture\n")


def test_a_picture_that_fails_leaves_the_others_and_is_told(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> bytes:
        raise PictureFailed("It was too hard.")

    monkeypatch.setattr(drawn.DRAWER, "draw", fail)
    ran = command("solve", FIGURE, "--json", "--pictures", tmp_path)
    assert ran.code == 1
    assert json.loads(ran.out)["outcome"] == "optimal"
    assert "prices is not drawn: The picture could not be drawn. It was too hard." in ran.err
    assert names_in(tmp_path) == ["platform.svg"]  # which is written without what draws


def test_a_place_for_pictures_is_looked_at_before_anything_is_solved(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "in"):
        ran = command("solve", FIGURE, "--pictures", place)
        assert (ran.code, ran.out) == (2, "")
        assert str(place) in ran.err
    ran = command("solve", FIGURE, "--print-body", "--pictures", tmp_path)
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("name", ["altair", "vl_convert"])
def test_without_the_extra_a_sentence_says_what_to_install(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    for line in (
        ["picture", FIGURE, "--name", "prices", "-o", tmp_path / "a.svg"],
        ["solve", FIGURE, "--pictures", tmp_path / "new"],
    ):
        ran = command(*line)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            "steadygrid: Pictures need an extra: pip install 'steadygrid[pictures]'.\n"
        )
    assert names_in(tmp_path) == []
    assert command("picture", SITES, "--list").code == 0


def test_ctrl_c_while_it_is_drawn_leaves_no_file(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    target = tmp_path / "a.svg"
    target.write_text("as it was")
    code = (
        "import sys\nfrom steadygrid.pictures import drawn\n"
        "from steadygrid.pictures.drawing import Drawer\nfrom steadygrid.cli.command import main\n"
        "class Stubborn(Drawer):\n"
        "    def draw(self, message, payload=b''):\n"
        "        return super().draw({'do': 'sleep'})\n"
        "drawn.DRAWER = Stubborn('tests.pictures.odd_drawing', seconds=500)\n"
        f"main(['picture', *{list(map(str, given(files)))!r}, '--name', 'prices', '-o', {str(target)!r}])"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) as command:
        (child,) = until(lambda: children_of(command.pid))
        command.send_signal(signal.SIGINT)
        assert command.communicate(timeout=60)[1] == b"steadygrid: interrupted\n"
    assert command.returncode == 130
    until(lambda: gone(child))
    assert names_in(tmp_path) == ["a.svg"]
    assert target.read_text() == "as it was"


@pytest.mark.parametrize(
    ("code", "never"),
    [
        (
            "import sys, steadygrid.cli.command\nsys.argv = ['steadygrid', '--version']\n"
            "try: steadygrid.cli.command.main()\nexcept SystemExit: pass\n",
            {"altair", "vl_convert", "jinja2"},
        ),
        (
            "import sys, steadygrid\nsteadygrid.PictureError, steadygrid.picture_of_platform\n",
            {"altair", "vl_convert", "jinja2"},
        ),
        ("import sys, app.main\n", {"altair", "vl_convert"}),
    ],
    ids=["command", "library", "service"],
)
def test_nothing_that_draws_is_loaded_before_a_picture_is_asked_for(
    code: str, never: set[str]
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}print(sorted({never} & set(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert ran.stdout.splitlines()[-1] == "[]"
