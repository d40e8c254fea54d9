"""The example that posts what a Prometheus exporter measured."""

import json
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.http.conftest import listening, quiet
from tests.http.processes import PATIENCE
from tests.http.test_replans import FIGURE_3
from tests.tree import ROOT

FOLDER = ROOT / "examples" / "monitoring"


def test_samples_of_a_text_file_become_measurements_of_a_platform(tmp_path: Path) -> None:
    rules = json.loads((FOLDER / "rules.json").read_text())
    more = tmp_path / "rules.json"
    more.write_text(json.dumps([*rules, {"metric": "node_load5", "processor": "P3"}]))
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path)
    with listening(settings) as address:

        def ask(method: str, path: str, body: Any = None) -> Any:
            text = None if body is None else json.dumps(body)
            with closing(HTTPConnection(*address, PATIENCE)) as service:
                service.request(method, path, text, {"Content-Type": "application/json"})
                return json.load(service.getresponse())

        platform = FIGURE_3["problem"]["platform"]
        place = ask("POST", "/v1/platforms", platform)["links"]["self"]
        script = str(FOLDER / "post_measurements.py")
        host, port = address
        done = subprocess.run(
            [
                *(sys.executable, script, str(FOLDER / "metrics.prom"), str(more)),
                f"http://{host}:{port}{place}",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["stored"] == 2
        assert "node_load5" in done.stderr
        told = ask("GET", f"{place}/measurements")["items"]
    # Two cores of 1.2 GHz, and one that says no number; a rate of the link, in MB/s.
    assert {one["resource"]: one["value"] for one in told} == {
        "processor:P2": "2/5",
        "link:P2->P4": "19/20",
    }
