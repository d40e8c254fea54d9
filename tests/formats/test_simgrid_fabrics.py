"""Tori, fat trees and dragonflies: switches, links, and what one task takes of them.

That their routes are SimGrid's, `tests.formats.test_simgrid_agreement` tells.
"""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from tests.formats.simgrid_documents import document, link_between, load, load_platform, summary
from tests.solved import solve

MB = 10**6


def fabric(shape: str, parameters: str, hosts: int, more: str = "") -> bytes:
    return document(
        f'<cluster id="c" prefix="h" suffix="" radical="0-{hosts - 1}" speed="1Gf" bw="10MBps"'
        f' lat="1ms" topology="{shape}" topo_parameters="{parameters}" {more}/>'
    )


def sizes(data: bytes) -> tuple[int, int, int]:
    """Count hosts, switches and links."""
    platform = load_platform(data)
    switches = sum(processor.switch for processor in platform.processors)
    return len(platform.processors) - switches, switches, len(platform.links)


@pytest.mark.parametrize(
    ("shape", "parameters", "hosts", "switches", "links"),
    [
        ("TORUS", "3,4", 12, 12, 12 + 24),
        ("TORUS", "2,2", 4, 4, 4 + 4),
        ("TORUS", "1,3", 3, 3, 3 + 3),
        ("TORUS", "1", 1, 1, 0),
        ("FAT_TREE", "1;4;1;1", 4, 1, 4),
        ("FAT_TREE", "2;4,4;1,2;1,1", 16, 4 + 2, 16 + 8),
        ("FAT_TREE", "3;2,2,2;1,1,1;1,1,1", 8, 4 + 2 + 1, 8 + 4 + 2),
        ("DRAGONFLY", "1,1;1,1;4,1;2", 8, 4, 8 + 6),
        ("DRAGONFLY", "3,1;1,1;3,1;1", 9, 9, 9 + 9 + 3),
    ],
)
def test_a_fabric_has_the_switches_and_links_of_its_shape(
    shape: str, parameters: str, hosts: int, switches: int, links: int
) -> None:
    assert sizes(fabric(shape, parameters, hosts)) == (hosts, switches, links)


def test_cables_beside_one_another_have_switches_of_their_own() -> None:
    """Two cables up from each of two switches, each of them one way up and one down."""
    hosts, switches, _ = sizes(fabric("FAT_TREE", "2;2,2;1,1;1,2", 4))
    assert (hosts, switches) == (4, 2 + 1 + 2 * 2)


def test_bundles_of_a_dragonfly_are_as_wide_as_they_have_links() -> None:
    platform = load_platform(fabric("DRAGONFLY", "2,5;2,3;2,2;1", 8))
    of = {
        "green": ("c_router_0_0_0", "c_router_0_0_1", 2),
        "black": ("c_router_1_0_1", "c_router_1_1_1", 3),
        "blue": ("c_router_0_0_1", "c_router_1_0_0", 5),
    }
    for source, target, links in of.values():
        assert summary(link_between(platform, source, target))[0] == links * 10 * MB
    assert summary(link_between(platform, "h0", "c_router_0_0_0")) == (10 * MB, "full", ())


def test_shared_links_carry_both_directions_together() -> None:
    platform = load_platform(fabric("TORUS", "5", 5, 'sharing_policy="SHARED"'))
    assert summary(link_between(platform, "c_switch_0", "c_switch_1")) == (10 * MB, "half", ())


def test_limiters_bound_what_passes_a_host_or_a_switch() -> None:
    platform = load_platform(fabric("FAT_TREE", "2;2,2;1,1;1,1", 4, 'limiter_link="15MBps"'))
    into = link_between(platform, "h0", "c_switch_1_0")
    out = link_between(platform, "c_switch_1_0", "h0")
    assert into.media == ("c_link_0_limiter",)
    assert set(out.media) == {"c_link_7_limiter", "c_link_0_limiter"}
    assert {medium.bandwidth for medium in platform.media} == {15 * MB}
    torus = load_platform(fabric("TORUS", "5", 5, 'limiter_link="15MBps"'))
    assert link_between(torus, "c_switch_0", "h0").media == ("c_link_0_limiter",)
    assert link_between(torus, "c_switch_0", "c_switch_1").media == ("c_link_0_limiter",)


def test_what_flat_clusters_know_only_is_left_out_with_a_warning() -> None:
    imported = load(fabric("TORUS", "3", 5, 'bb_bw="1MBps" router_id="r"'))
    assert [p.id for p in imported.document.processors if not p.switch] == ["h0", "h1", "h2"]
    assert any(w.startswith("router_id, bb_bw and bb_lat mean nothing") for w in imported.warnings)
    assert any(w.startswith("hosts of a cluster beyond its") for w in imported.warnings)


def task_rate(platform: Platform, master: str) -> Fraction:
    problem: dict[str, Any] = {
        "kind": "master_worker",
        "platform": platform.model_dump(mode="json"),
        "master": master,
        "task": {"work": 10**7, "input_size": 10 * MB},
        "ports": "multiport",
        "routing": "fixed",
    }
    value = solve({"problem": problem}).result.objective.value
    assert isinstance(value, Fraction)
    return value


def test_a_torus_carries_as_many_tasks_as_the_master_has_outgoing_links() -> None:
    """Of a ring of five, two are nearer forwards and two backwards: a link each, 1 task per s."""
    assert task_rate(load_platform(fabric("TORUS", "5", 5)), "h0") == 100 + 2
    # The host's own link is wide enough for four rings.
    assert task_rate(load_platform(fabric("TORUS", "3,3", 9)), "h0") == 100 + 4


def test_in_a_fat_tree_the_target_decides_which_switch_is_at_the_top() -> None:
    """Hosts 0 to 3 hang on two switches, both joined to both roots: d-mod-k by position."""
    platform = load_platform(fabric("FAT_TREE", "2;2,2;1,2;1,1", 4))
    routes = {(r.source, r.target): r.via for r in platform.routes}
    shortest = ("c_switch_1_0", "c_switch_2_0", "c_switch_1_1")
    assert routes.get(("h0", "h2"), shortest) == shortest
    assert routes["h0", "h3"] == ("c_switch_1_0", "c_switch_2_1", "c_switch_1_1")
    assert task_rate(platform, "h0") == 100 + 1


@pytest.mark.parametrize(
    ("shape", "parameters", "hosts", "sorts"),
    [
        ("FAT_TREE", "2;8,2;1,1;1,1", 16, 2),
        ("FAT_TREE", "2;8,2;1,2;1,1", 16, 4),
        ("FAT_TREE", "2;8,2;1,2;1,2", 16, 8),
        ("DRAGONFLY", "1,1;2,1;2,1;5", 20, 4),
    ],
)
def test_hosts_of_a_switch_are_folded_where_all_routes_treat_them_alike(
    shape: str, parameters: str, hosts: int, sorts: int
) -> None:
    data = fabric(shape, parameters, hosts, 'limiter_link="15MBps"' if shape != "FAT_TREE" else "")
    whole = load_platform(data)
    most = len(whole.processors) - 1
    folded = load(data, Limits(max_processors=most)).document
    kept = [p for p in folded.processors if not p.switch]
    assert sum(p.members or 1 for p in kept) == hosts
    # The first host stays by itself, beside those that it is interchangeable with.
    assert len(kept) == sorts + 1
    assert task_rate(folded, "h0") == task_rate(whole, "h0")


def test_hosts_on_several_switches_are_not_folded() -> None:
    data = fabric("FAT_TREE", "2;4,2;2,1;1,1", 8)
    most = len(load_platform(data).processors)
    assert most == 8 + 4 + 2
    with pytest.raises(LimitError, match="interchangeable hosts counted once"):
        load(data, Limits(max_processors=most - 1))
