"""Kinds are imported when they are asked for; other distributions can give some."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from steadygrid.cli import explaining
from steadygrid.cli.terminal import Refusal
from steadygrid.domain.codes.text import CodeText
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import BUILT_IN, PROBLEMS, Registry, UnusableKindError
from steadygrid.submissions.submission import parse_submission
from tests.environment import bare
from tests.tree import ROOT

TOY = ROOT / "tests" / "architecture" / "toy_kind"
HALVES = {
    "contract.py": "__init__.py",
    "schemas.py": "schemas.py",
    "sizing.py": "sizing.py",
    "validator.py": "validator.py",
    "view.py": "view.py",
    "solving.py": "solver/__init__.py",
    "model.py": "solver/model.py",
}
"""Where the files of the toy kind lie in a package of its own."""
Give = Callable[..., None]


@pytest.fixture
def give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Give:
    """Install a distribution that gives a kind."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(distribution: str, kind: str, value: str) -> None:
        folder = tmp_path / f"{distribution}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n"
        )
        (folder / "entry_points.txt").write_text(f"[steadygrid.kinds]\n{kind} = {value}\n")

    return install


def toy_package(place: Path) -> None:
    for template, name in HALVES.items():
        target = place / "one_worker_kind" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (TOY / template).read_text(encoding="utf-8")
        text = text.replace("steadygrid.kinds.one_worker", "one_worker_kind")
        text = text.replace("steadygrid.kinds.one_worker.solver", "one_worker_kind.solver")
        target.write_text(text, encoding="utf-8")


def loaded_kinds(code: str) -> set[str]:
    """The kinds of which some module was imported."""
    told = (
        f"import sys, json\n{code}\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('steadygrid.')]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {part for name in json.loads(ran.stdout) for part in name.split(".")} & set(BUILT_IN)


def test_listing_the_names_imports_no_kind() -> None:
    assert loaded_kinds("from steadygrid.kinds import PROBLEMS\nlist(PROBLEMS)") == set()


@pytest.mark.parametrize("kind", BUILT_IN)
def test_reading_a_problem_imports_no_other_kind(kind: str) -> None:
    code = (
        "from steadygrid.kinds import PROBLEMS\n"
        "from steadygrid.submissions.submission import parse_submission\n"
        "from steadygrid.domain.limits import Limits\n"
        f"parse_submission(PROBLEMS[{kind!r}].example, Limits())"
    )
    within = PROBLEMS[kind].example["problem"].get("instance", {}).get("kind", kind)
    assert loaded_kinds(code) == {kind, within}


def test_every_built_in_name_is_the_name_of_its_kind() -> None:
    assert [PROBLEMS[kind].kind for kind in BUILT_IN] == list(BUILT_IN)
    assert list(PROBLEMS)[: len(BUILT_IN)] == list(BUILT_IN)


def test_a_kind_of_another_distribution_is_solved_and_refereed(tmp_path: Path, give: Give) -> None:
    toy_package(tmp_path)
    give("toy", "one_worker", "one_worker_kind:PROBLEM")
    shutil.copy(TOY / "example.json", tmp_path)
    command = [
        sys.executable,
        "-m",
        "steadygrid",
        "solve",
        str(tmp_path / "example.json"),
        "--json",
    ]
    environment = bare() | {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    ran = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert (result["objective"]["value"], result["verified"]) == ("1/3", True)


def test_a_kind_of_another_distribution_is_imported_when_it_is_asked_for(
    tmp_path: Path, give: Give
) -> None:
    toy_package(tmp_path)
    give("toy", "one_worker", "one_worker_kind:PROBLEM")
    registry = Registry()
    assert registry.package("one_worker") == "one_worker_kind"
    assert registry["master_worker"] is PROBLEMS["master_worker"]
    assert "one_worker_kind" not in sys.modules
    try:
        assert registry["one_worker"].title == "One worker"
        assert list(registry) == [*BUILT_IN, "one_worker"]
        assert len(registry) == len(BUILT_IN) + 1
        assert registry.unusable() == {}
    finally:
        for name in [name for name in sys.modules if name.startswith("one_worker_kind")]:
            del sys.modules[name]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("PROBLEM = 3", "broken_kind:PROBLEM is no Problem"),
        (
            "from steadygrid.kinds import PROBLEMS\nPROBLEM = PROBLEMS['cell']",
            "broken_kind:PROBLEM is the kind 'cell'",
        ),
    ],
)
def test_a_kind_that_cannot_be_used_is_named_with_its_reason_and_the_others_work(
    tmp_path: Path, give: Give, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
) -> None:
    (tmp_path / "broken_kind.py").write_text(code)
    monkeypatch.delitem(sys.modules, "broken_kind", raising=False)
    give("maker", "broken", "broken_kind:PROBLEM")
    registry = Registry()
    assert list(registry) == list(BUILT_IN)
    assert "broken" not in registry
    (trouble,) = registry.unusable().values()
    assert trouble.code == "kind_unavailable"
    assert trouble.detail == (
        f"the kind 'broken' of maker (broken_kind:PROBLEM) cannot be used: {reason}"
    )


def test_two_distributions_with_one_name_are_both_named(give: Give) -> None:
    give("first", "twice", "first_kind:PROBLEM")
    give("second", "twice", "second_kind:PROBLEM")
    registry = Registry()
    with pytest.raises(UnusableKindError) as raised:
        registry["twice"]
    assert raised.value.code == "ambiguous_kind"
    assert "first (first_kind:PROBLEM)" in raised.value.detail
    assert "second (second_kind:PROBLEM)" in raised.value.detail
    assert registry["cell"].kind == "cell"


def test_no_distribution_replaces_a_built_in_kind(give: Give) -> None:
    give("impostor", "cell", "impostor:PROBLEM")
    registry = Registry()
    assert registry["cell"] is PROBLEMS["cell"]
    assert list(registry) == list(BUILT_IN)
    (trouble,) = registry.unusable().values()
    assert (trouble.code, "steadygrid itself" in trouble.detail) == ("ambiguous_kind", True)


def test_a_job_of_an_unusable_kind_is_refused_with_the_reason(
    give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give("maker", "broken", "no_such_package:PROBLEM")
    monkeypatch.setattr("steadygrid.submissions.submission.PROBLEMS", Registry())
    with pytest.raises(InstanceError) as raised:
        parse_submission({"problem": {"kind": "broken"}}, Limits())
    (fault,) = raised.value.faults
    assert (fault.pointer, fault.code) == (("problem", "kind"), "kind_unavailable")
    assert "no_such_package" in fault.detail


def test_a_kind_of_another_distribution_explains_its_own_codes(
    tmp_path: Path,
    give: Give,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    toy_package(tmp_path)
    give("toy", "one_worker", "one_worker_kind:PROBLEM")
    registry = Registry()
    monkeypatch.setattr("steadygrid.kinds.PROBLEMS", registry)
    text = CodeText("Worker asleep", "The only worker sleeps.", "Wait until it wakes up.")
    try:
        with pytest.raises(Refusal, match=r"No built-in error .*external kind: one_worker"):
            explaining.explain("worker_asleep")
        monkeypatch.setitem(
            registry._foreign, "one_worker", replace(registry["one_worker"], codes={"asleep": text})
        )
        explaining.explain("asleep", as_json=True)
        assert json.loads(capsys.readouterr().out) == {"code": "asleep", **text._asdict()}
        with pytest.raises(Refusal, match="Did you mean 'asleep'"):
            explaining.explain("aslep")
    finally:
        for name in [name for name in sys.modules if name.startswith("one_worker_kind")]:
            del sys.modules[name]
