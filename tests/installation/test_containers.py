"""The image and its composition, as far as they can be judged without an engine."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
import yaml

from app.server.run import SHUTDOWN_SECONDS
from tests.installation import one_job
from tests.tree import ROOT

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


def test_a_container_is_given_more_time_to_stop_than_its_server_takes() -> None:
    assert seconds(services()["api"]["stop_grace_period"]) > SHUTDOWN_SECONDS
    assert seconds(services()["worker"]["stop_grace_period"]) >= 60


def test_what_runs_for_ever_is_watched_bounded_and_restarted() -> None:
    for name in ("api", "worker", "postgres", "redis"):
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
