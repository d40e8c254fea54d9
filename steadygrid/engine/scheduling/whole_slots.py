"""Slots of whole files that leave no time over, in a period that is a small multiple."""

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from steadygrid.engine.solving.control import Control

MOST_OPERATIONS = 2_000
"""Operations up to which a small multiple is looked for."""
MOST_WORK = 1_000_000
"""Matchings that are looked for in all, times operations."""
_FEW = 24
"""Multiples that are all tried; further ones grow by a third each."""


class Lane(NamedTuple):
    """An operation: what it occupies, how long a file takes, and how many there are."""

    sender: Hashable
    receiver: Hashable
    time: int
    files: int


class WholeSlot(NamedTuple):
    """A slot, and the files that each of its operations moves."""

    duration: int
    files: dict[int, int]
    """By the position of the operation."""


class _Spent(Exception):
    """All trials are used up."""


def smallest_multiple(
    lanes: Sequence[Lane], length: int, below: int, control: Control
) -> tuple[int, list[WholeSlot]] | None:
    """Look for the smallest multiple of a period in which whole files can be put into slots.

    Parameters
    ----------
    lanes
        With the files of one period. Times in the unit of `length`.
    length
        The period. No sender and no receiver is busy for longer.
    below
        Only a smaller multiple is of use.

    Returns
    -------
    tuple or None
        The multiple and its slots, which together last no longer. None if none was found.

    Notes
    -----
    To find the smallest one is NP-hard already where every file is alone on its route (open shop
    without preemption), so this is a heuristic. The *slack* of a sender or a receiver is the
    time left until the end of the period less what it still has to do. A slot of duration d
    takes from it what it wastes: d where it does nothing, ``d - c t`` where it moves c files
    that take t each. As long as no slack falls below 0, what is left can still be done in the
    time that is left, if files may be split.

    So d is a multiple of the time of a file on the sender or receiver with the least slack. It is
    the longest (or else the shortest) for which a matching serves every sender and receiver whose
    slack is less than d, and wastes no more than there is. A matching that serves those on the left
    and one that serves those on the right make one that serves both (Mendelsohn and Dulmage, Some
    generalizations of the problem of distinct representatives). If there is none, the next
    multiple is tried: the more files, the better whole ones fill a slot.
    """
    trials = _Trials(MOST_WORK // max(len(lanes), 1), control)
    try:
        for multiple in _multiples(below):
            for longest_first in (True, False) if multiple <= _FEW else (True,):
                slots = _fill(lanes, length * multiple, multiple, longest_first, trials)
                if slots is not None:
                    return multiple, slots
    except _Spent:
        pass
    return None


class _Trials:
    def __init__(self, left: int, control: Control) -> None:
        self._left = left
        self._control = control

    def count_trial(self) -> None:
        """Count a trial."""
        self._control.check()
        if self._left == 0:
            raise _Spent
        self._left -= 1


def _multiples(below: int) -> Iterator[int]:
    multiple = 1
    while multiple < below:
        yield multiple
        multiple += 1 if multiple < _FEW else multiple // 3


def _fill(
    lanes: Sequence[Lane], length: int, multiple: int, longest_first: bool, trials: _Trials
) -> list[WholeSlot] | None:
    left = [lane.files * multiple for lane in lanes]
    slack: dict[tuple[str, Hashable], int] = {}
    for lane, files in zip(lanes, left, strict=True):
        for end in _ends(lane):
            slack[end] = slack.get(end, length) - files * lane.time
    slots: list[WholeSlot] = []
    while any(left):
        slot = _next_slot(lanes, left, slack, longest_first, trials)
        if slot is None:
            return None
        served = {end: lanes[k].time * c for k, c in slot.files.items() for end in _ends(lanes[k])}
        for end in slack:
            slack[end] -= slot.duration - served.get(end, 0)
        for k, files in slot.files.items():
            left[k] -= files
        busy = {end for k, files in enumerate(left) if files for end in _ends(lanes[k])}
        slack = {end: time for end, time in slack.items() if end in busy}
        slots.append(slot)
    return slots


def _ends(lane: Lane) -> tuple[tuple[str, Hashable], tuple[str, Hashable]]:
    return ("send", lane.sender), ("receive", lane.receiver)


def _next_slot(
    lanes: Sequence[Lane],
    left: Sequence[int],
    slack: dict[tuple[str, Hashable], int],
    longest_first: bool,
    trials: _Trials,
) -> WholeSlot | None:
    tightest = min(slack, key=lambda end: slack[end])
    durations = {
        files * lane.time
        for lane, most in zip(lanes, left, strict=True)
        if most and tightest in _ends(lane)
        for files in _fewer(most)
    }
    for duration in sorted(durations, reverse=longest_first):
        trials.count_trial()
        files = _serve(lanes, left, slack, duration)
        if files is not None:
            return WholeSlot(duration, files)
    return None


def _fewer(most: int) -> Iterator[int]:
    """Give some numbers of files up to the most there are."""
    files = most
    while files > 4:
        yield files
        files = files * 2 // 3
    yield from range(files, 0, -1)


def _serve(
    lanes: Sequence[Lane],
    left: Sequence[int],
    slack: dict[tuple[str, Hashable], int],
    duration: int,
) -> dict[int, int] | None:
    """Find a matching for a slot that serves all who cannot wait for its whole duration."""
    files: dict[int, int] = {}
    neighbours: dict[tuple[str, Hashable], dict[tuple[str, Hashable], int]] = {}
    for k, lane in enumerate(lanes):
        moved = min(left[k], duration // lane.time)
        waste = duration - moved * lane.time
        sender, receiver = _ends(lane)
        if moved and waste <= min(slack[sender], slack[receiver]):
            files[k] = moved
            other = neighbours.setdefault(sender, {}).get(receiver)
            if other is None or moved * lane.time > files[other] * lanes[other].time:
                neighbours[sender][receiver] = neighbours.setdefault(receiver, {})[sender] = k
    pressed = sorted((end for end in slack if slack[end] < duration), key=lambda end: slack[end])
    senders = [end for end in pressed if end[0] == "send"]
    receivers = [end for end in pressed if end[0] == "receive"]
    partner: dict[tuple[str, Hashable], tuple[str, Hashable]] = {}
    for end in senders:
        if end not in partner and not _match(end, neighbours, partner, frozenset()):
            return None
    for end in receivers:
        if end not in partner and not _match(end, neighbours, partner, frozenset(receivers)):
            return None
    for end in sorted(neighbours, key=lambda end: slack[end]):
        if end not in partner:
            _match(end, neighbours, partner, None)
    return {
        k: files[k]
        for end, other in partner.items()
        if end[0] == "send"
        for k in (neighbours[end][other],)
    }


def _match(
    start: tuple[str, Hashable],
    neighbours: dict[tuple[str, Hashable], dict[tuple[str, Hashable], int]],
    partner: dict[tuple[str, Hashable], tuple[str, Hashable]],
    kept: frozenset[tuple[str, Hashable]] | None,
) -> bool:
    """Serve one more by an alternating path; `kept` says who on its side must stay served.

    Without `kept` all stay served, and so does the other side in any case.
    """
    before: dict[tuple[str, Hashable], tuple[str, Hashable]] = {}
    waiting = [start]
    for end in waiting:
        for other in neighbours.get(end, ()):
            if other in before:
                continue
            before[other] = end
            held = partner.get(other)
            if held is None or (kept and held not in kept):
                if held is not None:
                    del partner[held]
                _flip(other, start, before, partner)
                return True
            waiting.append(held)
    return False


def _flip(
    other: tuple[str, Hashable],
    start: tuple[str, Hashable],
    before: dict[tuple[str, Hashable], tuple[str, Hashable]],
    partner: dict[tuple[str, Hashable], tuple[str, Hashable]],
) -> None:
    while True:
        end = before[other]
        following = partner.get(end)
        partner[end], partner[other] = other, end
        if end == start or following is None:
            return
        other = following
