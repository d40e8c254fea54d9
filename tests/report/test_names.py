import pytest
from rich.cells import cell_len

from steadygrid.report.glyphs import ASCII, UNICODE, Glyphs
from steadygrid.report.names import Names, distinct


def test_host_names_lose_their_domain() -> None:
    names = Names(["griffon-1.nancy.grid5000.fr", "griffon-2.nancy.grid5000.fr", "hub"])
    assert names.name_of("griffon-2.nancy.grid5000.fr") == "griffon-2"
    assert names.name_of("hub") == "hub"
    assert (
        names.of_resource("griffon-1.nancy.grid5000.fr.compute", 60, UNICODE) == "griffon-1.compute"
    )
    assert (
        names.of_resource("hub->griffon-1.nancy.grid5000.fr.link", 60, UNICODE)
        == "hub->griffon-1.link"
    )
    assert (
        names.of_resource("griffon-1.nancy.grid5000.fr--hub.half", 60, UNICODE)
        == "griffon-1--hub.half"
    )
    assert names.left_out == names.counted({}).left_out == ".nancy.grid5000.fr"
    assert Names(["P1", "a.b"]).left_out == ""


def test_no_processor_is_taken_for_another() -> None:
    names = Names(["node.east.example.org", "node.west.example.org", "x.example.org.long.name"])
    assert names.name_of("node.east.example.org") == "node.east"
    assert names.name_of("node.west.example.org") == "node.west"
    assert names.name_of("x.example.org.long.name") == "x.example.org.long.name"


def test_a_domain_is_kept_where_the_name_without_it_is_that_of_another() -> None:
    names = Names(["frontend-of-site.grid.org", "frontend-of-site", "a.grid.org"])
    assert names.name_of("frontend-of-site.grid.org") == "frontend-of-site.grid.org"
    assert names.name_of("a.grid.org") == "a"


def test_one_long_name_alone_has_no_common_domain() -> None:
    names = Names(["alone.example.org.long.name", "hub"])
    assert names.name_of("alone.example.org.long.name") == "alone.example.org.long.name"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [8, 10, 16, 24])
def test_names_that_differ_never_look_the_same(width: int, glyphs: Glyphs) -> None:
    names = [f"{head}-{i}.{site}" for head in ("griffon", "graphene") for i in range(1, 60)
             for site in ("nancy.grid5000.fr", "lyon.grid5000.fr")]  # fmt: skip
    names += [f"{'x' * 30}{i}{'y' * 30}" for i in range(40)]
    short = distinct(names, width, glyphs)
    assert len(set(short)) == len(names)
    assert max(map(cell_len, short)) <= width
    known = Names(names)
    assert len({known.short_name(name, width, glyphs) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("names", "width", "short"),
    [
        (["node-1.rack", "node-2.rack"], 8, ["node-1.…", "node-2.…"]),
        (["a" * 20 + "1", "a" * 20 + "2"], 8, ["aaaa…aa1", "aaaa…aa2"]),
        (["left-side-of-the-way", "right-side-of-the-way"], 8, ["left…way", "righ…way"]),
        (["abcdXefghijk-same", "abcdYefghijk-same"], 7, ["abcdXe…", "abcdYe…"]),
        (["k" * 9 + "X" + "m" * 9, "k" * 9 + "Y" + "m" * 9], 7, ["…Xmmmm…", "…Ymmmm…"]),
        (["k" * 9 + "X" * 9 + "p" + "m" * 9, "k" * 9 + "X" * 9 + "q" + "m" * 9], 7,
         ["…pmmmm…", "…qmmmm…"]),
        (
            ["pbbbbX" + "b" * 9 + "q", "p" + "b" * 9 + "Xbbbbq", "p" + "b" * 14 + "q"],
            6,
            ["pbb…#1", "pbb…#2", "pbb…#3"],
        ),
    ],
)  # fmt: skip
def test_the_part_that_tells_names_apart_is_kept(
    names: list[str], width: int, short: list[str]
) -> None:
    told = distinct(names, width, UNICODE)
    assert len(set(told)) == len(names)
    assert told == short


def test_short_names_stay_as_they_are() -> None:
    names = Names(["v1.0", "v2.0"])
    assert names.name_of("v1.0") == "v1.0"
    assert names.of_resource("v1.0.send", 60, UNICODE) == "v1.0.send"
    assert names.of_resource("backbone.medium", 60, UNICODE) == "backbone.medium"


def test_both_ends_of_a_long_link_can_be_recognised() -> None:
    names = Names(["shore_gateway", "hill_gateway", "harbour_gateway"])
    link = names.of_resource("shore_gateway->harbour_gateway.link", 26, UNICODE)
    assert link == "shor…eway->harbo…eway.link"
    assert names.of_resource("harbour_gateway.compute", 15, UNICODE) == "har…way.compute"
