"""What would help: bounds against exact optima of upgraded instances, and what is proved best."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import steadygrid
from steadygrid.answer import Answer
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Outcome
from steadygrid.domain.patch import apply_patch
from steadygrid.studies.forbidden import Forbidden
from steadygrid.studies.parts import Part, Parts
from steadygrid.studies.study import Exact, Study
from steadygrid.studies.what_if import WhatIfRequest, what_if
from steadygrid.verification.network import Network
from tests.draws import draws
from tests.studies.drawn import ASKED, PORTS, drawn_body, drawn_mapping
from tests.tree import ROOT

F = Fraction
FIGURE_3 = ROOT / "examples" / "rr4870-figure-3.json"


def answer(body: Any) -> Answer:
    return steadygrid.solve(body, in_process=True)


def study_of(found: Answer, **asked: Any) -> Study:
    request = WhatIfRequest.model_validate(asked)
    study = what_if(found.submission, found.result, request, found.schedule)
    assert Study.restored(study.stored(), study.template) == study
    return study


def exactly(study: Study, indices: Any = None) -> dict[int, Exact]:
    solved: dict[int, Exact] = {}
    for i in study.to_solve if indices is None else indices:
        found = answer(apply_patch(study.template, study.upgrades[i].patch))
        solved[i] = Exact(found.outcome, found.objective)
    return solved


def beaten(study: Study) -> list[str]:
    """Name the upgrades of which the exact optimum is more than was said to be the most."""
    told = study.document(exactly(study, range(len(study.upgrades)))).upgrades
    assert all(one.exact is not None for one in told)
    return [
        one.resource
        for one in told
        if one.at_most is not None and one.exact is not None and one.exact > one.at_most
    ]


@pytest.mark.parametrize("seed", range(draws(5, 1500)))
def test_no_upgrade_does_more_than_its_prices_allow(seed: int) -> None:
    random = Random(seed)
    body = drawn_body(random, ASKED[seed % len(ASKED)], PORTS[seed // len(ASKED) % len(PORTS)])
    found = answer(body)
    if found.objective is None:
        assert found.outcome is Outcome.INFEASIBLE
        return
    asked = {"factor": random.choice([2, "3/2", 10]), "twins": random.choice(["one", "all"])}
    study = study_of(found, **asked)
    assert study.optimum in (None, found.bound)
    assert (study.optimum is None) == (study.unpriced is not None)
    for one in study.upgrades:
        kept = [change for change in one.patch if change.at == "/problem/platform/routes"]
        if kept:  # the routes of now, and nothing faster
            assert answer(apply_patch(study.template, kept)).objective == found.objective
    parts = Parts(
        study.template, found.submission.instance.platform, found.submission.instance.ports
    )
    names = [one.name for one in parts.resources if any(parts.places(parts.part_of(one)))]
    named = study_of(found, **asked, resources=random.sample(names, min(3, len(names))))
    assert beaten(study) == beaten(named) == []


def upgraded_mapping(seed: int) -> Study | None:
    """Ask what would help a mapping whose bound forbids assignments; None where it does not."""
    random = Random(seed)
    found = answer(drawn_mapping(random))
    if found.objective is None or found.certificate.type != "farkas" or not found.prices:
        return None
    parts = Parts(found.instance, found.submission.instance.platform, "multiport")
    names = [one.name for one in parts.resources if any(parts.places(parts.part_of(one)))]
    return study_of(found, factor=random.choice([2, "3/2", 10]), resources=names)


@pytest.mark.parametrize("chosen", [6, 102, *range(200, 200 + draws(0, 1000))])
def test_what_was_too_long_for_any_allocation_may_be_short_enough(
    chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = upgraded_mapping(chosen)
    assert study is None or beaten(study) == []
    if chosen < 200:
        monkeypatch.setattr(Forbidden, "least_bound", lambda *_: F(0))
        careless = upgraded_mapping(chosen)
        assert careless is not None
        assert beaten(careless) != []


CHAIN = {
    "problem": {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "A"}, {"id": "B"}, {"id": "C", "speed": 100}],
            "links": [
                {"source": "A", "target": "B", "bandwidth": 3},
                {"source": "B", "target": "C", "bandwidth": 2, "duplex": "half"},
            ],
        },
        "master": "A",
        "task": {"work": 1, "input_size": 1, "output_size": "1/2"},
    }
}


@pytest.mark.parametrize("ports", PORTS)
def test_a_row_left_out_breaks_a_bound(ports: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"problem": CHAIN["problem"] | {"ports": ports}}
    found = answer(body)
    priced = sorted(found.prices)
    study = study_of(found, resources=["B--C.half" if ports != "one_port" else "B.send"])
    assert beaten(study) == []
    right = Parts.relieved

    def without_a_priced_row(self: Parts, network: Network, part: Part) -> frozenset[str]:
        rows = right(self, network, part)
        return rows - {name for name in priced if name in rows}

    monkeypatch.setattr(Parts, "relieved", without_a_priced_row)
    study = study_of(found, resources=["B--C.half" if ports != "one_port" else "B.send"])
    assert beaten(study) != []


def test_prices_alone_mislead_and_the_study_says_at_most() -> None:
    found = answer(FIGURE_3)
    study = study_of(found, factor=2, solve=1)
    before = study.document({})
    first, second = before.upgrades
    assert (first.resource, first.at_most, first.gain_at_most) == ("P1.send", F(41, 40), F(20, 21))
    assert [one.pointer for one in first.change] == [
        f"/problem/platform/links/{i}/unit_time" for i in (0, 1)
    ]
    assert [(one.before, one.after) for one in first.change] == [("1", "1/2")] * 2
    assert (second.resource, second.at_most, second.exact) == ("P1.compute", F(11, 20), None)
    assert (before.best, before.proved_best, before.next_bound) == (None, None, F(41, 40))
    one = study.document(exactly(study))
    assert (one.upgrades[0].exact, one.upgrades[0].gain) == (F(21, 40), 0)
    assert (one.best, one.proved_best, one.next_bound) == ("P1.send", False, F(11, 20))
    both = study.document(exactly(study, [0, 1]))
    assert (both.best, both.proved_best, both.next_bound) == ("P1.compute", True, None)


def test_a_feasible_value_counts_and_its_bound_does_not() -> None:
    study = study_of(answer(FIGURE_3), factor=2)
    feasible = Exact(Outcome.FEASIBLE, F(1))
    told = study.document({0: feasible, 1: Exact(Outcome.OPTIMAL, F(11, 20))})
    assert (told.best, told.proved_best, told.next_bound) == ("P1.send", False, F(41, 40))
    told = study.document({0: Exact(Outcome.OPTIMAL, F(11, 20)), 1: Exact(None, None, "job")})
    assert (told.best, told.proved_best, told.next_bound) == ("P1.send", True, F(11, 20))


@pytest.mark.parametrize("seed", range(draws(3, 400)))
def test_what_is_proved_best_is_best_of_all(seed: int) -> None:
    random = Random(seed)
    body = drawn_body(random, ASKED[seed % 2], PORTS[seed // 2 % len(PORTS)])
    study = study_of(answer(body), factor=4, solve=100)
    bounds = [one.at_most for one in study.upgrades]
    assert bounds == sorted(bounds, reverse=True)
    everything = exactly(study)
    for number in range(len(study.upgrades) + 1):
        told = study.document({i: everything[i] for i in range(number)})
        if told.proved_best:
            greatest = max(one.value for one in everything.values())
            assert told.best is not None
            known = {one.resource: one.exact for one in told.upgrades}
            assert known[told.best] == greatest
    assert study.document(everything).proved_best or not study.upgrades


def test_routes_stay_where_another_one_becomes_the_shortest() -> None:
    """By default files take A-B-D; with A->C faster they would take A-C-D, and 10 would be 100."""
    platform = {
        "processors": [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "D", "speed": 1000}],
        "links": [
            {"source": "A", "target": "B", "bandwidth": 10, "duplex": "simplex"},
            {"source": "B", "target": "D", "bandwidth": 100, "duplex": "simplex"},
            {"source": "A", "target": "C", "bandwidth": 8, "duplex": "simplex"},
            {"source": "C", "target": "D", "bandwidth": 100, "duplex": "simplex"},
        ],
    }
    body: dict[str, Any] = {
        "problem": {
            "kind": "master_worker",
            "platform": platform,
            "master": "A",
            "task": {"work": 1},
            "ports": "multiport",
            "routing": "fixed",
        }
    }
    found = answer(body)
    assert found.objective == 10
    study = study_of(found, factor=20, resources=["A->C.link"])
    (upgrade,) = study.document(exactly(study)).upgrades
    assert upgrade.at_most == upgrade.exact == 10
    assert len(study.notes) == 1
    moved = [one for one in study.upgrades[0].patch if one.scale is not None]
    assert answer(apply_patch(body, moved)).objective == 100


def test_a_faster_link_does_not_lead_files_where_others_go() -> None:
    """By default a file would go from A over D to B then, with another one from A to D: 10 would be 6."""
    links = [
        {"source": "A", "target": "B", "bandwidth": 10},
        {"source": "A", "target": "D", "bandwidth": 15},
        {"source": "D", "target": "B", "bandwidth": 2},
    ]
    tasks = [{"id": name, "times": {name.upper(): 0}} for name in "abd"]
    files = [
        {"source": "a", "target": "b", "size": 1},
        {"source": "a", "target": "d", "size": "3/2"},
    ]
    body: dict[str, Any] = {
        "problem": {
            "kind": "task_graph",
            "platform": {"processors": [{"id": name} for name in "ABD"], "links": links},
            "application": {"tasks": tasks, "files": files},
            "ports": "multiport",
            "routing": "fixed",
        }
    }
    found = answer(body)
    study = study_of(found, factor=100, resources=["D->B.link"])
    (upgrade,) = study.document(exactly(study)).upgrades
    assert found.objective == upgrade.at_most == upgrade.exact == 10
    led_astray = [one for one in study.upgrades[0].patch if one.scale is not None]
    assert answer(apply_patch(body, led_astray)).objective == 6


def test_twins_are_one_upgrade_of_one_or_of_all() -> None:
    workers = [{"id": f"W{i}", "speed": 1} for i in range(4)]
    links = [{"source": "M", "target": one["id"], "bandwidth": 2} for one in workers]
    odd = {"id": "X", "speed": 1}
    problem = {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, *workers, odd],
            "links": [*links, {"source": "M", "target": "X", "bandwidth": 1}],
        },
        "master": "M",
        "task": {"work": 1, "input_size": 0},
    }
    found = answer({"problem": problem})
    one = study_of(found, factor=3)
    told = {
        u.resource: (u.members, u.at_most, u.exact) for u in one.document(exactly(one)).upgrades
    }
    assert told == {"W0.compute": (4, 7, 7), "X.compute": (1, 7, 7)}
    assert one.upgrades[0].names == ("W0.compute", "W1.compute", "W2.compute", "W3.compute")
    every = study_of(found, factor=3, twins="all")
    told = {
        u.resource: (u.members, u.at_most, u.exact) for u in every.document(exactly(every)).upgrades
    }
    assert told == {"W0.compute": (4, 13, 13), "X.compute": (1, 7, 7)}
    # Who is asked for by name is the one that is told of.
    (named,) = study_of(found, resources=["W2.compute"]).upgrades
    assert named.names[0] == named.resource == "W2.compute"


def test_what_fails_is_taken_away_with_all_that_needs_it() -> None:
    problem = CHAIN["problem"]
    found = answer({"problem": problem})
    study = study_of(found, factor=0)
    told = study.document(exactly(study))
    assert told.proved_best is told.best is told.optimum is None
    losses = {one.resource: (one.exact, one.outcome) for one in told.upgrades}
    assert losses["A.send"] == (0, Outcome.INFEASIBLE)  # the master, without solving
    assert {value for value, _ in losses.values()} == {0}
    assert 0 not in study.to_solve or study.upgrades[0].sure is None


def test_who_was_only_allowed_to_run_a_task_is_not_needed() -> None:
    tasks = [
        {"id": "a", "work": 1, "allowed": ["P", "Q"]},
        {"id": "b", "work": 1, "allowed": ["R"]},
    ]
    links = [{"source": "P", "target": name, "bandwidth": 1} for name in "QR"]
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": name, "speed": 1} for name in "PQR"], "links": links},
        "application": {"tasks": tasks, "files": [{"source": "a", "target": "b", "size": 1}]},
    }
    study = study_of(answer({"problem": problem}), factor=0)
    told = study.document(exactly(study)).upgrades
    values = {one.change[0].before["id"]: one.exact for one in told if "id" in one.change[0].before}
    assert values == {"P": 0, "R": 0, "Q": 1}


def test_a_loss_is_the_optimum_of_what_is_left() -> None:
    found = answer(FIGURE_3)
    study = study_of(
        found, factor=0, solve=3, resources=["P4.receive", "P2.compute", "P2->P4.link"]
    )
    told = study.document(exactly(study))
    losses = [(one.resource, one.exact, one.gain) for one in told.upgrades]
    assert losses == [
        ("P4.receive", F(11, 40), F(-10, 21)),
        ("P2.compute", F(2, 5), F(-5, 21)),
        ("P2->P4.link", F(21, 40), 0),
    ]
    (patch,) = [one.patch for one in study.upgrades if one.resource == "P4.receive"]
    gone = apply_patch(study.template, patch)["problem"]["platform"]
    assert [one["id"] for one in gone["processors"]] == ["P1", "P2", "P3"]
    assert all("P4" not in (one["source"], one["target"]) for one in gone["links"])


def test_kinds_without_prices_are_asked_in_the_order_of_occupation() -> None:
    found = answer(ROOT / "examples" / "divisible-load-on-a-star.json")
    study = study_of(found, factor=2, solve=2)
    told = study.document(exactly(study))
    assert [one.occupation for one in study.upgrades] == sorted(
        (one.occupation for one in study.upgrades), reverse=True
    )
    assert told.unpriced is not None
    assert told.proved_best is None
    best = next(one for one in told.upgrades if one.resource == told.best)
    assert best.exact is not None
    assert found.objective is not None
    assert best.gain == 1 - best.exact / found.objective > 0


def test_where_no_schedule_tells_how_busy_resources_are_nothing_is_said_of_it() -> None:
    study = study_of(answer(ROOT / "examples" / "bags-on-demand.json"), factor=2, solve=1)
    assert study.upgrades
    assert {one.occupation for one in study.upgrades} == {None}
    assert {one.occupation for one in study.document({}).upgrades} == {None}


@pytest.mark.parametrize(
    ("asked", "code", "pointer"),
    [
        ({"factor": 1}, "factor_without_meaning", ("factor",)),
        ({"factor": "1/2"}, "factor_without_meaning", ("factor",)),
        ({"resources": ["P1.send", "P9.send"]}, "unknown_resource", ("resources", 1)),
        ({"factor": 0, "solve": 0}, "no_prices", ("solve",)),
        ({"options": {"time_limit": -1}}, "greater_than", ("options", "time_limit")),
    ],
)
def test_what_has_no_meaning_is_refused(
    asked: dict[str, Any], code: str, pointer: tuple[str | int, ...]
) -> None:
    with pytest.raises(InstanceError) as refused:
        study_of(answer(FIGURE_3), **asked)
    (fault,) = refused.value.faults
    assert (fault.code, fault.pointer) == (code, pointer)


def test_who_is_cut_off_is_lost_too() -> None:
    found = answer(ROOT / "examples" / "divisible-load-on-a-star.json")
    study = study_of(found, factor=0, resources=["M->P2.link", "M.send"])
    told = study.document(exactly(study))
    assert [(one.resource, one.exact) for one in told.upgrades] == [
        ("M.send", None),
        ("M->P2.link", F(16, 7)),
    ]
    assert [one.outcome for one in told.upgrades] == [Outcome.INFEASIBLE, Outcome.OPTIMAL]


def test_latencies_that_are_paid_leave_nothing_proved() -> None:
    found = answer(ROOT / "examples" / "rr4870-figure-3-latencies.json")
    assert found.submission.options.latencies == "paid"
    study = study_of(found, solve=1)
    assert study.optimum is None
    assert {one.at_most for one in study.upgrades} == {None}
