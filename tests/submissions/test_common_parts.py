"""What bodies have in common is read once, and what comes of it is what reading all of it gives."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import Change, apply_patch, target_of
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.common_parts import Reader
from steadygrid.submissions.submission import parse_submission

LIMITS = Limits()
VALUES: tuple[Any, ...] = (
    7,
    "3/2",
    10**9,
    0,
    -1,
    "x",
    "P1",
    None,
    [],
    {},
    True,
    ["P1"],
    {"id": "P1"},
)
CHANGES = 60


def places(part: Any, at: Pointer = ()) -> Iterator[Pointer]:
    """Find all places below a part of a document."""
    members = part.items() if isinstance(part, dict) else enumerate(part)
    for name, member in members:
        yield (*at, name)
        if isinstance(member, dict | list):
            yield from places(member, (*at, name))


def came_of(read: Callable[[Any, Limits], Any], body: Any) -> Any:
    try:
        return read(body, LIMITS)
    except (InstanceError, LimitError) as error:
        return type(error), error.faults, str(error)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_changed_body_is_read_as_if_it_were_the_first(kind: str) -> None:
    draw = random.Random(kind)
    template = parse_submission(PROBLEMS[kind].example, LIMITS).document()
    found = list(places(template["problem"], ("problem",)))
    reader = Reader()
    before = reader.read(template, LIMITS)
    read = 0
    for _ in range(CHANGES):
        patch = tuple(
            Change(
                at=target_of(*draw.choice(found)),
                value=deepcopy(draw.choice(VALUES[: draw.choice((3, None))])),
            )
            for _ in range(draw.choice((1, 1, 1, 2)))
        )
        try:
            body = apply_patch(template, patch)
        except InstanceError:
            continue  # the first change has taken away where the second leads
        whole = came_of(parse_submission, deepcopy(body))
        assert came_of(reader.read, body) == whole, patch
        read += not isinstance(whole, tuple)
    assert read, "some changes leave a body that can be read"
    assert reader.read(template, LIMITS) == before


def test_only_what_has_changed_is_read_again() -> None:
    template = parse_submission(PROBLEMS["master_worker"].example, LIMITS).document()
    reader = Reader()
    first = reader.read(template, LIMITS).instance.platform
    work = Change(at="/problem/task/work", value=7)
    assert reader.read(apply_patch(template, (work,)), LIMITS).instance.platform is first
    speed = Change(at="/problem/platform/links/1/unit_time", value=7)
    other = reader.read(apply_patch(template, (speed,)), LIMITS).instance.platform
    pairs = list(zip(first.links, other.links, strict=True))
    assert [one is two for one, two in pairs].count(False) == 1
    assert other.links[1].unit_time == 7
    assert all(one is two for one, two in zip(first.processors, other.processors, strict=True))


def test_a_body_with_faults_is_not_what_others_are_compared_with() -> None:
    body = PROBLEMS["master_worker"].example
    reader = Reader()
    with pytest.raises(InstanceError):
        reader.read({"problem": {}}, LIMITS)
    assert reader.read(body, LIMITS) == parse_submission(body, LIMITS)


def test_another_kind_is_read_in_full() -> None:
    reader = Reader()
    for name in ("master_worker", "task_graph"):
        assert reader.read(PROBLEMS[name].example, LIMITS).kind == name
