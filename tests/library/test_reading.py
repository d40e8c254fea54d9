"""`read_platform` and `read_application`: our documents and foreign ones."""

import dataclasses
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from steadygrid import formats
from steadygrid.formats import IMPORTERS
from tests.tree import ROOT

SITES = ROOT / "examples" / "three_sites.xml"
WORKFLOW: dict[str, Any] = {
    "name": "two steps",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {
                    "name": n,
                    "id": n,
                    "parents": p,
                    "children": c,
                    "inputFiles": [],
                    "outputFiles": [],
                }
                for n, p, c in (("a", [], ["b"]), ("b", ["a"], []))
            ],
            "files": [],
        },
        "execution": {
            "makespanInSeconds": 3,
            "executedAt": "2024-01-01T00:00:00Z",
            "tasks": [{"id": "a", "runtimeInSeconds": 1}, {"id": "b", "runtimeInSeconds": 2}],
        },
    },
}


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_foreign_platform_is_read_and_its_losses_are_warnings() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        platform = sg.read_platform(SITES, name="mine")
    assert platform.name == "mine"
    assert {(each.category, each.filename) for each in told} == {(sg.LossyFormatWarning, __file__)}
    assert any("latencies of links" in str(each.message) for each in told)


def test_what_was_read_can_be_written_and_read_again(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.LossyFormatWarning)
        platform = sg.read_platform(str(SITES))
    document = platform.model_dump(mode="json", exclude_none=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sg.read_platform(write(tmp_path / "platform.json", document)) == platform


def test_a_workflow_and_an_application_are_told_apart(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.LossyFormatWarning)
        foreign = sg.read_application(write(tmp_path / "one.json", WORKFLOW), reference_speed="1f")
    ours = {"tasks": [{"id": "a", "work": 1}, {"id": "b", "work": 2}]}
    ours["files"] = [{"source": "a", "target": "b", "size": 0}]
    read = sg.read_application(write(tmp_path / "two.json", ours))
    assert [(task.id, task.work) for task in foreign.tasks] == [
        (task.id, task.work) for task in read.tasks
    ]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"tasks": [{"id": "a"}]}, "#/tasks/0: give exactly one of work and times"),
        ({"files": []}, "#/tasks: the field 'tasks' is missing"),
        ({"name": "x", "schemaVersion": "1.5"}, "#/workflow: "),
    ],
)
def test_faults_are_those_of_the_format_that_was_meant(
    tmp_path: Path, document: Any, words: str
) -> None:
    path = write(tmp_path / "application.json", document)
    with pytest.raises(sg.InstanceError) as refused:
        sg.read_application(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert words in str(refused.value)


def test_the_assumed_speed_of_a_workflow_is_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", WORKFLOW)
    with pytest.warns(sg.LossyFormatWarning) as lost:
        assumed = sg.read_application(path)
    sentence = "runtimes are read as work at 1 Gf/s: say reference_speed"
    assert sentence in [str(each.message) for each in lost]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert sg.read_application(path, reference_speed="1Gf") == assumed
    assert not any("reference_speed" in str(each.message) for each in told)


def test_tables_of_one_platform_may_be_in_several_files(tmp_path: Path) -> None:
    hosts, links = tmp_path / "hosts", tmp_path / "links.txt"
    hosts.write_text("id,gflops\nA,1\nB,2\n")
    links.write_text("from,to,bandwidth\nA,B,8 Gbit/s\n")
    platform = sg.read_platform([hosts, links], name="two")
    assert (platform.name, platform.links[0].bandwidth) == ("two", 10**9)
    assert [p.speed for p in platform.processors] == [10**9, 2 * 10**9]
    with pytest.raises(sg.InstanceError, match="one file at a time is read; 2 are given"):
        sg.read_platform([SITES, SITES])


def test_a_file_that_fits_two_formats_is_refused_unless_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "links.csv"
    path.write_text("from,to,bandwidth\nA,B,1\n")
    other = dataclasses.replace(IMPORTERS["platform", "text/csv"], name="twin", content_type="x/y")
    monkeypatch.setattr(formats, "IMPORTERS", {**IMPORTERS, ("platform", "x/y"): other})
    with pytest.raises(sg.InstanceError, match=r"several formats, tables .* and twin") as refused:
        sg.read_platform(path)
    assert refused.value.faults[0].code == "ambiguous_format"
    with pytest.warns(sg.LossyFormatWarning):
        assert sg.read_platform(path, format="twin").links[0].bandwidth == 1


def test_what_is_no_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "platform.json"
    path.write_text("<platform/>")
    with pytest.raises(sg.InstanceError, match="line 1, <platform>: the attribute version"):
        sg.read_platform(path)
    path.write_text("<mesh/>")
    with pytest.raises(sg.InstanceError, match="it looks like XML"):
        sg.read_platform(path)
    with pytest.raises(
        sg.InstanceError, match=r"no format 'yaml' gives platforms. Known: simgrid,"
    ):
        sg.read_platform(path, format="yaml")
    path = write(tmp_path / "platform.json", {"processors": [{"id": "P"}], "links": []})
    with pytest.raises(sg.InstanceError, match="only foreign formats have parameters"):
        sg.read_platform(path, name="other")
    with pytest.raises(sg.InstanceError, match="no parameter 'speed'"):
        sg.read_platform(SITES, speed="1")
    with pytest.raises(sg.LimitError, match="longer than 10 bytes"):
        sg.read_platform(SITES, limits=sg.Limits(max_body_bytes=10))


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (sg.read_platform, "<adag version='2.1' jobCount='0'/>", "which gives an application"),
        (sg.read_application, "<platform version='4.1'/>", "which gives a platform"),
    ],
)
def test_a_file_of_something_else_is_called_that(
    read: Any, text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "some.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(sg.InstanceError, match=said) as refused:
        read(path)
    assert [fault.code for fault in refused.value.faults] == ["unknown_format"]
