"""The referee takes what the solver answers, and refuses one planted fault per rule."""

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from steadygrid.domain.certificate import NoCertificate, SearchCertificate
from steadygrid.domain.errors import InvalidScheduleError, OutOfTime
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Proof
from steadygrid.domain.schedule import USUAL_LIMITS
from steadygrid.kinds.layer_pipeline import referee_search, validator
from steadygrid.kinds.layer_pipeline.referee_search import some_plan_is_faster
from steadygrid.kinds.layer_pipeline.referee_terms import Terms
from steadygrid.kinds.layer_pipeline.schemas import LayerIntervalsCertificate
from steadygrid.kinds.layer_pipeline.validator import validate
from tests.kinds.layer_pipeline import bodies
from tests.kinds.layer_pipeline.bodies import Document, alike, body, instance, layers
from tests.kinds.layer_pipeline.solving import least_of_all
from tests.solved import solve

F = Fraction


class Answer(NamedTuple):
    asked: Any
    result: Any
    schedule: Any


@cache
def _answers() -> dict[str, Answer]:
    return {}


def answer(name: str, document: Document) -> Answer:
    """Solve once."""
    if name not in _answers():
        _answers()[name] = Answer(instance(document), *solve(document))
    return _answers()[name]


def trained() -> Answer:
    """Stages of one copy and of two, with transfers; memory limits it."""
    return answer("trained", bodies.D)


def run() -> Answer:
    """Forward passes only, on copies."""
    return answer("run", bodies.H)


def reduced() -> Answer:
    """Copies that reduce their weights."""
    return answer("reduced", bodies.E)


GIVEN = [
    {"layers": ["a", "a"], "device": "gpu"},
    {"layers": ["b", "c"], "device": "gpu"},
]


def judged() -> Answer:
    """Two stages that were given."""
    document = {"problem": bodies.D["problem"] | {"method": "evaluate", "stages": GIVEN}}
    return answer("judged", document)


def without_room() -> Answer:
    """Three layers of which one device holds one, and two devices."""
    return answer("without room", body(alike(3), {"count": 2, "memory": 2}))


def codes(given: Answer, heartbeat: Any = None) -> list[str]:
    """List the codes of what the referee finds."""
    try:
        validate(given.asked, Options(), given.result, given.schedule, USUAL_LIMITS, heartbeat)
    except InvalidScheduleError as refused:
        found = refused.faults
    else:
        return []
    assert all(fault.detail.endswith(".") for fault in found)
    return [fault.code for fault in found]


def result(given: Answer, **changed: Any) -> Answer:
    return given._replace(result=given.result.model_copy(update=changed))


def stage(given: Answer, at: int, **changed: Any) -> Answer:
    stages = [*given.result.stages]
    stages[at] = stages[at].model_copy(update=changed)
    return result(given, stages=stages)


def schedule(given: Answer, **changed: Any) -> Answer:
    return given._replace(schedule=dataclasses.replace(given.schedule, **changed))


def row(given: Answer, at: int, **changed: Any) -> Answer:
    rows = [*given.schedule.rows]
    rows[at] = rows[at]._replace(**changed)
    return schedule(given, rows=tuple(rows))


def shifted(given: Answer, begin: int, end: int, by: Fraction) -> Answer:
    """Let some rows start later."""
    rows = [
        one._replace(start=one.start + by) if begin <= i < end else one
        for i, one in enumerate(given.schedule.rows)
    ]
    return schedule(given, rows=tuple(rows))


def bound(given: Answer, value: Fraction, *, exact: bool = True) -> Answer:
    told = Bound.from_value(value, exact=exact)
    gap = abs(value - given.result.objective.value) / value
    return result(given, bound=told, gap=gap)


def slower(given: Answer, period: Fraction) -> Answer:
    """Stretch a schedule, and say that it is the best."""
    factor = period / given.result.period
    rows = tuple(
        one._replace(start=one.start * factor, every=one.every * factor)
        for one in given.schedule.rows
    )
    found = schedule(given, rows=rows, period=given.schedule.period * factor)
    changed = {
        "period": period,
        "objective": Objective.throughput(1 / period),
        "outcome": Outcome.OPTIMAL,
    }
    return bound(result(found, **changed), 1 / period)


@pytest.mark.parametrize("made", [trained, run, reduced, judged, without_room])
def test_what_the_solver_answers_is_taken(made: Callable[[], Answer]) -> None:
    assert codes(made()) == []


def test_the_rows_of_the_answer_that_is_forged() -> None:
    """Rows 0, 1 and 2 are of the first stage and its transfers, 3 to 6 of the second, on two copies."""
    named = [one.operation[0] for one in trained().schedule.rows]
    assert named == [
        "forward 1",
        ("forward 1", "forward 2"),
        ("forward 1", "forward 2"),
        "forward 2",
        "forward 2",
        "backward 2",
        "backward 2",
        ("backward 2", "backward 1"),
        ("backward 2", "backward 1"),
        "backward 1",
    ]
    assert [one.time for one in run().schedule.rows] == [5, 5, 4, 4]


NONE = {"objective": None, "bound": None, "gap": None, "certificate": NoCertificate()}

FORGED: list[tuple[Callable[[], Answer], str]] = [
    (lambda: result(trained(), gap=F(1, 2)), "wrong_gap"),
    (lambda: result(without_room(), certificate=LayerIntervalsCertificate()), "wrong_certificate"),
    (lambda: result(trained(), certificate=SearchCertificate()), "wrong_certificate"),
    (lambda: bound(trained(), F(3, 11), exact=False), "wrong_certificate"),
    (lambda: result(trained(), period=None), "wrong_parts"),
    (lambda: result(trained(), latency=None), "wrong_parts"),
    (lambda: result(trained(), limiting=[]), "wrong_parts"),
    (lambda: result(without_room(), period=F(1)), "wrong_parts"),
    (lambda: result(without_room(), limiting=["memory 1"]), "wrong_parts"),
    (lambda: result(trained(), period=F(4)), "wrong_value"),
    (lambda: stage(trained(), 0, layers=("a", "z")), "wrong_stages"),
    (lambda: stage(trained(), 0, device="z"), "wrong_stages"),
    (lambda: stage(trained(), 0, replicas=0), "wrong_stages"),
    (lambda: stage(trained(), 0, layers=("a", "b")), "wrong_stages"),
    (lambda: stage(trained(), 1, layers=("b", "b")), "wrong_stages"),
    (lambda: result(trained(), stages=[]), "wrong_parts"),
    (lambda: stage(trained(), 0, replicas=2), "too_many_devices"),
    (lambda: stage(judged(), 0, layers=("a", "c")), "wrong_stages"),
    (lambda: stage(trained(), 0, replicas=1_000_003), "too_many_devices"),
    (lambda: result(judged(), stages=trained().result.stages), "other_plan"),
    (lambda: stage(judged(), 0, load=F(7)), "wrong_load"),
    (lambda: stage(reduced(), 0, reduce_time=F(7)), "wrong_reduce_time"),
    (lambda: stage(trained(), 0, memory=F(1)), "wrong_memory"),
    (lambda: stage(trained(), 0, in_flight=4, memory=F(5)), "no_room"),
    (lambda: stage(trained(), 0, in_flight=2, memory=F(3)), "wrong_in_flight"),
    (lambda: slower(run(), F(2)), "too_busy"),
    (lambda: schedule(trained(), period=F(1)), "wrong_period"),
    (lambda: schedule(trained(), instances_per_period=1, period=F(11, 3)), "wrong_period"),
    (lambda: schedule(trained(), ports="one_port"), "wrong_ports"),
    (lambda: schedule(trained(), rows=trained().schedule.rows[:-1]), "wrong_rows"),
    (lambda: row(trained(), 3, operation=trained().schedule.rows[4].operation), "wrong_rows"),
    (lambda: row(trained(), 3, time=F(1)), "wrong_time"),
    (lambda: row(trained(), 3, every=F(1)), "wrong_every"),
    (lambda: row(trained(), 0, start=F(-1)), "negative_start"),
    (lambda: row(trained(), 4, start=trained().schedule.rows[4].start + 1), "other_course"),
    (lambda: shifted(trained(), 3, 10, F(-1)), "too_early"),
    (lambda: shifted(trained(), 9, 10, F(1)), "overlap"),
    (lambda: shifted(trained(), 9, 10, F(11, 3)), "wrong_in_flight"),
    (lambda: result(trained(), latency=F(1)), "wrong_latency"),
    (lambda: result(reduced(), batch_time=F(1)), "wrong_batch_time"),
    (lambda: result(trained(), limiting=["stage 1 compute"]), "wrong_limiting"),
    (lambda: result(run(), limiting=["memory 1"]), "wrong_limiting"),
    (lambda: slower(trained(), F(4)), "not_least_period"),
    (lambda: slower(trained(), F(4)), "bound_beaten"),
    (lambda: slower(run(), F(3)), "bound_beaten"),
    (lambda: slower(judged(), F(100)), "bound_beaten"),
]


@pytest.mark.parametrize(("forge", "code"), FORGED)
def test_what_is_wrong_is_refused(forge: Callable[[], Answer], code: str) -> None:
    assert code in codes(forge())


def test_other_plans_are_refused_for_their_copies() -> None:
    document = {"problem": bodies.H["problem"] | {"max_replicas": {"d": 2}}}
    found = answer("few copies", document)
    assert codes(found) == []
    limited = found.asked.model_copy(update={"max_replicas": {"d": 1}})
    assert "too_many_replicas" in codes(found._replace(asked=limited))
    limited = found.asked.model_copy(update={"max_replicas": 1})
    assert "too_many_replicas" in codes(found._replace(asked=limited))


def test_what_fits_is_not_infeasible() -> None:
    made = without_room()
    for document in (
        bodies.D,
        {"problem": bodies.D["problem"] | {"method": "evaluate", "stages": GIVEN}},
    ):
        asked = instance(document)
        method = document["problem"].get("method", "exact")
        assert codes(result(made._replace(asked=asked), method=method)) == ["not_infeasible"]


def test_a_given_plan_without_room_is_infeasible() -> None:
    problem = bodies.D["problem"] | {"method": "evaluate", "stages": GIVEN}
    document = {"problem": problem | {"devices": [{"id": "gpu", "count": 3, "memory": 3}]}}
    found = answer("given without room", document)
    assert found.result.outcome is Outcome.INFEASIBLE
    assert codes(found) == []


def test_the_word_of_a_search_is_looked_through_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = {"certificate": SearchCertificate(solver="x"), "proof": Proof.SEARCH}
    word = result(bound(trained(), F(3, 11), exact=False), **searched)
    assert codes(word) == []
    lies = bound(slower(trained(), F(4)), F(1, 4), exact=False)
    lies = result(lies, **searched)
    assert "bound_beaten" in codes(lies)
    monkeypatch.setattr(validator, "WORD_PLACES", 0)
    assert "bound_beaten" not in codes(lies)


def test_a_search_that_takes_too_much_room_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def few(terms: Terms, period: Fraction, heartbeat: Any) -> bool:
        return some_plan_is_faster(terms, period, heartbeat, most_places=1)

    monkeypatch.setattr(validator, "some_plan_is_faster", few)
    assert codes(trained()) == ["search_too_long"]
    with pytest.raises(OutOfTime):
        codes(trained(), heartbeat=lambda: None)


def test_the_heartbeat_of_a_search_may_end_it() -> None:
    class EndedError(Exception):
        pass

    def ends() -> None:
        raise EndedError

    for made in (trained(), run()):
        with pytest.raises(EndedError):
            codes(made, heartbeat=ends)


def test_passes_without_time_may_meet_others() -> None:
    """A backward pass of no time is no overlap; without times the referee finds no work to share."""
    document = body(
        layers(
            {"forward": 2, "backward": 0, "in_flight": 1},
            {"forward": 1, "backward": 1, "in_flight": 1},
        ),
        {"count": 2, "memory": 2},
    )
    assert codes(answer("no time back", document)) == []


def test_places_of_boundaries_that_ask_for_copies_are_kept_apart() -> None:
    """Between two device types a transfer takes three periods, within one it takes none."""
    document = body(
        layers(*({"forward": 2, "backward": 2, "output": 3, "in_flight": 1} for _ in range(3))),
        [{"id": "x", "count": 3, "memory": 5}, {"id": "y", "count": 3}],
        bandwidth=[
            {"source": "x", "target": "x", "bandwidth": 10},
            {"source": "x", "target": "y", "bandwidth": "1/2"},
            {"source": "y", "target": "y", "bandwidth": 10},
        ],
    )
    found = answer("far device types", document)
    assert codes(found) == []
    assert not some_plan_is_faster(Terms(found.asked), found.result.period)
    assert found.result.period == least_of_all(document)
    for layer in document["problem"]["layers"]:
        del layer["backward"]
    found = answer("far device types, forward", document)
    assert codes(found) == []
    assert found.result.period == least_of_all(document)


def test_forward_passes_of_one_device_type_may_ask_for_copies_on_both_sides() -> None:
    document = body(
        layers({"forward": 6, "output": 7}, {"forward": 6}),
        {"count": 6, "memory": 1},
        bandwidth=1,
    )
    found = answer("copies on both sides", document)
    assert codes(found) == []
    assert found.result.period == least_of_all(document) == 2


def test_a_search_counts_its_places() -> None:
    with pytest.raises(referee_search.TooManyPlacesError):
        some_plan_is_faster(Terms(trained().asked), F(4), most_places=2)
