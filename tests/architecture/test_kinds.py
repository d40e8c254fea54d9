"""A kind is complete: its folder with a solver in it, tests, an example."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Problem
from steadygrid.engine.solver import solver_for
from steadygrid.kinds import PROBLEMS, SOLVES
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.tree import ROOT, imports_of, modules, name_of

KINDS = sorted(PROBLEMS)
FILES = ("__init__.py", "schemas.py", "sizing.py", "validator.py", "view.py", "solver/__init__.py")
ROOM = ROOT / "steadygrid" / "kinds"
SHARED = "shared"
"""What the contract halves of several kinds share lies beside the kinds."""


def folders_in(parent: Path) -> set[str]:
    return {path.parent.name for path in parent.glob("*/__init__.py")}


def camel(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.split("_"))


@pytest.fixture(params=KINDS)
def problem(request: pytest.FixtureRequest) -> Problem[Any, Any]:
    return PROBLEMS[request.param]


def test_every_folder_of_a_kind_is_registered() -> None:
    assert folders_in(ROOM) == {*KINDS, SHARED}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_all_its_files_and_tests(kind: str) -> None:
    assert [name for name in FILES if not (ROOM / kind / name).is_file()] == []
    assert PROBLEMS[kind].simulated or list((ROOM / kind / "solver").rglob("model.py"))
    assert list((ROOT / "tests" / "kinds" / kind).glob("test_*.py"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_can_be_solved(kind: str) -> None:
    assert solver_for(kind) is not None


def test_an_unregistered_kind_has_no_solver() -> None:
    with pytest.raises(KeyError):
        solver_for("no_such_kind")


def test_a_kind_has_one_spelling(problem: Problem[Any, Any]) -> None:
    kind = problem.kind
    assert PROBLEMS[kind] is problem
    assert get_args(problem.instance.model_fields["kind"].annotation) == (kind,)
    assert get_args(problem.result.model_fields["kind"].annotation) == (kind,)
    assert problem.instance.__name__ == f"{camel(kind)}Instance"
    assert problem.result.__name__ == f"{camel(kind)}Result"
    assert issubclass(problem.result, Result)


def test_a_kind_describes_each_of_its_methods(problem: Problem[Any, Any]) -> None:
    field = problem.instance.model_fields["method"]
    assert set(problem.methods) == set(get_args(field.annotation))
    assert field.default in problem.methods
    assert all((problem.title, problem.description, problem.sources, *problem.methods.values()))


def test_the_example_of_a_kind_can_be_posted_as_it_is(problem: Problem[Any, Any]) -> None:
    body = json.loads(json.dumps(problem.example))
    submission = parse_submission(body, Limits())
    assert submission.problem is problem
    assert len(json.dumps(body)) < 4096
    assert size_submission(submission, Limits()).method in problem.methods
    assert parse_submission(submission.document(), Limits()) == submission


def test_what_a_kind_requires_is_solved_by_this_version(problem: Problem[Any, Any]) -> None:
    assert 0 <= parse_submission(problem.example, Limits()).requires <= SOLVES


def test_a_kind_has_a_file_among_the_examples(problem: Problem[Any, Any]) -> None:
    kinds = {
        json.loads(path.read_text(encoding="utf-8")).get("problem", {}).get("kind")
        for path in (ROOT / "examples").glob("*.json")
    }
    assert problem.kind in kinds


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_does_not_know_other_kinds(kind: str) -> None:
    others = {f"steadygrid.kinds.{other}" for other in KINDS if other != kind}
    inside = [path for path in modules("steadygrid") if ROOM / kind in path.parents]
    assert len(inside) >= len(FILES)
    for path in inside:
        known = {".".join(name.split(".")[:3]) for name in imports_of(path)} & others
        assert not known, name_of(path)


def test_only_registries_name_a_kind() -> None:
    """Everything else iterates over the registry; examples in docstrings are for readers."""
    registries = {
        "steadygrid/__init__.py",  # names what the next file offers
        "steadygrid/submissions/questions.py",  # written by a script of the registry
        "steadygrid/kinds/__init__.py",
        "steadygrid/submissions/exports.py",
        "steadygrid/submissions/imports.py",
        "steadygrid/submissions/simulating.py",  # writes the body of that kind
    }
    for path in modules("steadygrid", "app", "workers"):
        if name_of(path) in registries or set(name_of(path).split("/")) & set(KINDS):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        text = "\n".join(line for line in lines if not line.lstrip().startswith((">>> ", "... ")))
        named = [kind for kind in KINDS if f'"{kind}"' in text or f"kinds.{kind}" in text]
        assert not named, name_of(path)


def _shared_drawing() -> list[Path]:
    drawing = (
        *("steadygrid/report/", "steadygrid/pictures/", "steadygrid/answer.py"),
        "steadygrid/cli/",
    )
    return [path for path in modules("steadygrid") if name_of(path).startswith(drawing)]


def _members(model: type[Any]) -> set[str]:
    """List the fields and properties of a model."""
    own = {name for name in vars(model) if not name.startswith(("_", "model_"))}
    return own | set(model.model_fields)


def test_what_people_read_is_drawn_from_the_view_alone() -> None:
    """No shared module reads an instance, or what some kind adds to the envelope of results."""
    added = set().union(*(set(p.result.model_fields) for p in PROBLEMS.values()))
    added -= set(Result.model_fields)
    asked = set().union(*(_members(p.instance) for p in PROBLEMS.values()))
    assert {"speed_up", "simulation", "bottleneck"} <= added
    assert {"routing", "platform", "file_sizes"} <= asked
    strangers = [
        f"{name_of(path)}:{found}"
        for path in _shared_drawing()
        for found in _read_of_kinds(path.read_text(encoding="utf-8"), added, asked)
    ]
    assert strangers == []


@pytest.mark.parametrize(
    "line",
    [
        "speed = report.result.speed_up",
        "where = self.submission.instance.platform",
        "getattr(result, name)",
        "hasattr(report.instance, 'routing')",
    ],
)
def test_drawing_that_reads_what_only_some_kinds_have_is_found(line: str) -> None:
    source = f"method = result.method\n{line}\nfile_sizes = report.view.file_sizes\n"
    found = _read_of_kinds(source, {"speed_up"}, {"platform", "file_sizes"})
    assert list(found) == [f"2: {line.split(' = ')[-1]}"]


def _read_of_kinds(source: str, added: set[str], asked: set[str]) -> Iterator[str]:
    """Give the places that read a member of a result or an instance, or look for one."""
    members = {"result": added, "instance": asked}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=owner, attr=name):
                read = any(_is(owner, of) and name in names for of, names in members.items())
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[owner, *_]):
                read = any(_is(owner, of) for of in members)
            case _:
                continue
        if read:
            yield f"{node.lineno}: {ast.unparse(node)}"


def _is(node: ast.expr, name: str) -> bool:
    """Whether an expression is called so: ``result``, ``report.result``, ``self.result``."""
    return name == (node.id if isinstance(node, ast.Name) else getattr(node, "attr", None))
