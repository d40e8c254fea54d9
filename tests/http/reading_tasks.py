"""What tests have done in the process that reads bodies."""

import os
import sys
import time
from pathlib import Path
from typing import NoReturn

from app.db.errors import DatabaseUnavailableError
from app.http.refusals import Refusal, RefusedPart
from app.http.sources import Sources
from steadygrid.domain.errors import Fault, InstanceError

LINE = 0.01
SECRET = "what was sent"


def echo(_sources: Sources, content: bytes, more: str) -> tuple[int, bytes, str]:
    return os.getpid(), content[::-1], more


def tenants(sources: Sources, _content: bytes) -> list[str]:
    with sources.database.read_all() as unit:
        return [one.name for one in unit.tenants.all()]


def line(_sources: Sources, _content: bytes, name: str, folder: str) -> str:
    """Say that it has begun, and wait until it is let go."""
    with (Path(folder) / "begun").open("a") as begun:
        begun.write(f"{name}\n")
    while not (Path(folder) / name).exists():
        time.sleep(LINE)
    return name


def sleep(_sources: Sources, _content: bytes, folder: str) -> NoReturn:
    (Path(folder) / "pid").write_text(str(os.getpid()))
    while True:
        time.sleep(600)


def grow(_sources: Sources, _content: bytes) -> NoReturn:
    held = []
    while True:
        held.append(bytearray(2**20))


def die(_sources: Sources, _content: bytes) -> NoReturn:
    print("last words", file=sys.stderr, flush=True)
    os._exit(9)


def refuse(_sources: Sources, _content: bytes) -> NoReturn:
    part = RefusedPart(pointer="#/a", code="odd", detail="it is odd")
    raise Refusal("invalid_request", "No.", errors=[part], headers={"Retry-After": "7"})


def find_fault(_sources: Sources, _content: bytes) -> NoReturn:
    raise InstanceError(faults=[Fault(("a", 0), "odd", "it is odd")])


def lose_database(_sources: Sources, _content: bytes) -> NoReturn:
    raise DatabaseUnavailableError("away")


def stumble(_sources: Sources, _content: bytes) -> NoReturn:
    raise KeyError(SECRET)
