"""The image and its composition, as far as they can be judged without an engine."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from app.server.run import SHUTDOWN_SECONDS
from tests.databases import postgres
from tests.installation import one_job
from tests.tree import ROOT

__all__ = ["postgres"]

VARIABLE = re.compile(r"\$\{([A-Z_]+):\?[^}]+\}")
PASSWORDS = ["plain", "p@ss:w/rd 100%40#?&= 'x' \"y\" \\z ünï"]


def composition() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return found


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = composition()["services"]
    return found


def interpolated(environment: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Do what the engine does with variables that must be set."""
    return {
        name: VARIABLE.sub(lambda match: values[match[1]], text)
        for name, text in environment.items()
    }


def seconds(text: str) -> int:
    assert text.endswith("s")
    return int(text.removesuffix("s"))


OURS = ("migrations", "api", "worker")


def image_command() -> list[str]:
    """What the image runs unless it is told otherwise."""
    (line,) = re.findall(r"^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    command: list[str] = json.loads(line)
    return command


def test_one_service_builds_the_image_and_the_others_wait_for_it() -> None:
    assert [name for name, service in services().items() if "build" in service] == ["migrations"]
    assert {services()[name]["image"] for name in OURS} == {"steadygrid"}
    for name in ("api", "worker"):
        service = services()[name]
        assert service["pull_policy"] == "never"
        assert service["depends_on"]["migrations"] == {
            "condition": "service_completed_successfully"
        }


def test_no_password_works_without_being_set() -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    used = re.findall(r"\$\{[^}]*\}", text)
    assert used
    assert all(VARIABLE.fullmatch(one) for one in used)
    assert "PASSWORD: steadygrid" not in text


def test_the_services_run_what_an_installation_was_tried_with() -> None:
    assert tuple(image_command()[: len(one_job.API)]) == one_job.API
    assert "command" not in services()["api"]
    assert tuple(services()["migrations"]["command"]) == one_job.MIGRATIONS
    assert tuple(services()["worker"]["command"]) == one_job.WORKER
    assert tuple(services()["worker"]["healthcheck"]["test"]) == ("CMD", *one_job.WORKER_HEALTH)


def test_what_solves_and_answers_writes_only_where_it_may() -> None:
    for name in (*OURS, "sender", "backup"):
        service = services()[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    for name in (*OURS, "sender"):
        service = services()[name]
        assert service["environment"]["STEADYGRID_DATA_DIR"] in service["tmpfs"]
        assert "user" not in service
    assert re.findall(r"^USER (.+)$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE) == [
        "steadygrid"
    ]


def test_only_what_answers_and_what_sends_reaches_other_machines() -> None:
    assert composition()["networks"]["inside"] == {"internal": True}
    outside = {name for name, one in services().items() if one["networks"] != ["inside"]}
    assert outside == {"api", "sender"}


@pytest.mark.postgres
@pytest.mark.skipif(
    shutil.which("pg_dump") is None, reason="pg_dump, which makes backups, is not installed"
)
def test_a_backup_is_made_whole_and_old_ones_go(postgres: str, tmp_path: Path) -> None:
    backup = services()["backup"]
    shell, option, script = backup["command"]
    assert "steadygrid-$$(date +%F).dump" in script
    assert set(re.findall(r"\$.", script)) == {"$$"}
    script = script.replace("$$", "$").replace("/backups", str(tmp_path))
    assert script.count("sleep 86400") == 1
    old = tmp_path / "steadygrid-2026-01-01.dump"
    kept = tmp_path / "steadygrid-2026-01-02.dump"
    for file, days in ((old, 8), (kept, 5)):
        file.touch()
        then = time.time() - days * 86_400
        os.utime(file, (then, then))

    def run(url: str) -> None:
        asked = urlsplit(url)
        place = {"PGHOST": asked.hostname, "PGPORT": asked.port, "PGUSER": asked.username}
        given = {name: str(one) for name, one in place.items() if one is not None}
        given["PGDATABASE"] = asked.path.removeprefix("/")
        command = [shell, option, script.replace("sleep 86400", "exit 0")]
        subprocess.run(command, env=os.environ | given, stderr=subprocess.DEVNULL, check=True)

    run(f"{postgres}_that_is_not_there")
    # As long as none is made, none goes.
    assert set(tmp_path.glob("*.dump")) == {old, kept}
    run(postgres)
    (made,) = (one for one in tmp_path.iterdir() if one not in (old, kept))
    assert re.fullmatch(r"steadygrid-\d{4}-\d\d-\d\d\.dump", made.name)
    assert made.stat().st_mode & 0o077 == 0
    assert kept.exists()
    assert not old.exists()
    listed = subprocess.run(["pg_restore", "--list", made], capture_output=True, check=True)
    assert b"TABLE DATA public jobs" in listed.stdout
    kind, healthy = backup["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    healthy = healthy.replace("/backups", str(tmp_path))
    assert subprocess.run(healthy, shell=True, check=False).returncode == 0
    made.unlink()
    assert subprocess.run(healthy, shell=True, check=False).returncode != 0


def test_a_container_is_given_more_time_to_stop_than_its_server_takes() -> None:
    assert seconds(services()["api"]["stop_grace_period"]) > SHUTDOWN_SECONDS
    assert seconds(services()["worker"]["stop_grace_period"]) >= 60


def test_what_runs_for_ever_is_watched_bounded_and_restarted() -> None:
    for name in ("api", "worker", "postgres", "redis", "backup"):
        service = services()[name]
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"]
        assert service["logging"]["options"]["max-size"]
    assert all("mem_limit" in services()[name] for name in ("api", "worker"))
    assert "-h" in services()["postgres"]["healthcheck"]["test"]


@contextmanager
def postgres_that_asks_for_a_password() -> Iterator[tuple[int, list[str]]]:
    """A server that asks for the password in clear text, writes it down and hangs up."""
    heard: list[str] = []

    def exactly(connection: socket.socket, length: int) -> bytes:
        data = b""
        while len(data) < length:
            data += connection.recv(length - len(data)) or pytest.fail("the client hung up")
        return data

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            while True:
                length = int.from_bytes(exactly(connection, 4), "big")
                asked = exactly(connection, length - 4)
                if asked[:2] == b"\x00\x03":
                    break
                connection.sendall(b"N")  # no encryption here
            connection.sendall(b"R" + (8).to_bytes(4, "big") + (3).to_bytes(4, "big"))
            assert exactly(connection, 1) == b"p"
            length = int.from_bytes(exactly(connection, 4), "big")
            heard.append(exactly(connection, length - 4).rstrip(b"\x00").decode())

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=[listener])
        thread.start()
        yield listener.getsockname()[1], heard
        thread.join()


@pytest.mark.parametrize("password", PASSWORDS)
def test_any_password_reaches_the_database_as_it_is(password: str) -> None:
    environment = interpolated(services()["worker"]["environment"], {"POSTGRES_PASSWORD": password})
    with postgres_that_asks_for_a_password() as (port, heard):
        here = {"PGHOSTADDR": "127.0.0.1", "PGPORT": str(port)}
        subprocess.run(
            [sys.executable, "-m", "workers.health"],
            env=os.environ | environment | here,
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    assert heard == [password]


def test_the_image_is_built_of_what_the_context_lets_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_through = {line[1:] for line in ignored if line.startswith("!")}
    copied = re.findall(r"^COPY (.*)$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    sources = {source for line in copied for source in line.split()[:-1]}
    assert sources == let_through
