"""That no processors can be found for the stages of a workflow, each its own, with links for all files."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from steadygrid.kinds.replicated_workflow.limits import MOST_TRIED


class _OpenStages(NamedTuple):
    """Stages that have no processor yet, and the processors that each could still have, as bits."""

    stages: tuple[int, ...]
    domains: tuple[int, ...]


class _Links(NamedTuple):
    """Whom each processor can send to, and receive from, as bits."""

    out: Sequence[int]
    into: Sequence[int]


def mapping_exists(
    domains: Sequence[int],
    files: frozenset[tuple[int, int]],
    out: Sequence[int],
    into: Sequence[int],
    most_steps: int = MOST_TRIED,
) -> bool | None:
    """Tell whether each stage can have a processor, so that every file has a link.

    A mapping with several processors for a stage has one in it with the first of each, so one each is
    enough to look for.

    Parameters
    ----------
    domains
        For each stage, the processors that can run it, as bits.
    files
        Pairs of stages, the first of which sends to the second.
    out, into
        For each processor, those that it can send to, and receive from, as bits.

    Returns
    -------
    bool or None
        None where it takes more than `most_steps` to tell.

    Notes
    -----
    Depth first over the stage with the least choice, with forward checking.
    """
    links = _Links(out, into)
    steps = 0
    trail = [iter([_OpenStages(tuple(range(len(domains))), tuple(domains))])]
    while trail:
        left = next(trail[-1], None)
        if left is None:
            trail.pop()
            continue
        if not left.stages:
            return True
        steps += len(left.stages) * min(domain.bit_count() for domain in left.domains)
        if steps > most_steps:
            return None
        trail.append(_choices(left, files, links))
    return False


def _choices(
    left: _OpenStages, files: frozenset[tuple[int, int]], links: _Links
) -> Iterator[_OpenStages]:
    """Give a processor to the stage with the least choice, in every manner that leaves one to the others."""
    least = min(range(len(left.stages)), key=lambda i: left.domains[i].bit_count())
    stage = left.stages[least]
    others = left.stages[:least] + left.stages[least + 1 :]
    rest = left.domains[:least] + left.domains[least + 1 :]
    choice = left.domains[least]
    while choice:
        bit = choice & -choice
        choice ^= bit
        processor = bit.bit_length() - 1
        domains = tuple(
            _narrowed(domain, (stage, processor), other, files, links)
            for other, domain in zip(others, rest, strict=True)
        )
        if all(domains):
            yield _OpenStages(others, domains)


def _narrowed(
    domain: int,
    given: tuple[int, int],
    other: int,
    files: frozenset[tuple[int, int]],
    links: _Links,
) -> int:
    """Leave to another stage the processors that it can have once a stage has one."""
    stage, processor = given
    sent_to = links.out[processor] if (stage, other) in files else ~0
    sent_from = links.into[processor] if (other, stage) in files else ~0
    return domain & sent_to & sent_from & ~(1 << processor)
