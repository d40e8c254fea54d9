"""Faults found piece by piece are those that are found at once."""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from steadygrid.domain.errors import Pointer
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.shared import piecewise
from steadygrid.kinds.shared.piecewise import findings_by_pieces, findings_of

WRONG: list[Any] = [None, True, -1, "x y", "1/0", 1.5, [], {}, {"id": 7}, ["P1", 3], "a->b"]


def places(part: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """All places in a JSON document but its root."""
    members: Iterable[tuple[str | int, Any]] = ()
    if isinstance(part, dict | list):
        members = part.items() if isinstance(part, dict) else enumerate(part)
    for step, member in members:
        yield (*at, step)
        yield from places(member, (*at, step))


def spoilt(kind: str, seed: int) -> dict[str, Any]:
    """Break an example at a few places: another value, one less, or one more."""
    random = Random(f"{kind} {seed}")
    document: dict[str, Any] = json.loads(json.dumps(PROBLEMS[kind].example["problem"]))
    for _ in range(random.randint(1, 4)):
        listed = [at for at in places(document) if at != ("kind",)]
        if not listed:
            break
        at = random.choice(listed)
        part: Any = document
        for step in at[:-1]:
            part = part[step]
        match random.choice(["change", "change", "leave out", "add"]):
            case "leave out" if isinstance(part, dict):
                del part[at[-1]]
            case "add" if isinstance(part, dict):
                part["strange"] = 1
            case _:
                part[at[-1]] = deepcopy(random.choice(WRONG))
    return document


Findings = set[tuple[Pointer, str]]


def count(part: Any) -> int:
    """Count JSON values."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return 1 + sum(map(count, inner))


def findings_at_once(model: type[BaseModel], document: Any) -> Findings:
    try:
        model.model_validate(document)
    except ValidationError as error:
        return {(location, code) for location, code, _ in findings_of(model, error)}
    return set()


def is_due(document: Any, location: Pointer, piece: int) -> bool:
    """Tell whether a place lies in a short entry of a long list."""
    part = document
    for step in location:
        if isinstance(step, int):
            return count(part[step]) <= piece < count(part)
        if not isinstance(part, dict) or step not in part:
            return False
        part = part[step]
    return False


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
def test_pieces_have_the_faults_of_the_whole(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = PROBLEMS[kind].instance
    documents = [spoilt(kind, seed) for seed in range(250)]
    at_once = [findings_at_once(model, document) for document in documents]
    all_due = 0
    for piece in (1, 6, 12):
        monkeypatch.setattr(piecewise, "PIECE", piece)
        for document, expected in zip(documents, at_once, strict=True):
            found = {(at, code) for at, code, _ in findings_by_pieces(model, document)}
            due = {finding for finding in expected if is_due(document, finding[0], piece)}
            assert due <= found <= expected
            all_due += len(due)
    assert all_due > 50 or PROBLEMS[kind].simulated, "its documents are read as wholes"


def test_long_lists_of_cards_are_looked_at_in_pieces() -> None:
    """They are one of two alternatives: a number, or names."""
    cards: list[Any] = ["eth0"] * piecewise.PIECE + [7]
    body = {"platform": {"processors": [{"id": "P", "cards": cards}]}}
    found = findings_by_pieces(PROBLEMS["master_worker"].instance, body)
    place = ("platform", "processors", 0, "cards", "names", piecewise.PIECE)
    assert [(at, code) for at, code, _ in found] == [(place, "string_type")]
