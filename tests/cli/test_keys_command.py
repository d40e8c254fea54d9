"""``steadygrid keys``: making, listing and revoking keys, also while the service runs."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.http.processes import served, until

KEY = re.compile(r"sk_[a-z]{8}_[0-9A-Za-z]{32}\n")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    for name in ("STEADYGRID_DATABASE_URL", "STEADYGRID_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


def test_a_key_is_shown_once_listed_and_revoked(command: Command) -> None:
    made = command("keys", "create", "--tenant", "physics", "--expires", "90d")
    assert made.code == 0
    assert KEY.fullmatch(made.out)
    assert "the new tenant physics (read, submit, for 90d)" in made.err
    other = command("keys", "create", "--tenant", "physics", "--scope", "admin", "--scope", "read")
    assert "of the tenant physics (admin, read)" in other.err
    own = made.out.split("_")[1]

    table = command("keys", "list").out
    assert re.search(rf"^{own}  physics  read submit  valid  20.*Z  20.*Z  -$", table, re.MULTILINE)
    assert made.out.split("_")[2].strip() not in table

    revoked = command("keys", "revoke", own)
    assert (revoked.code, revoked.out.split()[:2]) == (0, ["key", own])
    assert "revoked before" in command("keys", "revoke", made.out.strip()).out
    listed = json.loads(command("keys", "list", "--json").out)
    assert {one["id"]: one["state"] for one in listed} == {
        own: "revoked",
        other.out.split("_")[1]: "valid",
    }
    told = json.loads(command("audit", "--json").out)
    assert [(line["action"], line["tenant"]) for line in told] == [
        ("tenant.created", "physics"),
        ("key.created", "physics"),
        ("key.created", "physics"),
        ("key.revoked", "physics"),
    ]


def test_programs_read_what_was_made_and_revoked(command: Command) -> None:
    made = json.loads(
        command("keys", "create", "--tenant", "physics", "--expires", "1h", "--json").out
    )
    own, key = made.pop("id"), made.pop("key")
    assert KEY.fullmatch(f"{key}\n")
    assert key.split("_")[1] == own
    assert made == {
        "tenant": "physics",
        "new_tenant": True,
        "scopes": ["read", "submit"],
        "expires_in_seconds": 3600,
    }
    for before in (False, True):
        told = json.loads(command("keys", "revoke", own, "--json").out)
        assert told == {"id": own, "tenant": "physics", "revoked_before": before}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("create", "--tenant", "Physics"), "no name of a tenant"),
        (("create", "--tenant", "a" * 64), "no name of a tenant"),
        (("create", "--tenant", ""), "no name of a tenant"),
        (("create", "--tenant", "a", "--expires", "soon"), "--expires 'soon'"),
        (("create", "--tenant", "a", "--expires", "0d"), "--expires '0d'"),
        (("create", "--tenant", "a", "--expires", "999999999d"), "at most 36500d"),
        (("create", "--tenant", "a", "--scope", "write"), "write"),
        (("create",), "--tenant"),
        (("revoke", "abcdefgh"), "there is no key 'abcdefgh'"),
        (("revoke", "../x\x1b"), "there is no key"),
    ],
)
def test_what_cannot_be_is_refused(command: Command, arguments: tuple[str, ...], said: str) -> None:
    command("keys", "create", "--tenant", "other")
    before = command("keys", "list").out
    refused = command("keys", *arguments)
    assert refused.code == 2
    assert said in refused.err
    assert command("keys", "list").out == before


def test_without_tables_there_is_nothing_to_list(command: Command, tmp_path: Path) -> None:
    refused = command("keys", "list", "--data-dir", tmp_path / "none")
    assert refused.code == 2
    assert "no tables yet" in refused.err


def test_keys_are_made_and_revoked_while_a_service_runs(command: Command, tmp_path: Path) -> None:
    with served(tmp_path, "serve", auth="keys") as service:
        place = ("--data-dir", tmp_path / "data")
        key = command("keys", "create", "--tenant", "physics", *place).out.strip()

        def status() -> int:
            return service.ask("GET", "/v1/jobs", key=key).status

        assert service.ask("GET", "/v1/jobs").status == 401
        assert status() == 200
        command("keys", "revoke", key, *place)
        until(lambda: status() == 401)
