"""Slots: stretches of a period in which some transfers run side by side."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.header import text_of
from steadygrid.domain.rational import parse_exact, parse_whole

FileName = tuple[str, str]
"""A file by the task that makes it and the task that uses it. Data of a message by the name of the
message and that of the data: the source that has it, or the outcome of a combination."""


class SlotTransfer(NamedTuple):
    """One hop that carries `count` files during a slot."""

    sender: str
    receiver: str
    file: FileName
    allocation: int
    count: Fraction  # type: ignore[assignment]


class Slot(NamedTuple):
    """A stretch of the period in which the listed transfers run side by side."""

    start: Fraction
    duration: Fraction
    transfers: tuple[SlotTransfer, ...]


def slot_document(slot: Slot) -> dict[str, Any]:
    """Write a slot as the contract shows it."""
    return {
        "start": str(slot.start),
        "duration": str(slot.duration),
        "transfers": [
            {
                "sender": t.sender,
                "receiver": t.receiver,
                "file": list(t.file),
                "allocation": t.allocation,
                "count": str(t.count),
            }
            for t in slot.transfers
        ],
    }


def read_slot(value: Mapping[str, Any]) -> Slot:
    """Read a slot back; errors as those of `Schedule.from_document`."""
    return Slot(
        parse_exact(value["start"]),
        parse_exact(value["duration"]),
        tuple(
            SlotTransfer(
                text_of(t["sender"]),
                text_of(t["receiver"]),
                read_file_name(t["file"]),
                parse_whole(t["allocation"]),
                parse_exact(t["count"]),
            )
            for t in value["transfers"]
        ),
    )


def read_file_name(value: Any) -> FileName:
    """Read the two names of a file.

    Raises
    ------
    TypeError, ValueError
        If these are not two names.
    """
    source, target = value
    return text_of(source), text_of(target)
