"""Rules for the runs of links of a periodic schedule."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm

from steadygrid.domain.errors import Pointer
from steadygrid.domain.runs import Cargo, Run
from steadygrid.domain.schedule import Schedule
from steadygrid.verification.allocations import AllocationByIndex
from steadygrid.verification.exact import add, less_or_equal, show
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.moves import Lane, Move, check_carried, lanes_of
from steadygrid.verification.network import Network
from steadygrid.verification.start_ups import Steady
from steadygrid.verification.steady import Views

_AT: Pointer = ("schedule", "runs")
_PORTS = ("one_port", "send_or_receive")


def check_runs(
    views: Views,
    schedule: Schedule,
    runs: Sequence[Run],
    by_index: AllocationByIndex,
    whole_files: bool,
    steady: Steady,
    findings: Findings,
) -> None:
    """Check that all runs of links fit into the period.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    runs
        Of the schedule.
    by_index
        The allocations by index, see `check_allocations`.
    whole_files
        Whether counts have to be whole.
    steady
        The steady period of which the schedule groups several.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ===================
    1  what is sent is told as runs only under ``one_port`` and                `wrong_form`
       ``send_or_receive``, and only where latencies are not paid
    2  runs are listed by their starts                                         `runs_out_of_order`
    3  a run lasts longer than 0, and has cargo                                `empty_run`
    4  it starts at 0 or later                                                 `run_before_period`
    5  it ends within the period                                               `run_past_period`
    6  a cargo is a file with a size, which its allocation sends over this hop `unknown_move`
    7  its count is above 0                                                    `empty_transfer`
    8  its time is long enough for its files                                   `cargo_too_fast`
    9  the times of the cargo are together no longer than the run              `cargo_past_run`
    10 a port or link serves one run at a time, or as many as it has cards     `run_overlaps`
    11 a run does not begin where another run of its link ends                 `run_goes_on`
    12 over all runs, each hop carries each file as often as the instances     see `check_carried`
       need it
    13 `preempted` is true exactly where some count is not whole               `wrong_preempted`
    14 every count is whole where that was asked for                           `part_of_file`
    == ======================================================================= ===================

    Rule 10 is about the ports of processors, half-duplex links in either direction, links between
    switches, and links of a processor with several cards. Slots are never derived: O(n log n) for n
    entries of cargo.
    """
    network = views.network
    if network.ports not in _PORTS or steady.pays:
        why = "latencies are paid" if steady.pays else f"the ports are {network.ports}"
        findings.add(_AT, "wrong_form", f"The schedule has runs and no slots, but {why}.")
        return
    common = lcm(schedule.period.denominator, *(end.denominator for run in runs for end in run[:2]))
    starts = [int(run.start * common) for run in runs]
    ends = [int(run.end * common) for run in runs]
    _check_times(runs, starts, ends, int(schedule.period * common), findings)
    lanes = lanes_of(views, by_index, pays=False)
    busy: dict[str, list[int]] = {}
    for i, run in enumerate(runs):
        _check_cargo(i, run, network, lanes, findings)
        hop = network.hops.get((run.sender, run.receiver))
        for resource, _ in () if hop is None else hop.uses:
            busy.setdefault(resource, []).append(i)
    for resource, members in busy.items():
        most = network.cards.get(resource, 1)
        _check_resource(resource, most, members, runs, starts, ends, findings)
    _check_breaks(runs, findings)
    check_carried(lanes, _AT, "runs", findings)
    _check_parts(schedule, runs, whole_files, findings)


def _check_times(
    runs: Sequence[Run],
    starts: Sequence[int],
    ends: Sequence[int],
    period: int,
    findings: Findings,
) -> None:
    before: int | None = None
    for i, (run, start, end) in enumerate(zip(runs, starts, ends, strict=True)):
        if before is not None and start < before:
            findings.add((*_AT, i), "runs_out_of_order", f"Run {i} starts before run {i - 1}.")
        before = start
        if end <= start or not run.cargo:
            lasts = f"lasts {show(run.end - run.start)}" if run.cargo else "has no cargo"
            findings.add((*_AT, i), "empty_run", f"Run {i} {lasts}.")
        if start < 0:
            findings.add((*_AT, i), "run_before_period", f"Run {i} starts before the period.")
        if end > period:
            findings.add((*_AT, i), "run_past_period", f"Run {i} ends after the period.")


def _check_cargo(
    i: int, run: Run, network: Network, lanes: dict[Move, Lane], findings: Findings
) -> None:
    for j, cargo in enumerate(run.cargo):
        move = (run.sender, run.receiver, cargo.file, cargo.allocation)
        at = (*_AT, i, "cargo", j)
        lane = lanes.get(move)
        if lane is None:
            lane = Lane(network, move, Fraction(0))
            findings.add(
                at,
                "unknown_move",
                f"Run {i} moves {named(cargo.file)} from {run.sender!r} to {run.receiver!r}, which"
                f" allocation {cargo.allocation} does not send over this hop.",
            )
        if cargo.count <= 0:
            findings.add(
                at,
                "empty_transfer",
                f"Run {i} moves {show(cargo.count)} files from {run.sender!r} to {run.receiver!r}.",
            )
        lane.carry(cargo.count)
        if _too_fast(cargo, lane):
            findings.add(
                at,
                "cargo_too_fast",
                f"Run {i} leaves {show(cargo.time)} to {show(cargo.count)} of"
                f" {named(cargo.file)}, which take longer.",
            )
    taken = add([cargo.time.as_integer_ratio() for cargo in run.cargo])
    if not less_or_equal(taken, (run.end - run.start).as_integer_ratio()):
        findings.add(
            (*_AT, i, "cargo"),
            "cargo_past_run",
            f"The cargo of run {i} takes {show(taken)}, the run lasts {show(run.end - run.start)}.",
        )


def _too_fast(cargo: Cargo, lane: Lane) -> bool:
    count, share = cargo.count.as_integer_ratio()
    time, per = cargo.time.as_integer_ratio()
    return count * lane.time * per > time * share * lane.per


def _check_resource(
    resource: str,
    most: int,
    members: Sequence[int],
    runs: Sequence[Run],
    starts: Sequence[int],
    ends: Sequence[int],
    findings: Findings,
) -> None:
    """Go through the runs that need a resource, by their starts."""
    over: list[tuple[int, int]] = []
    for i in sorted(members, key=lambda i: (starts[i], i)):
        start = starts[i]
        while over and over[0][0] <= start:
            heappop(over)
        if len(over) >= most:
            other = runs[over[0][1]]
            many = "two runs" if most == 1 else f"{len(over) + 1:,} runs"
            findings.add(
                (*_AT, i),
                "run_overlaps",
                f"{resource} serves {many} at once: run {i} from {runs[i].sender!r} to"
                f" {runs[i].receiver!r} starts at {show(runs[i].start)}, and run {over[0][1]} from"
                f" {other.sender!r} to {other.receiver!r} ends at {show(other.end)}.",
            )
        heappush(over, (ends[i], i))


def _check_breaks(runs: Sequence[Run], findings: Findings) -> None:
    last: dict[tuple[str, str], int] = {}
    for i, run in enumerate(runs):
        before = last.get((run.sender, run.receiver))
        if before is not None and runs[before].end == run.start:
            findings.add(
                (*_AT, i),
                "run_goes_on",
                f"Run {i} from {run.sender!r} to {run.receiver!r} starts where run {before} ends:"
                " they are one run.",
            )
        last[run.sender, run.receiver] = i


def _check_parts(
    schedule: Schedule, runs: Sequence[Run], whole_files: bool, findings: Findings
) -> None:
    partial = next(
        (
            (i, j)
            for i, run in enumerate(runs)
            for j, cargo in enumerate(run.cargo)
            if cargo.count.denominator != 1
        ),
        None,
    )
    if schedule.preempted != (partial is not None):
        findings.add(
            ("schedule", "preempted"),
            "wrong_preempted",
            "The header says that a run moves part of a file, but none does."
            if partial is None
            else f"The header says that no run moves part of a file, but run {partial[0]} does.",
        )
    if whole_files and partial is not None:
        findings.add(
            (*_AT, partial[0], "cargo", partial[1]),
            "part_of_file",
            f"Run {partial[0]} moves part of a file, but whole files were asked for.",
        )
