"""Wrong answers that one check of the referee finds, and no other: all else in them is right."""

from fractions import Fraction

from tests.forgery.cases import case
from tests.forgery.papers import Document, Papers, answered, renamed, scaled


def right(name: str) -> Papers:
    return case(name).right.copy()


def test_a_shorter_period_with_speed_ups_to_match_is_refused() -> None:
    answer = right("cell")
    halved = scaled(answer.result, {"period"}, Fraction(1, 2))
    assert answer._replace(result=scaled(halved, {"speed_up"}, Fraction(2))).codes() == [
        "wrong_period"
    ]


def test_another_optimum_than_that_of_the_schedule_is_refused() -> None:
    """P2 and P3 are alike, so the rates are right, and they are not those of the schedule."""
    answer = right("master_worker")
    other = renamed(answer.result, {"P2": "P3", "P3": "P2"})
    kept: Document = {"preferred": answer.result["preferred"]}
    assert other["sent"] != answer.result["sent"]
    assert set(answer._replace(result=other | kept).codes()) == {"rates_disagree"}


def test_files_that_take_another_route_in_the_schedule_too_are_refused() -> None:
    """Both routes have room for all files, so values, prices and slots are right."""
    answer = answered(_on_route("B"))
    assert answer._replace(asked=_on_route()).codes() == ["off_route"]


def _on_route(*via: str) -> Document:
    links = [{"source": a, "target": b, "unit_time": 1} for a, b in ("SA", "SB", "BA")]
    processors = [{"id": name} for name in "SAB"]
    route = {"source": "S", "target": "A", "via": list(via)}
    tasks = [{"id": "make", "times": {"S": 1}}, {"id": "use", "times": {"A": 2}}]
    files = [{"source": "make", "target": "use", "size": 1}]
    return {
        "problem": {
            "kind": "task_graph",
            "platform": {"processors": processors, "links": links, "routes": [route]},
            "application": {"tasks": tasks, "files": files},
            "routing": "fixed",
        }
    }


def test_an_early_completion_of_a_load_is_refused() -> None:
    answer = right("divisible_chain")
    first, *others = answer.result["loads"]
    early = first | {"completion": "1/2"}
    assert answer.with_result(loads=[early, *others]).codes() == ["wrong_completion"]


def test_rates_of_bags_that_only_sum_to_the_value_are_refused() -> None:
    rates = {"T1": "3/2", "T2": "1/2"}
    assert right("bag_of_tasks").with_result(throughput_by_bag=rates).codes() == ["wrong_bags"]
