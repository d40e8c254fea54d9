"""What a `divisible_star` instance may be refused for."""

from collections.abc import Iterator, Sequence

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Arc, no_processor, platform_faults
from steadygrid.kinds.divisible_star.choice import (
    MOST_IMPROVED,
    MOST_SEARCHED,
    SEVERAL_ROUNDS,
    method_of,
    most_messages,
)
from steadygrid.kinds.divisible_star.order import (
    NoTreeError,
    arcs_down,
    is_beside_master,
    latencies,
    order_of,
    reverse_arc,
    working,
)
from steadygrid.kinds.divisible_star.return_methods import (
    MOST_MOVED,
    MOST_TRIED,
    most_searched,
    num_open_orders,
    workers_beside_master,
)
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance


def faults(instance: DivisibleStarInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of the platform hold, and the master is known.
    2. Links form a tree below the master, with every processor that computes and no switch.
    3. The order has different processors that are reached over each other.
    4. A processor computes.
    5. Results, rounds and items go together.
    6. The platform is a star where the method needs one.
    7. Results have paths back, and an order of these.
    8. The method answers what is asked.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    platform = instance.platform
    sound = True
    for fault in platform_faults(platform, (*at, "platform")):
        sound = False
        yield fault
    known = Known(platform.running)
    if instance.master not in platform.index_by_id:
        yield Fault((*at, "master"), "unknown_processor", no_processor(instance.master, known))
        sound = False
    if not sound:
        return
    try:
        down = arcs_down(platform, instance.master)
    except NoTreeError as why:
        yield Fault(
            (*at, "platform"),
            "not_a_tree",
            f"{why}: leave one of them out, so that there is only one path from the master",
        )
        return
    for fault in (*_reach_faults(instance, down, at), *_order_faults(instance, down, known, at)):
        sound = False
        yield fault
    if not sound:
        return
    for fault in (
        *_part_faults(instance, at),
        *_together_faults(instance, at),
        *_shape_faults(instance, down, at),
        *_return_faults(instance, known, at),
    ):
        sound = False
        yield fault
    if sound and method_of(instance) is None:
        yield _no_method(instance, at)
    elif sound and (instance.rounds > 1 or instance.method in SEVERAL_ROUNDS):
        yield from _message_faults(instance, at)


def _reach_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], at: Pointer
) -> Iterator[Fault]:
    for i, processor in enumerate(instance.platform.processors):
        here = (*at, "platform", "processors", i)
        reached = i in down or processor.id == instance.master
        if reached and processor.switch:
            yield Fault(
                here,
                "switch_in_star",
                "a switch has no port to send by, one after the other: leave out `switch` to make"
                " it a router, which forwards and computes nothing",
            )
        if not reached and processor.time_per_work is not None and instance.order is None:
            yield Fault(
                here,
                "unreachable",
                f"{processor.id!r} computes, but no links lead to it from the master: add one, or"
                " leave out its speed",
            )


def _order_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], known: Known, at: Pointer
) -> Iterator[Fault]:
    platform = instance.platform
    listed = set(instance.order or ())
    seen: set[str] = set()
    for i, id_ in enumerate(instance.order or ()):
        here = (*at, "order", i)
        if id_ not in platform.index_by_id:
            yield Fault(here, "unknown_processor", no_processor(id_, known))
            continue
        if id_ in seen:
            yield Fault(here, "order_repeats", f"{id_!r} is in the order already: list it once")
        seen.add(id_)
        if id_ == instance.master:
            yield Fault(
                here, "master_in_order", "the master needs no message: leave it out of the order"
            )
        elif (arc := down.get(platform.index_by_id[id_])) is None:
            yield Fault(
                here,
                "unreachable",
                f"no links lead to {id_!r} from the master: add one, or leave it out of the order",
            )
        elif (via := platform.processors[arc.source].id) not in listed | {instance.master}:
            yield Fault(
                here,
                "order_without_forwarder",
                f"{id_!r} is reached over {via!r} only: list {via!r} in the order, too",
            )


def _part_faults(instance: DivisibleStarInstance, at: Pointer) -> Iterator[Fault]:
    if not working(instance):
        yield Fault(
            (*at, "platform" if instance.order is None else "order"),
            "no_processor",
            "no processor can compute: give a processor "
            + ("a speed" if instance.order is None else "of the order a speed"),
        )


def _together_faults(instance: DivisibleStarInstance, at: Pointer) -> Iterator[Fault]:
    if instance.rounds > 1 and instance.load.return_volume:
        yield Fault(
            (*at, "rounds"),
            "rounds_with_results",
            "with several rounds no method chooses the order of results: leave out rounds, or"
            " load.return_volume",
        )
    if instance.rounds > 1 and instance.load.items is not None:
        yield Fault(
            (*at, "rounds"),
            "rounds_with_items",
            "whole items are sent out in one round: leave out rounds, or load.items",
        )
    if instance.rounds > 1 and instance.method in SEVERAL_ROUNDS:
        yield Fault(
            (*at, "rounds"),
            "method_not_applicable",
            f"{instance.method} chooses the number of rounds itself: leave out rounds, or give"
            " max_rounds instead",
        )
    if instance.load.return_volume and instance.load.items is not None:
        yield Fault(
            (*at, "load", "items"),
            "items_with_results",
            "whole items have no results to send back: leave out items to solve the divisible load,"
            " or leave out return_volume",
        )


def _shape_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], at: Pointer
) -> Iterator[Fault]:
    platform = instance.platform
    far = next(
        (place for place in order_of(instance) if not is_beside_master(instance, down, place)), None
    )
    if far is None:
        return
    over = platform.processors[down[far].source].id
    instead = (
        f"{platform.processors[far].id!r} is reached over {over!r} only: link it to the master, or"
    )
    for pointer in latencies(instance, down)[:1]:
        yield Fault(
            (*at, "platform", *pointer, "latency"),
            "latency_on_tree",
            f"{instead} leave out every latency, or set it to 0",
        )
    if instance.rounds > 1:
        yield Fault((*at, "rounds"), "rounds_on_tree", f"{instead} leave out rounds")
    if instance.method in SEVERAL_ROUNDS:
        yield Fault((*at, "method"), "rounds_on_tree", f"{instead} ask closed_form")
    if instance.load.items is not None:
        yield Fault((*at, "platform"), "not_a_star", f"{instead} leave out load.items")
    if instance.load.return_volume and instance.return_orders != "lifo":
        yield Fault(
            (*at, "return_orders"),
            "returns_on_tree",
            f"{instead} ask return_orders: lifo, which is answered on trees, too",
        )


def _return_faults(instance: DivisibleStarInstance, known: Known, at: Pointer) -> Iterator[Fault]:
    listed = instance.return_orders
    if not isinstance(listed, str):
        yield from _listed_faults(instance, listed, known, (*at, "return_orders"))
    if not instance.load.return_volume:
        return
    platform = instance.platform
    down = arcs_down(platform, instance.master)
    for place in order_of(instance):
        arc = down[place]
        id_ = platform.processors[place].id
        if reverse_arc(platform, arc) is None:
            yield Fault(
                (*at, "platform", "links"),
                "no_way_back",
                f"results of {id_!r} have no link back: use duplex: full, add a link, or set"
                " return_volume to 0",
            )
        elif arc.half is not None and instance.ports == "one_port":
            yield Fault(
                (*at, "platform", "links", arc.link, "duplex"),
                "half_duplex",
                "data and results cannot overlap on a half-duplex link: use strict_one_port, or"
                " duplex: full",
            )


def _listed_faults(
    instance: DivisibleStarInstance, listed: Sequence[str], known: Known, at: Pointer
) -> Iterator[Fault]:
    sound = True
    for i, id_ in enumerate(listed):
        if id_ not in instance.platform.index_by_id:
            yield Fault((*at, i), "unknown_processor", no_processor(id_, known))
        elif id_ == instance.master:
            yield Fault(
                (*at, i), "master_in_order", "the master returns nothing: leave it out of the order"
            )
        elif id_ in listed[:i]:
            yield Fault((*at, i), "order_repeats", f"{id_!r} is in the order already: list it once")
        else:
            continue
        sound = False
    if not sound:
        return
    if instance.order is not None and {*listed} != {*instance.order}:
        odd = min({*listed} ^ {*instance.order})
        yield Fault(
            at,
            "orders_disagree",
            f"{odd!r} is in one of order and return_orders only: list the same processors in both",
        )
    elif instance.order is None and instance.load.return_volume:
        names = [instance.platform.processors[place].id for place in working(instance)]
        silent = next((id_ for id_ in names if id_ not in {*listed, instance.master}), None)
        if silent is not None:
            yield Fault(
                at,
                "orders_disagree",
                f"{silent!r} computes, but has no place in return_orders: list it, or give the order"
                " of those that take part",
            )


def _message_faults(instance: DivisibleStarInstance, at: Pointer) -> Iterator[Fault]:
    count, most = most_messages(instance)
    if count <= most:
        return
    field = "max_rounds" if instance.method in SEVERAL_ROUNDS else "rounds"
    rounds = getattr(instance, field)
    fewer = most * rounds // count
    remedy = f"give at most {fewer} {field}" if fewer > 1 else "leave out processors"
    if field == "rounds":
        remedy += ", or ask umr"
    yield Fault(
        (*at, field),
        "method_not_applicable",
        f"{rounds:,} rounds have up to {count:,} messages, and at most {most:,} are accepted:"
        f" {remedy}",
    )


def _no_method(instance: DivisibleStarInstance, at: Pointer) -> Fault:
    usual = method_of(instance.model_copy(update={"method": "auto"}))
    count = len(working(instance))
    late = latencies(instance, arcs_down(instance.platform, instance.master))
    if instance.load.return_volume and not (late and instance.return_orders == "lifo"):
        text = _too_many_return(instance, usual)
        if text is not None:
            return Fault((*at, "method"), "method_not_applicable", text)
    if usual is None and count > MOST_IMPROVED:
        text = (
            f"{count} processors compute, and at most {MOST_IMPROVED} are dealt out to where"
            " anything but shares takes time: leave out processors, or all latencies, results,"
            " items and rounds"
        )
    elif usual == "local_search" and instance.method == "search":
        text = (
            f"{count} processors compute, and the best order is searched for among at most"
            f" {MOST_SEARCHED}: ask local_search, or give the order"
        )
    elif instance.method in SEVERAL_ROUNDS:
        text = (
            f"{instance.method} knows neither results nor items: leave out load.return_volume and"
            " load.items, or leave out method"
        )
    elif usual is not None:
        text = f"{instance.method} does not answer this: ask {usual}, or leave out method"
    else:
        text = (
            f"{instance.method} does not answer this: leave out latencies, results and items, or"
            " give the orders"
        )
    return Fault((*at, "method"), "method_not_applicable", text)


def _too_many_return(instance: DivisibleStarInstance, usual: str | None) -> str | None:
    """Say of how many workers the orders of results are found. None if that is not what is wrong."""
    count = workers_beside_master(instance)
    if usual is None and count > MOST_MOVED:
        return (
            f"{count} workers send results back, and at most {MOST_MOVED} are put into order: leave"
            " out workers, or ask return_orders: lifo without latencies, or leave out return_volume"
        )
    if usual != "local_search" or instance.method != "search":
        return None
    text = (
        f"{count} workers send results back, and the best orders are searched for among at most"
        f" {most_searched(instance)} here: ask local_search"
    )
    if count <= MOST_TRIED and num_open_orders(instance):
        text += ", or leave out method and list order and return_orders"
    return text
