"""What the service answers can be judged elsewhere: by the referee of the command line."""

import json
import subprocess
from pathlib import Path

import pytest

from steadygrid.problems import PROBLEMS
from tests.acceptance.client import STEADYGRID, Service, without_settings


def fetched(service: Service, kind: str, place: Path, numbers: str) -> list[Path]:
    """Save what the service gives of a kind's example: instance, result, schedule."""
    job = service.post("/v1/jobs?wait=60", dict(PROBLEMS[kind].example)).json
    files = {
        "instance": f"/v1/jobs/{job['id']}/instance",
        "result": f"/v1/jobs/{job['id']}/result{numbers}",
        "schedule": f"/v1/schedules/{job['schedule']}/document",
    }
    for name, path in files.items():
        (place / name).write_bytes(service.get(path).body)
    return [place / name for name in files]


def check(*files: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [STEADYGRID, "check", *files],
        env=without_settings(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("kind", list(PROBLEMS))
def test_the_referee_takes_what_the_service_gives(
    service: Service, kind: str, tmp_path: Path
) -> None:
    instance, result, schedule = fetched(service, kind, tmp_path, "")
    accepted = check(instance, result, schedule)
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stdout.startswith("accepted")
    document = json.loads(schedule.read_text(encoding="utf-8"))
    name = "slots" if document["period"] else "events"
    document[name] = document[name][:-1]
    schedule.write_text(json.dumps(document), encoding="utf-8")
    assert check(instance, result, schedule).returncode == 1


@pytest.mark.parametrize("kind", list(PROBLEMS))
def test_rounded_results_are_not_judged_but_asked_for_again(
    service: Service, kind: str, tmp_path: Path
) -> None:
    refused = check(*fetched(service, kind, tmp_path, "?numbers=float"))
    assert refused.returncode == 2
    assert "fetch it without numbers=float" in refused.stderr
