"""The routes of imported platforms are SimGrid's own."""

from pathlib import Path
from random import Random

import pytest

from steadygrid.domain.limits import Limits
from tests.data import shared_data
from tests.draws import draws
from tests.formats.simgrid_agreement import differences, read
from tests.formats.simgrid_drawn import Drawer
from tests.formats.simgrid_module import MISSING, routes
from tests.formats.simgrid_stored import documents, stored

with_simgrid = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

REFUSED = {
    "tesh_bogus_missing_dst_gateway",
    "tesh_bogus_two_hosts_asymetric",
    "tesh_host_attributes",
    "tesh_link_attributes",
}
"""By SimGrid, too; the last two for files that they name."""
MOST_PAIRS = 2_000
WHOLE = Limits(max_processors=70_000)
"""For platforms of which no hosts are folded."""


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_routes_are_those_that_simgrid_gave_once(path: Path) -> None:
    found = read(path.read_bytes())
    kept = stored(path)
    assert {name for pair in kept for name in pair} == {
        found.names[p.id] for p in found.platform.processors if p.speed
    }
    assert differences(found, kept) == []


def test_documents_with_stored_routes_are_of_every_sort() -> None:
    text = "".join(path.read_text() for path in documents())
    for word in ("bypassRoute", "bypassZoneRoute", "TORUS", "FAT_TREE", "DRAGONFLY", "Dijkstra"):
        assert word in text
    assert any(links is None for path in documents() for links in stored(path).values())


def test_a_route_that_differs_is_found() -> None:
    found = read(next(path for path in documents() if path.stem == "missing").read_bytes())
    kept = stored(next(path for path in documents() if path.stem == "missing"))
    assert kept["a", "b"] is None
    assert kept["a", "c"] == ("la", "lc")
    for wrong in ({("a", "b"): ("la", "lb")}, {("a", "c"): None}, {("a", "c"): ("la", "la", "lc")}):
        assert len(differences(found, kept | wrong)) == 1


@with_simgrid
@pytest.mark.parametrize("path", documents(), ids=lambda path: path.stem)
def test_stored_routes_are_simgrid_s_still(path: Path) -> None:
    kept = stored(path)
    answered = routes(path)
    assert answered
    assert {pair: kept[pair] for pair in answered} == answered


@with_simgrid
def test_routes_of_all_files_are_simgrid_s() -> None:
    """Of large platforms some thousand pairs are compared.

    SimGrid 4.1 crashes on most pairs of g5k, and finds no route for some that it has: gateways are
    in zones of their own there, and it reads tables of these beyond their end.
    """
    folder = shared_data("simgrid-platforms")
    paths = [path for path in sorted(folder.glob("*.xml")) if path.stem not in REFUSED]
    paths.append(shared_data("regressions/simgrid-bypass.xml"))
    compared = 0
    for path in paths:
        given = routes(path, MOST_PAIRS)
        if path.stem == "g5k":
            given = {pair: links for pair, links in given.items() if links is not None}
        assert differences(read(path.read_bytes(), WHOLE), given) == [], path.name
        compared += len(given)
    assert compared > 3 * MOST_PAIRS


@with_simgrid
def test_routes_of_random_platforms_are_simgrid_s(tmp_path: Path) -> None:
    compared = missing = 0
    path = tmp_path / "drawn.xml"
    for seed in range(draws(6, 2_000)):
        data = Drawer(Random(seed)).document()
        path.write_bytes(data)
        given = routes(path, 400, seed)
        assert differences(read(data), given) == [], seed
        compared += len(given)
        missing += sum(links is None for links in given.values())
    assert compared > 500
    assert missing
