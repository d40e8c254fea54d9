"""The referee of cell accepts right answers and finds every planted fault."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Bound, Objective, Options
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds.cell import referee_search
from steadygrid.kinds.cell.referee_search import cheapest, filled_in_order, mapping_exists
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.schemas import CellInstance, CellResult
from steadygrid.kinds.cell.validator import validate
from tests.kinds.cell.answers import Answer, answer
from tests.kinds.cell.bodies import body, chain
from tests.kinds.cell.enumeration import mappings, period_of, shortest_period
from tests.kinds.cell.random_instances import random_body
from tests.solved import solve


@pytest.mark.parametrize("method", ["milp", "greedy", "ppe_only"])
def test_right_answers_are_accepted(method: str) -> None:
    if method == "ppe_only":
        assert answer(method).result["mapping"] == dict.fromkeys("abcd", "PPE1")
    assert answer(method).faults() == []


def test_the_answer_has_what_the_faults_are_planted_in() -> None:
    right = answer()
    assert right.result["mapping"] == {"a": "PPE1", "b": "SPE1", "c": "SPE1", "d": "PPE1"}
    assert (right.result["period"], right.result["bottleneck"]) == ("6", "SPE1.compute")
    assert right.result["first_periods"] == {"a": 1, "b": 4, "c": 3, "d": 6}
    assert len(right.result["dma"]) == 2


def value(throughput: str) -> dict[str, Any]:
    return Objective.throughput(Fraction(throughput)).model_dump(mode="json")


PLANTED: list[tuple[str, Any, str, str]] = [
    ("result/kind", "cell", "", ""),
    ("result/mapping", {"a": "PPE1"}, "missing_task", "'b'"),
    ("result/mapping/e", "PPE1", "unknown_task", "'e'"),
    ("result/mapping/a", "SPE3", "unknown_core", "'SPE3'"),
    ("result/mapping/d", "SPE1", "task_not_allowed", "'d' is on 'SPE1'"),
    ("instance/machine/local_store", 3, "no_room", "SPE1 need 15/2 of 3"),
    ("instance/machine/dma_into_spe", 0, "too_many_calls", "SPE1 fetches 2 files and can 0"),
    ("instance/machine/dma_spe_to_ppe", 0, "too_many_calls", "PPE1 fetches 2 files from SPE1 and"),
    ("result/local_store", [], "wrong_local_store", "local_store"),
    ("result/local_store/0/used", "1", "wrong_local_store", "local_store"),
    ("result/dma/0/calls", 1, "wrong_dma", "dma"),
    ("result/dma/1/source", "SPE2", "wrong_dma", "dma"),
    ("result/period", "3", "wrong_period", "takes 6"),
    ("result/period", "7", "wrong_period", "takes 6"),
    ("result/objective", value("1/5"), "wrong_value", "period 6"),
    ("result/objective", value("1/7"), "wrong_value", "period 6"),
    ("result/occupation", [], "wrong_occupation", "occupation"),
    ("result/occupation/0/time", "5", "wrong_occupation", "occupation"),
    ("result/occupation/0/time", "7", "wrong_occupation", "occupation"),
    ("result/bottleneck", "PPE1.compute", "wrong_bottleneck", "another"),
    ("result/bottleneck", "SPE2.compute", "wrong_bottleneck", "another"),
    ("result/first_periods/b", 3, "wrong_first_periods", "Theorem 7.1"),
    ("result/buffers/0/data", "2", "wrong_buffers", "buffers"),
    ("result/buffers/0/instances", 2, "wrong_buffers", "buffers"),
    ("result/speed_up/greedy", "1/9", "wrong_speed_up", "greedy has the period"),
    ("result/speed_up/greedy", "9", "wrong_speed_up", "greedy has the period"),
    ("result/speed_up/ppe_only", "1", "wrong_speed_up", "the period 16"),
    ("result/speed_up/ppe_only", None, "wrong_speed_up", "the period 16"),
    ("result/objective", None, "wrong_outcome", "parts of a mapping"),
    ("schedule", None, "no_schedule", "a mapping, but no"),
    ("schedule/allocations", [], "not_one_mapping", "one allocation"),
    ("schedule/allocations", lambda one: one * 2, "not_one_mapping", "one allocation"),
    ("schedule/allocations/0/tasks/b", "PPE1", "other_mapping", "not the mapping"),
    ("schedule/allocations/0/transfers/0/path", ["PPE1", "SPE2", "SPE1"], "detour", "joins all"),
    ("schedule/allocations/0/transfers/0/path", ["PPE1", "SPE9"], "missing_link", "'SPE9'"),
    ("schedule/allocations/0/first_periods", None, "wrong_first_periods", "allocation 0"),
    ("schedule/allocations/0/first_periods/1/period", 3, "wrong_first_periods", "allocation 0"),
    ("schedule/prologue_periods", 4, "wrong_prologue", "prologue_periods 5"),
    ("schedule/latency_periods", 7, "wrong_latency", "latency_periods 6"),
    ("schedule/computations", lambda all_: all_[1:], "instance_lost", "never computed"),
    ("schedule/slots/0/transfers", lambda all_: all_[1:], "wrong_count", "its instances need 1"),
    ("schedule/slots/0/transfers/0/receiver", "SPE2", "unknown_move", "'SPE2'"),
    ("schedule/throughput", "1/2", "too_good", "above the optimum"),
    ("options/max_period", "3", "period_too_long", "longer than the 3 asked"),
]


@pytest.mark.parametrize(("path", "planted", "code", "phrase"), PLANTED)
def test_one_planted_fault_is_found(path: str, planted: Any, code: str, phrase: str) -> None:
    faults = answer().change(path, planted).faults()
    if not code:
        assert faults == []
    else:
        assert any(f.code == code and phrase in f.detail for f in faults), faults


def test_a_missing_period_is_found() -> None:
    assert "wrong_period" in answer().change("result/period", None).codes()


def test_a_reference_must_be_what_it_says() -> None:
    moved = answer("greedy").change("result/mapping/a", "PPE1")
    assert "not_greedy" in moved.codes()
    moved = answer("ppe_only").change("result/mapping/b", "SPE1")
    assert "not_on_ppe" in moved.codes()
    second = answer("ppe_only").change("result/mapping", dict.fromkeys("abcd", "PPE2"))
    assert "not_on_ppe" in second.change("instance/machine/ppes", 2).codes()


@pytest.mark.parametrize(
    ("limit", "least", "code"),
    [("local_store", "15/2", "no_room"), ("dma_into_spe", 2, "too_many_calls")],
)
def test_a_limit_may_be_reached(limit: str, least: Any, code: str) -> None:
    reached = answer().change(f"instance/machine/{limit}", least)
    assert code not in reached.codes()


def test_a_speed_up_over_a_reference_without_a_mapping_is_found() -> None:
    wrong = answer().change("instance/application/tasks/1/time_ppe", None)
    assert "wrong_speed_up" in wrong.codes()
    assert "wrong_speed_up" not in wrong.change("result/speed_up/ppe_only", None).codes()


def infeasible(method: str, of: Answer) -> Answer:
    """Claim that there is no mapping."""
    empty = {
        "outcome": "infeasible",
        "method": method,
        "proof": "exact",
        "objective": None,
        "bound": None,
        "gap": None,
        "certificate": {"type": "none"},
        "period": None,
        "mapping": {},
        "first_periods": {},
        "buffers": [],
        "local_store": [],
        "dma": [],
        "occupation": [],
        "bottleneck": None,
        "speed_up": {},
        "notes": [],
    }
    claimed = of.change("schedule", None).change("instance/method", method)
    return claimed.change("result", lambda result: result | empty)


@pytest.mark.parametrize("method", ["milp", "greedy", "ppe_only"])
def test_infeasibility_is_proved_anew(method: str) -> None:
    assert infeasible(method, answer()).codes() == {"not_infeasible"}


def test_a_reference_may_find_nothing_where_it_does() -> None:
    missed = {"outcome": "unknown", "proof": "none", "notes": ["greedy finds no mapping"]}

    def unknown(method: str, of: Answer) -> Answer:
        return infeasible(method, of).change("result", lambda result: result | missed)

    crowded: dict[str, Any] = {"ppes": 0, "spes": 2, "bandwidth": 1, "local_store": 5}
    asked = body({n: {"time_spe": 1} for n in "abcd"}, {"a b": "3/2"}, **crowded)
    asked["problem"]["application"]["tasks"].insert(1, {"id": "z", "time_spe": 1})
    one = unknown("ppe_only", answer()).change("instance", asked["problem"])
    one = one.change("instance/method", "ppe_only")
    assert one.faults() == []
    assert unknown("greedy", answer()).codes() == {"something_found"}
    assert unknown("ppe_only", answer()).codes() == {"something_found"}
    assert unknown("milp", answer()).codes() == {"never_unknown"}
    silent = one.change("result/notes", [])
    assert silent.codes() == {"no_note"}


def test_infeasible_is_not_what_a_reference_missed() -> None:
    claimed = infeasible("ppe_only", answer()).change("instance/application/tasks/0/time_ppe", None)
    assert claimed.codes() == {"not_infeasible"}


def test_what_cannot_be_searched_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_search, "MOST_STEPS", 0)
    assert infeasible("milp", answer()).codes() == {"not_proved"}


def test_right_claims_of_infeasibility_are_accepted() -> None:
    tight = {"ppes": 0, "spes": 3, "bandwidth": 1, "local_store": 5}
    tasks = {name: {"time_spe": 1} for name in "abcd"}
    asked = body(tasks, {"a b": "3/2", "c d": "3/2"}, **tight)
    for method in ("milp", "greedy"):
        claimed = infeasible(method, answer()).change("instance", asked["problem"])
        again = claimed.change("instance/method", method)
        assert again.change("result/method", method).faults() == []


def priced(prices: dict[str, str], bound: str) -> Answer:
    document = Bound.from_value(Fraction(bound), exact=True).model_dump(mode="json")
    gap = str((Fraction(bound) - Fraction(1, 6)) / Fraction(bound))
    changed = answer().change("result/certificate", {"type": "lp_duality", "prices": prices})
    changed = changed.change("result/bound", document).change("result/gap", gap)
    return changed.change("result/outcome", "feasible").change("result/proof", "exact")


def test_prices_prove_a_bound_or_are_refused() -> None:
    # At 1/10 for each unit of time, a and d cost 2/10 each on the PPE, b and c 3/10 on the SPE.
    each = dict.fromkeys(("PPE1.compute", "SPE1.compute"), "1/10")
    assert priced(each, "1/5").faults() == []
    less = dict.fromkeys(each, "1/11")
    assert priced(less, "2/11").codes() == {"cheap_mapping"}
    assert "prices_miss_bound" in priced(each, "1/2").codes()
    assert "ghost_resource" in priced({"SPE3.compute": "3/8"}, "3/8").codes()
    assert "ghost_resource" in priced({"PPE1->SPE1.link": "3/8"}, "3/8").codes()


@pytest.mark.parametrize("seed", range(20))
def test_the_referee_s_own_searches_agree_with_enumeration(seed: int) -> None:
    instance = CellInstance.model_validate(random_body(seed, largest=4)["problem"])
    view = RefereeView(instance)
    shortest = shortest_period(instance)
    assert mapping_exists(view) is (shortest is not None)
    placed = filled_in_order(view)
    assert placed is None or period_of(instance, placed) is not None
    prices = {
        f"{core}.{use}": Fraction(1 + (seed + i) % 3, 7)
        for i, core in enumerate(view.cores)
        for use in ("compute", "in", "out")
    }
    least = cheapest(view, prices)
    alike = all(
        prices[f"{one}.{use}"] == prices[f"{other}.{use}"]
        for sort in (view.cores[: len(view.ppes)], view.spes)
        for one in sort
        for other in sort
        for use in ("compute", "in", "out")
    )
    costs = [
        sum(time * prices[name] for name, time in view.occupation(mapping).items())
        for mapping in mappings(instance)
        if all(
            core.startswith("PPE") or view.needs[task] <= instance.machine.local_store
            for task, core in mapping.items()
        )
    ]
    assert all(least <= cost for cost in costs)
    assert not alike or not costs or least == min(costs)


def test_a_bounded_period_that_is_too_short_runs_nothing() -> None:
    result, schedule = solve(chain(spes=2), max_period="1/2")
    assert (schedule.throughput, schedule.period, schedule.slots) == (0, Fraction(1, 2), ())
    assert result.objective.value == 1 / result.period
    assert "the smallest useful period of this mapping is 2" in result.notes[-1]
    assert solve(chain(spes=2), max_period=5).schedule.period == result.period


def test_negative_prices_prove_nothing() -> None:
    right = answer()
    result = CellResult.model_validate(right.result)
    result.certificate = DualityCertificate(
        prices={"PPE1.compute": Fraction(-1), "SPE1.compute": Fraction(7, 6)}
    )
    with pytest.raises(InvalidScheduleError, match="negative"):
        validate(
            CellInstance.model_validate(right.instance),
            Options(),
            result,
            Schedule.from_document(right.schedule or {}),
        )


@pytest.mark.parametrize(
    ("method", "codes"),
    [("milp", set()), ("greedy", {"bound_beaten"}), ("ppe_only", {"bound_beaten"})],
)
def test_a_search_s_word_is_not_taken_against_a_better_mapping(
    method: str, codes: set[str]
) -> None:
    """All on the PPE takes 16, Algorithm 7 less, and the best mapping less than that."""
    least = Fraction(answer(method).result["period"])
    bound = str(1 / least)
    said = Bound.from_value(Fraction(bound), exact=False).model_dump(mode="json")
    claimed = (
        answer("ppe_only")
        .change("result/bound", said)
        .change("result/certificate", {"type": "search"})
        .change("result/proof", "search")
        .change("result/gap", str((Fraction(bound) - Fraction(1, 16)) / Fraction(bound)))
    )
    periods = [Fraction(answer(one).result["period"]) for one in ("milp", "greedy", "ppe_only")]
    assert periods == sorted(set(periods))
    assert claimed.codes() == codes
