"""What must hold for every instance, on random ones."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kinds.master_worker.solving import solve, throughput

times = st.fractions(min_value=Fraction(1, 4), max_value=8, max_denominator=6)


def problem(platform: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "problem": {"kind": "master_worker", "platform": platform, "master": "P0", **more}
        | {"task": {"work": 1} | more.get("task", {})}
    }


@st.composite
def processors(draw: Callable[..., Any], count: int) -> list[dict[str, Any]]:
    """Some compute, some only route."""
    listed = []
    for i in range(count):
        unit_time = draw(st.one_of(st.none(), times))
        listed.append(
            {"id": f"P{i}"} | ({} if unit_time is None else {"unit_time": str(unit_time)})
        )
    return listed


@st.composite
def trees(draw: Callable[..., Any]) -> dict[str, Any]:
    count = draw(st.integers(1, 9))
    links = [
        {
            "source": f"P{draw(st.integers(0, i - 1))}",
            "target": f"P{i}",
            "unit_time": str(draw(times)),
            "duplex": draw(st.sampled_from(["full", "half", "simplex"])),
        }
        for i in range(1, count)
    ]
    return {"processors": draw(processors(count)), "links": links}


@st.composite
def platforms(draw: Callable[..., Any]) -> dict[str, Any]:
    count = draw(st.integers(2, 6))
    pairs = [(i, j) for i in range(count) for j in range(i)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1))
    links = [
        {"source": f"P{i}", "target": f"P{j}", "unit_time": str(draw(times))} for i, j in chosen
    ]
    return {"processors": draw(processors(count)), "links": links}


@settings(max_examples=60)
@given(trees())
def test_on_trees_the_program_and_the_bandwidth_centric_algorithm_agree(tree: Any) -> None:
    body = problem(tree)
    by_tree = solve(body, method="bandwidth_centric").result
    by_program = solve(body, method="lp").result
    assert by_tree.objective == by_program.objective
    assert by_tree.outcome == by_program.outcome == "optimal"


@settings(max_examples=40)
@given(platforms(), st.permutations(range(6)), st.sampled_from(["one_port", "multiport"]))
def test_relabelling_changes_nothing(platform: Any, order: list[int], ports: str) -> None:
    names = {f"P{i}": f"Q{order[i]}" for i in range(6)} | {"P0": "P0"}
    relabelled = {
        "processors": [p | {"id": names[p["id"]]} for p in reversed(platform["processors"])],
        "links": [
            e | {"source": names[e["source"]], "target": names[e["target"]]}
            for e in reversed(platform["links"])
        ],
    }
    task = {"output_size": 1}
    assert throughput(problem(platform, task=task, ports=ports)) == throughput(
        problem(relabelled, task=task, ports=ports)
    )


@settings(max_examples=40)
@given(platforms(), st.data())
def test_one_more_link_or_a_faster_processor_never_hurts(platform: Any, data: Any) -> None:
    before = throughput(problem(platform))
    joined = {frozenset((e["source"], e["target"])) for e in platform["links"]}
    ids = [p["id"] for p in platform["processors"]]
    free = [(a, b) for a in ids for b in ids if a < b and frozenset((a, b)) not in joined]
    if free:
        source, target = data.draw(st.sampled_from(free))
        link = {"source": source, "target": target, "unit_time": str(data.draw(times))}
        more = platform | {"links": [*platform["links"], link]}
        assert throughput(problem(more)) >= before
    faster = data.draw(st.integers(0, len(ids) - 1))
    processors = [dict(p) for p in platform["processors"]]
    if "unit_time" in processors[faster]:
        processors[faster]["unit_time"] = str(Fraction(processors[faster]["unit_time"]) / 2)
        assert throughput(problem(platform | {"processors": processors})) >= before


@settings(max_examples=60)
@given(platforms(), st.sampled_from([0, 1, "1/2"]), st.sampled_from(["one_port", "multiport"]))
def test_every_answer_has_few_allocations_and_prices_that_sum_to_it(
    platform: Any, output_size: Any, ports: str
) -> None:
    result, schedule = solve(
        problem(platform, task={"output_size": output_size}, ports=ports), method="lp"
    )
    assert sum(result.certificate.prices.values()) == result.objective.value
    resources = 3 * len(platform["processors"]) + 2 * len(platform["links"])
    assert len(schedule.allocations) <= resources
    assert sum(a.rate for a in schedule.allocations) == result.objective.value
