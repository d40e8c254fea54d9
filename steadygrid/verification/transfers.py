"""Rules for the routes that the files of one allocation take."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.steady import SteadyInstance


def check_transfers(
    instance: SteadyInstance, allocation: Allocation, findings: Findings, at: Pointer
) -> None:
    """Check that each copy of each task gets each of its files, and each of them once.

    Parameters
    ----------
    instance
        What the allocation runs, and on which network.
    allocation
        Where tasks run, and how files travel.
    findings
        Gets the faults.
    at
        Where the checked part is in the document; faults point there.

    Notes
    -----
    Rules, in this order:

    == ====================================================================== ====================
    1  a transfer moves a file of the application                             `unknown_file`
    2  its share is above 0                                                   `no_share`
    3  its path has a hop                                                     `empty_path`
    4  each hop of its path is a link                                         `missing_link`
    5  its path passes no processor twice                                     `path_repeats`
    6  where files are not sent on, it begins on a processor that makes the   `path_start`
       file
    7  where they are, it begins where the file is made or arrives            `from_nowhere`
    8  it does not end on a processor that makes the file                     `file_stays`
    9  where files are not sent on, it ends on a processor that uses the file `path_end`
    10 where they are, it ends on one that uses the file or sends it on       `dead_end`
    11 where files are sent on, it moves the whole file                       `file_split`
    12 with ``tasks_and_files`` no two transfers of a file take the same link `sent_again`
    13 a processor that uses a file and does not make it is sent the file     `file_does_not_move`
    14 the shares of the file that it is sent sum to 1                        `shares_miss_one`
    == ====================================================================== ====================

    Files are sent on with ``tasks_and_files``, and on relays. With ``tasks_and_files`` a file
    arrives where another of its transfers passes by or ends; with relays only on a relay, where
    another ends. By rule 7 it comes from a processor that makes it in the end. With relays only a
    relay may send a file on.
    """
    name = f"Allocation {allocation.index}"
    shares: Amounts[tuple[FileName, str]] = Amounts()
    moving: dict[FileName, list[tuple[int, Transfer]]] = {}
    for i, transfer in enumerate(allocation.transfers):
        here = (*at, "transfers", i)
        if transfer.file not in instance.sizes:
            findings.add(
                here, "unknown_file", f"{name} moves {named(transfer.file)}, which is none."
            )
            continue
        if transfer.share <= 0:
            findings.add(
                here, "no_share", f"{name} moves a share of {named(transfer.file)} not above 0."
            )
        if _is_path(instance, allocation, transfer, findings, here):
            moving.setdefault(transfer.file, []).append((i, transfer))
            received = transfer.file, transfer.path[-1]
            shares[received] += transfer.share
    for file in instance.sizes:
        makers = instance.places(allocation, instance.maker(file))
        users = instance.places(allocation, instance.user(file))
        transfers = moving.get(file, [])
        _check_starts(instance, allocation, transfers, makers, findings, at)
        _check_ends(instance, allocation, transfers, makers, users, findings, at)
        if instance.duplication == "tasks_and_files" or instance.relays:
            _check_whole(allocation, transfers, findings, at)
        if instance.duplication == "tasks_and_files":
            _check_copying(allocation, transfers, findings, at)
        for user in users:
            share = shares.get((file, user))
            if user in makers:
                continue
            if share is None:
                findings.add(
                    at,
                    "file_does_not_move",
                    f"{name}: {named(file)} is made on {either(makers)} and used on {user!r}, but"
                    " does not move.",
                )
            elif share != 1:
                findings.add(
                    at,
                    "shares_miss_one",
                    f"{name}: the shares of {named(file)} sum to {show(share)}, not 1, on"
                    f" {user!r}.",
                )


def either(processors: Iterable[str]) -> str:
    """Name one of several processors, for a sentence."""
    return " or ".join(map(repr, processors)) or "no processor"


def _is_path(
    instance: SteadyInstance,
    allocation: Allocation,
    transfer: Transfer,
    findings: Findings,
    at: Pointer,
) -> bool:
    what = f"Allocation {allocation.index}: the path of {named(transfer.file)}"
    path = transfer.path
    if len(path) < 2:
        findings.add(at, "empty_path", f"{what} has no hop. A file that stays has no transfer.")
        return False
    for sender, receiver in pairwise(path):
        if (sender, receiver) not in instance.network.hops:
            findings.add(
                at, "missing_link", f"{what} needs a link from {sender!r} to {receiver!r}: none."
            )
    if len(set(path)) < len(path):
        findings.add(at, "path_repeats", f"{what} passes a processor twice.")
    return True


Listed = list[tuple[int, Transfer]]
"""Transfers of one file with their positions."""


def _check_starts(
    instance: SteadyInstance,
    allocation: Allocation,
    transfers: Listed,
    makers: Collection[str],
    findings: Findings,
    at: Pointer,
) -> None:
    copying = instance.duplication == "tasks_and_files"
    have: Collection[str] = makers
    if copying or instance.relays:
        reached = _reached(transfers, makers, passing=copying)
        have = reached if copying else instance.relays & reached | {*makers}
    for i, transfer in transfers:
        start = transfer.path[0]
        if start not in have:
            code, made = ("from_nowhere", "comes there from nowhere") if have is not makers else (
                "path_start", f"is made on {either(makers)}"
            )  # fmt: skip
            findings.add(
                (*at, "transfers", i),
                code,
                f"Allocation {allocation.index}: the path of {named(transfer.file)} begins on"
                f" {start!r}, but {made}.",
            )


def _reached(transfers: Listed, makers: Collection[str], *, passing: bool) -> set[str]:
    """Find the processors that get a file, sent on from those that make it.

    With `passing` they also get what only passes by.
    """
    waiting: dict[str, list[Transfer]] = {}
    for _, transfer in transfers:
        waiting.setdefault(transfer.path[0], []).append(transfer)
    reached = list(makers)
    seen = set(reached)
    for processor in reached:
        for transfer in waiting.get(processor, ()):
            gets = transfer.path if passing else transfer.path[-1:]
            new = [name for name in gets if name not in seen]
            reached += new
            seen.update(new)
    return seen


def _check_ends(
    instance: SteadyInstance,
    allocation: Allocation,
    transfers: Listed,
    makers: Collection[str],
    users: Collection[str],
    findings: Findings,
    at: Pointer,
) -> None:
    copying = instance.duplication == "tasks_and_files"
    starts = {transfer.path[0] for _, transfer in transfers}
    for i, transfer in transfers:
        here, end = (*at, "transfers", i), transfer.path[-1]
        what = f"Allocation {allocation.index}: the path of {named(transfer.file)}"
        if end in makers:
            findings.add(here, "file_stays", f"{what} ends on {end!r}, which makes the file.")
        elif end in users or ((copying or end in instance.relays) and end in starts):
            continue
        elif copying or instance.relays:
            findings.add(
                here, "dead_end", f"{what} ends on {end!r}, which neither uses it nor sends it on."
            )
        else:
            findings.add(
                here, "path_end", f"{what} ends on {end!r}, but is used on {either(users)}."
            )


def _check_whole(
    allocation: Allocation, transfers: Listed, findings: Findings, at: Pointer
) -> None:
    for i, transfer in transfers:
        if transfer.share != 1:
            findings.add(
                (*at, "transfers", i),
                "file_split",
                f"Allocation {allocation.index}: the path of {named(transfer.file)} carries a share"
                f" of {show(transfer.share)}, but files that may be sent on stay whole.",
            )


def _check_copying(
    allocation: Allocation, transfers: Listed, findings: Findings, at: Pointer
) -> None:
    crossed: set[tuple[str, str]] = set()
    for i, transfer in transfers:
        here = (*at, "transfers", i)
        what = f"Allocation {allocation.index}: the path of {named(transfer.file)}"
        for sender, receiver in pairwise(transfer.path):
            if (sender, receiver) in crossed:
                findings.add(
                    here,
                    "sent_again",
                    f"{what} takes the link from {sender!r} to {receiver!r} a second time.",
                )
            crossed.add((sender, receiver))
