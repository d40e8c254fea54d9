"""What the service answers can be judged elsewhere: by the referee of the command line."""

import json
from pathlib import Path

import pytest

from steadygrid.kinds import PROBLEMS
from tests.acceptance.client import Service
from tests.cli.commands import Command
from tests.cli.conftest import command

__all__ = ["command"]


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


@pytest.mark.parametrize("kind", [kind for kind in PROBLEMS if not PROBLEMS[kind].simulated])
def test_the_referee_takes_what_the_service_gives(
    service: Service, command: Command, kind: str, tmp_path: Path
) -> None:
    instance, result, schedule = fetched(service, kind, tmp_path, "")
    accepted = command("check", instance, result, schedule)
    assert accepted.code == 0, accepted.err
    assert accepted.out.startswith("accepted")
    document = json.loads(schedule.read_text(encoding="utf-8"))
    (name,) = {"runs", "slots", "events", "rows"} & document.keys()
    document[name] = document[name][:-1]
    schedule.write_text(json.dumps(document), encoding="utf-8")
    assert command("check", instance, result, schedule).code == 1


@pytest.mark.parametrize("kind", list(PROBLEMS))
def test_rounded_results_are_not_judged_but_asked_for_again(
    service: Service, command: Command, kind: str, tmp_path: Path
) -> None:
    refused = command("check", *fetched(service, kind, tmp_path, "?numbers=float"))
    assert refused.code == 2
    assert "fetch it without numbers=float" in refused.err
