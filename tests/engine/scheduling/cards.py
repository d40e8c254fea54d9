"""Network cards on random platforms, and every slot that they allow: the rules as they are written."""

from collections import Counter
from random import Random
from typing import Any

from steadygrid.domain.platform import Arc, Platform


def with_cards(random: Random, platform: dict[str, Any], *, pools: bool = True) -> dict[str, Any]:
    """Give processors of a platform some cards: a number of them, or names that links use.

    Parameters
    ----------
    pools
        Whether numbers of cards may be given; then there are no half-duplex links.
    """
    links = [dict(link) for link in platform["links"]]
    processors = []
    for processor in platform["processors"]:
        name = processor["id"]
        ends = [
            (link, f"{end}_card")
            for link in links
            for end in ("source", "target")
            if link[end] == name
        ]
        sort = random.choice(["one", "number", "number", "names"])
        cards: dict[str, Any] = {}
        if sort == "number" and pools:
            cards = {"cards": random.randint(1, 3)}
        elif sort == "names" and ends:
            known = random.sample(["eth0", "eth1", "x"], random.randint(1, min(3, len(ends))))
            random.shuffle(ends)
            for k, (link, field) in enumerate(ends):
                link[field] = known[k] if k < len(known) else random.choice(known)
            cards = {"cards": known}
        processors.append(processor | ({} if processor.get("switch") else cards))
    for link in links:
        if pools and link.get("duplex") == "half":
            link["duplex"] = "full"
        for end in ("source", "target"):
            if any(p["id"] == link[end] and p.get("switch") for p in processors):
                link.pop(f"{end}_card", None)
    return platform | {"processors": processors, "links": links}


def ends_of(platform: Platform, arc: Arc) -> list[tuple[Any, int]]:
    """Say what an arc leaves and enters by, and how many transfers that serves; none at switches."""
    found = []
    for word, end, card in (
        ("send", arc.source, arc.source_card),
        ("receive", arc.target, arc.target_card),
    ):
        processor = platform.processors[end]
        if not processor.switch:
            several = processor.cards if isinstance(processor.cards, int) else 1
            found.append(((word, end, card), several))
    return found


def all_slots(platform: Platform) -> list[frozenset[int]]:
    """List every set of arcs that may carry files at a time under ``one_port``."""
    slots: list[frozenset[int]] = [frozenset()]
    for arc in platform.arcs:
        for slot in list(slots):
            taken = Counter(
                port for k in (*slot, arc.index) for port, _ in ends_of(platform, platform.arcs[k])
            )
            fits = all(taken[port] <= most for port, most in ends_of(platform, arc))
            if fits and arc.half not in slot:
                slots.append(slot | {arc.index})
    return slots
