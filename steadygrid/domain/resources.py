"""What resources are called: the one place where ids are joined to names.

A name is what it belongs to, a dot, and what it is: ``P.send``, ``A->B.link``. Two ids are joined by
``->`` where their order matters and by ``--`` where it does not, or where one is of the other:
``P--card.send``. No id contains either, or begins or
ends with a dash (`steadygrid.domain.text.Identifier`), so no two resources share a name.
"""

from collections.abc import Iterable


def compute_resource(processor: str) -> str:
    """Name the computing capacity of a processor: ``P.compute``."""
    return f"{processor}.compute"


def send_resource(processor: str, card: str | None = None) -> str:
    """Name what a processor sends by, under ``one_port``: ``P.send``, or ``P--card.send``.

    Parameters
    ----------
    processor
        Its id.
    card
        Name of its network card. None where its cards have no names.
    """
    return f"{processor}.send" if card is None else f"{processor}--{card}.send"


def receive_resource(processor: str, card: str | None = None) -> str:
    """Name what a processor receives by, under ``one_port``: ``P.receive``, ``P--card.receive``.

    Parameters
    ----------
    processor
        Its id.
    card
        Name of its network card. None where its cards have no names.
    """
    return f"{processor}.receive" if card is None else f"{processor}--{card}.receive"


def port_resource(processor: str) -> str:
    """Name the only port of a processor: ``P.port``.

    Under ``send_or_receive`` it sends and receives by it, under ``no_overlap`` it computes, too.
    """
    return f"{processor}.port"


def odd_resource(processors: Iterable[str]) -> str:
    """Name what the links among an odd number of processors share: ``A--B--C.odd``, ids sorted."""
    return f"{'--'.join(sorted(processors))}.odd"


def out_resource(processor: str) -> str:
    """Name the bandwidth of all that leaves a processor, under ``multiport``: ``P.out``."""
    return f"{processor}.out"


def in_resource(processor: str) -> str:
    """Name the bandwidth of all that enters a processor, under ``multiport``: ``P.in``."""
    return f"{processor}.in"


def link_resource(sender: str, receiver: str) -> str:
    """Name one direction of a link: ``A->B.link``.

    Parameters
    ----------
    sender, receiver
        Ids of the processors.
    """
    return f"{sender}->{receiver}.link"


def pair_name(sender: str, receiver: str) -> str:
    """Name what one processor sends to another: ``A->B``. No resource, and no id.

    Parameters
    ----------
    sender, receiver
        Ids of the processors.
    """
    return f"{sender}->{receiver}"


def class_name(bag: str, number: int) -> str:
    """Name a class of a bag of tasks: ``b--0`` is the first of bag b. No resource, and no id.

    Parameters
    ----------
    bag
        Its name.
    number
        Position of the class, from 0.
    """
    return f"{bag}--{number}"


def channel_name(source: str, target: str, number: int | None = None) -> str:
    """Name a channel of a dataflow graph by its ends, and its number among several: ``a--b--0``.

    No resource, and no id.

    Parameters
    ----------
    source, target
        The actors at its ends.
    number
        Among the channels with the same ends. None where there is one.
    """
    return f"{source}--{target}" if number is None else f"{source}--{target}--{number}"


def half_resource(one: str, other: str) -> str:
    """Name what both directions of a half-duplex link share, the smaller id first: ``A--B.half``.

    Parameters
    ----------
    one, other
        Ids of the processors, in either order.
    """
    return f"{min(one, other)}--{max(one, other)}.half"


def medium_resource(medium: str) -> str:
    """Name the bandwidth of a medium: ``M.medium``."""
    return f"{medium}.medium"
