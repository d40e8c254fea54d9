"""``steadygrid assets``."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.pages import vega_bundle
from steadygrid.pictures import bundle, drawn
from tests.cli.commands import Command
from tests.http.conftest import quiet

SCRIPT = "window.vegaEmbed = 1;"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often the script was made, which is a shorter one."""
    calls: list[str] = []

    def javascript() -> str:
        calls.append(SCRIPT)
        return SCRIPT

    monkeypatch.setattr("workers.commands.assets.javascript", javascript)
    return calls


def test_what_is_made_beforehand_is_served(
    command: Command, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "made" / "beforehand"
    monkeypatch.setenv("STEADYGRID_ASSETS_DIR", str(folder))
    path = folder / bundle.name_of(SCRIPT.encode())
    assert command("assets") == (0, f"{path}: made\n", "")
    assert path.stat().st_mode & 0o444 == 0o444, "the service may run as another user"
    assert command("assets", "--directory", folder) == (0, f"{path}: is there already\n", "")
    assert len(made) == 1
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path)
    settings = settings.model_copy(update={"assets_dir": folder, "picture_seconds": 1e-3})
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        assert client.get(vega_bundle.LEAD).text == SCRIPT


def test_obstacles_are_reported_before_any_work(
    command: Command, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    refused = command("assets", "--directory", file)
    assert (refused.code, refused.out) == (2, "")
    assert "this is no directory" in refused.err
    monkeypatch.setattr(drawn, "installed", lambda: False)
    refused = command("assets", "--directory", tmp_path / "none")
    assert refused.code == 2
    assert "pip install 'steadygrid[pictures]'" in refused.err
    assert made == []
    assert not (tmp_path / "none").exists()


def test_a_disk_that_is_full_is_told(
    command: Command, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundle, "write_whole", full)
    assert command("assets", "--directory", tmp_path) == (
        1,
        "",
        f"steadygrid: {tmp_path}: No space left on device\n",
    )
