"""What moves in an operation, as the referee reads it off the words of the contract."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from steadygrid.domain.resources import pair_name
from steadygrid.kinds.collective.referee_views import Moving
from steadygrid.kinds.collective.schemas import CollectiveInstance

_COMBINED = ("reduce", "reduce_scatter", "allreduce")
_DIFFERENT = ("scatter", "gather", "all_to_all")


@dataclass(frozen=True)
class Movement:
    """The messages of an operation, and what may happen to them on their route.

    Attributes
    ----------
    messages
        By name, in the order of the contract.
    copiers
        Who may send on to several others, or combine. Where messages differ, it means nothing.
    combined
        Whether what the sources of a message have is combined on the route, to its only receiver.
    different
        Whether every message has one source and one receiver, and moves whole.
    combining
        Time per unit of data of a combination of two operands, by who can do it. None where it is
        free for all who may.
    ordered
        Whether only operands that follow each other in the order of the sources may be combined.
    spread
        Whether what was combined goes to all receivers, from wherever that was.
    """

    messages: Mapping[str, Moving]
    copiers: frozenset[str]
    combined: bool
    different: bool
    combining: Mapping[str, Fraction] | None = None
    ordered: bool = False
    spread: bool = False

    @property
    def in_twos(self) -> bool:
        """Whether it matters which operands are combined where: then none are on a path."""
        return self.combining is not None or self.ordered

    def root_and_ends(self, message: Moving) -> tuple[str, frozenset[str]]:
        """Give where all routes of a message meet, and who else they join to it."""
        one, many = message.sources, message.receivers
        if self.combined:
            one, many = many, one
        (root,) = one
        return root, frozenset(many) - {root}

    def outward(self, hop: tuple[str, str]) -> tuple[str, str]:
        """Give the ends of a hop as trees grow from their roots: in reductions it is turned round."""
        return hop[::-1] if self.combined else hop

    @cached_property
    def rooted(self) -> list[tuple[str, frozenset[str], Fraction]]:
        """List root, ends and size of each message that has a size."""
        listed = [(*self.root_and_ends(each), each.size) for each in self.messages.values()]
        return [(root, ends, size) for root, ends, size in listed if size]

    @cached_property
    def halves(self) -> tuple["Movement", "Movement"]:
        """Give what is combined and what is spread as operations with a message for each root."""
        (message,) = self.messages.values()
        roots = sorted(self.copiers)
        gathered = {root: Moving(message.sources, (root,), message.size) for root in roots}
        spread = {
            root: Moving((root,), _but(message.receivers, root), message.size) for root in roots
        }
        return (
            Movement(gathered, self.copiers, combined=True, different=False),
            Movement(spread, self.copiers, combined=False, different=False),
        )

    @cached_property
    def by_members(self) -> dict[frozenset[str], list[tuple[str, Fraction]]]:
        """List root and size of all messages that join the same processors."""
        found: dict[frozenset[str], list[tuple[str, Fraction]]] = {}
        for root, ends, size in self.rooted:
            found.setdefault(ends | {root}, []).append((root, size))
        return found


def read_movement(instance: CollectiveInstance) -> Movement:
    """Read the messages, and who may copy or combine them.

    Rules, in order:

    1. What a processor sends to itself does not move.
    2. A broadcast goes to all processors that are no switches. All of these are the sources, or
       the participants, where no names are given.
    3. With ``copying`` ``processors`` all processors that are no switches may copy or combine.
       With ``participants`` only the ends of messages may, and with ``all`` switches may, too.
    4. Where ``combine`` says how long a combination takes, each processor may combine that has a
       time for it, given or by its speed. The ends of messages may then only keep what is theirs.
    """
    able = tuple(p.id for p in instance.platform.processors if not p.switch)
    messages = _messages(instance, able)
    combining = _combining(instance)
    if combining is not None or instance.copying == "participants":
        copiers = {name for each in messages.values() for name in (*each.sources, *each.receivers)}
    elif instance.copying == "processors":
        copiers = set(able)
    else:
        copiers = {processor.id for processor in instance.platform.processors}
    operation = instance.operation
    return Movement(
        messages,
        frozenset(copiers).union(combining or ()),
        operation in _COMBINED,
        operation in _DIFFERENT,
        combining,
        instance.order == "fixed",
        operation == "allreduce",
    )


def _combining(instance: CollectiveInstance) -> dict[str, Fraction] | None:
    given = instance.combine
    if given is None:
        return None
    if given.work is None:
        return dict(given.times or {})
    times: dict[str, Fraction] = {}
    for processor in instance.platform.processors:
        if processor.unit_time is not None:
            times[processor.id] = given.work * processor.unit_time
        elif processor.speed is not None:
            times[processor.id] = given.work / processor.speed
    return times


def _messages(instance: CollectiveInstance, able: tuple[str, ...]) -> dict[str, Moving]:
    source, target = instance.source or "", instance.target or ""
    own, size = instance.sizes or {}, instance.size
    match instance.operation:
        case "scatter":
            others = _but(instance.targets or (), source)
            return {n: Moving((source,), (n,), own.get(n, size)) for n in others}
        case "gather":
            others = _but(instance.sources or (), target)
            return {n: Moving((n,), (target,), own.get(n, size)) for n in others}
        case "broadcast":
            return {"data": Moving((source,), _but(able, source), size)}
        case "multicast":
            return {"data": Moving((source,), _but(instance.targets or (), source), size)}
        case "reduce":
            sources = able if instance.sources is None else instance.sources
            return {"data": Moving(sources, (target,), size)}
    names = able if instance.participants is None else instance.participants
    if instance.operation == "allreduce":
        return {"data": Moving(names, names, size)}
    if instance.operation == "allgather":
        return {n: Moving((n,), _but(names, n), own.get(n, size)) for n in names}
    if instance.operation == "reduce_scatter":
        return {n: Moving(names, (n,), own.get(n, size)) for n in names}
    pairs = {(pair.source, pair.target): pair.size for pair in instance.pair_sizes or ()}
    return {
        pair_name(origin, end): Moving((origin,), (end,), pairs.get((origin, end), size))
        for origin in names
        for end in _but(names, origin)
    }


def _but(names: Iterable[str], one: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != one)
