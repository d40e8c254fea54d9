"""What a new kind costs: its own folders, and lines of the registry; it is tried on a copy.

`docs/adding-a-problem.md` says the same to people. Nothing else may have to change, but for the
glossary and the changelog, which are for people only.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from steadygrid.kinds import SOLVES
from tests.environment import bare
from tests.tree import name_of, tracked_files

KIND = "one_worker"
TEMPLATES = Path(__file__).with_name("toy_kind")
PLACES = {
    "contract.py": f"steadygrid/kinds/{KIND}/__init__.py",
    "schemas.py": f"steadygrid/kinds/{KIND}/schemas.py",
    "sizing.py": f"steadygrid/kinds/{KIND}/sizing.py",
    "validator.py": f"steadygrid/kinds/{KIND}/validator.py",
    "view.py": f"steadygrid/kinds/{KIND}/view.py",
    "solving.py": f"steadygrid/kinds/{KIND}/solver/__init__.py",
    "model.py": f"steadygrid/kinds/{KIND}/solver/model.py",
    "answers.py": f"tests/kinds/{KIND}/test_{KIND}.py",
    "example.json": "examples/one-worker.json",
}
EXAMPLE = PLACES["example.json"]
REGISTRY = "steadygrid/kinds/__init__.py"
LINES = {
    f"SOLVES = {SOLVES}\n": f"SOLVES = {SOLVES + 1}\n",
    '\n    "cell",\n': f'\n    "cell",\n    "{KIND}",\n',
}
"""What is written into the registry: the name of the kind, and that it is new."""
COMMON = (
    "tests/architecture/test_kinds.py",
    "tests/architecture/test_layers.py",
    "tests/architecture/test_tree.py",
    "tests/submissions/test_refusals_for_people.py",
    "tests/verification/test_certificates.py",
    "tests/cli/test_catalogue.py",
    "tests/report/test_sections.py",
    "tests/submissions/test_unused_options.py",
    f"tests/kinds/{KIND}",
)
"""Tests over all kinds, or over all files."""
CONCERNED = f"{KIND} or registered or registries or contracts or sees or is_for"
"""Those of them that one more kind could fail."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole tree, and one more kind in it."""
    place = tmp_path_factory.mktemp("copy")
    for path in tracked_files():
        target = place / name_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    for template, name in PLACES.items():
        target = place / name
        target.parent.mkdir(exist_ok=True)
        shutil.copy2(TEMPLATES / template, target)
    registry = (place / REGISTRY).read_text(encoding="utf-8")
    for before, after in LINES.items():
        assert registry.count(before) == 1, before
        registry = registry.replace(before, after)
    (place / REGISTRY).write_text(registry, encoding="utf-8")
    return place


def in_copy(place: Path, *arguments: str) -> str:
    """Run Python in the copy, with the copy's packages before those that are installed."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=place,
        env=bare() | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-5000:]
    return ran.stdout


def test_only_the_registry_changes(copy: Path) -> None:
    changed = [
        name_of(path)
        for path in tracked_files()
        if path.read_bytes() != (copy / name_of(path)).read_bytes()
    ]
    assert changed == [REGISTRY]


def test_a_new_kind_passes_the_common_tests(copy: Path) -> None:
    told = in_copy(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", CONCERNED, *COMMON)
    assert int(told.split(" passed")[0].split()[-1]) > 40


def test_a_new_kind_is_solved_and_refereed_by_the_command(copy: Path, tmp_path: Path) -> None:
    result, schedule = tmp_path / "result.json", tmp_path / "schedule.json"
    told = in_copy(
        copy,
        "-m",
        "steadygrid.cli.command",
        "solve",
        EXAMPLE,
        "--json",
        "--schedule",
        str(schedule),
    )
    result.write_text(told, encoding="utf-8")
    assert json.loads(told)["objective"]["value"] == "1/3"
    accepted = in_copy(
        copy,
        "-m",
        "steadygrid.cli.command",
        "check",
        EXAMPLE,
        "--result",
        str(result),
        "--schedule-in",
        str(schedule),
    )
    assert accepted.startswith("accepted")


SERVE = f"""
import json
from fastapi.testclient import TestClient
from app.db.engine import Database
from app.main import create_app
from app.settings import Settings
from steadygrid.domain.document import parse_json
from workers.supervisor import Ran, Supervisor
import os
settings = Settings(data_dir="data", log_level="CRITICAL")
with TestClient(create_app(settings), base_url="http://localhost") as client:
    example = client.get("/v1/problems/{KIND}").json()["example"]
    job = client.post("/v1/jobs", json=example).json()
    supervisor = Supervisor(
        Database.open(settings.effective_database_url), settings, "w", os.pipe()[0]
    )
    assert supervisor.run() is Ran.ENDED
    supervisor.close()
    result = client.get(job["links"]["self"] + "/result").json()
    document = client.get("/openapi.json").json()
    print(result["rate"], "OneWorkerResult" in document["components"]["schemas"])
"""


def test_a_new_kind_is_served_and_described(copy: Path) -> None:
    assert in_copy(copy, "-c", SERVE).split() == ["1/3", "True"]
