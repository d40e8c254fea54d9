"""``steadygrid audit``: what has been changed is listed, for people and for programs."""

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from app.db.audit import Action
from app.db.engine import Database
from app.db.migrate import upgrade
from tests.cli.commands import Command
from workers.commands.operating import actor


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The database that the command finds, with three lines."""
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    database = Database.open(f"sqlite:///{tmp_path / 'steadygrid.db'}")
    upgrade(database)
    for tenant, subject in (("a", "job_1"), ("bcd", "job_2"), ("a", "\x1b[31mred")):
        with database.write_all() as unit:
            unit.audit.write(tenant, actor(), Action.JOB_DELETED, subject)
    return database


def test_lines_are_listed_in_columns(database: Database, command: Command) -> None:
    done = command("audit")
    assert done.code == 0
    moment = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
    first, second, third = done.out.splitlines()
    who = re.escape(actor())
    assert re.fullmatch(rf"{moment}  a    {who}  job.deleted  job_1", first)
    assert re.fullmatch(rf"{moment}  bcd  {who}  job.deleted  job_2", second)
    assert "\x1b" not in third
    assert command("audit", "--tenant", "bcd", "--since", "1h").out == f"{second}\n"


def test_json_is_one_document_whatever_is_in_it(
    database: Database, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.commands.auditing._AT_ONCE", 2)
    listed = json.loads(command("audit", "--json").out)
    assert [line["subject"] for line in listed] == ["job_1", "job_2", "\x1b[31mred"]
    assert {line["actor"] for line in listed} == {actor()}
    assert all(datetime.fromisoformat(line["at"]).utcoffset() is not None for line in listed)
    assert json.loads(command("audit", "--json", "--tenant", "nobody").out) == []
    assert command("audit", "--tenant", "nobody") == (0, "", "")


@pytest.mark.parametrize("since", ["", "7", "0d", "-1d", "7w", "1.5h", "9999999999d", "7d\n"])
def test_what_is_no_duration_is_refused(command: Command, since: str) -> None:
    refused = command("audit", "--since", since)
    assert refused.code == 2
    assert "--since" in refused.err
    assert "90d or 12h" in refused.err


def test_keys_and_tenants_leave_lines(database: Database, command: Command) -> None:
    key = command("keys", "create", "--tenant", "new").out.split("_")[1]
    for _ in range(2):
        command("keys", "revoke", key)
    listed = json.loads(command("audit", "--json", "--tenant", "new").out)
    assert [(line["action"], line["subject"]) for line in listed] == [
        ("tenant.created", "new"),
        ("key.created", f"key {key}"),
        ("key.revoked", f"key {key}"),
    ]
    assert {line["actor"] for line in listed} == {actor()}


def test_without_a_database_the_command_says_so(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path / "none"))
    refused = command("audit")
    assert refused.code == 2
    assert "no tables yet" in refused.err
    assert not (tmp_path / "none").exists()
