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
from kubernetes_validate import utils as schemas

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
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    pods += [one["command"] for one in composed.values() if "command" in one]
    ours = [one for one in pods if one[0] == "steadygrid"]
    return [one[1:] for one in (*found, *ours)]


def test_each_command_is_one_and_takes_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    asked = commands()
    assert len(asked) == 13
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
    for one in containers().values():
        assert {"cpu", "memory"} == one["resources"]["requests"].keys()
        assert "memory" in one["resources"]["limits"]
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


FIRING: dict[str, dict[str, str]] = {
    "SteadygridDatabaseDown": {"steadygrid_database_up": "0x180"},
    "SteadygridBrokerDown": {"steadygrid_broker_up": "0x180"},
    "SteadygridNoWorker": {"steadygrid_workers": "0x180"},
    "SteadygridQueueStands": {"steadygrid_oldest_queued_seconds": "1801x180"},
    "SteadygridRefereeRefuses": {
        'steadygrid_jobs_failed_total{kind="cell",code="invalid_schedule"}': "0x130 1x50"
    },
    "SteadygridJobsFail": {'steadygrid_jobs_failed_total{code="internal"}': "0+0.4x180"},
    "SteadygridPoison": {'steadygrid_jobs_failed_total{kind="cell",code="poison"}': "0x130 1x50"},
    "SteadygridLeasesLost": {'steadygrid_attempts_total{end="lease_lost"}': "0+0.2x180"},
    "SteadygridNoSweeper": {"steadygrid_sweeper_last_seconds": "301x180"},
    "SteadygridDeliveriesWait": {
        "steadygrid_oldest_delivery_seconds": "3601x180",
        "steadygrid_sender_last_seconds": "10x180",
    },
    "SteadygridNoSender": {"steadygrid_oldest_delivery_seconds": "301x180"},
    "SteadygridMixedVersions": {
        'steadygrid_worker_versions{version="1"}': "1x180",
        'steadygrid_worker_versions{version="2"}': "1x180",
    },
    "SteadygridErrors": {'steadygrid_http_requests_total{status="5xx"}': "0+7x180"},
}
"""What `/metrics` says each minute when just this alert has to fire."""
QUIET = {
    "steadygrid_database_up": "1x180",
    "steadygrid_broker_up": "1x180",
    "steadygrid_workers": "1x180",
    "steadygrid_oldest_queued_seconds": "1800x180",
    'steadygrid_jobs_failed_total{kind="cell",code="invalid_schedule"}': "7x180",
    'steadygrid_jobs_failed_total{kind="cell",code="internal"}': "0+0.3x180",
    'steadygrid_jobs_failed_total{kind="cell",code="poison"}': "3x180",
    'steadygrid_attempts_total{kind="cell",end="lease_lost"}': "0+0.05x180",
    "steadygrid_sweeper_last_seconds": "300x180",
    "steadygrid_oldest_delivery_seconds": "3600x180",
    "steadygrid_sender_last_seconds": "299x180",
    'steadygrid_worker_versions{version="1"}': "1x180",
    'steadygrid_worker_versions{version="2"}': "0x180",
    'steadygrid_http_requests_total{status="5xx"}': "0+5x180",
}
"""What it says when none has to."""


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool, which reads the alerts, is not installed"
)
def test_prometheus_fires_each_alert_where_it_is_needed_and_no_other(tmp_path: Path) -> None:
    rules = DEPLOY / "prometheus" / "steadygrid-alerts.yml"
    groups = yaml.safe_load(rules.read_text("utf-8"))["groups"]
    assert [rule["alert"] for group in groups for rule in group["rules"]] == [*FIRING]
    tests = [_alert_test(series, [name]) for name, series in FIRING.items()]
    tests.append(_alert_test(QUIET, []))
    assert _promtool(tmp_path, rules, tests) == (0, "")
    wrong = _alert_test(QUIET, ["SteadygridErrors"])
    assert _promtool(tmp_path, rules, [wrong])[0] != 0


def _alert_test(series: dict[str, str], firing: list[str]) -> dict[str, Any]:
    asked = {
        "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
        "eval_time": "175m",
        "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in firing],
    }
    given = [{"series": name, "values": values} for name, values in series.items()]
    return {"interval": "1m", "input_series": given, "promql_expr_test": [asked]}


def _promtool(folder: Path, rules: Path, tests: list[dict[str, Any]]) -> tuple[int, str]:
    file = folder / "tests.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(rules)], "tests": tests}), "utf-8")
    asked = ["promtool", "test", "rules", str(file)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_manifests_fit_the_schemas_of_kubernetes() -> None:
    oldest, newest = schemas.all_versions()[0], schemas.all_versions()[-1]
    for version in (oldest, newest):
        for one in objects():
            schemas.validate(one, version, strict=True)
        (deployment, *_) = (one for one in objects() if one["kind"] == "Deployment")
        deployment["spec"]["replica"] = 2
        with pytest.raises(schemas.ValidationError):
            schemas.validate(deployment, version, strict=True)
