"""Rules for the slots of a periodic schedule, and for what processors compute at the same time as them."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.verification.allocations import AllocationByIndex
from steadygrid.verification.exact import (
    Ratio,
    add,
    common_denominator,
    less_or_equal,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.moves import Lane, Move, check_carried, lanes_of
from steadygrid.verification.network import Network
from steadygrid.verification.start_ups import Steady, longest_path_latency
from steadygrid.verification.steady import Views

_AT: Pointer = ("schedule", "slots")
_BUSY_TWICE = {"send": "two_sends", "receive": "two_receives", "port": "two_transfers"}


def check_slots(
    views: Views,
    schedule: Schedule,
    by_index: AllocationByIndex,
    whole_files: bool,
    steady: Steady,
    findings: Findings,
) -> None:
    """Check that all transfers of a period fit side by side into the period.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
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

    == ======================================================================== ====================
    1  a slot lasts longer than 0                                               `empty_slot`
    2  it starts at 0 or later, and not before the one before it has ended      `slots_overlap`
    3  it ends within the period                                                `slot_past_period`
    4  under ``multiport`` there is one slot, as long as the period             `not_one_slot`
    5  a transfer is a hop of a file with a size, which its allocation sends    `unknown_move`
       over that hop
    6  its count is above 0                                                     `empty_transfer`
    7  no port to send serves two transfers of a slot                           `two_sends`
    8  no port to receive does                                                  `two_receives`
    9  no port for both does                                                    `two_transfers`
    10 no link that can serve one at a time serves two                          `link_twice`
    11 a transfer takes no longer than its slot                                 `transfer_past_slot`
    12 under ``multiport`` no resource is needed for longer than the slot lasts `overloaded`
    13 over all slots, each hop carries each file as often as the instances     see `check_carried`
       need it
    14 `preempted` is true exactly where some count is not whole                `wrong_preempted`
    15 every count is whole where that was asked for                            `part_of_file`
    16 under ``no_overlap`` computations and transfers of a processor do not    see `check_meetings`
       meet
    == ======================================================================== ====================

    Rule 4: where latencies are paid, the slot is as long as the steady periods, and starts after
    the largest sum of latencies on the route of a file. Rules 7 to 11 are for the other port
    models. A processor with several cards has as many ports. Rule 10 is about links of a processor
    with several cards, half-duplex links in either direction, and links between switches. Rule 11
    counts the latency of the transfer, where that is paid. Rules 14 and 15 count computations, too,
    under ``no_overlap``.

    One pass over the transfers, with a few operations on integers for each.
    """
    _check_times(schedule, findings)
    in_matchings = views.network.ports != "multiport"
    if not in_matchings:
        _check_single_slot(views, schedule, steady, findings)
    lanes = lanes_of(views, by_index, pays=steady.pays)
    for i, slot in enumerate(schedule.slots):
        used = [
            _lane(views.network, lanes, i, j, t, findings) for j, t in enumerate(slot.transfers)
        ]
        if in_matchings:
            _check_matching(i, slot, used, views.network.cards, findings)
        else:
            _check_capacities(i, slot, used, findings)
    check_carried(lanes, _AT, "slots", findings)
    in_parts = views.network.ports == "no_overlap"
    _check_parts(schedule, in_parts, whole_files, findings)
    if in_parts:
        check_meetings(views, schedule, findings, pays=steady.pays)


def _check_times(schedule: Schedule, findings: Findings) -> None:
    common = common_denominator(
        [schedule.period]
        + [slot.start for slot in schedule.slots]
        + [slot.duration for slot in schedule.slots]
    )
    period = scaled_ratio(schedule.period, common)
    before: Ratio = (0, 1)
    for i, slot in enumerate(schedule.slots):
        if slot.duration <= 0:
            findings.add((*_AT, i), "empty_slot", f"Slot {i} lasts {show(slot.duration)}.")
        start = scaled_ratio(slot.start, common)
        if not less_or_equal(before, start):
            ended = f"slot {i - 1} has ended" if i else "the period"
            findings.add((*_AT, i), "slots_overlap", f"Slot {i} starts before {ended}.")
        before = add((start, scaled_ratio(slot.duration, common)))
        if not less_or_equal(before, period):
            findings.add((*_AT, i), "slot_past_period", f"Slot {i} ends after the period.")


def _check_single_slot(
    views: Views, schedule: Schedule, steady: Steady, findings: Findings
) -> None:
    slots = schedule.slots
    start = longest_path_latency(views, schedule) if steady.pays else Fraction(0)
    if slots and (len(slots) > 1 or slots[0][:2] != (start, steady.time)):
        findings.add(
            _AT,
            "not_one_slot",
            "Under multiport, files flow along their whole paths within a period, so there is"
            f" one slot of {show(steady.time)} from {show(start)} on.",
        )


def _lane(
    network: Network,
    lanes: dict[Move, Lane],
    i: int,
    j: int,
    transfer: SlotTransfer,
    findings: Findings,
) -> Lane:
    move = transfer[:4]
    lane = lanes.get(move)
    if lane is None:
        lane = Lane(network, move, Fraction(0))
        sender, receiver, file, index = move
        findings.add(
            (*_AT, i, "transfers", j),
            "unknown_move",
            f"Slot {i} moves {named(file)} from {sender!r} to {receiver!r}, which allocation"
            f" {index} does not send in this direction in any slot.",
        )
    if transfer.count <= 0:
        findings.add(
            (*_AT, i, "transfers", j),
            "empty_transfer",
            f"Slot {i} moves {show(transfer.count)} files from {transfer.sender!r} to"
            f" {transfer.receiver!r}.",
        )
    lane.carry(transfer.count)
    return lane


def _check_matching(
    i: int, slot: Slot, used: list[Lane], cards: Mapping[str, int], findings: Findings
) -> None:
    length, per = slot.duration.as_integer_ratio()
    busy: dict[str, int] = {}
    for j, lane in enumerate(used):
        for resource in lane.resources:
            number = busy[resource] = busy.get(resource, 0) + 1
            if number > 1 and number > (most := cards.get(resource, 1)):
                many = "two" if most == 1 else f"{number:,}"
                last = "second" if most == 1 else "last"
                findings.add(
                    (*_AT, i, "transfers", j),
                    _BUSY_TWICE.get(resource.rpartition(".")[2], "link_twice"),
                    f"Slot {i}: {resource} serves {many} transfers at once, the {last} one from"
                    f" {slot.transfers[j].sender!r} to {slot.transfers[j].receiver!r}.",
                )
        count, share = slot.transfers[j].count.as_integer_ratio()
        late = lane.latency and lane.latency + slot.transfers[j].count * lane.time / lane.per
        if count * lane.time * per > length * share * lane.per or late > slot.duration:
            findings.add(
                (*_AT, i, "transfers", j),
                "transfer_past_slot",
                f"Slot {i}: the transfer from {slot.transfers[j].sender!r} to"
                f" {slot.transfers[j].receiver!r} takes longer than the slot.",
            )


def _check_capacities(i: int, slot: Slot, used: list[Lane], findings: Findings) -> None:
    times: dict[str, list[Ratio]] = {}
    for lane, transfer in zip(used, slot.transfers, strict=True):
        count, share = transfer.count.as_integer_ratio()
        for resource, time in lane.uses:
            times.setdefault(resource, []).append(
                (count * time.numerator, share * time.denominator)
            )
    for resource, terms in times.items():
        total = add(terms)
        if not less_or_equal(total, slot.duration.as_integer_ratio()):
            findings.add(
                (*_AT, i),
                "overloaded",
                f"Slot {i}: {resource} is needed for {show(total)} time units, and the slot"
                f" lasts {show(slot.duration)}.",
            )


def _check_parts(
    schedule: Schedule, with_computations: bool, whole_files: bool, findings: Findings
) -> None:
    partial: Pointer | None = next(
        (
            (*_AT, i)
            for i, slot in enumerate(schedule.slots)
            if any(transfer.count.denominator != 1 for transfer in slot.transfers)
        ),
        None,
    )
    if partial is None and with_computations:
        partial = next(
            (
                ("schedule", "computations", i)
                for i, computation in enumerate(schedule.computations)
                if computation.count.denominator != 1
            ),
            None,
        )
    what, where = "slot", 0
    if partial is not None:
        what, where = str(partial[1]).removesuffix("s"), int(partial[2])
    does = "moves part of a file" if what == "slot" else "runs part of a task"
    if schedule.preempted != (partial is not None):
        findings.add(
            ("schedule", "preempted"),
            "wrong_preempted",
            "The header says that a slot moves part of a file, but none does."
            if partial is None
            else f"The header says that no {what} {does}, but {what} {where} does.",
        )
    if whole_files and partial is not None:
        findings.add(
            partial,
            "part_of_file",
            f"{what.capitalize()} {where} {does}, but whole files were asked for.",
        )


def check_meetings(
    views: Views, schedule: Schedule, findings: Findings, *, pays: bool = False
) -> None:
    """Check that computations and transfers of a processor do not overlap.

    A transfer holds the ports of both ends from the start of its slot for as long as its files
    take, with the latency of its link where the schedule pays that. That two transfers, or two
    computations, do not overlap is checked elsewhere.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    findings
        Gets the faults.
    pays
        Whether the schedule pays latencies.

    Notes
    -----
    Rules, in this order:

    == ========================================================= ========================
    1  no computation runs while its processor sends or receives `computes_and_transfers`
    == ========================================================= ========================
    """
    sizes = {a.index: views.of(a).sizes for a in schedule.allocations}
    sending: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for slot in schedule.slots:
        for transfer in slot.transfers:
            ends = transfer.sender, transfer.receiver
            hop = views.network.hops.get(ends)
            size = sizes.get(transfer.allocation, {}).get(transfer.file)
            if hop is None or not size:
                continue
            time = transfer.count * size * hop.unit_time
            stretch = slot.start, slot.start + time + (hop.latency if pays else 0)
            for name in set(ends) - views.network.switches:
                sending.setdefault(name, []).append(stretch)
    computing: dict[str, list[tuple[Fraction, Fraction, int]]] = {}
    for i, computation in enumerate(schedule.computations):
        if computation.time > 0:
            end = computation.start + computation.time
            computing.setdefault(computation.processor, []).append((computation.start, end, i))
    for processor, entries in computing.items():
        waiting = iter(sorted(sending.get(processor, ())))
        transfer_at = next(waiting, None)
        for start, end, i in sorted(entries):
            while transfer_at is not None and transfer_at[1] <= start:
                transfer_at = next(waiting, None)
            if transfer_at is not None and transfer_at[0] < end:
                findings.add(
                    ("schedule", "computations", i),
                    "computes_and_transfers",
                    f"{processor!r} computes from {show(start)} to {show(end)}, and sends or"
                    f" receives from {show(transfer_at[0])} to {show(transfer_at[1])}.",
                )
