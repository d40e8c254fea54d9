"""All methods side by side: the rows are what each finds, and the answer is the best."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.kinds.divisible_star.view import view
from tests.kinds.divisible_star.bodies import result_of, star, tree, with_results
from tests.solved import solve

F = Fraction


def with_latencies(document: dict[str, Any]) -> dict[str, Any]:
    for link in document["problem"]["platform"]["links"]:
        link["latency"] = "1/10"
    return document


def of_items(document: dict[str, Any]) -> dict[str, Any]:
    document["problem"]["load"]["items"] = 5
    return document


DOCUMENTS = {
    "linear": star([1, 2, 3], [3, 2, 1]),
    "given": star([1, 2, 3], [3, 2, 1], order=["P3", "P2"]),
    "tree": tree({"M": 4, "R": None, "P": 2}, {("M", "R"): 1, ("R", "P"): 1}),
    "latencies": with_latencies(star([1, 2, 3], [3, 2, 1], own=7)),
    "items": of_items(star([1, 2, 3], [3, 2, 1])),
    "rounds": star([1, 2], [3, 2], rounds=2),
    "nothing": star([1, 2], [3, 2], data=0, work=0),
    "results": with_results([1, 2], [3, 2], [2, 1]),
    "reversed": with_results([1, 2], [3, 2], [2, 1], return_orders="lifo"),
    "reversed, late": with_results(
        [1, 2], [3, 2], [2, 1], return_orders="lifo", latencies=[(1, 2, 3), (0, 1, 2)]
    ),
}
COMPARED = {
    "linear": {"closed_form", "lp", "umr", "periodic"},
    "given": {"closed_form", "lp", "umr", "periodic"},
    "tree": {"closed_form", "lp"},
    "latencies": {"search", "local_search", "umr", "periodic"},
    "items": {"search", "rounding"},
    "rounds": {"lp"},
    "nothing": {"closed_form", "lp", "umr", "periodic"},
    "results": {"search", "local_search"},
    "reversed": {"closed_form", "lp"},
    "reversed, late": {"search", "local_search"},
}


def compared(document: Mapping[str, Any], **options: Any) -> tuple[DivisibleStarResult, Timeline]:
    body = {"problem": document["problem"] | {"method": "compare"}}
    answer = solve(body, **options)
    assert isinstance(answer.result, DivisibleStarResult)
    assert isinstance(answer.schedule, Timeline)
    return answer.result, answer.schedule


@pytest.mark.parametrize("name", DOCUMENTS)
def test_rows_are_what_methods_find_and_the_answer_is_the_best(name: str) -> None:
    document = DOCUMENTS[name]
    result, _ = compared(document)
    assert result.comparison is not None
    rows = {row.method: row for row in result.comparison}
    assert rows.keys() == COMPARED[name]
    alone = {method: result_of(document, method=method) for method in rows}
    assert {method: row.makespan for method, row in rows.items()} == {
        method: one.makespan for method, one in alone.items()
    }
    assert result.makespan == min(
        one.makespan for one in alone.values() if one.makespan is not None
    )
    (chosen,) = (row.method for row in result.comparison if row.is_answer)
    assert result.bound == alone[chosen].bound
    assert result.method == "compare"


def test_without_time_every_method_answers_what_it_can() -> None:
    result, _ = compared(DOCUMENTS["latencies"], seconds=0)
    assert result.comparison is not None
    assert {row.method for row in result.comparison} == COMPARED["latencies"]
    assert all(row.makespan is not None for row in result.comparison)


@pytest.mark.parametrize(
    "change",
    [
        {"method": "search"},
        {"method": "compare"},
        {"method": "rounding"},
        {"method": "closed_form"},
        {"makespan": F(1, 100)},
        {"is_answer": True},
        {"ratio_to_bound": F(1, 2)},
        {"seconds": -1.0},
    ],
)
def test_the_referee_finds_wrong_rows(change: Mapping[str, Any]) -> None:
    result, schedule = compared(DOCUMENTS["latencies"])
    assert result.comparison is not None
    rows = list(result.comparison)
    place = next(i for i, row in enumerate(rows) if row.method == "periodic")
    rows[place] = rows[place].model_copy(update=change)
    assert judged(result.model_copy(update={"comparison": rows}), schedule) == {"wrong_comparison"}


def test_the_referee_wants_a_table_and_the_best_of_it() -> None:
    result, schedule = compared(DOCUMENTS["latencies"])
    assert judged(result.model_copy(update={"comparison": None}), schedule) == {"wrong_comparison"}
    alone = result_of(DOCUMENTS["latencies"], method="search")
    other = alone.model_copy(update={"comparison": result.comparison})
    assert judged(other, schedule, "search") == {"wrong_comparison"}
    rows = [row for row in result.comparison or () if not row.is_answer]
    assert judged(result.model_copy(update={"comparison": rows}), schedule) == {"wrong_comparison"}


def judged(result: DivisibleStarResult, schedule: Timeline, method: str = "compare") -> set[str]:
    instance = DivisibleStarInstance.model_validate(
        DOCUMENTS["latencies"]["problem"] | {"method": method}
    )
    with pytest.raises(InvalidScheduleError) as caught:
        validate(instance, Options(), result, schedule)
    return {fault.code for fault in caught.value.faults}


def test_people_see_the_best_first() -> None:
    result, schedule = compared(DOCUMENTS["items"])
    instance = DivisibleStarInstance.model_validate(DOCUMENTS["items"]["problem"])
    shown = view(instance, Options(), result, schedule).comparison
    assert shown is not None
    assert shown.table is not None
    assert shown.table.rows[0][0] == "search"
