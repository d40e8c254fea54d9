"""The picture of a platform: what it shows, says and lists, and what it never lets in."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import steadygrid
from steadygrid.domain.platform import Platform
from steadygrid.pictures.gallery import GALLERY, picture_of
from steadygrid.pictures.picture import MOST_NODES, Picture, Wanted
from steadygrid.pictures.platform import picture, platform_picture
from steadygrid.pictures.rendering import specification_of, svg
from steadygrid.reading import LossyFormatWarning, read_platform
from steadygrid.report.report import Report
from tests.acceptance.test_real_platforms import imported
from tests.data import shared_data
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import reported
from tests.report.answers import figure_3, shared_link, star
from tests.tree import ROOT

F = Fraction
WANTED = Wanted()


@cache
def answer(example: str) -> Report:
    found = steadygrid.solve(ROOT / "examples" / f"{example}.json", in_process=True)
    return Report(found.submission, found.result, found.schedule)


def platform(processors: Sequence[Any], links: Sequence[Any], **more: Any) -> Platform:
    listed = [one if isinstance(one, dict) else {"id": one, "speed": 1} for one in processors]
    joined = [{"source": a, "target": b, "bandwidth": 1, **kw} for a, b, kw in links]
    return Platform.model_validate({"processors": listed, "links": joined, **more})


def rows(found: Picture, name: str) -> list[Mapping[str, Any]]:
    return list(found.datasets.get(name, ()))


def said(found: Picture) -> set[str]:
    """What the legend explains."""
    return {row["text"] for row in rows(found, "legend texts")}


def labels(found: Picture) -> set[str]:
    return {
        row["text"] for name in found.datasets if name.startswith("labels ")
        for row in rows(found, name)
    }  # fmt: skip


def test_figure_3_shows_who_is_how_busy_and_what_has_a_price() -> None:
    found = picture(figure_3(), WANTED)
    assert {row["who"]: row["busy"] for row in rows(found, "nodes")} == dict.fromkeys(
        ("P1", "P2", "P3", "P4"), "always busy"
    )
    assert {row["who"]: row["busy"] for row in rows(found, "edges")} == {
        "P1 and P2": "below 50 %",
        "P1 and P3": "50 to 90 %",
        "P2 and P4": "unused",
        "P3 and P4": "50 to 90 %",
    }
    assert all(row["priced"] for row in rows(found, "nodes"))
    assert Counter(row["kind"] for row in rows(found, "nodes")) == {"master": 1, "processor": 3}
    assert len(rows(found, "arrows")) == 3
    assert {"P1\ncomputes 100 %", "75 %"} <= labels(found)
    assert said(found) == {
        "unused", "below 50 %", "50 to 90 %", "always busy", "has a price: it limits",
        "data goes this way only", "master", "processor",
    }  # fmt: skip
    assert found.description == (
        "4 processors and 4 links; 4 of 4 take part, 5 resources are always busy. The greatest"
        " price is that of P4.compute: 1/4, 100 % busy."
    )


def test_the_table_has_a_row_for_each_resource_with_exact_numbers() -> None:
    found = picture(figure_3(), WANTED).table
    assert found.columns == ("processors", "what", "busy", "class", "price of each", "members")
    listed = {(row[0], row[1]): row[2:] for row in found.rows}
    assert len(listed) == len(found.rows) == 4 * 3 + 2 * 4
    assert listed["P3", "computing"] == (F(1), "always busy", F(1, 8), 1)
    assert listed["P3", "receiving"] == (F(3, 4), "50 to 90 %", None, 1)
    assert listed["P1 -> P3", "link"] == (F(3, 4), "50 to 90 %", None, 1)
    assert listed["P3 -> P1", "link"] == (F(0), "unused", None, 1)


def test_twins_are_one_node_and_one_row_that_name_all() -> None:
    found = picture(star([(2, 8), (2, 8), (2, 8), (1, 9)]), WANTED)
    assert {row["who"] for row in rows(found, "nodes")} == {"M", "W0, W1, W2", "W3"}
    assert "W0 … ×3\ncomputes 100 %" in labels(found)
    assert len(rows(found, "rings")) == 1
    assert ("W0, W1, W2", "computing", F(1), "always busy", F(1, 8), 3) in found.table.rows
    assert ("M -> W0, W1, W2", "link", F(1, 4), "below 50 %", None, 3) in found.table.rows
    assert "several that are alike" in said(found)


def test_a_medium_stands_on_the_only_link_that_uses_it() -> None:
    found = picture(shared_link(), WANTED)
    (wan,) = rows(found, "media")
    (edge,) = (row for row in rows(found, "edges") if row["who"] == "store and hub")
    assert wan["x"] == pytest.approx((edge["x"] + edge["x2"]) / 2)
    assert wan["y"] == pytest.approx((edge["y"] + edge["y2"]) / 2)
    assert wan["busy"] == "always busy"
    (half,) = (row for row in rows(found, "edges") if row["who"] == "hub and west")
    assert half["busy"] == "below 50 %"
    assert rows(found, "spokes") == []
    assert ("wan", "medium", F(1), "always busy", None, 1) in found.table.rows


def test_a_medium_of_several_links_is_joined_to_each() -> None:
    found = picture(answer("shared-wide-area-link"), WANTED)
    assert [row["priced"] for row in rows(found, "media")] == [True]
    assert len(rows(found, "spokes")) == 2
    assert "The greatest price is that of wan.medium: 24/5, 100 % busy." in found.description


def test_a_collective_shows_the_cut_that_is_its_bound() -> None:
    report = answer("three-sites-broadcast")
    assert report.view.cut == {"Rennes-gate", "Rennes-0", "Rennes-1", "Rennes-2"}
    assert report.view.roles == {"Lyon-0": "source"}
    found = picture(report, WANTED)
    assert {row["who"] for row in rows(found, "halos")} == report.view.cut
    assert {row["who"] for row in rows(found, "casings")} == {
        "Lyon-gate and Rennes-gate",
        "Nancy-gate and Rennes-gate",
    }
    assert found.description.endswith(
        "The bottleneck is the cut around Rennes-0, Rennes-1, Rennes-2 and 1 more: 2 links across"
        " it have prices."
    )


def test_a_priced_set_is_drawn_by_its_links() -> None:
    found = picture(answer("triangle-no-overlap"), WANTED)
    assert len(rows(found, "casings")) == 3
    assert any(row[1] == "links within a set" and row[4] for row in found.table.rows)


@pytest.mark.parametrize(
    ("example", "roles"),
    [
        ("rr4870-figure-3", {"P1": "master"}),
        ("bags-of-uniform-tasks", {"P0": "master"}),
        ("divisible-load-on-a-star", {"M": "master"}),
        ("divisible-loads-on-a-chain", {"P1": "source"}),
    ],
)
def test_kinds_say_who_holds_the_work(example: str, roles: Mapping[str, str]) -> None:
    assert answer(example).view.roles == roles
    found = picture(answer(example), WANTED)
    assert {row["who"]: row["kind"] for row in rows(found, "nodes")}.items() >= roles.items()


def test_prices_without_a_schedule_are_drawn_without_classes() -> None:
    found = picture(answer("bags-on-demand"), WANTED)
    assert found.title == "The platform"
    assert any(row["priced"] for row in rows(found, "nodes"))
    assert not any("busy" in row for row in rows(found, "nodes"))
    assert {row[2] for row in found.table.rows} == {None}


def test_the_gallery_has_it_where_there_is_a_platform() -> None:
    entry = GALLERY["platform"]
    assert next(iter(GALLERY)) == "platform"
    assert [entry.applies_to(answer(name)) for name in ("star", "dataflow-two-actors")] == [
        True,
        False,
    ]
    assert picture_of(answer("star"), "platform", WANTED).name == "platform"


def test_a_platform_alone_shows_speeds_by_size_and_bandwidths_by_width() -> None:
    found = platform_picture(
        platform(
            [{"id": "slow", "speed": 1}, {"id": "fast", "speed": 8}, {"id": "R"}, "even"],
            [("slow", "R", {}), ("fast", "R", {"bandwidth": 9}), ("R", "even", {})],
        ),
        WANTED,
    )
    size = {row["who"]: row["size"] for row in rows(found, "nodes")}
    assert size["slow, even"] < size["fast"]
    width = {row["who"]: row["width"] for row in rows(found, "edges")}
    assert width["slow and 1 more and R"] < width["fast and R"]
    assert {row["kind"] for row in rows(found, "nodes")} == {"processor", "router"}
    assert {"speed 1", "speed 8", "bandwidth 1", "bandwidth 9"} <= said(found)
    assert found.table.columns == ("processors", "what", "speed or bandwidth", "members")
    assert ("fast", "computing", F(8), 1) in found.table.rows
    assert found.description == "3 processors, 1 router and 3 links."


def test_one_processor_is_a_picture() -> None:
    found = platform_picture(platform(["alone"], []), WANTED)
    assert [row["who"] for row in rows(found, "nodes")] == ["alone"]
    assert found.description == "1 processor and no links."
    assert svg(specification_of(found), 800)


def chain(count: int) -> Platform:
    return platform(
        [{"id": f"p{k}", "speed": k + 1} for k in range(count)],
        [(f"p{k}", f"p{k + 1}", {}) for k in range(count - 1)],
    )


def test_too_many_different_nodes_are_a_table_with_a_sentence() -> None:
    found = platform_picture(chain(MOST_NODES + 1), WANTED)
    assert found.spec is None
    assert found.description.endswith(
        "These are 401 different nodes, more than the 400 that can be drawn: see the table."
    )
    assert len(found.table.rows) == 401 + 2 * 400


def test_what_nobody_uses_of_a_large_platform_is_counted_at_its_neighbour() -> None:
    """A master of a long chain that does all by itself."""
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": chain(MOST_NODES + 9).model_dump(mode="json", exclude_none=True),
            "master": "p0",
            "task": {"work": 1, "input_size": 10**6},
            "method": "bandwidth_centric",
        }
    }
    body["problem"]["platform"]["links"] = [  # type: ignore[index]
        {"source": "p0", "target": f"p{k}", "bandwidth": f"1/{k}"} for k in range(1, MOST_NODES + 9)
    ]
    found = steadygrid.solve(body, in_process=True)
    drawn = picture(Report(found.submission, found.result, found.schedule), WANTED)
    away = [row for row in rows(drawn, "nodes") if row["kind"] == "not used"]
    used = len(rows(drawn, "nodes")) - 1
    assert len(away) == 1
    assert any(text.startswith(f"{MOST_NODES + 9 - used:,} more") for text in labels(drawn))
    assert "more that nobody uses" in said(drawn)
    assert len({row[0] for row in drawn.table.rows if row[1] == "computing"}) == MOST_NODES + 9


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_ids_are_data_and_nothing_else(theme: Any) -> None:
    ids = [*HOSTILE, "plain"]
    hostile = platform(
        ids,
        [("plain", one, {"media": [ids[0]] if k < 3 else []}) for k, one in enumerate(HOSTILE)],
        media=[{"id": ids[0], "bandwidth": 1}],
    )
    found = platform_picture(hostile, Wanted(theme=theme))
    written = json.dumps(found.spec)
    assert not any(one in written or json.dumps(one)[1:-1] in written for one in HOSTILE)
    assert all(one.isidentifier() or " " in one for one in found.datasets)
    drawn = svg(specification_of(found), 800).decode()
    assert "<script" not in drawn
    assert "<img" not in drawn


@pytest.mark.parametrize("width", [320, 800, 1_200])
def test_all_is_within_the_drawing(width: int) -> None:
    for found in (
        picture(answer("three-sites-broadcast"), Wanted(width=width)),
        platform_picture(platform(["a", "b", "c"], [("a", "b", {})]), Wanted(width=width)),
    ):
        view = (found.spec or {})["vconcat"][0]
        assert view["width"] == width - 10
        for name in ("nodes", "media", "edges"):
            for row in rows(found, name):
                assert 0 <= row["x"] <= view["width"]
                assert 0 <= row["y"] <= view["height"]


def test_a_real_grid_is_drawn_with_all_its_processors() -> None:
    with pytest.warns(LossyFormatWarning):
        grid = read_platform(shared_data("simgrid-platforms/g5k.xml"))
    found = platform_picture(grid, WANTED)
    assert found.spec is not None
    assert len(rows(found, "nodes")) <= 145
    listed = [
        one for row in found.table.rows if row[1] == "computing" for one in str(row[0]).split(", ")
    ]
    assert sorted(listed) == sorted(p.id for p in grid.processors if not p.switch)
    # Switches of so many nodes have no labels.
    assert all(" … ×" in text for text in labels(found))
    assert 20 < len(labels(found)) <= len(rows(found, "rings"))


def test_of_a_real_grid_those_at_work_have_labels() -> None:
    """They stand close together, among large groups that do nothing."""
    report = reported(
        {
            "kind": "master_worker",
            "platform": imported("g5k"),
            "master": "edel-1.grenoble.grid5000.fr",
            "task": {"work": 10**10, "input_size": 10**7},
            "ports": "multiport",
        }
    )
    found = picture(report, WANTED)
    assert {"edel-1.grenoble", "edel-2 … ×5", "edel-7.grenoble"} <= labels(found)
    assert len(labels(found)) < len(rows(found, "rings"))


def test_the_same_platform_is_drawn_the_same() -> None:
    report = answer("three-sites-broadcast")
    assert picture(report, WANTED).vega == picture(report, WANTED).vega
