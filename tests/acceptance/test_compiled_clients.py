"""Clients of other languages, written by generators: they compile, and make five calls.

`make client-tools` brings the generators. What a machine lacks is skipped.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.acceptance.client import Service
from tests.tree import ROOT

TOOLS = ROOT / "build" / "clients"
GENERATOR = TOOLS / "bin" / "openapi-generator-cli"
VALIDATOR = TOOLS / "bin" / "openapi-spec-validator"
NODE_TOOLS = TOOLS / "node_modules" / ".bin"
PROGRAMS = ROOT / "tests" / "acceptance" / "clients"
PROPERTIES = "enumClassPrefix=true,packageName=steadygrid,useOneOfDiscriminatorLookup=true"
BODY = json.dumps(PROBLEMS["master_worker"].example)
TYPESCRIPT = ("--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "commonjs")


def needed(*tools: Path | str) -> None:
    for tool in tools:
        if shutil.which(str(tool)) is None:
            pytest.skip(f"{Path(tool).name} is not here: make client-tools")


def run(*command: Path | str, cwd: Path, **more: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=os.environ | more,
        timeout=150,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def document(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The OpenAPI document of a service, in a file."""
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_bytes(service.get("/openapi.json").body)
    return path


def generate(document: Path, generator: str, place: Path) -> None:
    needed(GENERATOR)
    more = ("--additional-properties", PROPERTIES)
    run(GENERATOR, "generate", "-i", document, "-g", generator, "-o", place, *more, cwd=place)


def check_calls(said: str, service: Service) -> None:
    """Compare the five answers that a client printed with what the service says."""
    told: Mapping[str, Any] = json.loads(said.splitlines()[-1])
    assert told["kinds"] == [one["kind"] for one in service.read("/v1/problems")["items"]]
    job = service.read(f"/v1/jobs/{told['job']}")
    assert (told["state"], told["schedule"]) == ("succeeded", job["schedule"])
    assert told["value"] == service.read(f"/v1/jobs/{told['job']}/result")["objective"]["value"]
    allocations = service.read(f"/v1/schedules/{told['schedule']}/allocations")["items"]
    assert told["allocations"] == len(allocations) > 0


def test_the_document_is_that_of_its_version(document: Path) -> None:
    needed(VALIDATOR, GENERATOR)
    run(VALIDATOR, "--schema", "3.1", document, cwd=document.parent)
    run(GENERATOR, "validate", "-i", document, cwd=document.parent)


def test_types_for_typescript_compile(document: Path, tmp_path: Path) -> None:
    needed(NODE_TOOLS / "openapi-typescript", NODE_TOOLS / "tsc")
    run(NODE_TOOLS / "openapi-typescript", document, "-o", "api.d.ts", cwd=tmp_path)
    run(NODE_TOOLS / "tsc", *TYPESCRIPT, "--noEmit", "api.d.ts", cwd=tmp_path)


def test_a_client_in_typescript_makes_five_calls(
    document: Path, service: Service, tmp_path: Path
) -> None:
    needed(NODE_TOOLS / "tsc", "node")
    generate(document, "typescript-fetch", tmp_path)
    shutil.copy(PROGRAMS / "calls.ts", tmp_path)
    run(NODE_TOOLS / "tsc", *TYPESCRIPT, "calls.ts", cwd=tmp_path)
    check_calls(run("node", "calls.js", service.url, BODY, cwd=tmp_path), service)


def test_a_client_in_go_makes_five_calls(document: Path, service: Service, tmp_path: Path) -> None:
    needed("go")
    generate(document, "go", tmp_path)
    shutil.rmtree(tmp_path / "test")  # needs a package of its own
    fetched = subprocess.run(
        ["go", "mod", "tidy"], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    if fetched.returncode:
        pytest.skip("the modules of Go are out of reach")
    place = tmp_path / "calls"
    place.mkdir()
    shutil.copy(PROGRAMS / "calls.go.txt", place / "main.go")
    check_calls(run("go", "run", "./calls", service.url, BODY, cwd=tmp_path), service)


def test_a_client_in_java_compiles(document: Path, tmp_path: Path) -> None:
    needed("mvn", "javac")
    generate(document, "java", tmp_path)
    fetched = subprocess.run(
        ["mvn", "-q", "dependency:resolve"],
        cwd=tmp_path,
        capture_output=True,
        timeout=100,
        check=False,
    )
    if fetched.returncode:
        pytest.skip("the packages of Maven are out of reach")
    run("mvn", "-q", "-DskipTests", "compile", cwd=tmp_path)
