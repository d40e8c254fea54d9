"""Bandwidths in GB/s of one direction: those of data sheets, and those that NCCL computes with."""

from fractions import Fraction
from typing import NamedTuple

SKIPPED = Fraction(5000)
"""What NCCL takes for what never limits."""
DEFAULT_NET = Fraction(10_000)
"""Mbit/s of a card that does not say its speed, as NCCL has it."""


class _NVLink(NamedTuple):
    least_sm: int
    nccl: Fraction
    nominal: Fraction


_NVLINKS = (
    _NVLink(100, Fraction("40.1"), Fraction(50)),
    _NVLink(90, Fraction("20.6"), Fraction(25)),
    _NVLink(87, Fraction(20), Fraction(25)),
    _NVLink(86, Fraction(12), Fraction("14.0625")),
    _NVLink(80, Fraction(20), Fraction(25)),
    _NVLink(70, Fraction(20), Fraction(25)),
    _NVLink(0, Fraction(18), Fraction(20)),
)


class _Lane(NamedTuple):
    nccl: int
    """In units of 100 Mbit/s."""
    nominal: Fraction
    """Gbit/s after coding."""


_LANES = {
    Fraction(64): _Lane(480, Fraction(64 * 242, 256)),
    Fraction(32): _Lane(240, Fraction(32 * 128, 130)),
    Fraction(16): _Lane(120, Fraction(16 * 128, 130)),
    Fraction(8): _Lane(60, Fraction(8 * 128, 130)),
    Fraction(5): _Lane(30, Fraction(4)),
    Fraction("2.5"): _Lane(15, Fraction(2)),
}
ASSUMED_RATE = Fraction(8)
"""GT/s of PCIe by default, as NCCL has it."""


class Generation(NamedTuple):
    """A sort of GPU."""

    sm: int
    nvlinks: int
    pcie: Fraction
    """GT/s of a lane."""


GENERATIONS = {
    "a100": Generation(80, 12, Fraction(16)),
    "h100": Generation(90, 18, Fraction(32)),
    "h200": Generation(90, 18, Fraction(32)),
    "b200": Generation(100, 18, Fraction(32)),
}


def nvlink_bandwidth(sm: int, nominal: bool) -> Fraction:
    """Give GB/s of one NVLink.

    Parameters
    ----------
    sm
        Compute capability of the GPU.
    nominal
        Whether that of the data sheet is wanted.
    """
    found = next(each for each in _NVLINKS if sm >= each.least_sm)
    return found.nominal if nominal else found.nccl


def knows_rate(rate: Fraction) -> bool:
    """Whether a rate of PCIe is one that is known, in GT/s."""
    return rate in _LANES


def pcie_bandwidth(rate: Fraction, lanes: int, nominal: bool) -> Fraction:
    """Give GB/s of PCIe.

    Parameters
    ----------
    rate
        GT/s of a lane.
    lanes
        How many there are.
    nominal
        Whether what is left after coding is wanted.
    """
    lane = _LANES[rate]
    return lanes * lane.nominal / 8 if nominal else Fraction(lanes * lane.nccl, 80)


def socket_bandwidth(arch: str, vendor: str, family: int, model: int) -> Fraction | None:
    """Give GB/s between two sockets, as NCCL has it. None where it knows none.

    Parameters
    ----------
    arch, vendor, family, model
        Of the processor, as the file has them.
    """
    if arch == "ppc64":
        return Fraction(32)
    if arch == "arm64":
        return Fraction(6)
    if vendor == "AuthenticAMD":
        return Fraction(16)
    if vendor == "GenuineIntel":
        steps = ((0xCF, 40), (0x8F, 22), (0x55, 10)) if family == 6 else ()
        return Fraction(next((rate for least, rate in steps if model >= least), 6))
    return None
