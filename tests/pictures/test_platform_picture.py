"""The picture of a platform: what it shows, says and lists, and what it never lets in."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import steadygrid
from steadygrid.domain.platform import Platform
from steadygrid.pictures import rendering
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.gallery import GALLERY, picture_of
from steadygrid.pictures.picture import Picture, Wanted
from steadygrid.pictures.platform import (
    answer_scene,
    picture,
    platform_picture,
    platform_scene,
)
from steadygrid.pictures.platform_scene import MOST_ROWS, DrawnBox, Scene
from steadygrid.pictures.rendering import pdf_of_svg, png_of_svg, specification_of
from steadygrid.pictures.svg import Heading, PageBrush, page_svg
from steadygrid.reading import LossyFormatWarning, read_platform
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list
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


def scene(report: Report) -> Scene:
    return answer_scene(report, resource_list(report))


def boxes(found: Scene) -> dict[str, DrawnBox]:
    return {box.said[0]: box for box in found.boxes}


def tags(found: Scene) -> dict[str, str]:
    """What is said to limit, by the box or by the two ends of the line."""
    told = {box.said[0]: box.words.tag for box in found.boxes if box.words.tag}
    for (a, b), line in zip(found.tiers.lines, found.lines, strict=True):
        if line is not None and line.tag:
            told[f"{found.boxes[a].said[0]} and {found.boxes[b].said[0]}"] = line.tag
    return told


def texts(found: Picture) -> list[str]:
    """What is written, from the first line on."""
    assert found.svg is not None
    return [one.text or "" for one in ET.fromstring(found.svg).iter() if one.tag.endswith("}text")]


def lines(found: Scene) -> dict[tuple[str, str], str]:
    return {
        (found.boxes[a].said[0], found.boxes[b].said[0]): line.text
        for (a, b), line in zip(found.tiers.lines, found.lines, strict=True)
        if line is not None
    }


def assert_clean(found: Scene) -> None:
    assert found.tiers.through() == []
    assert found.tiers.overlaps() == []


def test_figure_3_shows_who_is_how_busy_and_what_limits() -> None:
    found = scene(figure_3())
    assert_clean(found)
    assert {name: box.said[1:] for name, box in boxes(found).items()} == dict.fromkeys(
        ("P1", "P2", "P3", "P4"), ("computes 100 %",)
    )
    assert boxes(found)["P1"].role == "master"
    assert lines(found) == {
        ("P1", "P2"): "25 %", ("P1", "P3"): "75 %", ("P2", "P4"): "", ("P3", "P4"): "50 %",
    }  # fmt: skip
    assert tags(found) == {
        "P1": "limits 4.8 %", "P2": "limits 23.8 %", "P3": "limits 23.8 %", "P4": "limits 47.6 %",
    }  # fmt: skip
    assert [place.level for place in found.tiers.places] == [0, 1, 1, 2]
    assert picture(figure_3(), WANTED).description == (
        "4 processors and 4 links; 4 of 4 take part, 5 resources are always busy. The greatest"
        " price is that of P4.compute: 1/4, 100 % busy."
    )


@pytest.mark.parametrize("ends", [("M", "W"), ("W", "M")])
def test_two_directions_of_a_line_say_which_is_which(ends: tuple[str, str]) -> None:
    """Files go down to the worker, and results of a fourth of their size go up."""
    source, target = ends
    body = {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, {"id": "W", "speed": 1}],
            "links": [{"source": source, "target": target, "bandwidth": 8}],
        },
        "master": "M",
        "task": {"work": 1, "input_size": 4, "output_size": 1},
    }
    found = scene(reported({"problem": body}))
    assert {*lines(found).values()} == {"\N{DOWNWARDS ARROW} 50 % / \N{UPWARDS ARROW} 12.5 %"}


def test_what_the_picture_says_is_what_the_rows_of_resources_say() -> None:
    for report in (figure_3(), shared_link(), answer("shared-wide-area-link")):
        listed = resource_list(report)
        found = answer_scene(report, listed)
        weight = {row.key: row.weight for row in listed.rows}
        for box in found.boxes:
            assert box.words.weight == sum(weight[key] for key in box.keys if box.kind != "chip")
        drawn = {key for box in found.boxes for key in box.keys}
        drawn |= {key for line in found.lines if line is not None for key in line.keys}
        assert drawn >= {row.key for row in listed.rows if row.used}


def test_the_table_has_a_row_for_each_resource_with_exact_numbers() -> None:
    found = picture(figure_3(), WANTED).table
    assert found.columns == ("processors", "what", "busy", "class", "price of each", "members")
    listed = {(row[0], row[1]): row[2:] for row in found.rows}
    assert len(listed) == len(found.rows) == 4 * 3 + 2 * 4
    assert listed["P3", "computing"] == (F(1), "always busy", F(1, 8), 1)
    assert listed["P3", "receiving"] == (F(3, 4), "50 to 90 %", None, 1)
    assert listed["P1 -> P3", "link"] == (F(3, 4), "50 to 90 %", None, 1)
    assert listed["P3 -> P1", "link"] == (F(0), "unused", None, 1)


def test_twins_are_one_box_and_one_row_that_names_all() -> None:
    report = star([(2, 8), (2, 8), (2, 8), (1, 9)])
    found, drawn = picture(report, WANTED), scene(report)
    assert set(boxes(drawn)) == {"M", "W0 … ×3", "W3"}
    assert boxes(drawn)["W0 … ×3"].said[1] == "computes 100 %"
    assert [box.alike for box in drawn.boxes].count(True) == 1
    assert ("W0, W1, W2", "computing", F(1), "always busy", F(1, 8), 3) in found.table.rows
    assert ("M -> W0, W1, W2", "link", F(1, 4), "below 50 %", None, 3) in found.table.rows


def test_a_shared_link_that_limits_marks_all_its_links_and_one_has_the_tag() -> None:
    found = scene(answer("shared-wide-area-link"))
    assert_clean(found)
    limited = [line for line in found.lines if line is not None and line.limits]
    assert [line.told for line in limited] == ["medium:wan"] * 2
    assert [line.tag for line in limited].count("wan limits 78.3 %") == 1
    assert [line.tag for line in limited].count("") == 1
    assert tags(found)["lab-1 … ×2"] == "limits 21.7 %"
    assert boxes(found)["lab"].kind == "pill"
    assert "1 idle" in boxes(found)


def test_a_collective_shows_the_cut_that_is_its_bound() -> None:
    report = answer("three-sites-broadcast")
    assert report.view.cut == {"Rennes-gate", "Rennes-0", "Rennes-1", "Rennes-2"}
    assert report.view.roles == {"Lyon-0": "source"}
    found = scene(report)
    assert_clean(found)
    assert {name for name, box in boxes(found).items() if box.marked} <= report.view.cut
    assert set(tags(found)) == {"Lyon-gate and Rennes-gate", "Nancy-gate and Rennes-gate"}
    assert picture(report, WANTED).description.endswith(
        "The bottleneck is the cut around Rennes-0, Rennes-1, Rennes-2 and 1 more: 2 links across"
        " it have prices."
    )


def test_a_priced_set_is_drawn_by_its_links() -> None:
    report = answer("triangle-no-overlap")
    found = scene(report)
    assert [line.limits for line in found.lines if line is not None] == [True] * 3
    assert list(tags(found).values()) == ["limits 100 %"]
    table = picture(report, WANTED).table
    assert any(row[1] == "links within a set" and row[4] for row in table.rows)


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
    found = scene(answer(example))
    assert {box.said[0]: box.role for box in found.boxes if box.role} == roles
    levels = {b.said[0]: p.level for b, p in zip(found.boxes, found.tiers.places, strict=True)}
    assert [levels[name] for name in roles] == [0]


def test_prices_without_a_schedule_are_drawn_without_what_is_in_use() -> None:
    report = answer("bags-on-demand")
    found = picture(report, WANTED)
    assert found.title == "The platform"
    assert any(tag.startswith("limits ") for tag in tags(scene(report)).values())
    assert not any("computes" in text for text in texts(found))
    assert {row[2] for row in found.table.rows} == {None}


def test_the_gallery_has_it_where_there_is_a_platform() -> None:
    entry = GALLERY["platform"]
    assert next(iter(GALLERY)) == "platform"
    assert [entry.applies_to(answer(name)) for name in ("star", "dataflow-two-actors")] == [
        True,
        False,
    ]
    assert picture_of(answer("star"), "platform", WANTED).name == "platform"


def test_a_platform_alone_shows_speeds_and_bandwidths() -> None:
    alone = platform(
        [{"id": "slow", "speed": 1}, {"id": "fast", "speed": 8}, {"id": "R"}, "even"],
        [("slow", "R", {}), ("fast", "R", {"bandwidth": 9}), ("R", "even", {})],
    )
    found, drawn = platform_picture(alone, WANTED), platform_scene(alone, 4)
    assert {name: (box.kind, box.said[1:], box.words.part) for name, box in boxes(drawn).items()} == {
        "slow … ×2": ("processor", ("speed 1",), F(1, 8)),
        "fast": ("processor", ("speed 8",), F(1)),
        "R": ("pill", (), None),
    }  # fmt: skip
    width = {line.text: line.width for line in drawn.lines if line is not None}
    assert width["1"] < width["9"]
    assert found.table.columns == ("processors", "what", "speed or bandwidth", "members")
    assert ("fast", "computing", F(8), 1) in found.table.rows
    assert found.description == "3 processors, 1 router and 3 links."


def test_one_processor_is_a_picture() -> None:
    found = platform_picture(platform(["alone"], []), WANTED)
    assert "alone" in texts(found)
    assert found.description == "1 processor and no links."
    assert png_of_svg(found.svg or "", 1)[:4] == b"\x89PNG"
    assert b"/MediaBox [0 0 800 " in pdf_of_svg(found.svg or "")


def chain(count: int) -> Platform:
    return platform(
        [{"id": f"p{k}", "speed": k + 1} for k in range(count)],
        [(f"p{k}", f"p{k + 1}", {}) for k in range(count - 1)],
    )


def test_a_long_chain_is_drawn_as_far_as_twelve_rows_and_the_rest_is_counted() -> None:
    drawn = platform_scene(chain(401), 4)
    assert_clean(drawn)
    assert drawn.tiers.height < 1_400
    processors = [box for box in drawn.boxes if box.kind == "processor"]
    assert len(processors) == MOST_ROWS + 1  # from the second on, and the first
    assert sum(
        int(box.said[0].split()[0]) for box in drawn.boxes if box.kind == "chip"
    ) == 401 - len(processors)
    assert len(platform_picture(chain(401), WANTED).table.rows) == 401 + 2 * 400


def test_what_no_file_uses_hangs_as_one_chip_and_what_is_in_use_is_counted() -> None:
    """A master with many workers, of which few get work."""
    count = 400
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": chain(count).model_dump(mode="json", exclude_none=True),
            "master": "p0",
            "task": {"work": 1, "input_size": 10**3},
            "method": "bandwidth_centric",
        }
    }
    body["problem"]["platform"]["links"] = [  # type: ignore[index]
        {"source": "p0", "target": f"p{k}", "bandwidth": f"{10**5}/{k}"} for k in range(1, count)
    ]
    found = steadygrid.solve(body, in_process=True)
    report = Report(found.submission, found.result, found.schedule)
    drawn = scene(report)
    assert_clean(drawn)
    used = sum(row.used for row in resource_list(report).rows if row.kind == "processor")
    chips = {box.said[0] for box in drawn.boxes if box.kind == "chip"}
    shown = sum(box.kind == "processor" for box in drawn.boxes)
    assert 5 <= shown < used < count
    assert chips == {f"{count - used:,} idle", f"{used - shown:,} more in use"}
    table = picture(report, WANTED).table
    assert len({row[0] for row in table.rows if row[1] == "computing"}) == count


def test_forwarding_boxes_in_a_row_are_one_pill() -> None:
    switches = [{"id": f"s{k}", "switch": True} for k in range(4)]
    more = [{"id": "W", "speed": 2}, *({"id": f"i{k}"} for k in range(2))]
    ways = (("M", "s0"), ("s0", "s1"), ("s1", "s2"), ("s2", "s3"), ("s3", "W"))
    slow = "1/1000"
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "M", "speed": 1}, *switches, *more],
                "links": [
                    *({"source": a, "target": b, "bandwidth": 9} for a, b in ways),
                    *({"source": "s1", "target": f"i{k}", "bandwidth": slow} for k in range(2)),
                ],
            },
            "master": "M",
            "task": {"work": 1, "input_size": 1},
            "ports": "multiport",
        }
    }
    found = steadygrid.solve(body, in_process=True)
    drawn = scene(Report(found.submission, found.result, found.schedule))
    assert_clean(drawn)
    assert {name: box.kind for name, box in boxes(drawn).items()} == {
        "M": "processor",
        "through 4 switches": "pill",
        "W": "processor",
        "2 idle switches": "chip",
    }
    assert [place.level for place in drawn.tiers.places] == [0, 1, 2, 2]
    assert {"processor:s0", "processor:s3"} <= set(boxes(drawn)["through 4 switches"].keys)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_ids_are_text_and_nothing_else(theme: Any) -> None:
    ids = [*HOSTILE, "plain"]
    hostile = platform(
        [{"id": one, "speed": k + 1} for k, one in enumerate(ids)],
        [("plain", one, {"media": [ids[0]] if k < 3 else []}) for k, one in enumerate(HOSTILE)],
        media=[{"id": ids[0], "bandwidth": 1}],
    )
    found = platform_picture(hostile, Wanted(theme=theme, width=4000))
    root = ET.fromstring(found.svg or "")
    assert {one.tag.rpartition("}")[2] for one in root.iter()} == {
        "svg", "title", "desc", "rect", "g", "path", "text",
    }  # fmt: skip
    names = {name for one in root.iter() for name in one.attrib}
    assert not any(name.startswith("on") or name in ("style", "href") for name in names)
    assert not re.search("[\u202e\u202c\u2028\u2029\ufffe]", found.svg or "")
    drawn = platform_scene(hostile, 20)
    labels = [box.said[0] for box in drawn.boxes]
    assert len(labels) == len(set(labels)) == len(ids)
    keys: list[str] = []

    def index(key: str) -> int:
        keys.append(key)
        return keys.index(key)

    brush = PageBrush(index, lambda key: f"?{key}")
    inside = ET.fromstring(page_svg(drawn, brush, Heading('<of> & "all"')))
    assert {one.tag for one in inside.iter()} == {"svg", "a", "g", "rect", "path", "text"}
    assert {f"processor:{one}" for one in ids if "\ufffe" not in one} <= {
        (one.get("href") or "?").removeprefix("?") for one in inside.iter("a")
    }


def test_a_page_has_classes_and_indices_and_no_colour() -> None:
    listed = resource_list(figure_3())
    keys = [row.key for row in listed.rows]
    brush = PageBrush(keys.index, lambda key: f"?resource={key}", "processor:P3")
    written = page_svg(answer_scene(figure_3(), listed), brush, Heading("The platform"))
    root = ET.fromstring(written)
    assert not any(
        name in one.attrib for one in root.iter() for name in ("style", "fill", "stroke")
    )
    chosen = [one for one in root.iter() if "data-on" in one.attrib]
    marked = {
        keys[int(index)] for one in chosen for index in one.get("data-r").split()
    }  # fmt: skip
    # P3, and the links that it works with; the box at the other end fades.
    assert marked >= {"processor:P3", "link:P1->P3", "link:P3->P4"}
    assert not marked & {"processor:P2", "link:P1->P2"}
    assert [one.get("aria-current") for one in root.iter("a")].count("true") == 1
    assert len(written) < 6_000


@pytest.mark.parametrize("width", [320, 800, 1_200])
def test_all_is_within_the_drawing_which_is_as_wide_as_it_was_to_be(width: int) -> None:
    for found in (
        picture(answer("three-sites-broadcast"), Wanted(width=width)),
        platform_picture(platform(["a", "b", "c"], [("a", "b", {})]), Wanted(width=width)),
    ):
        root = ET.fromstring(found.svg or "")
        assert root.get("width") == str(width)
        _, _, across, down = map(float, root.get("viewBox").split())
        assert float(root.get("height")) == pytest.approx(down * width / across, abs=0.1)
        (group,) = (one for one in root if one.tag.endswith("}g"))
        left, above = map(float, re.findall("[0-9.]+", group.get("transform")))
        for one in group.iter():
            if one.tag.endswith("}rect"):
                assert left + float(one.get("x")) >= 0
                assert left + float(one.get("x")) + float(one.get("width")) <= across
                assert above + float(one.get("y")) + float(one.get("height")) <= down


def test_a_real_cluster_is_drawn_whole_and_its_labels_differ() -> None:
    report = reported(
        {
            "kind": "master_worker",
            "platform": imported("griffon"),
            "master": "griffon-1.nancy.grid5000.fr",
            "task": {"work": 10**10, "input_size": 10**7},
            "ports": "multiport",
        }
    )
    found = scene(report)
    assert_clean(found)
    labels = [box.said[0] for box in found.boxes]
    assert len(labels) == len(set(labels))
    assert {"griffon-1", "cabinet1", "cabinet1_router"} <= set(labels)


def test_a_real_grid_is_drawn_and_its_table_has_all_processors() -> None:
    with pytest.warns(LossyFormatWarning):
        grid = read_platform(shared_data("simgrid-platforms/g5k.xml"))
    assert_clean(platform_scene(grid, 6))
    found = platform_picture(grid, WANTED)
    assert len(found.svg or "") < 20_000
    listed = [
        one for row in found.table.rows if row[1] == "computing" for one in str(row[0]).split(", ")
    ]
    assert sorted(listed) == sorted(p.id for p in grid.processors if not p.switch)


def test_of_a_real_grid_those_at_work_have_boxes() -> None:
    """They stand among large groups that do nothing, which are one chip."""
    report = reported(
        {
            "kind": "master_worker",
            "platform": imported("g5k"),
            "master": "edel-1.grenoble.grid5000.fr",
            "task": {"work": 10**10, "input_size": 10**7},
            "ports": "multiport",
        }
    )
    found = scene(report)
    assert_clean(found)
    assert set(boxes(found)) == {"edel-1", "AS_edel", "edel-2 … ×5", "edel-7", "1,521 idle"}
    assert found.tiers.height < 600


def test_a_neighbourhood_has_what_is_near_and_counts_the_rest() -> None:
    asked = Wanted(around="P4")
    found = answer_scene(figure_3(), resource_list(figure_3()), near=asked.neighbourhood)
    assert_clean(found)
    assert [box.said[0] for box in found.boxes] == ["P2", "P3", "P4", "1 more"]
    assert [place.level for place in found.tiers.places] == [1, 1, 0, 2]
    told = picture(figure_3(), asked)
    assert texts(told)[:2] == [
        "The platform around P4", "3 of 4 processors and switches: those within 1 link of P4",
    ]  # fmt: skip
    listed = {one for row in told.table.rows for one in re.findall(r"P\d", str(row[0]))}
    assert listed == {"P2", "P3", "P4"}
    whole = picture(figure_3(), Wanted(around="P4", hops=2)).table
    assert set(whole.rows) == set(picture(figure_3(), WANTED).table.rows)
    grid = Platform.model_validate(imported("g5k"))
    middle = Wanted(around="AS_bordeplage", hops=3).neighbourhood
    near = platform_scene(grid, 6, middle)
    assert_clean(near)
    top = min(range(len(near.boxes)), key=lambda i: near.tiers.places[i].y)
    assert near.boxes[top].said[0] == "AS_bordeplage"
    star_of_two = star([(1, 1), (5, 5)])
    assert "1 idle" in boxes(scene(star_of_two))
    part = Wanted(around="M").neighbourhood
    assert len(boxes(answer_scene(star_of_two, resource_list(star_of_two), near=part))) == 3
    for draw in (lambda how: picture(figure_3(), how), lambda how: platform_picture(
        platform(["P1", "P2"], [("P1", "P2", {})]), how)):  # fmt: skip
        with pytest.raises(UnfitPicture, match=r"no processor 'P22'\. Did you mean") as refused:
            draw(Wanted(around="P22"))
        assert [fault.code for fault in refused.value.faults] == ["unknown_processor"]


@pytest.mark.parametrize(
    ("around", "hops", "inside"),
    [
        ("W0", 1, {"W0", "M"}),
        ("W0", 2, {"W0", "M", "W1", "W2", "W3"}),
        ("M", 1, {"M", "W0", "W1", "W2", "W3"}),
        ("W3", 1, {"W3", "M"}),
    ],
)
def test_twins_of_the_middle_are_two_links_away(around: str, hops: int, inside: set[str]) -> None:
    alike = star([(1, 8), (1, 8), (1, 8), (5, 5)])
    for told in (
        picture(alike, Wanted(around=around, hops=hops)),
        platform_picture(alike.platform, Wanted(around=around, hops=hops)),
    ):
        extent = f"{len(inside)} of 5 processors and switches: those within"
        assert told.description.startswith(extent)
        rows = [str(row[0]) for row in told.table.rows]
        assert {one for row in rows for one in re.findall(r"W\d|M", row)} == inside
        # The middle stands alone, and its twins are one row where they are in sight.
        assert any(around in re.split(" -- | -> ", row) for row in rows)
    whole = picture(alike, WANTED).table.csv().splitlines()[0]
    part = picture(alike, Wanted(around=around, hops=hops)).table.csv().splitlines()[0]
    assert part == whole


def test_vega_lite_is_refused_and_the_html_has_the_drawing() -> None:
    found = picture(figure_3(), WANTED)
    with pytest.raises(UnfitPicture, match="ask for svg, png, pdf or html"):
        specification_of(found)
    page = rendering.written(found, "html", WANTED).decode()
    assert found.svg is not None
    assert found.svg in page
    assert "<script" not in page


def test_the_same_platform_is_drawn_the_same() -> None:
    report = answer("three-sites-broadcast")
    assert picture(report, WANTED).svg == picture(report, WANTED).svg
