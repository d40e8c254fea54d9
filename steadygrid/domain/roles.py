"""Who makes and who uses the files of what an allocation runs."""

from collections.abc import Iterable
from typing import NamedTuple

from steadygrid.domain.combination import Combination
from steadygrid.domain.schedule import Allocation
from steadygrid.domain.slots import FileName

SUM = "--sum"
"""What the last combination of a message makes for all participants."""


class Role(NamedTuple):
    """Who makes a file, and who uses it.

    Tasks, or combinations that take no time. Who is neither, is where data begins.
    """

    maker: str
    users: tuple[str, ...]


def roles_of(files: Iterable[FileName], allocation: Allocation) -> dict[FileName, Role]:
    """Give the roles of the files of what an allocation runs.

    An application's files name the tasks that make and use them. Of an allocation that carries a
    message, the data that it moves or combines counts instead: an outcome is made by its
    combination, the rest lies at its source. What a combination has as an operand it uses, and all
    else is for receivers.

    Parameters
    ----------
    files
        All files of the application.
    """
    if allocation.message is None:
        return {file: Role(file[0], (file[1],)) for file in files}
    used: dict[str, tuple[str, ...]] = {}
    for combination in allocation.combinations:
        for operand in combination.operands:
            used[operand] = (*used.get(operand, ()), combination.outcome)
    outcomes = [combination.outcome for combination in allocation.combinations]
    makers = dict(zip(outcomes, outcomes, strict=True))
    if outcomes:
        makers[SUM] = outcomes[-1]
    moved = (transfer.file[1] for transfer in allocation.transfers)
    return {
        (allocation.message, data): Role(makers.get(data, data), used.get(data, ()))
        for data in dict.fromkeys((*used, *outcomes, *moved))
    }


def joins_of(allocation: Allocation) -> dict[str, Combination]:
    """Give the combinations that take no time, by their outcomes."""
    return {
        combination.outcome: combination
        for combination in allocation.combinations
        if combination.outcome not in allocation.tasks
    }
