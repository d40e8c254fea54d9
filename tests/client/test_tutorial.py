"""What the tutorial of the client shows is what the service answers."""

import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from app.db.engine import Database
from tests.examples.shown import blocks
from tests.http.conftest import listening, quiet
from tests.http.solving import solve_next
from tests.tree import ROOT

PAGE = ROOT / "docs" / "service-client.md"
SHOWN = re.compile(r"(.+?) {2,}# (.+)")


def test_the_client_of_the_tutorial_gets_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    text = PAGE.read_text(encoding="utf-8").partition("## Without Python")[0]
    lines = [line for block in blocks(text) for line in block if line]
    compared = 0
    with listening(settings) as (host, port):
        url = f"http://{host}:{port}"
        names: dict[str, Any] = {}
        database = Database.open(settings.effective_database_url)
        worker = threading.Thread(target=_work, args=(url, database), daemon=True)
        worker.start()
        for line in lines:
            if found := SHOWN.fullmatch(line):
                assert repr(eval(found[1], names)) == found[2]
                compared += 1
            else:
                exec(line.replace("http://127.0.0.1:8000", url), names)
        worker.join()
        database.close()
    assert compared == 6


def _work(url: str, database: Database) -> None:
    """Solve the job that is submitted, and the one that plans again."""
    with sg.Client(url) as client:
        for _ in range(2):
            while not list(client.jobs(state="queued")):
                time.sleep(0.01)
            solve_next(database)
