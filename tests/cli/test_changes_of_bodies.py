"""``--set PATH=VALUE`` puts values into the body, as sweeps name places."""

import json
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, write

BODY: dict[str, Any] = {"problem": dict(PROBLEMS["master_worker"].example["problem"])}
LINK = "/problem/platform/links/[source=P1,target=P2]/unit_time"


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return write(tmp_path / "body.json", BODY)


def test_a_path_puts_a_value_into_the_body(command: Command, body: Path) -> None:
    quoted = '/problem/platform/links/[source="P1",target=P3]/unit_time=1/3'
    code, out, err = command(
        "solve", body, "--set", f"{LINK}=2", "--set", quoted, "--set", "mip_gap=1/9", "--print-body"
    )
    assert (code, err) == (0, "")
    assert json.loads(out) == BODY | {
        "options": {"mip_gap": "1/9"},
        "changes": [
            {"at": LINK, "value": 2},
            {"at": quoted.removesuffix("=1/3"), "value": "1/3"},
        ],
    }


def test_what_it_puts_is_solved(command: Command, body: Path) -> None:
    slower = "/problem/platform/links/*/unit_time=1000000"
    code, out, _ = command("solve", body, "--set", slower, "--json")
    assert code == 0
    found = json.loads(out)
    processors = BODY["problem"]["platform"]["processors"]
    alone = next(one for one in processors if one["id"] == BODY["problem"]["master"])
    work = BODY["problem"]["task"].get("work", 1)
    least = 1 / (work * float(alone["unit_time"]))
    assert least <= float(found["objective"]["approx"]) < least * 1.01


def test_a_fault_names_the_path(command: Command, body: Path) -> None:
    astray = LINK.replace("P2", "P9")
    code, _, err = command("solve", body, "--set", f"{LINK}=0", "--set", f"{astray}=2")
    assert code == 2
    assert f"--set {astray}: no entry of this list" in err
    code, _, err = command("solve", body, "--set", f"{LINK}=0")
    assert f"--set {LINK}: must be greater than zero" in err
