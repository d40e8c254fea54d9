"""What `import steadygrid` costs, and what it offers."""

import doctest
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

import pytest

import steadygrid
from tests.tree import ROOT

HEAVY = (
    *("altair", "highspy", "httpx2", "jinja2", "networkx", "numpy", "pandas", "pydantic"),
    *("pyomo", "rich", "scipy", "vl_convert"),
)


def told_by(code: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


def test_the_import_alone_loads_nothing_large() -> None:
    code = f"import sys, steadygrid; print([name for name in {HEAVY} if name in sys.modules])"
    assert told_by(code) == "[]"


def test_without_docstrings_problems_are_solved_and_faults_are_told() -> None:
    code = (
        "import steadygrid as sg\n"
        "try: sg.solve({'kind': 'master_worker'})\n"
        "except sg.InstanceError as error: print(error.detail.split('#')[0])\n"
        "print(sg.InstanceError.__doc__)\n"
        "print(sg.solve(sg.problems()['master_worker'].example).objective)"
    )
    ran = subprocess.run(
        [sys.executable, "-OO", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("Instance error. \nNone\n21/40\n", "")


def test_solving_loads_no_solver_into_the_program_that_asks() -> None:
    code = (
        "import sys, steadygrid as sg\n"
        "answer = sg.solve(sg.problems()['cell'].example)\n"
        "assert answer.verified\n"
        "repr(answer)\n"
        "sg.check(answer.instance, answer.result, answer.schedule)\n"
        "rooms = {name.split('.')[0] for name in sys.modules}\n"
        "print(sorted(rooms & {'app', 'workers', 'pyomo', 'highspy', 'flint', 'numpy', 'scipy'}))"
    )
    assert told_by(code) == "[]"


def test_every_name_is_offered_once_and_found() -> None:
    assert steadygrid.__all__ == sorted(set(steadygrid.__all__))
    offered = [name for name in dir(steadygrid) if not name.startswith("__")]
    assert offered == steadygrid.__all__
    for name in steadygrid.__all__:
        assert getattr(steadygrid, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        steadygrid.sovle  # noqa: B018 - a name that is not there


def test_the_package_knows_its_version() -> None:
    assert steadygrid.__version__ == version("steadygrid")


def test_the_registry_is_called_whatever_was_imported_before() -> None:
    code = (
        "import steadygrid.kinds.{kind}, steadygrid\n"
        "from steadygrid import problems\n"
        "print(steadygrid.problems() is problems() is steadygrid.kinds.PROBLEMS)"
    )
    assert told_by(code.format(kind=next(iter(steadygrid.problems())))) == "True"


@pytest.mark.parametrize("module", ["steadygrid.library", "steadygrid.reading"])
def test_the_examples_of_docstrings_run(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)
    assert tried
    assert not failed
