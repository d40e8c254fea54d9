"""What is in an SDF3 document."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple


@dataclass
class SdfActor:
    """An actor: rates of its ports, and times of the processors that it can run on."""

    name: str
    line: int
    ports: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    """By name: ``in`` or ``out``, and the rates."""
    initial: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Rates of the initial phases, of the ports that have some."""
    times: dict[str, tuple[Fraction, ...]] = field(default_factory=dict)
    """By type of processor."""
    defaults: list[str] = field(default_factory=list)
    """Types of processor that are marked as default."""


class SdfChannel(NamedTuple):
    """A channel between two ports."""

    name: str
    line: int
    source: tuple[str, str]
    target: tuple[str, str]
    tokens: int
    size: int | None


@dataclass
class SdfGraph:
    """What is in a document."""

    name: str = ""
    concurrency: str = "auto"
    """Of its own rule: whether an actor fires as often at once as its channels allow."""
    actors: dict[str, SdfActor] = field(default_factory=dict)
    channels: dict[str, SdfChannel] = field(default_factory=dict)
