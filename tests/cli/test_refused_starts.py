"""`serve`, `worker` and the application refuse to start in a sentence, without a traceback."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.errors import NotStartedError
from app.db.migrate import open_database
from app.main import create_app
from app.settings import Settings
from tests.environment import bare
from workers.solver_child import UnfitSolverError, try_solver

COMMAND = str(Path(sys.executable).with_name("steadygrid"))
NO_BROKER = "redis://127.0.0.1:1/0"


def refusal(folder: Path, *arguments: str, **variables: Any) -> str:
    """What a command says that does not start."""
    ran = subprocess.run(
        arguments,
        cwd=folder,
        env=bare(**variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode not in (0, -6, -9)
    for words in ("Traceback", "a fault of steadygrid"):
        assert words not in ran.stderr
    return ran.stderr


def test_serve_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    (tmp_path / ".steadygrid").mkdir()
    (tmp_path / ".steadygrid" / "steadygrid.db").write_text("no database")
    said = refusal(tmp_path, COMMAND, "serve", "--port", "0")
    assert said.startswith(f"steadygrid: the database file {tmp_path}/.steadygrid/steadygrid.db is")
    assert "damaged (file is not a database): restore a backup" in said
    assert said.count("\n") == 1


def test_the_api_says_what_is_wrong_with_its_server(tmp_path: Path) -> None:
    url = "postgresql://u:secret@127.0.0.1:1/d"
    said = refusal(tmp_path, COMMAND, "api", "--port", "0", DATABASE_URL=url)
    assert said.startswith("steadygrid: the database d at 127.0.0.1:1 cannot be used (")
    assert said.endswith("start the server, or correct STEADYGRID_DATABASE_URL\n")
    assert said.count("\n") == 1


def test_a_worker_wants_a_solver_that_can_start(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    open_database(Settings(database_url=url), migrate=True).close()
    said = refusal(
        tmp_path, COMMAND, "worker", DATABASE_URL=url, REDIS_URL=NO_BROKER, PIPELINE="nonsense"
    )
    assert "PIPELINE=nonsense cannot be used (ModuleNotFoundError: No module named 'nons" in said
    said = refusal(tmp_path, COMMAND, "serve", "--port", "0", SOLVER_MEMORY_BYTES="1000000")
    assert "STEADYGRID_SOLVER_MEMORY_BYTES=1000000 is less than a solver process needs" in said


def test_a_pipeline_needs_a_function_that_runs() -> None:
    with pytest.raises(UnfitSolverError, match="PIPELINE=json cannot be used"):
        try_solver(Settings(pipeline="json"))
    with pytest.raises(UnfitSolverError, match="its `run` is no function"):
        try_solver(Settings(pipeline="tests.cli.no_pipeline"))
    with pytest.raises(UnfitSolverError, match="was killed while it was tried"):
        try_solver(Settings(pipeline="tests.cli.killed_pipeline"))
    try_solver(Settings(solver_memory_bytes=2**30))


@pytest.mark.parametrize("command", [("serve",), ("api",), ("worker",), ("solve", "nothing.json")])
def test_wrong_settings_are_told_by_every_command(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert refusal(tmp_path, COMMAND, *command, LOGLEVEL="DEBUG") == (
        "steadygrid: the settings are wrong\n  STEADYGRID_LOGLEVEL: there is no such setting."
        " Did you mean STEADYGRID_LOG_LEVEL?\n"
    )


def test_the_application_ends_with_a_sentence(tmp_path: Path) -> None:
    serving = (sys.executable, "-m", "uvicorn", "--factory", "app.main:create_app", "--port", "0")
    root = Path(__file__).parents[2]
    said = refusal(root, *serving, DATABASE_URL="postgresql://u:secret@127.0.0.1:1/d")
    assert "steadygrid: the database d at 127.0.0.1:1 cannot be used (" in said
    assert "start the server, or correct STEADYGRID_DATABASE_URL" in said
    assert "secret" not in said
    said = refusal(root, *serving, HEARTBEAT_SECONDS="31")
    assert "steadygrid: the settings are wrong\n  STEADYGRID_HEARTBEAT_SECONDS (31) must" in said


def test_an_application_that_cannot_start_raises_why(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'no' / 'a.db'}", data_dir=tmp_path)
    with pytest.raises(NotStartedError, match="unable to open database file"):
        TestClient(create_app(settings)).__enter__()
