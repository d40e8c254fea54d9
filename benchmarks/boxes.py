"""Networks of graphics processors, bandwidths in GB/s."""

from steadygrid.engine.arborescences.cuts import Arc

Boxes = tuple[int, dict[Arc, int], list[int]]
"""Number of vertices, bandwidths, members."""

INFINITY_FABRIC = [
    "0400200010000000",
    "4000010001100000",
    "0004001001100000",
    "0040000200010000",
    "2000041000000000",
    "0100401100000000",
    "0010110400000000",
    "0002014000000000",
    "1000000004002000",
    "0110000040000100",
    "0110000000040010",
    "0001000000400002",
    "0000000020000410",
    "0000000001004011",
    "0000000000101104",
    "0000000000020140",
]


def a100(boxes: int) -> Boxes:
    """Give boxes of 8: 300 to the switch of a box, 25 over a card to one of two switches."""
    members = list(range(8 * boxes))
    number = len(members) + boxes
    bandwidths: dict[Arc, int] = {}
    for member in members:
        _join(bandwidths, member, len(members) + member // 8, 300)
    if boxes > 1:
        for member in members:
            card = number + 2 + member
            _join(bandwidths, member, card, 25)
            _join(bandwidths, card, number + member % 2, 25)
        number += 2 + len(members)
    return number, bandwidths, members


def mi250(boxes: int) -> Boxes:
    """Give boxes of 16, joined directly, each member with 16 to one switch."""
    members = list(range(16 * boxes))
    bandwidths: dict[Arc, int] = {
        (16 * box + tail, 16 * box + head): 50 * int(links)
        for box in range(boxes)
        for tail, row in enumerate(INFINITY_FABRIC)
        for head, links in enumerate(row)
        if links != "0"
    }
    if boxes == 1:
        return len(members), bandwidths, members
    for member in members:
        _join(bandwidths, member, len(members), 16)
    return len(members) + 1, bandwidths, members


def _join(bandwidths: dict[Arc, int], one: int, other: int, bandwidth: int) -> None:
    bandwidths[one, other] = bandwidths[other, one] = bandwidth
