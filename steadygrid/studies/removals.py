"""What remains where a processor, a link or a medium fails: a body without it."""

from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from steadygrid.domain.errors import InstanceError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import Change, apply_patch, target_of
from steadygrid.domain.platform import Platform
from steadygrid.report.occupation import Resource
from steadygrid.studies.parts import Parts, lists, members
from steadygrid.submissions.submission import parse_submission

NEEDED = frozenset(
    {
        "unknown_processor",
        "no_processor",
        "task_without_processor",
        "load_without_processor",
        "too_little_memory",
    }
)
"""Codes of faults that say that what is gone was needed: nothing is done without it."""
_CUT_OFF = "unreachable"
"""Code of faults at processors that would compute, and to which no link leads."""
_BY_PROCESSOR = ("times", "sizes")
"""Members of problems that say something of each processor, by its id."""
_LISTS = ("allowed", "order", "return_orders", "chain")
"""Members that list processors, and go on without one of them."""
_PLATFORM: Pointer = ("problem", "platform")


@dataclass(frozen=True)
class Gone:
    """What fails, by positions in the lists of a platform."""

    processors: frozenset[int] = frozenset()
    links: frozenset[int] = frozenset()
    media: frozenset[int] = frozenset()

    def __or__(self, other: "Gone") -> "Gone":
        return Gone(
            self.processors | other.processors, self.links | other.links, self.media | other.media
        )


def fails_with(parts: Parts, resource: Resource) -> Gone:
    """Give what fails where a resource does: its processor, its link, its medium, or what its card serves.

    A set of processors is no thing that could fail: nothing.

    Parameters
    ----------
    parts
        The resources of the body, and what each of them is there.
    resource
        Of the platform.
    """
    if resource.what == "odd":
        return Gone()
    part = parts.part_of(resource)
    if resource.what in ("link", "half") or resource.card is not None:
        return Gone(links=part.links)
    if resource.what == "medium":
        return Gone(media=part.media)
    return Gone(processors=frozenset(parts.platform.index_by_id[end] for end in resource.ends))


def lost(platform: Platform, gone: Gone) -> Iterator[Pointer]:
    """List where in a body stands what fails, without what goes with it.

    Parameters
    ----------
    platform
        As the kind sees it.
    gone
        What fails.
    """
    for name in ("processors", "links", "media"):
        yield from ((*_PLATFORM, name, i) for i in sorted(getattr(gone, name)))


def removal_changes(
    document: Mapping[str, Any], platform: Platform, gone: Gone
) -> tuple[Change, ...]:
    """Write the changes of a body that take away what fails, and what cannot be without it.

    With a processor go its links, and with a medium the links that use it. With links go the given
    routes over them (files then take the path that is left), and cards that no link goes by.

    With a processor goes what the body says of it by its id: times and sizes, that it may run a task,
    its place in an order of service, and that a search begins there. Where the problem names it
    otherwise, as its master, that stays, and is a fault.

    Parameters
    ----------
    document
        The canonical body, with its problem and platform.
    platform
        As the kind sees it.
    gone
        What fails.
    """
    names = frozenset(platform.processors[i].id for i in gone.processors)
    media = frozenset(platform.media[i].id for i in gone.media)
    links = frozenset(
        i
        for i, link in enumerate(platform.links)
        if i in gone.links
        or not names.isdisjoint((link.source, link.target))
        or not media.isdisjoint(link.media)
    )
    told = document["problem"]["platform"]
    left = {
        "processors": _kept_processors(told["processors"], platform, gone.processors, links),
        "links": [link for i, link in enumerate(told.get("links", ())) if i not in links],
        "media": [one for i, one in enumerate(told.get("media", ())) if i not in gone.media],
        "routes": list(_kept_routes(told.get("routes", ()), platform, names, links)),
    }
    changes = [
        Change(at=target_of(*_PLATFORM, name), value=value)
        for name, value in left.items()
        if value != told.get(name, [])
    ]
    problem = document["problem"]
    for pointer, listed in members(problem, _BY_PROCESSOR):
        rest = {name: value for name, value in listed.items() if name not in names}
        changes += _changes_of_list(pointer, listed, rest)
    for pointer, several in lists(problem, _LISTS):
        changes += _changes_of_list(
            pointer, several, [name for name in several if name not in names]
        )
    if "application" in problem and problem.get("source") in names:
        changes.append(Change(at=target_of("problem", "source"), value=None))
    return tuple(changes)


def _changes_of_list(pointer: Pointer, before: Sized, rest: Sized) -> Iterator[Change]:
    """Write down what is left of a member. What would be empty stays, and is a fault as it is."""
    if 0 < len(rest) < len(before):
        yield Change(at=target_of("problem", *pointer), value=rest)


def _kept_processors(
    told: list[dict[str, Any]], platform: Platform, gone: frozenset[int], links: frozenset[int]
) -> list[dict[str, Any]]:
    """Keep processors, and of named cards those by which links go."""
    used = {
        (end, card)
        for i, link in enumerate(platform.links)
        if i not in links
        for end, card in ((link.source, link.source_card), (link.target, link.target_card))
    }
    kept: list[dict[str, Any]] = []
    for i, document in enumerate(told):
        if i in gone:
            continue
        names = platform.processors[i].card_names
        cards = [name for name in names if (platform.processors[i].id, name) in used]
        if len(cards) < len(names):
            document = {name: value for name, value in document.items() if name != "cards"}
            document |= {"cards": cards} if cards else {}
        kept.append(document)
    return kept


def _kept_routes(
    told: list[dict[str, Any]], platform: Platform, names: frozenset[str], links: frozenset[int]
) -> Iterator[dict[str, Any]]:
    ids = platform.processors
    hops = {(ids[a.source].id, ids[a.target].id) for a in platform.arcs if a.link not in links}
    for route in told:
        points = (route["source"], *route.get("via", ()), route["target"])
        if names.isdisjoint(points) and (route.get("missing") or hops.issuperset(pairwise(points))):
            yield route


class Remains(NamedTuple):
    """What is left to ask: the changes of a body, and why it cannot be asked, if so."""

    patch: tuple[Change, ...]
    refused: InstanceError | None


def remains(document: Mapping[str, Any], platform: Platform, gone: Gone, limits: Limits) -> Remains:
    """Take away what fails, and see whether what remains can be asked.

    Kinds that want to reach every computing processor lose those, too, to whom no link leads any
    more.

    Parameters
    ----------
    document
        The canonical body, with its problem and platform.
    platform
        As the kind sees it.
    gone
        What fails.
    limits
        How large a problem may be.
    """
    while True:
        patch = removal_changes(document, platform, gone)
        try:
            parse_submission(apply_patch(document, patch), limits)
        except InstanceError as error:
            more = _cut_off(error, platform, gone)
            if not more:
                return Remains(patch, error)
            gone |= Gone(processors=more)
        else:
            return Remains(patch, None)


def _cut_off(error: InstanceError, platform: Platform, gone: Gone) -> frozenset[int]:
    """Give the positions of processors that a refusal says to be out of reach, if it says only that."""
    left = [i for i in range(len(platform.processors)) if i not in gone.processors]
    found: set[int] = set()
    for fault in error.faults:
        *place, number = fault.pointer or ("",)
        if fault.code != _CUT_OFF or tuple(place) != (*_PLATFORM, "processors"):
            return frozenset()
        found.add(left[int(number)])
    return frozenset(found)


def nothing_is_done(error: InstanceError) -> bool:
    """Tell whether what remains is refused because what fails was needed."""
    return all(fault.code in NEEDED for fault in error.faults)
