"""Runs of links, judged from the contract alone: JSON in, plain fractions, no other code.

Each function that checks raises `AssertionError` at the first thing that is not so.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

Arc = tuple[str, str]
File = tuple[str, str]


class Carried(NamedTuple):
    """A cargo with its own start and end."""

    start: Fraction
    end: Fraction
    arc: Arc
    file: File
    allocation: int
    count: Fraction  # type: ignore[assignment]  # hides a tuple method


def carried(schedule: Mapping[str, Any]) -> Iterator[Carried]:
    """Add up the times of cargo; run by run."""
    for run in schedule["runs"]:
        clock = Fraction(run["start"])
        for item in run["cargo"]:
            end = clock + Fraction(item["time"])
            arc, file = (run["sender"], run["receiver"]), tuple(item["file"])
            yield Carried(clock, end, arc, file, item["allocation"], Fraction(item["count"]))
            clock = end


def check_runs(
    schedule: Mapping[str, Any],
    times: Callable[[Arc, File], Fraction],
    shared: Callable[[Arc], Iterable[str]],
    most: Callable[[str], int] = lambda _: 1,
) -> None:
    """Expect longest stretches in which links are busy, and that their cargo fits in.

    Parameters
    ----------
    schedule
        A whole schedule.
    times
        What one file takes on a link.
    shared
        What a link needs besides itself while it is busy, by any names.
    most
        How many links each of these serves at a time.
    """
    period = Fraction(schedule["period"])
    stretches: list[tuple[Fraction, Fraction, Arc]] = []
    for run in schedule["runs"]:
        start, end = Fraction(run["start"]), Fraction(run["end"])
        arc = run["sender"], run["receiver"]
        assert 0 <= start < end <= period
        assert run["cargo"]
        for item in run["cargo"]:
            count = Fraction(item["count"])
            assert count > 0
            assert count * times(arc, tuple(item["file"])) <= Fraction(item["time"])
        assert sum(Fraction(item["time"]) for item in run["cargo"]) <= end - start
        stretches.append((start, end, arc))
    assert [start for start, *_ in stretches] == sorted(start for start, *_ in stretches)
    busy: dict[Arc, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    changes: dict[str, list[tuple[Fraction, int]]] = defaultdict(list)
    for start, end, arc in stretches:
        busy[arc].append((start, end))
        for name in shared(arc):
            changes[name] += [(start, 1), (end, -1)]
    for arc, spans in busy.items():
        for (_, end), (start, _) in pairwise(sorted(spans)):
            assert end < start, f"runs of {arc} overlap, or are one run"
    for name, listed in changes.items():
        level = 0
        for _, change in sorted(listed):
            level += change
            assert level <= most(name), f"{name} serves {level} links at a time"


def check_told(problem: Mapping[str, Any], schedule: Mapping[str, Any]) -> None:
    """Expect what has to hold of all runs, without a look at their files.

    Parameters
    ----------
    problem
        Of any kind with a platform.
    schedule
        A whole schedule.
    """
    platform = problem["platform"]
    cards = {p["id"]: p.get("cards", 1) for p in platform["processors"] if not p.get("switch")}
    card: dict[tuple[Arc, str], Any] = {}
    half: dict[Arc, str] = {}
    for link in platform.get("links", ()):
        there, back = (link["source"], link["target"]), (link["target"], link["source"])
        for end in ("source", "target"):
            card[there, link[end]] = card[back, link[end]] = link.get(f"{end}_card")
        if link.get("duplex") == "half":
            half[there] = half[back] = "--".join(there)

    one_way = {"one_port": ("send", "receive"), "send_or_receive": ("port", "port")}
    sides = one_way[schedule["ports"]]

    def shared(arc: Arc) -> Iterator[str]:
        for end, what in zip(arc, sides, strict=True):
            if end in cards:
                own = f"--{card[arc, end]}" if isinstance(cards[end], list) else ""
                yield f"{end}{own}.{what}"
        if arc in half:
            yield f"{half[arc]}.half"

    several = {
        f"{name}.{what}": number
        for name, number in cards.items()
        if isinstance(number, int)
        for what in sides
    }
    check_runs(schedule, lambda *_: Fraction(), shared, lambda name: several.get(name, 1))
    assert counts_of(schedule).items() <= schedule["counts"].items()
    assert schedule["interruptions"] == interruptions_of(schedule)
    assert schedule["preempted"] is moves_parts(schedule)


def moved_in(schedule: Mapping[str, Any]) -> dict[tuple[int, File, Arc], Fraction]:
    """Add up the files of each allocation over each link."""
    moved: dict[tuple[int, File, Arc], Fraction] = defaultdict(Fraction)
    for one in carried(schedule):
        moved[one.allocation, one.file, one.arc] += one.count
    return moved


def moves_parts(schedule: Mapping[str, Any]) -> bool:
    return any(one.count.denominator > 1 for one in carried(schedule))


def slots_of(schedule: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Cut runs at every moment at which a cargo begins or ends: each pair of moments, each cargo."""
    pieces = list(carried(schedule))
    moments = sorted({moment for one in pieces for moment in (one.start, one.end)})
    slots = []
    for begin, end in pairwise(moments):
        transfers = [
            {
                "sender": one.arc[0],
                "receiver": one.arc[1],
                "file": list(one.file),
                "allocation": one.allocation,
                "count": str(one.count * (end - begin) / (one.end - one.start)),
            }
            for one in pieces
            if one.start <= begin and end <= one.end
        ]
        if transfers:
            slots.append(
                {"start": str(begin), "duration": str(end - begin), "transfers": transfers}
            )
    return slots


def counts_of(schedule: Mapping[str, Any]) -> dict[str, int]:
    """Count runs, cargo, slots and their transfers; moments are counted and no slots made."""
    pieces = list(carried(schedule))
    moments = sorted({moment for one in pieces for moment in (one.start, one.end)})
    place = {moment: number for number, moment in enumerate(moments)}
    lengths = [place[one.end] - place[one.start] for one in pieces]
    changes: Counter[int] = Counter()
    for one, length in zip(pieces, lengths, strict=True):
        changes[place[one.start]] += 1
        changes[place[one.start] + length] -= 1
    slots = level = 0
    for number in range(len(moments)):
        level += changes[number]
        slots += level > 0
    return {
        "runs": len(schedule["runs"]),
        "cargo": len(pieces),
        "slots": slots,
        "transfers": sum(lengths),
    }


def interruptions_of(schedule: Mapping[str, Any]) -> int:
    """Count the times that a link stops and goes on later."""
    runs = Counter((run["sender"], run["receiver"]) for run in schedule["runs"])
    return sum(number - 1 for number in runs.values())


def side_by_side(schedule: Mapping[str, Any]) -> Iterator[Carried]:
    """Read slots: each transfer has the time of its slot."""
    for slot in schedule["slots"]:
        start = Fraction(slot["start"])
        end = start + Fraction(slot["duration"])
        for item in slot["transfers"]:
            arc, file = (item["sender"], item["receiver"]), tuple(item["file"])
            yield Carried(start, end, arc, file, item["allocation"], Fraction(item["count"]))
