"""Half-duplex links on trees."""

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import SchedulingError
from steadygrid.engine.scheduling.half_duplex import Job, TreeLink, align_forest, share_node
from tests.draws import draws
from tests.engine.scheduling.checks import random_tree, rebuild, way_plan

times = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7)


@given(times)
def test_a_node_shares_its_ports_without_doing_both_on_a_link_longer_than_it_must(
    demands: list[tuple[int, int]],
) -> None:
    jobs = [Job(k, send, receive) for k, (send, receive) in enumerate(demands)]
    length = max(sum(j.send for j in jobs), sum(j.receive for j in jobs), 1)
    steps = share_node(jobs, length)
    assert sum(step.duration for step in steps) == length
    assert all(step.duration > 0 for step in steps)
    for job in jobs:
        assert sum(s.duration for s in steps if s.send == job.link) == job.send
        assert sum(s.duration for s in steps if s.receive == job.link) == job.receive
        both = sum(s.duration for s in steps if s.send == s.receive == job.link)
        assert both == max(0, job.send + job.receive - length)
    assert len(steps) <= 2 * len(jobs) + 4


@st.composite
def forests(draw: st.DrawFn) -> list[TreeLink]:
    size = draw(st.integers(2, 12))
    links = []
    for child in range(1, size):
        parent = draw(st.integers(-1, child - 1))
        if parent >= 0:
            a, b = draw(st.permutations([parent, child]))
            links.append(TreeLink(a, b, draw(st.integers(0, 9)), draw(st.integers(0, 9))))
    return links


@given(forests(), st.integers(0, 5))
def test_both_ends_of_every_link_of_a_forest_agree(links: list[TreeLink], spare: int) -> None:
    sends: dict[object, int] = defaultdict(int)
    receives: dict[object, int] = defaultdict(int)
    for link in links:
        sends[link.first] += link.forward
        receives[link.second] += link.forward
        sends[link.second] += link.backward
        receives[link.first] += link.backward
    length = max([1, *sends.values(), *receives.values()]) + spare
    busy = align_forest(links, length)
    ports: dict[tuple[str, object], list[tuple[int, int]]] = defaultdict(list)
    for link, (forward, backward) in zip(links, busy, strict=True):
        assert sum(end - start for start, end in forward) == link.forward
        assert sum(end - start for start, end in backward) == link.backward
        ports["send", link.first] += forward
        ports["receive", link.second] += forward
        ports["send", link.second] += backward
        ports["receive", link.first] += backward
        both = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in forward for b in backward)
        assert both == max(0, link.forward + link.backward - length)
    for intervals in ports.values():
        intervals.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(intervals))
        assert intervals == [] or (intervals[0][0] >= 0 and intervals[-1][1] <= length)


def test_a_cycle_is_refused() -> None:
    links = [TreeLink(0, 1, 1, 1), TreeLink(1, 2, 1, 1), TreeLink(2, 0, 1, 1)]
    with pytest.raises(ValueError, match="cycle"):
        align_forest(links, 9)


def test_a_node_with_more_to_do_than_the_period_is_refused() -> None:
    with pytest.raises(ValueError, match="more to do"):
        share_node([Job(0, 3, 0), Job(1, 3, 0)], 5)


@pytest.mark.parametrize("seed", range(draws(15, 1500)))
def test_trees_with_links_of_all_kinds_reach_their_busiest_resource(seed: int) -> None:
    workload, plans = random_tree(seed, ["half", "half", "full", "simplex"], seed % 3 == 0)
    schedule = rebuild(workload, plans, whole_files=False, max_period="exact").schedule
    assert schedule.loss == 0
    assert rebuild(workload, plans).schedule.preempted is False


def test_half_duplex_links_in_both_directions_on_a_cycle_need_slots_of_the_kind() -> None:
    workload, plans = random_tree(3, ["half"])
    ids = [p.id for p in workload.platform.processors]
    links = [
        {"source": a, "target": b, "unit_time": 1, "duplex": "half"}
        for a, b in pairwise([*ids, ids[0]])
    ]
    ring = workload.platform.model_validate(
        {"processors": [{"id": i} for i in ids], "links": links}
    )
    assert len(ids) > 2
    ring_load = workload.__class__(ring, "one_port", workload.task_time, workload.file_sizes)
    there, back = ids, [ids[-1], ids[0]]
    ring_plans = [
        way_plan(plans[0].rate / 10**6, there, back),
        way_plan(plans[0].rate / 10**6, [ids[0], ids[-1]], there[::-1]),
    ]
    with pytest.raises(SchedulingError, match="half-duplex"):
        rebuild(ring_load, ring_plans)
