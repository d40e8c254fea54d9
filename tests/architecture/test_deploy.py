"""What `deploy/` names exists: commands, settings, metrics, addresses; and units are sound."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from steadygrid.cli.command import main
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import quiet
from tests.tree import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAM = "/opt/steadygrid/bin/steadygrid"
FOREIGN = {"PGPASSWORD", "OMP_NUM_THREADS"}


def objects() -> list[dict[str, Any]]:
    read = yaml.safe_load((DEPLOY / "kubernetes" / "steadygrid.yaml").read_text(encoding="utf-8"))
    assert read["kind"] == "List"
    return list(read["items"])


def containers() -> dict[str, dict[str, Any]]:
    templates = [one["spec"]["template"] for one in objects() if "template" in one.get("spec", {})]
    found = [one for template in templates for one in template["spec"]["containers"]]
    return {one["name"]: one for one in found}


def commands() -> list[list[str]]:
    """List the command lines of units, containers, and the image."""
    found = [
        shlex.split(line.partition("=")[2].removeprefix("-"))
        for unit in UNITS
        for line in unit.read_text(encoding="utf-8").splitlines()
        if line.startswith(("ExecStart=", "ExecStop="))
    ]
    assert {one[0] for one in found} == {PROGRAM}
    pods = [one["command"] for one in containers().values()]
    hooks = [one["lifecycle"] for one in containers().values() if "lifecycle" in one]
    pods += [one["preStop"]["exec"]["command"] for one in hooks]
    return [one[1:] for one in (*found, *pods)]


def test_each_command_is_one_and_takes_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    asked = commands()
    assert len(asked) == 10
    for words in asked:
        options = [word for word in words if word.startswith("--")]
        verbs = words[: words.index(options[0])] if options else words
        with pytest.raises(SystemExit) as ended:
            main([*verbs, "--help"])
        assert ended.value.code == 0, words
        told = capsys.readouterr().out
        assert all(option in told for option in options), words


def test_each_setting_is_one() -> None:
    known = {f"STEADYGRID_{name.upper()}" for name in Settings.model_fields} | FOREIGN
    environment = {
        line.partition("=")[0]
        for line in (DEPLOY / "systemd" / "steadygrid.env").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    }
    (config,) = (one["data"] for one in objects() if one["kind"] == "ConfigMap")
    assert environment
    assert environment | config.keys() <= known
    named = set().union(
        *(
            re.findall(r"STEADYGRID_[A-Z_]+", path.read_text(encoding="utf-8"))
            for path in DEPLOY.rglob("*")
            if path.is_file()
        )
    )
    assert named <= known


def test_probes_ask_addresses_that_answer(tmp_path: Path) -> None:
    api = containers()["api"]
    probes = [api[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")]
    assert {one["path"] for one in probes} == {"/livez", "/readyz"}
    assert {one["port"] for one in probes} == {"http"} == {port["name"] for port in api["ports"]}
    application = create_app(quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path))
    with TestClient(application, base_url="http://localhost") as client:
        for address in ("/livez", "/readyz", "/metrics"):
            assert client.get(address).status_code == 200


def test_pods_run_without_rights_and_are_found_by_their_labels() -> None:
    for one in containers().values():
        rights = one["securityContext"]
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["capabilities"] == {"drop": ["ALL"]}
    for one in objects():
        if one["kind"] == "Deployment":
            labels = one["spec"]["template"]["metadata"]["labels"]
            assert one["spec"]["selector"]["matchLabels"] == labels
    api = containers()["api"]
    assert {one["image"] for one in containers().values()} == {api["image"]}
    (service,) = (one["spec"] for one in objects() if one["kind"] == "Service")
    assert service["selector"] == {"app": "steadygrid", "part": "api"}
    assert [port["targetPort"] for port in service["ports"]] == ["http"]


def expressions() -> list[str]:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "steadygrid-alerts.yml").read_text("utf-8"))
    board = json.loads((DEPLOY / "grafana" / "steadygrid.json").read_text("utf-8"))
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert all({"summary", "remedy"} == rule["annotations"].keys() for rule in alerts)
    targets = [target for panel in board["panels"] for target in panel["targets"]]
    return [one["expr"] for one in (*alerts, *targets)]


def test_alerts_and_board_ask_for_metrics_that_are_exported(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        client.post("/v1/jobs", json=BODY)
        resources = client.app.state.resources  # type: ignore[attr-defined]
        finish(resources.database, claim(resources.database))
        told = client.get("/metrics").text
    exported = set(re.findall(r"^# TYPE (\S+)", told, re.MULTILINE))
    exported |= {f"{name}_bucket" for name in exported} | {
        "steadygrid_broker_up",
        "steadygrid_messages",
    }
    labels = dict(re.findall(r"^(steadygrid_\w+)\{([^}]*)\}", told, re.MULTILINE))
    asked = expressions()
    assert len(asked) > 8
    for expression in asked:
        names = re.findall(r"\bsteadygrid_\w+", expression)
        assert names, expression
        assert set(names) <= exported, expression
        for name, by in re.findall(r"(steadygrid_\w+)\{(\w+)=", expression):
            assert f'{by}="' in labels[name], expression
        for by in re.findall(r"by \((\w+)\)", expression):
            assert f'{by}="' in labels[names[0]], expression


def test_the_proxy_is_that_of_the_documentation() -> None:
    written = (DEPLOY / "nginx" / "steadygrid.conf").read_text(encoding="utf-8").splitlines()
    told = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").splitlines()
    begin = told.index("        server {")
    shown = [line.removeprefix(" " * 8).rstrip() for line in told[begin : begin + len(written)]]
    assert shown == [line.rstrip() for line in written]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze, which reads the units, is not installed",
)
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true")
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    verify = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / UNITS[0].name).write_text("[Service]\nNoSuchMember=1\nExecStart=true\n")
    assert subprocess.run(verify, capture_output=True, check=False).stderr
