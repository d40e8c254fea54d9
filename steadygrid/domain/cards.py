"""Network cards: what is wrong with those of a platform, and where they have no place."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.wording import shown

if TYPE_CHECKING:
    from steadygrid.domain.platform import Platform, Processor


def own_card_faults(processor: "Processor", at: Pointer) -> Iterator[Fault]:
    """Refuse cards of a switch, and two of a name.

    Parameters
    ----------
    processor
        Whose cards are checked.
    at
        Where its cards are in the document; faults point there.
    """
    if processor.switch and processor.has_cards:
        yield Fault(at, "cards_on_switch", "a switch has no ports, and so no cards: leave them out")
    seen: set[str] = set()
    for j, name in enumerate(processor.card_names):
        if name in seen:
            detail = f"{shown(processor.id)} has a card {shown(name)} already"
            yield Fault((*at, j), "duplicate_card", detail)
        seen.add(name)


def card_faults(platform: "Platform", at: Pointer) -> Iterator[Fault]:
    """Compare the cards that links name with those that processors have.

    Parameters
    ----------
    platform
        Well-formed. It may have faults.
    at
        Where the checked part is in the document; faults point there.
    """
    cards = {p.id: dict.fromkeys(p.card_names) for p in platform.processors}
    known = Known(chain.from_iterable(cards.values()))  # one for all: it limits its effort
    used: set[tuple[str, str]] = set()
    for i, link in enumerate(platform.links):
        for field, end, named in (
            ("source_card", link.source, link.source_card),
            ("target_card", link.target, link.target_card),
        ):
            there, here = cards.get(end), (*at, "links", i, field)
            if there:
                if named is None:
                    listed = ", ".join(map(shown, islice(there, 3)))
                    listed += ", ..." if len(there) > 3 else ""
                    detail = f"{shown(end)} names its cards ({listed}): say by which this link goes"
                    yield Fault(here, "card_missing", detail)
                elif named not in there:
                    hint = known.hint(named) if known.nearest(named) in there else ""
                    detail = f"{shown(end)} has no card {shown(named)}{hint}"
                    yield Fault(here, "unknown_card", detail)
                else:
                    used.add((end, named))
            elif named is not None and there is not None:
                detail = (
                    f"{shown(end)} has no names for its cards: list them there, or leave this out"
                )
                yield Fault(here, "unknown_card", detail)
    for i, processor in enumerate(platform.processors):
        for j, name in enumerate(processor.card_names):
            if (processor.id, name) not in used:
                yield Fault(
                    (*at, "processors", i, "cards", j),
                    "card_unused",
                    f"no link goes by card {shown(name)} of {shown(processor.id)}: leave it out, or"
                    " name it in a link",
                )


def cards_faults(platform: "Platform", ports: str, at: Pointer) -> Iterator[Fault]:
    """Refuse cards where the port model, or half-duplex links, leave no place for them.

    Each rule once, at the first that breaks it: more than one card, or names of them, only under
    ``one_port``. No half-duplex links where a processor has cards of which any serves any link.

    Parameters
    ----------
    platform
        Well-formed. It may have faults.
    ports
        The port model.
    at
        Where the checked part is in the document; faults point there.
    """
    carded = [i for i, p in enumerate(platform.processors) if p.has_cards]
    if carded and ports != "one_port":
        yield Fault(
            (*at, "processors", carded[0], "cards"),
            "cards_not_applicable",
            f'cards need "ports": "one_port": under {ports} give bandwidth_out and bandwidth_in'
            " (multiport), or leave a processor its one card",
        )
    pooled = [p.id for p in platform.processors if p.num_pooled > 1]
    half = next((i for i, link in enumerate(platform.links) if link.duplex == "half"), None)
    if pooled and half is not None and ports == "one_port":
        yield Fault(
            (*at, "links", half, "duplex"),
            "half_duplex_with_cards",
            f"half-duplex links know no number of cards, which {pooled[0]!r} has: use named cards,"
            ' or "duplex": "full"',
        )


def unused_cards(platform: "Platform") -> Iterator[str]:
    """Say that cards are not used, by a kind whose port models know none."""
    if any(processor.has_cards for processor in platform.processors):
        yield "cards are not used: every processor is taken to have one"
