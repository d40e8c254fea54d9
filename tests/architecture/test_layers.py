"""Who may import whom."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import ROOT, imports_of, modules, name_of

SOLVING = ("steadygrid/engine/solving/",)
MODELS = (
    "steadygrid/kinds/",
    "steadygrid/engine/allocations/",
    "steadygrid/engine/matching/",
    "steadygrid/engine/slots/",
)
SHARED = ("db", "logs", "publisher", "receivers", "server", "settings", "sweep_creation", "tracing")


def uses(path: Path, package: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for name in imports_of(path))


@pytest.mark.parametrize("package", ["pyomo", "highspy"])
def test_only_models_and_solving_see_the_solver(package: str) -> None:
    users = {
        name_of(path) for path in modules("steadygrid", "app", "workers") if uses(path, package)
    }
    strangers = {
        name
        for name in users
        if not name.startswith(SOLVING)
        and not (name.startswith(MODELS) and Path(name).name.startswith("model"))
    }
    assert not strangers


def test_only_the_database_folder_sees_sqlalchemy() -> None:
    users = {name_of(p) for p in modules("steadygrid", "app", "workers") if uses(p, "sqlalchemy")}
    assert users
    assert all(name.startswith("app/db/") for name in users)


def test_workers_import_only_what_both_sides_share() -> None:
    allowed = {"app", *(f"app.{part}" for part in SHARED)}
    for path in modules("workers"):
        parts = {".".join(n.split(".")[:2]) for n in imports_of(path) if n.split(".")[0] == "app"}
        assert parts <= allowed, name_of(path)


def test_the_referee_is_called_only_by_the_pipeline_and_the_command_line() -> None:
    for path in modules("steadygrid", "app", "workers"):
        name = name_of(path)
        solves = name.startswith("steadygrid/engine/") or "/solver/" in name
        if (solves or name.startswith("workers/")) and name != "steadygrid/engine/pipeline.py":
            assert not uses(path, "steadygrid.verification"), name


def test_the_front_end_runs_without_modelling_language_and_solver() -> None:
    code = (
        "import sys\n"
        "for name in ('pyomo', 'highspy', 'flint', 'numpy', 'workers'): sys.modules[name] = None\n"
        "import app.main\n"
    )
    command = [sys.executable, "-c", code]
    report = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stderr
