"""``steadygrid tenants``: who there is, changed from a terminal."""

import json
from pathlib import Path

import pytest

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.db.new_jobs import NewJob
from tests.cli.commands import Command

USUAL = {
    "queued_jobs": None,
    "sweep_jobs": None,
    "running_jobs": None,
    "requests_per_minute": None,
    "waiting_requests": 250,
    "solver_seconds_per_day": None,
    "stored_bytes": None,
    "time_limit": 3600,
    "priority": 9,
    "retention_days": 90,
}
OWN = {
    "queued_jobs": 500,
    "sweep_jobs": 7,
    "running_jobs": 0,
    "requests_per_minute": 60,
    "waiting_requests": 4,
    "solver_seconds_per_day": 3600,
    "stored_bytes": 10**18,
    "time_limit": 20,
    "priority": 3,
    "retention_days": 0,
}


REFUSED = (
    (["create", "Bob"], "1 to 63 lower-case letters, digits and hyphens"),
    (["create", "bob"], "already"),
    (["show", "bo"], "Did you mean bob?"),
    (["set", "nobody", "priority=1"], "no tenant nobody"),
    (["delete", "nobody"], "no tenant nobody"),
    (["delete", LOCAL_TENANT], "It stays"),
    (["set", "bob", "queued"], "Did you mean queued-jobs?"),
    (["set", "bob", "priority=1", "priority=2"], "twice"),
    (["set", "bob", "priority=10"], "from 0 to 9"),
    (["set", "bob", "time-limit=0"], "from 1 to 3,600"),
    (["set", "bob", "queued-jobs=-1"], "whole number"),
    (["set", "bob", "queued-jobs=1e3"], "whole number"),
    (["set", "bob", "queued-jobs=" + "9" * 5000], "whole number"),
)


@pytest.fixture(autouse=True)
def embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Commands look into a database of their own."""
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    return f"sqlite:///{tmp_path / 'steadygrid.db'}"


def test_a_tenant_is_made_changed_shown_and_deleted(command: Command) -> None:
    assert command("tenants", "create", "bob").out == "made tenant bob\n"
    given = [f"{name.replace('_', '-')}={value}" for name, value in OWN.items()]
    assert command("tenants", "set", "bob", "retention-days=30").code == 0
    assert "retention-days=30" in command("tenants", "list").out
    assert command("tenants", "show", "bob").out.splitlines()[-1].split() == [
        "retention-days",
        "30",
    ]
    assert json.loads(command("tenants", "show", "bob", "--json").out)["retention_days"] == 30
    assert command("tenants", "set", "bob", "retention-days=default").code == 0
    assert json.loads(command("tenants", "show", "bob", "--json").out)["retention_days"] is None
    assert command("tenants", "set", "bob", *given).code == 0
    shown = json.loads(command("tenants", "show", "bob", "--json").out)
    assert (shown["quotas"], shown["overrides"]) == (OWN, OWN)
    assert command("tenants", "set", "bob", "time-limit=default", "priority=none").code == 0
    (bob, local) = json.loads(command("tenants", "list", "--json").out)
    assert bob["quotas"] == OWN | {"time_limit": 3600, "priority": 9}
    assert (local["name"], local["quotas"]) == (LOCAL_TENANT, USUAL)
    listed = command("tenants", "list").out.splitlines()
    assert listed[0].split() == [
        "tenant",
        "queued",
        "of",
        "sweeps",
        "running",
        "solver",
        "s",
        "today",
        "stored",
        "bytes",
        "not",
        "the",
        "default",
    ]
    assert "queued-jobs=500 sweep-jobs=7 running-jobs=0" in listed[1]
    told = command("tenants", "show", "bob").out
    assert "has 0, usually any number" in told
    assert "has used 0.0 today, UTC, usually any number" in told
    assert command("tenants", "delete", "bob").out == "deleted tenant bob\n"
    audited = [
        (line["action"], line["subject"]) for line in json.loads(command("audit", "--json").out)
    ]
    assert audited == [
        ("tenant.created", "bob"),
        ("tenant.changed", "bob retention-days=30"),
        ("tenant.changed", "bob retention-days=default"),
        ("tenant.changed", " ".join(("bob", *given))),
        ("tenant.changed", "bob time-limit=default priority=none"),
        ("tenant.deleted", "bob"),
    ]
    assert command("tenants", "show", "bob").code == 2


def test_programs_read_what_was_done_to_a_tenant(command: Command) -> None:
    for arguments, told in (
        (("create", "bob"), {"name": "bob"}),
        (
            ("set", "bob", "queued-jobs=5", "priority=default"),
            {"name": "bob", "changed": {"queued_jobs": 5, "priority": None}},
        ),
        (("delete", "bob"), {"name": "bob", "deleted_rows": 0}),
    ):
        assert json.loads(command("tenants", *arguments, "--json").out) == told


def test_a_tenant_with_jobs_is_deleted_only_with_them(command: Command, embedded: str) -> None:
    command("tenants", "create", "bob")
    database = Database.open(embedded)
    with database.write("bob") as unit:
        for _ in range(51):
            unit.jobs.add(NewJob.create("cell", {}))
    kept = command("tenants", "delete", "bob")
    assert (kept.code, "--with-jobs" in kept.err) == (2, True)
    assert json.loads(command("tenants", "show", "bob", "--json").out)["queued"] == 51
    assert "51" in command("tenants", "delete", "bob", "--with-jobs").out
    with database.write("bob") as unit:
        assert not unit.tenants.has_data("bob")
        unit.jobs.add(NewJob.create("cell", {}))
    left = command("tenants", "create", "bob")
    assert (left.code, "--with-jobs" in left.err) == (2, True)
    assert command("tenants", "delete", "bob", "--with-jobs").code == 0
    assert command("tenants", "create", "bob").code == 0
    database.close()


def test_what_cannot_be_is_refused_in_a_sentence(command: Command) -> None:
    command("tenants", "create", "bob")
    for arguments, said in REFUSED:
        refused = command("tenants", *arguments)
        assert refused.code == 2, arguments
        assert said in refused.err


def test_where_there_is_no_database_nothing_is_listed(command: Command) -> None:
    refused = command("tenants", "list")
    assert refused.code == 2
    assert "no tables yet" in refused.err
