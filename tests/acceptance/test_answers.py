"""Answers of the running service, judged from the contract alone and by a second solver."""

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.acceptance.checking import (
    check,
    check_dispatch,
    event_key,
    expected_events,
    grid_of,
    number,
)
from tests.acceptance.client import Service, Solved
from tests.acceptance.grids import body, figure_3, half_duplex_ring, huge_grid, random_grid, star
from tests.acceptance.optimum import best_throughput
from tests.acceptance.runs import slots_of


def judged(service: Service, asked: dict[str, Any]) -> Solved:
    """Solve, and let the judge and the other solver look at all of the answer."""
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)
    expected = best_throughput(asked)
    assert float(Fraction(solved.result["bound"]["value"])) == pytest.approx(expected, rel=1e-7)
    check_derived(service, asked, solved)
    return solved


def check_derived(service: Service, asked: dict[str, Any], solved: Solved) -> None:
    """Compare slots, the timeline and the dispatch order with what the parts say."""
    schedule, at = solved.schedule, f"/v1/schedules/{solved.job['schedule']}"
    assert schedule is not None
    few = schedule["counts"]["transfers"] <= 500
    if few and "runs" in schedule:
        assert service.items(f"{at}/slots") == slots_of(schedule)
    length = Fraction(schedule["period"])
    last = schedule["latency_periods"] * length
    for start, end in ((Fraction(0), last), (length / 3, length * 3 / 2), (last, last + length)):
        if not few:
            break
        events = service.items(f"{at}/timeline?from={start}&to={end}")
        assert Counter(map(event_key, events)) == expected_events(
            grid_of(asked["problem"]), schedule, start, end
        )
        starts = [Fraction(event["start"]) for event in events]
        assert starts == sorted(starts)
    order = service.read(f"{at}/dispatch?count=60")["items"]
    rates = [Fraction(allocation["rate"]) for allocation in schedule["allocations"]]
    assert len(order) == (60 if rates else 0)
    check_dispatch(rates, order)


def value(solved: Solved) -> str:
    return solved.result["objective"]["value"]


@pytest.mark.parametrize("output_size", [0, 2])
def test_figure_3_is_worth_21_tasks_every_40(service: Service, output_size: int) -> None:
    solved = judged(service, figure_3(output_size=output_size))
    assert (value(solved), solved.result["outcome"]) == ("21/40", "optimal")
    assert solved.schedule is not None
    assert Fraction(solved.schedule["period"]) % 40 == 0


@pytest.mark.parametrize("method", ["auto", "lp", "bandwidth_centric"])
@pytest.mark.parametrize(
    ("children", "own", "throughput"),
    [
        ([(1, 3), (2, 2), (4, 1)], None, "2/3"),
        ([(1, 3), (2, 2), (4, 1)], 5, "13/15"),
        ([(1, 4), (1, 4), (1, 4)], None, "3/4"),
        ([(2, 1), (3, 1), (5, 1)], 10, "3/5"),
        ([(1, 1), (2, 1)], 5, "6/5"),
        ([], 7, "1/7"),
    ],
)
def test_stars_are_solved_by_either_method(
    service: Service, children: list[tuple[int, int]], own: int | None, throughput: str, method: str
) -> None:
    solved = judged(service, star(children, own, method=method))
    assert solved.result["method"] == ("lp" if method == "lp" else "bandwidth_centric")
    assert solved.result["outcome"] == "optimal"
    assert value(solved) == throughput


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("seed", range(8))
def test_random_platforms_are_solved_to_the_optimum(
    service: Service, ports: str, seed: int
) -> None:
    solved = judged(service, random_grid(seed, 5 + seed % 4, ports))
    assert solved.result["outcome"] == "optimal"


@pytest.mark.parametrize("seed", range(4))
def test_half_duplex_links_under_multiport_are_exact(service: Service, seed: int) -> None:
    solved = judged(service, random_grid(seed, 7, "multiport", "half full simplex"))
    assert solved.result["outcome"] == "optimal"


@pytest.mark.parametrize("processors", [3, 4, 6])
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_half_duplex_rings_get_a_schedule_and_an_honest_bound(
    service: Service, processors: int, seed: int
) -> None:
    judged(service, half_duplex_ring(seed, processors))


def half(source: str, target: str, time: int) -> tuple[Any, ...]:
    return source, target, time, {"duplex": "half"}


def simplex(source: str, target: str, time: int) -> tuple[Any, ...]:
    return source, target, time, {"duplex": "simplex"}


@pytest.mark.parametrize(
    ("asked", "best", "bound"),
    [
        (
            body(
                {"0": None, "1": None, "2": 6, "3": 4},
                [
                    half("0", "1", 1),
                    half("1", "2", 2),
                    half("1", "3", 2),
                    half("0", "2", 4),
                    half("2", "3", 4),
                ],
                {"output_size": 2},
            ),
            "5/18",
            "19/68",
        ),
        (
            body(
                {"0": None, "1": 1, "2": None, "3": None},
                [
                    simplex("0", "1", 2),
                    simplex("0", "3", 1),
                    simplex("2", "1", 1),
                    half("0", "2", 1),
                    half("1", "3", 1),
                    half("2", "3", 1),
                ],
                {"output_size": 1},
            ),
            "7/10",
            "3/4",
        ),
    ],
)
def test_where_the_program_is_only_a_bound_the_answer_says_so(
    service: Service, asked: dict[str, Any], best: str, bound: str
) -> None:
    solved = judged(service, asked)
    assert (solved.result["outcome"], value(solved)) == ("feasible", best)
    assert solved.result["bound"]["value"] == bound
    assert solved.result["notes"]


def test_a_link_between_switches_is_a_limit_of_its_own(service: Service) -> None:
    processors = {"M": None, "S": "switch", "T": "switch", "A": 1, "B": 1}
    links = [("M", "S", "1/4"), ("S", "T", "3/4"), ("T", "A", "1/8"), ("T", "B", "1/8")]
    for ports in ("one_port", "multiport"):
        assert value(judged(service, body(processors, links, ports=ports))) == "4/3"


def test_a_medium_counts_for_each_of_its_links_on_a_path(service: Service) -> None:
    bus = {"media": ["bus"]}
    links = [("M", "R", "1/9", bus), ("R", "A", "1/9", bus), ("M", "B", "1/9", bus)]
    asked = body({"M": None, "R": None, "A": 1, "B": 1}, links, ports="multiport", media={"bus": 2})
    assert value(judged(service, asked)) == "3/2"


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_what_cannot_be_reached_takes_no_part(service: Service, ports: str) -> None:
    alone = judged(service, body({"M": 4, "W": 1}, [], ports=ports))
    assert (value(alone), alone.result["computed"]) == ("1/4", {"M": "1/4"})
    assert alone.schedule is not None
    assert alone.schedule["counts"]["slots"] == alone.schedule["counts"]["transfers"] == 0
    no_way_back = body({"M": 4, "W": 1}, [simplex("M", "W", 1)], {"output_size": 1}, ports=ports)
    assert value(judged(service, no_way_back)) == "1/4"


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_no_reachable_worker_is_a_throughput_of_0_with_a_note(service: Service, ports: str) -> None:
    for links in ([], [simplex("W", "M", 1)]):
        solved = judged(service, body({"M": None, "W": 1}, links, ports=ports))
        assert (solved.result["outcome"], value(solved)) == ("optimal", "0")
        assert len(solved.result["notes"]) == 1
        assert solved.result["certificate"]["prices"] == {}


def test_files_of_size_0_need_a_path_but_no_run(service: Service) -> None:
    asked = star([(1, 2), (3, 1)], task={"input_size": 0})
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)
    assert value(solved) == "3/2"
    assert solved.schedule is not None
    assert solved.schedule["runs"] == []
    assert solved.schedule["latency_periods"] == 2
    assert all(allocation["transfers"] for allocation in solved.schedule["allocations"])


def test_decimals_mean_what_they_say(service: Service) -> None:
    asked = star([(0.1, 0.3)])  # type: ignore[list-item]
    assert value(judged(service, asked)) == "10/3"
    assert number(0.1) == Fraction(1, 10)


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("whole", [None, True, False])
@pytest.mark.parametrize("longest", ["1/7", 7.5, None])
def test_every_bound_on_the_period_is_kept(
    service: Service, ports: str, whole: bool | None, longest: Any
) -> None:
    options = {"max_period": longest, "whole_files": whole}
    asked = random_grid(105, 6, ports, "full half simplex")
    asked["options"] = {name: wish for name, wish in options.items() if wish is not None}
    solved = judged(service, asked)
    assert solved.schedule is not None
    if longest is not None and solved.schedule["throughput"] == "0":
        assert solved.schedule["runs" if ports == "one_port" else "slots"] == []
        assert any("smallest useful period" in note for note in solved.result["notes"])


def test_a_longer_period_never_achieves_less(service: Service) -> None:
    achieved = []
    for longest in (1, 2, 3, 5, 10, 20, 40, 80):
        asked = {**figure_3(), "options": {"max_period": longest}}
        schedule = judged(service, asked).schedule
        assert schedule is not None
        achieved.append(Fraction(schedule["throughput"]))
    assert achieved == sorted(achieved)
    assert achieved[-1] == Fraction(21, 40)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("seed", "ports"), [(1, "one_port"), (11, "multiport"), (5, "one_port")])
def test_the_smallest_useful_period_of_the_note_is_useful_and_nothing_below_it(
    service: Service, seed: int, ports: str, whole: bool
) -> None:
    def within(longest: str) -> Solved:
        asked = random_grid(seed, 6, ports)
        asked["options"] = {"max_period": longest, "whole_files": whole}
        return judged(service, asked)

    note = " ".join(within("1/1000").result["notes"])
    found = re.search(r"smallest useful period.* is ([0-9]+(?:/[0-9]+)?)", note)
    assert found, note
    smallest = found[1]
    schedule = within(smallest).schedule
    assert schedule is not None
    assert Fraction(schedule["instances_per_period"]) >= 1
    below = within(str(Fraction(smallest) * Fraction(999, 1000))).schedule
    assert below is not None
    assert (below["throughput"], below["instances_per_period"]) == ("0", "0")


def test_times_k_times_as_long_divide_the_throughput_by_k(service: Service) -> None:
    asked, longer = random_grid(7), random_grid(7)
    platform = longer["problem"]["platform"]
    for part in (*platform["processors"], *platform["links"]):
        if "unit_time" in part:
            part["unit_time"] = str(number(part["unit_time"]) * Fraction(7, 3))
    ratio = Fraction(value(service.solve(asked))) / Fraction(value(service.solve(longer)))
    assert ratio == Fraction(7, 3)


def test_the_order_of_writing_and_the_names_change_nothing(service: Service) -> None:
    asked, other = random_grid(9, 8), random_grid(9, 8)
    platform = other["problem"]["platform"]
    for link in platform["links"]:
        link["source"], link["target"] = (f"Ω {link[end]}/~" for end in ("source", "target"))
    for processor in platform["processors"]:
        processor["id"] = f"Ω {processor['id']}/~"
    platform["links"].reverse()
    platform["processors"].reverse()
    other["problem"]["master"] = "Ω p0/~"
    assert value(judged(service, asked)) == value(judged(service, other))


@pytest.mark.parametrize("seed", range(4))
def test_quantities_from_the_very_small_to_the_very_large_are_exact(
    service: Service, seed: int
) -> None:
    asked = random_grid(seed + 500, ports=("one_port", "multiport")[seed % 2])
    platform = asked["problem"]["platform"]
    for index, part in enumerate((*platform["links"], *platform["processors"])):
        if "unit_time" in part:
            part["unit_time"] = f"{number(part['unit_time']).numerator}e{(index * 17) % 61 - 30}"
    asked["problem"]["task"]["input_size"] = "123456789123456789.000000123e-20"
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)


def test_a_period_of_a_thousand_digits_gives_exact_rates_and_a_readable_schedule(
    service: Service,
) -> None:
    asked = huge_grid(1, 1000, 6000, 100)
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)
    assert solved.result["outcome"] == "optimal"
    assert any("period" in note for note in solved.result["notes"])
    schedule = solved.schedule
    assert schedule is not None
    assert len(schedule["period"]) < 12
    assert 0 < Fraction(schedule["loss"]) < Fraction(1, 50)


def test_an_exact_period_of_hundreds_of_digits_is_given_where_asked_for(service: Service) -> None:
    asked = huge_grid(1, 100, 300, 100)
    asked["options"] = asked.get("options", {}) | {"max_period": "exact"}
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)
    assert solved.schedule is not None
    assert solved.schedule["loss"] == "0"
    assert 100 < len(solved.schedule["period"]) <= 1000
