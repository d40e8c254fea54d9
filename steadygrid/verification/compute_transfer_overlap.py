"""That no processor computes while it sends or receives, where it does one thing at a time."""

from fractions import Fraction

from steadygrid.domain.schedule import Schedule
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.steady import Views


def check_meetings(
    views: Views, schedule: Schedule, findings: Findings, *, pays: bool = False
) -> None:
    """Check that computations and transfers of a processor do not overlap.

    A transfer holds the ports of both ends from the start of its slot for as long as its files
    take, with the latency of its link where the schedule pays that. That two transfers, or two computations, do not overlap is checked elsewhere.

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
