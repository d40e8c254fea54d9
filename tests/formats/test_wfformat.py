"""WfFormat documents, made up and real, and what becomes of them."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.errors import InstanceError, LimitError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.formats import guess_importer
from steadygrid.formats.importer import Imported
from steadygrid.formats.wfformat import IMPORTER
from tests.data import shared_data

SPLIT: dict[str, Any] = {
    "name": "diamond",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {
                    "name": "top", "id": "top", "parents": [], "children": ["left", "right"],
                    "inputFiles": ["raw"], "outputFiles": ["x", "y", "log"],
                },
                {
                    "name": "left", "id": "left", "parents": ["top"], "children": ["end"],
                    "inputFiles": ["x", "raw"], "outputFiles": ["l"],
                },
                {
                    "name": "right", "id": "right", "parents": ["top"], "children": ["end"],
                    "inputFiles": ["x", "y"], "outputFiles": ["r"],
                },
                {
                    "name": "end", "id": "end", "parents": ["left", "right"], "children": [],
                    "inputFiles": ["l", "r"], "outputFiles": ["out"],
                },
            ],
            "files": [
                {"id": name, "sizeInBytes": size}
                for name, size in {
                    "raw": 100, "x": 10, "y": 5, "log": 1, "l": 0, "r": 3, "out": 7,
                }.items()
            ],
        },
        "execution": {
            "tasks": [
                {"id": "top", "runtimeInSeconds": 1.5, "machines": ["m"]},
                {"id": "left", "runtimeInSeconds": 0, "machines": ["m"]},
                {"id": "right", "runtimeInSeconds": 2, "machines": ["m"], "coreCount": 4},
                {"id": "end", "runtimeInSeconds": 0.1, "machines": ["m"], "coreCount": 1},
            ],
            "machines": [{"nodeName": "m", "cpu": {"coreCount": 4, "speedInMHz": 1200}}],
        },
    },
}  # fmt: skip

NESTED: dict[str, Any] = {
    "name": "pair",
    "schemaVersion": "1.4",
    "workflow": {
        "tasks": [
            {
                "name": "a", "runtimeInSeconds": 2.5, "machine": "m", "cores": 1,
                "children": ["b"], "files": [
                    {"link": "input", "name": "raw", "sizeInBytes": 4},
                    {"link": "output", "name": "f", "path": "out/", "sizeInBytes": 9},
                ],
            },
            {
                "name": "b", "runtimeInSeconds": 1, "parents": ["a"], "files": [
                    {"link": "input", "name": "f", "path": "out/", "sizeInBytes": 9},
                ],
            },
        ],
        "machines": [{"nodeName": "m", "cpu": {"count": 4, "speed": 2000}}],
    },
}  # fmt: skip


def load(document: Any, limits: Limits | None = None, **parameters: Any) -> Any:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    found = IMPORTER.read(data, parameters, limits)
    assert isinstance(found.document, Application)
    assert not list(application_faults(found.document, ()))
    again = Application.model_validate(found.document.model_dump(mode="json", exclude_none=True))
    assert again == found.document
    return found


def works(found: Any) -> dict[str, Fraction]:
    return {task.id: task.work for task in found.document.tasks}


def sizes(found: Imported) -> dict[tuple[str, str], int]:
    return {(file.source, file.target): file.size for file in found.document.files}


def with_change(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Give the document with one place replaced; `...` takes it away."""
    changed = deepcopy(document)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    part: Any = changed
    for step in steps:
        part = part[step]
    if value is ...:
        del part[last]
    elif last == "+":
        part.append(value)
    else:
        part[last] = value
    return changed


def test_a_diamond_keeps_every_task_and_adds_up_files_of_a_pair():
    found = load(SPLIT)
    assert found.document.name == "diamond"
    giga = 10**9
    assert works(found) == {
        "top": giga * Fraction(3, 2), "left": 0, "right": 2 * giga, "end": giga / 10,
    }  # fmt: skip
    assert sizes(found) == {
        ("top", "left"): 10, ("top", "right"): 15, ("left", "end"): 0, ("right", "end"): 3,
    }  # fmt: skip
    assert found.warnings == (
        "external inputs are where they are used, unless inputs_at ties them to a processor:"
        " 1 files of 100 bytes",
        "external outputs stay where they are made, unless outputs_at ties them to a processor:"
        " 2 files of 8 bytes",
        "every user of a file gets a copy: multicast would save 10 of 28 bytes per instance"
        " (35.7%). Files with several users: 1. Most copies: 'x' (2)",
        "runtimes are read as work at 1 Gf/s: say reference_speed",
        "runtimes on several cores count as the work of one processor: right",
    )


def test_a_speed_turns_runtimes_into_work():
    assert works(load(SPLIT, reference_speed="2Gf"))["top"] == 3 * 10**9
    assert works(load(SPLIT, reference_speed="1"))["end"] == Fraction(1, 10)
    clocked = load(SPLIT, reference_speed="clock")
    assert works(clocked)["top"] == 1200 * 10**6 * Fraction(3, 2)
    assert clocked.warnings[-1] == "each clock cycle counts as one flop: 1 machines"


def test_external_files_are_tied_to_processors():
    found = load(SPLIT, inputs_at="P", outputs_at="Q", name="tied")
    assert found.document.name == "tied"
    ends = {task.id: task.times for task in found.document.tasks if task.times is not None}
    assert ends == {"begin": {"P": 0}, "end_": {"Q": 0}}
    tied = {pair: size for pair, size in sizes(found).items() if set(pair) & {"begin", "end_"}}
    assert tied == {
        ("begin", "top"): 100, ("begin", "left"): 100, ("top", "end_"): 1, ("end", "end_"): 7,
    }  # fmt: skip
    assert "multicast would save 110 of 236 bytes" in found.warnings[0]


def test_ends_without_external_files_are_said_to_be_idle():
    bare = with_change(NESTED, "workflow/tasks/0/files/0", ...)
    assert (
        "inputs_at is not used: the workflow has no such files"
        in load(bare, inputs_at="P").warnings
    )


@pytest.mark.parametrize("version", ["1.3", "1.4"])
def test_the_older_layout_is_read_with_its_own_names(version: str):
    document = with_change(NESTED, "schemaVersion", version)
    if version == "1.3":
        text = json.dumps(document).replace("runtimeInSeconds", "runtime")
        document = json.loads(text.replace("sizeInBytes", "size"))
    found = load(document, reference_speed="clock")
    assert works(found) == {"a": 5 * 10**9, "b": 2 * 10**9}
    assert sizes(found) == {("a", "b"): 9}


def test_tasks_of_one_name_are_told_apart_by_their_ids():
    document = with_change(NESTED, "workflow/tasks/+", {
        "name": "b", "id": "2", "runtime": 1, "parents": ["a"],
    })  # fmt: skip
    document["workflow"]["tasks"][1]["id"] = "1"
    document["workflow"]["tasks"][0]["children"] = []
    found = load(document)
    assert list(works(found)) == ["a", "b_1", "b_2"]
    assert sizes(found) == {("a", "b_1"): 9, ("a", "b_2"): 0}


def test_a_parent_without_a_file_gives_an_empty_file():
    found = load(with_change(SPLIT, "workflow/specification/tasks/3/parents/+", "top"))
    assert sizes(found)["top", "end"] == 0
    assert "parents without a common file give files of size 0: end" in found.warnings


def test_a_file_that_only_its_maker_uses_is_left_out():
    found = load(with_change(SPLIT, "workflow/specification/tasks/0/inputFiles/+", "log"))
    assert any("only their own maker uses" in warning for warning in found.warnings)
    assert sizes(found) == sizes(load(SPLIT))


def test_a_file_made_twice_comes_from_the_parent_that_makes_it():
    again = with_change(SPLIT, "workflow/specification/tasks/1/outputFiles/+", "y")
    assert sizes(load(again))["top", "right"] == 15
    again = with_change(again, "workflow/specification/tasks/3/inputFiles/+", "y")
    again = with_change(again, "workflow/specification/tasks/3/parents/+", "top")
    found = load(again)
    assert (sizes(found)["left", "end"], sizes(found)["top", "end"]) == (5, 5)
    assert any("several parents make" in warning for warning in found.warnings)


def test_a_file_made_twice_by_no_parent_is_refused():
    again = with_change(SPLIT, "workflow/specification/tasks/3/outputFiles/+", "y")
    again = with_change(again, "workflow/specification/tasks/2/parents", [])
    again = with_change(again, "workflow/specification/tasks/0/children", ["left"])
    assert faults(again) == [("#/workflow/specification/tasks/2", "ambiguous_file")]


def test_ids_that_we_cannot_use_are_changed():
    long = "x" * 250
    text = json.dumps(NESTED).replace('"a"', f'"{long}"').replace('"b"', '"p--->q"')
    document = json.loads(text)
    for name in (long + "y", "-", "y" * 199 + "-z"):
        document["workflow"]["tasks"].append({"name": name, "runtime": 0})
    found = load(document)
    changed = ["x" * 200, "p-.-:q", "x" * 188 + "_2", "..", "y" * 199 + "."]
    assert list(works(found)) == changed
    assert any("ids that we cannot use are changed" in warning for warning in found.warnings)


def test_machines_of_different_clocks_count_as_equally_fast_unless_asked():
    document = with_change(
        SPLIT, "workflow/execution/machines/+", {"nodeName": "n", "cpu": {"speedInMHz": 600}}
    )
    document["workflow"]["execution"]["tasks"][1]["machines"] = ["m", "n"]
    assert any("different clock rates" in warning for warning in load(document).warnings)
    assert "or not just one" in parameter_fault(document, reference_speed="clock")
    document["workflow"]["execution"]["tasks"][1]["machines"] = ["n"]
    assert works(load(document, reference_speed="clock"))["left"] == 0


def parameter_fault(document: Any, **parameters: str) -> str:
    with pytest.raises(InstanceError) as caught:
        load(document, **parameters)
    ((pointer, code, detail),) = caught.value.faults
    assert (pointer, code) == ((), "invalid_parameter")
    return detail


@pytest.mark.parametrize("speed", ["fast", "0f", "-1Gf", "1e999f"])
def test_a_bad_speed_is_refused(speed: str):
    assert parameter_fault(SPLIT, reference_speed=speed).startswith("reference_speed: ")


def test_a_machine_without_a_clock_rate_cannot_be_the_reference():
    document = with_change(SPLIT, "workflow/execution/machines/0/cpu/speedInMHz", ...)
    assert "'top'" in parameter_fault(document, reference_speed="clock")
    document = with_change(SPLIT, "workflow/execution/machines", [])
    document["workflow"]["execution"]["tasks"][0]["machines"] = []
    assert "'top'" in parameter_fault(document, reference_speed="clock")


def faults(document: Any, **parameters: str) -> list[tuple[str, str]]:
    try:
        load(document, **parameters)
    except InstanceError as error:
        return [(format_pointer(fault.pointer), fault.code) for fault in error.faults]
    return []


TASKS = "workflow/specification/tasks"
BAD: list[tuple[str, Any, str, str]] = [
    ("schemaVersion", "1.2", "#/schemaVersion", "unknown_version"),
    ("schemaVersion", 1.5, "#/schemaVersion", "unknown_version"),
    ("schemaVersion", [], "#/schemaVersion", "unknown_version"),
    ("name", ..., "#/name", "missing"),
    ("name", "", "#/name", "invalid_type"),
    ("name", "x" * 201, "#", "string_too_long"),
    ("name", "a\nb", "#", "control_character"),
    ("workflow", ..., "#/workflow", "missing"),
    ("workflow", [], "#/workflow", "invalid_type"),
    ("workflow/specification", 3, "#/workflow/specification", "invalid_type"),
    (TASKS, ..., f"#/{TASKS}", "missing"),
    (TASKS, [], f"#/{TASKS}", "too_short"),
    (TASKS, {}, f"#/{TASKS}", "invalid_type"),
    (f"{TASKS}/0", "top", f"#/{TASKS}/0", "invalid_type"),
    (f"{TASKS}/0/id", ..., f"#/{TASKS}/0/id", "missing"),
    (f"{TASKS}/1/id", "top", f"#/{TASKS}/1", "duplicate_task"),
    (f"{TASKS}/0/parents", "x", f"#/{TASKS}/0/parents", "invalid_type"),
    (f"{TASKS}/0/parents", ["ghost"], f"#/{TASKS}/0/parents/0", "unknown_task"),
    (f"{TASKS}/0/children/0", "ghost", f"#/{TASKS}/0/children/0", "unknown_task"),
    (f"{TASKS}/0/inputFiles", [3], f"#/{TASKS}/0/inputFiles/0", "invalid_type"),
    (f"{TASKS}/0/outputFiles/+", "ghost", f"#/{TASKS}/0/outputFiles/3", "unknown_file"),
    (f"{TASKS}/0/parents", ["end"], "#", "cycle"),
    ("workflow/specification/files/1/id", "raw", "#/workflow/specification/files/1/id",
     "duplicate_file"),
    ("workflow/specification/files/0/sizeInBytes", ...,
     "#/workflow/specification/files/0/sizeInBytes", "missing"),
    ("workflow/specification/files/0/sizeInBytes", -1,
     "#/workflow/specification/files/0/sizeInBytes", "negative_rational"),
    ("workflow/specification/files/0/sizeInBytes", True,
     "#/workflow/specification/files/0/sizeInBytes", "not_a_rational"),
    ("workflow/specification/files/1/sizeInBytes", 10**64 - 1, "#/workflow", "rational_too_long"),
    ("workflow/execution", ..., "#/workflow/execution", "missing"),
    ("workflow/execution/tasks", ..., "#/workflow/execution/tasks", "missing"),
    ("workflow/execution/tasks/0", ..., "#/workflow/execution/tasks", "missing"),
    ("workflow/execution/tasks/0/id", "ghost", "#/workflow/execution/tasks/0/id", "unknown_task"),
    ("workflow/execution/tasks/1/id", "top", "#/workflow/execution/tasks/1/id", "duplicate_task"),
    ("workflow/execution/tasks/0/runtimeInSeconds", -1,
     "#/workflow/execution/tasks/0/runtimeInSeconds", "negative_rational"),
    ("workflow/execution/tasks/0/runtimeInSeconds", 10**60, f"#/{TASKS}/0", "rational_too_long"),
    ("workflow/execution/machines/0/nodeName", ..., "#/workflow/execution/machines/0/nodeName",
     "missing"),
    ("workflow/execution/machines/0/cpu", [], "#/workflow/execution/machines/0/cpu",
     "invalid_type"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "pointer", "code"), BAD)
def test_what_is_wrong_is_refused_with_its_place(path: str, value: Any, pointer: str, code: str):
    assert (pointer, code) in faults(with_change(SPLIT, path, value))


@pytest.mark.parametrize(
    ("path", "value", "pointer", "code"),
    [
        ("tasks/1/name", ..., "tasks/1/name", "missing"),
        ("tasks/1", None, "tasks/1", "missing"),
        ("tasks/0/files/0/link", "sideways", "tasks/0/files/0/link", "unknown_link"),
        ("tasks/0/files/0/link", [], "tasks/0/files/0/link", "unknown_link"),
        ("tasks/0/files/1/sizeInBytes", 8, "tasks/1/files/0", "two_sizes"),
        ("tasks/0/files", {}, "tasks/0/files", "invalid_type"),
        ("tasks/0/runtimeInSeconds", ..., "tasks/0/runtimeInSeconds", "missing"),
        ("tasks/1/name", "a", "tasks/1", "duplicate_task"),
    ],
)
def test_faults_of_the_older_layout_have_their_places(
    path: str, value: Any, pointer: str, code: str
):
    found = faults(with_change(NESTED, f"workflow/{path}", value))
    assert (f"#/workflow/{pointer}", code) in found


def test_many_faults_are_cut_short():
    document = with_change(SPLIT, f"{TASKS}/0/inputFiles", [f"ghost {i}" for i in range(500)])
    assert len(faults(document)) == 20
    document = with_change(SPLIT, f"{TASKS}/0/parents", [f"ghost {i}" for i in range(500)])
    assert len(faults(document)) == 20


@pytest.mark.parametrize(
    "data", [b"", b"[", b"null", b"[1]", b'{"name": 1}', b'{"a": 1, "a": 2}', b"\xff", b"NaN"]
)
def test_junk_is_refused(data: bytes):
    assert faults(data)


@pytest.mark.parametrize(
    ("limits", "noun"),
    [
        (Limits(max_body_bytes=10), "bytes"),
        (Limits(max_tasks=3), "tasks"),
        (Limits(max_files=3), "files"),
    ],
)
def test_what_is_too_large_is_refused(limits: Limits, noun: str):
    with pytest.raises(LimitError, match=noun) as caught:
        load(SPLIT, limits)
    assert caught.value.faults[0].code == "limit_exceeded"


def test_file_names_find_the_importer():
    assert guess_importer("application", "montage.JSON") is IMPORTER
    assert guess_importer("platform", "montage.json") is None


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [at][: len(at)] + [place for step, part in inner for place in places(part, (*at, step))]


@pytest.mark.parametrize("document", [SPLIT, NESTED], ids=["split", "nested"])
@given(data=st.data())
def test_anything_else_is_imported_or_refused(document: dict[str, Any], data: st.DataObject):
    place = data.draw(st.sampled_from(places(document)))
    path = "/".join(map(str, place))
    changed = with_change(document, path, data.draw(JUNK))
    with suppress(InstanceError, LimitError):
        load(changed, inputs_at="P", outputs_at="P")


# Tasks, edges, files with external ends, tasks of zero runtime, files of zero bytes moved.
COUNTS = {
    "helloworld-chain-5-chameleon": (5, 4, 0),
    "helloworld-forkjoin-10-chameleon": (10, 16, 0),
    "bacass-dirt02-001": (11, 14, 1),
    "sarek-dirt02-001": (26, 50, 15),
    "hic-dirt02-001": (38, 47, 4),
    "srasearch-chameleon-10a-001": (22, 30, 0),
    "epigenomics-chameleon-hep-1seq-100k-001": (41, 48, 0),
    "1000genome-chameleon-2ch-100k-001": (52, 76, 0),
    "montage-chameleon-2mass-005d-001": (58, 114, 0),
    "blast-chameleon-small-001": (43, 120, 0),
    "fetchngs-dirt02-001": (43, 28, 9),
    "seismology-chameleon-100p-001": (101, 100, 0),
    "cutandrun-dirt02-001": (120, 196, 64),
}


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_real_workflows_come_out_whole(name: str):
    data = shared_data(f"wfinstances/{name}.json").read_bytes()
    found = load(data)
    tasks, files, idle = COUNTS[name]
    assert (len(found.document.tasks), len(found.document.files)) == (tasks, files)
    assert sum(work == 0 for work in works(found).values()) == idle
    document = json.loads(data)["workflow"]
    runtimes = [Fraction(repr(t["runtimeInSeconds"])) for t in document["execution"]["tasks"]]
    assert sum(works(found).values()) == 10**9 * sum(runtimes)
    declared = {(t["id"], c) for t in document["specification"]["tasks"] for c in t["children"]}
    assert set(sizes(found)) == declared


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_real_workflows_can_be_tied_to_processors(name: str):
    data = shared_data(f"wfinstances/{name}.json").read_bytes()
    tied = load(data, inputs_at="P", outputs_at="P")
    assert len(tied.document.tasks) == COUNTS[name][0] + 2
    data_in = sum(size for (source, _), size in sizes(tied).items() if source == "begin")
    data_out = sum(size for (_, target), size in sizes(tied).items() if target == "end")
    assert data_in > 0
    assert data_out > 0


@pytest.mark.parametrize(
    ("name", "clocked"),
    [("blast-chameleon-small-001", False), ("seismology-chameleon-100p-001", True)],
)
def test_clock_rates_are_used_where_they_are_given(name: str, clocked: bool):
    data = shared_data(f"wfinstances/{name}.json").read_bytes()
    read: Callable[[], Imported] = lambda: load(data, reference_speed="clock")
    if clocked:
        assert len(read().document.tasks) == 101
    else:
        with pytest.raises(InstanceError, match="clock rate"):
            read()
