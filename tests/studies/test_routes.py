"""Pinned routes: the ways of files do not depend on speeds any more, and nothing else changes."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.domain.twins import twin_classes
from steadygrid.studies.routes import DefaultPaths, pinned
from steadygrid.submissions.submission import Submission, parse_submission
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes
from tests.draws import draws
from tests.solved import solve

LIMITS = Limits()


def submission(platform: dict[str, Any], **more: Any) -> Submission:
    tasks = [{"id": "a", "work": 1}, {"id": "b", "work": 1}]
    files = [{"source": "a", "target": "b", "size": 1}]
    problem = {
        "kind": "task_graph",
        "platform": platform,
        "application": {"tasks": tasks, "files": files},
        "routing": "fixed",
    }
    return parse_submission({"problem": problem | more}, LIMITS)


def drawn(draw: random.Random) -> dict[str, Any]:
    names = [f"P{i}" for i in range(draw.randint(2, 7))]
    processors = [{"id": name, "speed": 1} for name in names]
    if draw.random() < 0.5:
        processors[-1] = {"id": names[-1], "switch": True}
    links = [
        {
            "source": one,
            "target": other,
            "unit_time": draw.randint(1, 4),
            "duplex": draw.choice(["full", "half", "simplex"]),
        }
        for i, one in enumerate(names)
        for other in names[:i]
        if draw.random() < 0.5
    ]
    return {"processors": processors, "links": links}


def ways(platform: Platform, ends: list[str]) -> dict[tuple[str, str], Any]:
    routes = FixedRoutes(read_network(platform, "multiport"), platform.routes)
    return {(a, b): routes.path(a, b) for a in ends for b in ends if a != b}


@pytest.mark.parametrize("seed", range(draws(15, 3000)))
def test_no_speed_changes_a_route(seed: int) -> None:
    draw = random.Random(seed)
    asked = submission(drawn(draw))
    platform = asked.instance.platform
    ends = [processor.id for processor in platform.processors if not processor.switch]
    kept = pinned(asked).submission
    links = [
        link.model_copy(update={"unit_time": Fraction(draw.randint(1, 30), 7)})
        for link in platform.links
    ]
    faster = kept.instance.platform.model_copy(update={"links": tuple(links)})
    assert ways(faster, ends) == ways(platform, ends)
    assert pinned(kept).submission.document() == kept.document()
    assert parse_submission(kept.document(), LIMITS).document() == kept.document()


def test_a_faster_link_does_not_lead_files_over_another_route() -> None:
    """The case for which prices say at most 10, and new default routes gave 100."""
    links = [
        {"source": "A", "target": "B", "bandwidth": 10},
        {"source": "B", "target": "D", "bandwidth": 10},
        {"source": "A", "target": "C", "bandwidth": 4},
        {"source": "C", "target": "D", "bandwidth": 200},
    ]
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": n, "speed": 1000} for n in "ABCD"], "links": links},
        "application": {
            "tasks": [{"id": "a", "times": {"A": 0}}, {"id": "b", "times": {"D": 0}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
        "routing": "fixed",
    }
    body = {"problem": problem}
    kept, notes = pinned(parse_submission(body, LIMITS))
    document = kept.document()
    assert len(notes) == 1
    assert solve(body).result.objective.value == solve(document).result.objective.value == 10
    links[2]["bandwidth"] = 80
    document["problem"]["platform"]["links"][2]["bandwidth"] = 80
    assert solve(body).result.objective.value == 80
    assert solve(document).result.objective.value == 10


def test_trees_and_free_routing_need_no_routes() -> None:
    star = {
        "processors": [{"id": name, "speed": 1} for name in "ABCD"],
        "links": [{"source": "A", "target": name, "bandwidth": 1} for name in "BCD"],
    }
    ring = star | {"links": [*star["links"], {"source": "B", "target": "C", "bandwidth": 1}]}
    assert pinned(submission(star)) == (submission(star), ())
    free = submission(ring, routing="free")
    assert pinned(free) == (free, ())
    kept, notes = pinned(submission(ring))
    assert len(kept.instance.platform.routes) == 10  # all of 12 but A to D and D to A
    assert notes[0].startswith("10 routes")


def test_interchangeable_processors_stay_so() -> None:
    hubs = ["X", "Y", "Z"]
    processors = [{"id": hub, "switch": True} for hub in hubs]
    links = [
        {"source": hubs[i - 1], "target": hubs[i], "unit_time": i + 1, "duplex": "half"}
        for i in range(3)
    ]
    for hub in hubs:
        for i in range(3):
            processors.append({"id": f"{hub}{i}", "speed": 2})
            links.append({"source": hub, "target": f"{hub}{i}", "bandwidth": 5})
    asked = submission({"processors": processors, "links": links})
    kept = pinned(asked).submission

    def classes(platform: Platform) -> Any:
        own = [0] * len(platform.processors)
        return twin_classes(platform, "one_port", own, fixed_routes=True)

    assert len(classes(asked.instance.platform)) == 3
    assert classes(kept.instance.platform) == classes(asked.instance.platform)
    few = LIMITS.model_copy(update={"max_links": 53})
    with pytest.raises(LimitError, match="53"):
        pinned(asked, few)
    assert len(kept.instance.platform.routes) == 54


def test_the_master_needs_routes_though_it_computes_nothing() -> None:
    links = [
        {"source": one, "target": other, "unit_time": 1}
        for one, other in (("M", "A"), ("A", "B"), ("B", "M"))
    ]
    problem = {
        "kind": "master_worker",
        "platform": {"processors": [{"id": name} for name in "MAB"], "links": links},
        "master": "M",
        "task": {"times": {"A": 1}},
        "routing": "fixed",
    }
    routes = pinned(
        parse_submission({"problem": problem}, LIMITS)
    ).submission.instance.platform.routes
    assert [(route.source, route.target) for route in routes] == [("M", "A"), ("A", "M")]


@pytest.mark.parametrize("seed", range(draws(15, 3000)))
def test_only_the_routes_that_faster_links_would_change_have_to_be_given(seed: int) -> None:
    draw = random.Random(seed)
    asked = submission(drawn(draw))
    platform = asked.instance.platform
    ends = [processor.id for processor in platform.processors if not processor.switch]
    number = len(platform.links)
    links = set(draw.sample(range(number), draw.randint(0, number)))
    factor = Fraction(draw.choice([2, 10]))
    changed = DefaultPaths(asked).changed_by(links, factor)
    faster = platform.model_copy(
        update={
            "links": tuple(
                link.model_copy(update={"unit_time": link.unit_time / factor})
                if i in links
                else link
                for i, link in enumerate(platform.links)
            )
        }
    )
    now, then = ways(platform, ends), ways(faster, ends)
    assert {(one.source, one.target) for one in changed} == {
        pair for pair in now if now[pair] != then[pair]
    }
    assert ways(faster.model_copy(update={"routes": changed}), ends) == now


def test_links_that_all_routes_have_in_common_change_none_however_many_there_are() -> None:
    platform = {
        "processors": [{"id": name, "speed": 1} for name in "ABCD"],
        "links": [
            {"source": one, "target": other, "unit_time": 1}
            for one, other in (("A", "B"), ("B", "C"), ("C", "A"), ("C", "D"))
        ],
    }
    found = DefaultPaths(submission(platform), LIMITS.model_copy(update={"max_links": 4}))
    assert found.changed_by({3}, Fraction(100)) == ()
    with pytest.raises(LimitError):
        found.changed_by({2}, Fraction(100))
