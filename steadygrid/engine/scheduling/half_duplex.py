"""Half-duplex links that carry both directions, where the links used form a forest."""

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


class Job(NamedTuple):
    """What one node does on one of its links."""

    link: int
    send: int
    receive: int


class Step(NamedTuple):
    """For `duration`, a node sends on one link and receives on another (or the same)."""

    duration: int
    send: int | None
    receive: int | None


@dataclass(frozen=True)
class TreeLink:
    """A link of the forest with the time that each of its directions needs."""

    first: Hashable
    second: Hashable
    forward: int
    """Time from `first` to `second`."""
    backward: int


Busy = list[tuple[int, int]]
"""Starts and ends, in order."""


def align_forest(links: Sequence[TreeLink], length: int) -> list[tuple[Busy, Busy]]:
    """Place both directions of every link of a forest within a period.

    Parameters
    ----------
    links
        Of a forest; two nodes have at most one link. At every node, what it sends takes at most
        `length`, and so does what it receives.
    length
        The period, in the unit of the links' times.

    Returns
    -------
    list of tuple
        For each link, when it runs forward and when backward. No node sends, or receives, on
        two links at once. A link runs in both directions at once only if these need more than
        `length` together, and then for no longer than the excess. So a half-duplex link, which
        is given no more than `length` in total, never does.

    Raises
    ------
    ValueError
        If a node has more to do than `length`, or the links contain a cycle.

    Notes
    -----
    *One node.* Its links are the jobs of an open shop with preemption on two machines, "send"
    and "receive", and no job may be on both. Put the jobs in any order, let ``A`` and ``B`` be
    the running totals of the times on the first and the second machine. Send job j in
    ``[A[j-1], A[j])`` and receive it in ``[B[j-1] + x, B[j] + x)`` modulo the period T. This
    keeps every job apart from itself iff ``A[j] - B[j-1] <= x <= T + A[i-1] - B[i]`` for all i
    and j, and such an x exists: for ``j < i``, ``A[j] - A[i-1] <= 0`` and
    ``B[i] - B[j-1] <= T``; for ``j > i`` in reverse. For ``j = i`` it says that the
    job fits into T. Take the least one.

    *A job longer than T* (possible on a full-duplex link only, and for one job of a node, as
    two would exceed 2 T) runs on both machines for the excess. In the rest of the period it
    has no time to spare, and the other jobs, of which the machines hold no more than
    ``T - send`` and ``T - receive``, fit as before.

    *The tree.* Whether a step is allowed depends on that step alone, so the steps of a node may
    be permuted and split at will. Seen from either end, a link is in each of its states
    (forward, backward, both, none) for the same total time, since each of these depends on the
    two times and T only. Hence, from the root down, rearrange each child's steps so that its
    link to the parent is in the same state at both ends at any time.

    This proves that the port and link loads are the only limits on a forest. See Banino et al.,
    Scheduling strategies for master-slave tasking (equation 7), for the bound. O(links) steps
    before the rearrangement, which adds at most as many steps to a node as its parent's link has
    changes of state: O(links * depth) in total.
    """
    ends = _incident_links(links)
    jobs = {
        node: [
            Job(k, links[k].forward, links[k].backward)
            if links[k].first == node
            else Job(k, links[k].backward, links[k].forward)
            for k in incident
        ]
        for node, incident in ends.items()
    }
    busy: list[tuple[Busy, Busy]] = [([], []) for _ in links]
    seen: set[Hashable] = set()
    for root in ends:
        if root in seen:
            continue
        seen.add(root)
        waiting = deque([(root, -1, share_node(jobs[root], length))])
        while waiting:
            node, parent_link, steps = waiting.popleft()
            _record(node, parent_link, steps, links, busy)
            for k in ends[node]:
                if k == parent_link:
                    continue
                child = links[k].second if links[k].first == node else links[k].first
                if child in seen:
                    raise ValueError("the links contain a cycle")
                seen.add(child)
                if len(ends[child]) > 1:
                    own = share_node(jobs[child], length)
                    waiting.append((child, k, _aligned(own, steps, k)))
    return busy


def _incident_links(links: Sequence[TreeLink]) -> dict[Hashable, list[int]]:
    ends: dict[Hashable, list[int]] = {}
    for k, link in enumerate(links):
        ends.setdefault(link.first, []).append(k)
        ends.setdefault(link.second, []).append(k)
    return ends


def share_node(jobs: Sequence[Job], length: int) -> list[Step]:
    """Say on which link a node sends and on which it receives, throughout the period.

    See `align_forest` for the rule and why it works; at most ``2 len(jobs) + 4`` steps.

    Parameters
    ----------
    jobs
        What the node sends and receives on each of its links, in whole units of time.
    length
        The period in the same unit.

    Raises
    ------
    ValueError
        If the node has more to do than `length`.
    """
    if max(sum(job.send for job in jobs), sum(job.receive for job in jobs)) > length:
        raise ValueError("a node has more to do than the period")
    steps: list[Step] = []
    rest: list[Job] = []
    for job in jobs:
        excess = job.send + job.receive - length
        if excess > 0:
            steps.append(Step(excess, job.link, job.link))
            rest.append(Job(job.link, job.send - excess, job.receive - excess))
        else:
            rest.append(job)
    if steps:
        length -= steps[0].duration
    shift = sent = received = 0
    for job in rest:
        sent += job.send
        shift = max(shift, sent - received)
        received += job.receive
    sends: list[tuple[int, int, int]] = []
    receives: list[tuple[int, int, int]] = []
    sent, received = 0, shift
    for job in rest:
        if job.send:
            sends.append((sent, sent + job.send, job.link))
        sent += job.send
        receives += _wrapped(received, received + job.receive, job.link, length)
        received += job.receive
    return steps + list(_overlaid(sends, sorted(receives), length))


def _wrapped(start: int, end: int, link: int, length: int) -> Iterator[tuple[int, int, int]]:
    for offset in (0, length):
        first, last = max(start - offset, 0), min(end - offset, length)
        if first < last:
            yield first, last, link


def _overlaid(
    sends: Sequence[tuple[int, int, int]], receives: Sequence[tuple[int, int, int]], length: int
) -> Iterator[Step]:
    cuts = {0, length}
    for start, end, _ in (*sends, *receives):
        cuts |= {start, end}
    times = sorted(cuts)
    position = [0, 0]
    for start, end in pairwise(times):
        links: list[int | None] = []
        for machine, intervals in enumerate((sends, receives)):
            while position[machine] < len(intervals) and intervals[position[machine]][1] <= start:
                position[machine] += 1
            here = position[machine]
            running = here < len(intervals) and intervals[here][0] <= start
            links.append(intervals[here][2] if running else None)
        yield Step(end - start, links[0], links[1])


def _aligned(own: Sequence[Step], parents: Sequence[Step], link: int) -> list[Step]:
    """Rearrange a node's steps so that its `link` is in the state that the parent sees."""
    stock: dict[tuple[bool, bool], deque[Step]] = {}
    for step in own:
        stock.setdefault((step.send == link, step.receive == link), deque()).append(step)
    aligned: list[Step] = []
    for parent in parents:
        wanted = parent.duration
        steps = stock.get((parent.receive == link, parent.send == link), deque())
        while wanted:
            step = steps.popleft()
            if step.duration > wanted:
                steps.appendleft(step._replace(duration=step.duration - wanted))
                step = step._replace(duration=wanted)
            wanted -= step.duration
            if aligned and aligned[-1][1:] == step[1:]:
                step = step._replace(duration=step.duration + aligned.pop().duration)
            aligned.append(step)
    return aligned


def _record(
    node: Hashable,
    parent_link: int,
    steps: Sequence[Step],
    links: Sequence[TreeLink],
    busy: list[tuple[Busy, Busy]],
) -> None:
    """Note when the links to a node's children run. The link to its parent is noted there."""
    now = 0
    for step in steps:
        end = now + step.duration
        for k, sending in ((step.send, True), (step.receive, False)):
            if k is not None and k != parent_link:
                times = busy[k][0 if (links[k].first == node) == sending else 1]
                if times and times[-1][1] == now:
                    times[-1] = (times[-1][0], end)
                else:
                    times.append((now, end))
        now = end
