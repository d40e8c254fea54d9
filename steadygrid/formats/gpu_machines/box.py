"""A box with GPUs as nodes and links, copies of it, and what is left of it without idle switches."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Ends = tuple[str, str]


@dataclass
class Box:
    """Processors, switches and links, in GB/s."""

    switches: dict[str, bool] = field(default_factory=dict)
    """Whether each node is a switch."""
    links: dict[Ends, list[Fraction]] = field(default_factory=dict)
    """Bandwidths there and back."""
    cards: list[tuple[str, Fraction]] = field(default_factory=list)
    """Nodes from which a card reaches the fabric, and how fast, rail by rail."""
    sockets: list[str] = field(default_factory=list)

    def add(self, name: str, *, switch: bool = True) -> str:
        """Add a node that is not there yet; give its name.

        Parameters
        ----------
        name
            Of the node.
        switch
            Whether it forwards only.
        """
        self.switches.setdefault(name, switch)
        return name

    def join(self, a: str, b: str, there: Fraction, back: Fraction | None = None) -> None:
        """Add to the bandwidths between two nodes.

        Parameters
        ----------
        a, b
            The nodes.
        there
            From the first to the second.
        back
            None: as there.
        """
        back = there if back is None else back
        if (b, a) in self.links:
            a, b, there, back = b, a, back, there
        rates = self.links.setdefault((a, b), [Fraction(0), Fraction(0)])
        rates[0] += there
        rates[1] += back

    def remove_nodes(self, names: Iterable[str]) -> "Box":
        """Give the box without some nodes and their links.

        Parameters
        ----------
        names
            Of the nodes.
        """
        gone = set(names)
        return Box(
            {name: switch for name, switch in self.switches.items() if name not in gone},
            {ends: rates for ends, rates in self.links.items() if gone.isdisjoint(ends)},
            [(name, rate) for name, rate in self.cards if name not in gone],
            [name for name in self.sockets if name not in gone],
        )

    def copies(self, count: int, fabric: str) -> "Box":
        """Join copies of the box by a fabric that never limits.

        Parameters
        ----------
        count
            How many.
        fabric
            ``switch``: one for all cards; ``rails``: one for each rail.
        """
        joined = Box()
        for number in range(count):
            before = f"box{number}."
            for name, switch in self.switches.items():
                joined.add(before + name, switch=switch)
            for (a, b), (there, back) in self.links.items():
                joined.join(before + a, before + b, there, back)
            for rail, (name, rate) in enumerate(self.cards):
                hub = joined.add("fabric" if fabric == "switch" else f"rail{rail}")
                joined.join(before + name, hub, rate)
        return joined

    def simplified(self) -> "Box":
        """Leave out switches with one link, and contract those with two, unless that doubled a link."""
        around: dict[str, dict[str, tuple[Fraction, Fraction]]] = {n: {} for n in self.switches}
        for (a, b), (there, back) in self.links.items():
            around[a][b] = there, back
            around[b][a] = back, there
        waiting = [name for name, switch in self.switches.items() if switch]
        gone: set[str] = set()
        while waiting:
            name = waiting.pop()
            near = around[name]
            if name in gone or len(near) > 2:
                continue
            if len(near) == 2:
                (a, (to_a, from_a)), (b, (to_b, from_b)) = near.items()
                if b in around[a]:
                    continue
                around[a][b] = min(from_a, to_b), min(from_b, to_a)
                around[b][a] = min(from_b, to_a), min(from_a, to_b)
            for other in near:
                del around[other][name]
                if self.switches[other]:
                    waiting.append(other)
            around[name] = {}
            gone.add(name)
        kept = Box({name: s for name, s in self.switches.items() if name not in gone})
        seen: set[Ends] = set()
        for a, near in around.items():
            for b, (there, back) in near.items():
                if (b, a) not in seen:
                    seen.add((a, b))
                    kept.links[a, b] = [there, back]
        return kept

    def documents(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Give processors and links as our JSON has them."""
        processors: list[dict[str, Any]] = [
            {"id": name, "switch": True} if switch else {"id": name}
            for name, switch in self.switches.items()
        ]
        links: list[dict[str, Any]] = []
        for (a, b), (there, back) in self.links.items():
            if there == back:
                links.append({"source": a, "target": b, "bandwidth": there})
                continue
            for source, target, rate in ((a, b, there), (b, a, back)):
                if rate:
                    one = {"source": source, "target": target, "bandwidth": rate}
                    links.append({**one, "duplex": "simplex"})
        return processors, links
