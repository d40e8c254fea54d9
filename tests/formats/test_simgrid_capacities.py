"""The platform allows exactly what the capacities of the SimGrid links allow."""

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.domain.platform import arc_uses
from tests.formats.simgrid_documents import load_platform, zone

HOSTS = ("a", "b", "c")
PAIRS = [(s, t) for s in HOSTS for t in HOSTS if s < t]


class DrawnLink(NamedTuple):
    name: str
    bandwidth: int
    policy: str


LINKS = st.tuples(
    *(
        st.builds(
            DrawnLink,
            st.just(f"l{i}"),
            st.integers(1, 6),
            st.sampled_from(["SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"]),
        )
        for i in range(4)
    )
)
HOPS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["UP", "DOWN"])), min_size=1, max_size=4
)
ROUTES = st.fixed_dictionaries(
    {}, optional={pair: st.tuples(HOPS, st.booleans()) for pair in PAIRS}
)
FLOWS = st.lists(st.integers(0, 5), min_size=6, max_size=6)


def write(links, routes):
    """Give the document, and for each arc the capacities that it uses by SimGrid's rules."""
    text = "".join(f'<host id="{host}" speed="1f"/>' for host in HOSTS)
    for name, bandwidth, policy in links:
        text += f'<link id="{name}" bandwidth="{bandwidth}Bps" sharing_policy="{policy}"/>'
    uses = {}
    for (source, target), (hops, symmetrical) in routes.items():
        there, back, inside = [], [], ""
        for index, direction in hops:
            name, _, policy = links[index]
            split = policy == "SPLITDUPLEX"
            opposite = "DOWN" if direction == "UP" else "UP"
            there.append((name, direction if split else ""))
            back.append((name, opposite if split else ""))
            inside += f'<link_ctn id="{name}"' + (f' direction="{direction}"' if split else "")
            inside += "/>"
        answer = "YES" if symmetrical else "NO"
        text += f'<route src="{source}" dst="{target}" symmetrical="{answer}">{inside}</route>'
        uses[source, target] = there
        if symmetrical:
            uses[target, source] = back
    return zone(text), uses


def least_time_in_simgrid(links, uses, flow):
    """Seconds in which the links carry so many bytes on each arc."""
    by_name = {link.name: link for link in links}
    loads: dict[Any, Any] = {}
    times = [Fraction(0)]
    for ends, capacities in uses.items():
        for name, direction in capacities:
            if by_name[name].policy == "FATPIPE":
                times.append(Fraction(flow[ends], by_name[name].bandwidth))
            else:
                key = (name, direction)
                loads[key] = loads.get(key, 0) + flow[ends]
    times += [Fraction(load, by_name[name].bandwidth) for (name, _), load in loads.items()]
    return max(times)


def least_time_on_platform(platform, flow):
    """Seconds in which the platform carries them, under the multiport model."""
    loads: dict[Any, Any] = {}
    for arc in platform.arcs:
        ends = (platform.processors[arc.source].id, platform.processors[arc.target].id)
        for resource, time_per_data in arc_uses(platform, arc, "multiport"):
            loads[resource] = loads.get(resource, 0) + time_per_data * flow[ends]
    return max(loads.values(), default=Fraction(0))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(LINKS, ROUTES, FLOWS)
def test_a_platform_carries_any_traffic_in_the_time_that_the_links_need(links, routes, amounts):
    data, uses = write(links, routes)
    platform = load_platform(data)
    arcs = [*PAIRS, *(pair[::-1] for pair in PAIRS)]
    flow = dict(zip(arcs, amounts, strict=True))
    assert len(platform.arcs) == len(uses)
    assert least_time_on_platform(platform, flow) == least_time_in_simgrid(links, uses, flow)
