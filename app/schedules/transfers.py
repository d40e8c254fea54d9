"""What a periodic schedule sends, in the other form than the one that is stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice
from typing import Any

from app.db.pages import Page, decode_token, encode_token
from app.db.schedules import PAGE_TRANSFERS, ScheduleRecord
from app.db.unit import Unit
from app.http.refusals import Refusal
from steadygrid.domain.runs import Run, read_run, run_document, runs_of_slots, slots_of
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import Slot, SlotTransfer, read_slot, slot_document


def is_in_runs(header: Mapping[str, Any]) -> bool:
    """Tell whether a stored schedule tells what is sent as runs of links."""
    return "runs" in header["counts"]


def derived_page(
    unit: Unit, record: ScheduleRecord, part: str, limit: int, token: str | None, most: int
) -> Page[dict[str, Any]] | None:
    """Give a page of slots where runs are stored, or of runs where slots are.

    Parameters
    ----------
    unit
        Of the tenant.
    record
        The schedule.
    part
        Name of a part.
    limit
        Most entries on the page.
    token
        Of the page before. None: the first page.
    most
        Transfers that derived slots may list.

    Returns
    -------
    Page or None
        None where the part is stored, or the schedule is of another form.

    Raises
    ------
    Refusal
        ``slots_too_many``.
    PageTokenError
        If the service did not make the token.
    """
    in_runs = is_in_runs(record.header)
    first = 0 if token is None else decode_token(token, (int,))[0]
    if part == "slots" and in_runs:
        listed = record.header["counts"]["transfers"]
        if listed > most:
            raise Refusal(
                "slots_too_many",
                f"The slots would list {listed:,} transfers, more than {most:,}: read /runs.",
            )
        return _page_of_slots(
            islice(slots_of(stored_runs(unit, record)), first, None), first, limit
        )
    if part == "runs" and not in_runs and record.header["form"] == Schedule.form:
        slots = map(read_slot, unit.schedules.items(record.id, "slots"))
        runs = runs_of_slots(slots) if record.header["ports"] != "multiport" else []
        return _page_of_runs(runs, first, limit)
    return None


def stored_runs(unit: Unit, record: ScheduleRecord) -> Iterator[Run]:
    """Read the runs of a schedule, chunk by chunk."""
    return map(read_run, unit.schedules.items(record.id, "runs"))


def _page_of_slots(slots: Iterable[Slot], first: int, limit: int) -> Page[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    transfers = 0
    for slot in slots:
        transfers += len(slot.transfers)
        if len(items) >= limit or (items and transfers > PAGE_TRANSFERS):
            return Page(items, encode_token([first + len(items)]))
        items.append(slot_document(slot))
    return Page(items, None)


def _page_of_runs(runs: Sequence[Run], first: int, limit: int) -> Page[dict[str, Any]]:
    items = [run_document(run) for run in runs[first : first + limit]]
    more = first + limit < len(runs)
    return Page(items, encode_token([first + limit]) if more else None)


class Bars:
    """The cargo of runs by its starts, each as a slot of its own: for a walk through time.

    Parameters
    ----------
    runs
        Gives those of a period by their starts. They are read no further than is asked for.
    """

    def __init__(self, runs: Callable[[], Iterator[Run]]) -> None:
        self._runs = runs

    def starting_with(self, first: int) -> Iterator[Slot]:
        """Give the bars from an index on."""
        return islice(self._in_order(), first, None)

    def index_at(self, moment: Fraction) -> int:
        """Give the index of the first bar that ends after a moment of the period."""
        ended = 0
        for bar in self._in_order():
            if bar.start + bar.duration > moment:
                break
            ended += 1
        return ended

    def _in_order(self) -> Iterator[Slot]:
        waiting: list[tuple[Fraction, int, Slot]] = []
        number = 0
        for run in self._runs():
            while waiting and waiting[0][0] < run.start:
                yield heappop(waiting)[2]
            for start, _, cargo in run.stretches():
                ends = run.sender, run.receiver
                moved = SlotTransfer(*ends, cargo.file, cargo.allocation, cargo.count)
                heappush(waiting, (start, number, Slot(start, cargo.time, (moved,))))
                number += 1
        while waiting:
            yield heappop(waiting)[2]
