"""What is wrong with a `collective` instance that is well-formed."""

from collections.abc import Iterator, Mapping

from steadygrid.domain.cards import cards_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform, media_faults, no_processor, platform_faults
from steadygrid.domain.wording import shown
from steadygrid.kinds.collective.choice import chosen, obstacle
from steadygrid.kinds.collective.chunk_faults import chunk_faults
from steadygrid.kinds.collective.completion_faults import completion_faults, too_many_hops
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    TO_MANY,
    CollectiveInstance,
    Operation,
)
from steadygrid.kinds.shared.reaching import reachable
from steadygrid.kinds.shared.start_ups import start_up_faults

MOST_MESSAGES = 100_000
"""Of an operation. An answer lists a route or more of each."""
MOST_ENDS = 5_000_000
"""Of all messages that all participants get, or give parts of. An answer lists them."""

_NEEDS: Mapping[Operation, tuple[str, ...]] = {
    "scatter": ("source", "targets"),
    "gather": ("sources", "target"),
    "broadcast": ("source",),
    "multicast": ("source", "targets"),
    "reduce": ("target",),
}
_MAY_HAVE: Mapping[Operation, tuple[str, ...]] = {
    "scatter": ("source", "targets", "sizes"),
    "gather": ("sources", "target", "sizes"),
    "all_to_all": ("participants", "pair_sizes"),
    "broadcast": ("source", "size"),
    "multicast": ("source", "targets", "size"),
    "allgather": ("participants", "sizes"),
    "reduce": ("sources", "target", "size", "combine", "order"),
    "reduce_scatter": ("participants", "sizes"),
    "allreduce": ("participants", "size"),
}
_NAMING = ("source", "target", "targets", "sources", "participants")
_SIZING = ("sizes", "pair_sizes")
_JOINING = ("combine", "order")


def faults(instance: CollectiveInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of the platform hold.
    2. The fields that the operation needs are given, and no others.
    3. Each participant is a known processor, no switch, and named once.
    4. There are at least two participants, one source and one target.
    5. The time of combining is stated once, and a processor can combine.
    6. Media are given only with ``multiport``, and cards only where `cards_faults` says so.
    7. Latencies can be paid where they are to be.
    8. At most `MOST_MESSAGES` messages differ, and at most `MOST_ENDS` ends of others.
    9. Sizes are of messages that there are, each once.
    10. Something moves and takes time, unless a message cannot arrive, which is an answer.
    11. What `completion_faults` says of one operation and of programs holds. Their chunks make no
        more hops than `too_many_hops` takes.
    12. The method applies.
    13. Chunks are whole only where `chunk_faults` says so.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `latencies` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    platform = instance.platform
    sound = True
    for fault in (
        *platform_faults(platform, (*at, "platform")),
        *_field_faults(instance, at),
        *_part_faults(instance, at),
        *_combine_faults(instance, (*at, "combine")),
    ):
        sound = False
        yield fault
    yield from media_faults(platform, instance.ports, (*at, "platform"))
    yield from cards_faults(platform, instance.ports, (*at, "platform"))
    yield from start_up_faults(instance, options, at)
    yield from completion_faults(instance, options, at)
    if not sound:
        return
    if too_many := _too_many_messages(instance, at):
        yield too_many
        return
    yield from _size_faults(instance, at)
    if not any(message.size for message in instance.messages) and all_arrive(instance):
        yield Fault(
            at,
            "unbounded_throughput",
            "nothing moves that takes any time, so the throughput has no bound: give at least one"
            " message, to another processor, a size above 0",
        )
    elif instance.wants_completion and (too_many := too_many_hops(instance, at)):
        yield too_many
    yield from _method_faults(instance, at)
    yield from chunk_faults(instance, options, at)


def _field_faults(instance: CollectiveInstance, at: Pointer) -> Iterator[Fault]:
    operation = instance.operation
    needed = _NEEDS.get(operation, ())
    for field in needed:
        if getattr(instance, field) is None:
            yield Fault(
                (*at, field), "missing_field", f"{_a(operation)} needs {' and '.join(needed)}"
            )
    for field in (*_NAMING, *_SIZING, *_JOINING):
        if getattr(instance, field) is not None and field not in _MAY_HAVE[operation]:
            known = ", ".join(_MAY_HAVE[operation])
            yield Fault(
                (*at, field),
                "field_not_applicable",
                f"leave out `{field}`: {_a(operation)} takes {known}",
            )


def _a(operation: str) -> str:
    return f"an {operation}" if operation[0] == "a" else f"a {operation}"


def _part_faults(instance: CollectiveInstance, at: Pointer) -> Iterator[Fault]:
    known = Known(instance.platform.running)
    for field in _NAMING:
        named = getattr(instance, field)
        if named is None or field not in _MAY_HAVE[instance.operation]:
            continue
        if isinstance(named, str):
            yield from _name_faults(instance.platform, known, named, (*at, field))
            continue
        least = 2 if field == "participants" else 1
        if len(named) < least:
            some = "two participants" if field == "participants" else f"one of the {field}"
            yield Fault((*at, field), "too_few_participants", f"name at least {some}")
        seen: set[str] = set()
        for i, name in enumerate(named):
            yield from _name_faults(instance.platform, known, name, (*at, field, i))
            if name in seen:
                yield Fault(
                    (*at, field, i),
                    "duplicate_participant",
                    f"{shown(name)} is named already: name it once",
                )
            seen.add(name)
    by_default = instance.operation in TO_MANY and instance.participants is None
    if by_default and len(instance.taking_part) < 2:
        yield Fault(
            (*at, "participants"),
            "too_few_participants",
            "the platform has fewer than two processors that are no switches: nothing is sent",
        )


def _combine_faults(instance: CollectiveInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse a `combine` without exactly one of work and times, or that no processor can do."""
    given = instance.combine
    if given is None or instance.operation != "reduce":
        return
    if (given.work is None) == (given.times is None):
        yield Fault(at, "ambiguous_time", "give exactly one of work and times")
        return
    known = Known(instance.platform.running)
    for name in given.times or ():
        yield from _name_faults(instance.platform, known, name, (*at, "times", name))
    sources = instance.non_switches if instance.sources is None else instance.sources
    if len(sources) > 1 and not instance.combining:
        yield Fault(
            at,
            "nobody_combines",
            f"{len(sources):,} sources have data to combine, and no processor can: name one in"
            " times, give one a speed, or leave combine out",
        )


def _name_faults(platform: Platform, known: Known, name: str, at: Pointer) -> Iterator[Fault]:
    if name not in platform.index_by_id:
        yield Fault(at, "unknown_processor", no_processor(name, known))
    elif platform.processors[platform.index_by_id[name]].switch:
        yield Fault(
            at,
            "switch_takes_part",
            f"{shown(name)} is a switch, which only forwards: name the processor behind it",
        )


def _too_many_messages(instance: CollectiveInstance, at: Pointer) -> Fault | None:
    number = len(instance.taking_part)
    pairs = number * (number - 1)
    here, code = (*at, "participants"), "too_many_messages"
    if instance.operation == "all_to_all" and pairs > MOST_MESSAGES:
        text = f"send {pairs:,} messages, and at most {MOST_MESSAGES:,} are accepted"
    elif instance.operation in ("allgather", "reduce_scatter") and pairs > MOST_ENDS:
        what = "parts of messages" if instance.operation in COMBINING else "copies of messages"
        text = f"send {pairs:,} {what}, and at most {MOST_ENDS:,} are accepted"
    else:
        return None
    return Fault(here, code, f"{number:,} participants {text}: name fewer participants")


def _size_faults(instance: CollectiveInstance, at: Pointer) -> Iterator[Fault]:
    own = {message.name for message in instance.messages}
    for name in instance.sizes or ():
        if name not in own and not (name == instance.taking_part[0] and sends_to_itself(instance)):
            detail = f"no message is named {shown(name)}: leave its size out, or name it in"
            field = {"scatter": "targets", "gather": "sources"}.get(
                instance.operation, "participants"
            )
            yield Fault((*at, "sizes", name), "not_a_participant", f"{detail} {field}")
    seen: set[tuple[str, str]] = set()
    taking_part = set(instance.taking_part)
    for i, pair in enumerate(instance.pair_sizes or ()):
        here = (*at, "pair_sizes", i)
        for end, name in (("source", pair.source), ("target", pair.target)):
            if name not in taking_part:
                detail = f"{shown(name)} takes no part: leave this out, or name it in participants"
                yield Fault((*here, end), "not_a_participant", detail)
        if pair.source == pair.target:
            detail = f"what {shown(pair.source)} sends to itself does not move: leave this out"
            yield Fault(here, "not_a_participant", detail)
        if (pair.source, pair.target) in seen:
            detail = "the size of this message is given already: name the pair once"
            yield Fault(here, "duplicate_participant", detail)
        seen.add((pair.source, pair.target))


def all_arrive(instance: CollectiveInstance) -> bool:
    """Tell whether every message has a route. Where combining takes time, by one who can do it.

    Either one processor begins or ends all messages, or all participants need routes to each other,
    for which it is enough that each has one to the first, and from it.
    """
    platform, operation = instance.platform, instance.operation
    index = platform.index_by_id
    first, *others = (index[name] for name in instance.taking_part)
    gathers = operation in ("gather", "reduce") or operation in TO_MANY
    spreads = operation not in ("gather", "reduce")
    before = reachable(platform, first, backwards=True) if gathers else set(others)
    after = reachable(platform, first) if spreads else set(others)
    if not before.issuperset(others) or not after.issuperset(others):
        return False
    sources = instance.messages[0].sources if instance.messages else ()
    if instance.combining is None or len(sources) < 2:
        return True
    able = before & {index[name] for name in instance.combining}
    return bool(able.intersection(*(reachable(platform, index[name]) for name in sources)))


def sends_to_itself(instance: CollectiveInstance) -> bool:
    """Tell whether the one source is among the targets, or the one target among the sources."""
    return instance.taking_part[0] in (*(instance.targets or ()), *(instance.sources or ()))


def _method_faults(instance: CollectiveInstance, at: Pointer) -> Iterator[Fault]:
    if instance.method == "auto":
        return
    detail = obstacle(instance, instance.method)
    if detail is not None:
        remedy = f"use method {chosen(instance)}"
        yield Fault((*at, "method"), "method_not_applicable", f"{detail}: {remedy}")
