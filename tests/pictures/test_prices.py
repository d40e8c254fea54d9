"""The picture of prices: its bars are the bound, whatever is folded or left out."""

import json
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound
from steadygrid.pictures import prices
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import THEMES, Picture, Wanted
from steadygrid.report.report import Report
from tests.draws import draws
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported, star

WITH_PRICES = {
    "bags-of-two-kinds": Fraction(2),
    "bags-of-uniform-tasks": Fraction(24, 17),
    "file-server-two-cards": Fraction(11, 12),
    "rr4870-figure-3": Fraction(21, 40),
    "rr4870-figure-9": Fraction(1),
    "rr4872-figure-2-scatter": Fraction(1, 2),
    "shared-wide-area-link": Fraction(92, 15),
    "triangle-no-overlap": Fraction(1, 6),
}
WITHOUT = (
    "cell-filter-bank",
    "dataflow-two-actors",
    "divisible-load-on-a-star",
    "divisible-load-with-latencies",
    "replicated-workflow",
    "three-sites-broadcast",
    "triangle-one-allocation",
)


def labels(drawn: Picture) -> list[str]:
    return [row["label"] for name in ("labels", "strong") for row in drawn.datasets[name]]


def sum_shown(drawn: Picture) -> Fraction:
    """Add up what the tooltips of the bars say that they are worth together."""
    texts = [row["told2"].split()[0] for row in drawn.datasets["bars"]]
    return sum((Fraction(text) for text in texts), Fraction(0))


@pytest.mark.parametrize("name", sorted(WITH_PRICES))
def test_bars_add_up_to_the_bound_exactly(name: str) -> None:
    report = example(name)
    drawn = picture_of(report, "prices", Wanted())
    assert sum_shown(drawn) == WITH_PRICES[name]
    listed = [price for _, price, _, _ in drawn.table.rows if isinstance(price, Fraction)]
    assert sum(listed, Fraction(0)) == WITH_PRICES[name]
    assert sum(part.length for row in prices.rows_of(report, Wanted()) for part in row.parts) == 1


@pytest.mark.parametrize("name", WITHOUT)
def test_what_has_no_such_prices_has_no_picture(name: str) -> None:
    report = example(name)
    assert "prices" not in {entry.name for entry in entries_of(report)}
    with pytest.raises(ValueError, match="do not add up"):
        prices.picture(report, Wanted())


def test_bars_of_random_stars_add_up_to_their_bounds() -> None:
    random = Random(15)
    for _ in range(draws(4, 200)):
        workers = [
            (f"W{i}", random.randint(1, 4), Fraction(1, random.randint(1, 60)).__str__())
            for i in range(random.randint(1, 60))
        ]
        report = reported(star(workers))
        assert report.result.bound is not None
        drawn = prices.picture(report, Wanted())
        rows = prices.rows_of(report, Wanted())
        assert sum(part.length for row in rows for part in row.parts) == 1
        assert len(rows) <= prices.MOST_BARS + 1
        priced = {resource: price for resource, price in report.prices.items() if price}
        assert {row[0]: row[1] for row in drawn.table.rows} == priced
        assert sum(priced.values()) == report.result.bound.value


def test_prices_that_do_not_add_up_to_the_bound_are_never_drawn() -> None:
    report = example("rr4870-figure-3")
    bound = Fraction(21, 40)
    proof = report.result.certificate
    for value, exact, certificate, drawn in (
        (bound, True, proof, True),
        (bound + Fraction(1, 10**30), True, proof, False),
        (bound, False, proof, False),
        (bound, True, DualityCertificate(prices={"P1.send": Fraction(1, 2)}), False),
        (Fraction(0), True, DualityCertificate(), False),
    ):
        changed = {"bound": Bound.from_value(value, exact=exact), "certificate": certificate}
        result = report.result.model_copy(update=changed)
        assert prices.applies_to(Report(report.submission, result, report.found)) == drawn


def test_ninety_two_twins_are_one_bar() -> None:
    twins = [(f"griffon-{i}.nancy.example.org", 2, "1/500") for i in range(92)]
    report = reported(star([*twins, ("slow", 3, "1/100")]))
    drawn = picture_of(report, "prices", Wanted())
    assert labels(drawn) == ["griffon-0.compute ×92", "M.compute", "slow.compute"]
    assert [row["label"] for row in drawn.datasets["said"]] == ["97.2 %", "2.1 %", "0.7 %"]
    assert Counter(row[3] for row in drawn.table.rows) == {1: 92, 2: 1, 3: 1}
    assert sum_shown(drawn) == 46 + 1 + Fraction(1, 3)


def test_equal_prices_of_processors_that_differ_are_bars_of_their_own() -> None:
    report = reported(star([("A", 1, "1/100"), ("B", 1, "1/200")]))
    assert set(report.prices.values()) == {Fraction(1)}
    assert labels(picture_of(report, "prices", Wanted())) == ["A.compute", "B.compute", "M.compute"]


def test_pools_of_the_kind_are_one_bar() -> None:
    drawn = picture_of(example("rr4870-figure-9"), "prices", Wanted())
    assert labels(drawn) == ["P4.receive ×2"]


def test_own_media_of_twins_are_one_bar() -> None:
    names = ["A", "B", "C"]
    problem = star([(name, "1/9", "1/8") for name in names]) | {"ports": "multiport"}
    problem["platform"]["media"] = [{"id": f"m{name}", "bandwidth": 1} for name in names]
    for link, name in zip(problem["platform"]["links"], names, strict=True):
        link["media"] = [f"m{name}"]
    drawn = picture_of(reported(problem), "prices", Wanted())
    assert labels(drawn) == ["mA.medium ×3", "M.compute"]


def test_bars_beyond_the_twentieth_are_counted_in_one_more() -> None:
    workers = [(f"W{i:02}", i + 2, f"1/{10**6 + i}") for i in range(40)]
    report = reported(star(workers))
    drawn = picture_of(report, "prices", Wanted())
    assert len(labels(drawn)) == 21
    assert labels(drawn)[-1] == "21 more"
    assert sum_shown(drawn) == sum(report.prices.values())
    assert [row[3] for row in drawn.table.rows] == [*range(1, 21), *[21] * 21]


def test_many_bars_of_one_price_are_one_even_of_processors_that_differ() -> None:
    # In pairs of one speed behind links of different speeds: no two are interchangeable.
    workers = [(f"W{i:02}", i // 2 + 2, f"1/{10**6 + i}") for i in range(42)]
    report = reported(star(workers))
    drawn = picture_of(report, "prices", Wanted())
    assert labels(drawn)[1] == "W00.compute ×2"
    assert labels(drawn)[-1] == "4 more"
    assert len(drawn.table.rows) == 43


def test_a_bound_that_is_not_reached_is_not_called_the_optimum() -> None:
    report = example("bags-on-demand")
    drawn = picture_of(report, "prices", Wanted())
    assert drawn.title == "What limits the throughput: shares of the bound"
    assert "optimum" not in drawn.description
    told = picture_of(example("star"), "prices", Wanted())
    assert told.title == "What limits the throughput: shares of the optimum"
    assert told.description == (
        "The prices of 3 resources add up exactly to the optimum, 13/15 tasks per time unit."
        " The greatest share, 57.7 %, is that of one resource."
    )


def test_hostile_ids_are_data_only() -> None:
    report = reported(star([(name, i + 1, "1/1000") for i, name in enumerate(HOSTILE)]))
    for theme in THEMES:
        drawn = picture_of(report, "prices", Wanted(theme=theme, width=320))
        told = json.dumps([drawn.spec, drawn.title, drawn.description], ensure_ascii=False)
        assert not any(name in told for name in HOSTILE)
        assert {row[0] for row in drawn.table.rows} >= {f"{name}.compute" for name in HOSTILE}
        assert len(labels(drawn)) == len(HOSTILE) + 1
