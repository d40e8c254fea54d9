"""Random SimGrid documents: zones in zones, of every routing, clusters of every topology, bypasses."""

from dataclasses import dataclass, field
from itertools import count
from random import Random

from tests.formats.simgrid_documents import document


@dataclass
class Drawn:
    """A zone that was drawn."""

    id: str
    text: str
    ends: list[str] = field(default_factory=list)
    """Hosts and routers in it, at any depth, that can be gateways."""
    zones: list[str] = field(default_factory=list)
    """The zone itself, and all in it."""


class Drawer:
    """Draws documents; names count up."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._numbers = count()

    def document(self) -> bytes:
        """Draw a whole document."""
        depth = self._random.choice((0, 1, 1, 2, 2, 3))
        return document(self.zone(depth).text)

    def name(self, prefix: str) -> str:
        return f"{prefix}{next(self._numbers)}"

    def zone(self, depth: int) -> Drawn:
        if depth:
            return self._internal(depth)
        kinds = [self._leaf] * 4 + [self._hung, self._flat, self._flat, self._fabric]
        return self._random.choice(kinds)()

    # --- links ---------------------------------------------------------------------------

    def links(self, number: int) -> tuple[str, list[str]]:
        """Draw links: their elements, and what a route may contain of each."""
        text, hops = "", []
        for _ in range(number):
            name = self.name("l")
            policy = self._random.choice(("SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"))
            text += (
                f'<link id="{name}" bandwidth="{self._random.randint(1, 9)}MBps"'
                f' latency="{self._random.randint(0, 9)}ms" sharing_policy="{policy}"/>'
            )
            if policy == "SPLITDUPLEX":
                hops += [f'<link_ctn id="{name}" direction="{way}"/>' for way in ("UP", "DOWN")]
            else:
                hops.append(f'<link_ctn id="{name}"/>')
        return text, hops

    def hops(self, known: list[str]) -> str:
        number = self._random.choice((1, 1, 1, 2, 2, 3))
        return "".join(self._random.choice(known) for _ in range(number))

    # --- zones with routes ---------------------------------------------------------------

    def _leaf(self) -> Drawn:
        random = self._random
        zone = Drawn(self.name("z"), "")
        zone.zones.append(zone.id)
        routing = random.choice(
            ("Full", "Full", "Floyd", "Floyd", "Dijkstra", "DijkstraCache", "None")
        )
        hosts, routers = random.randint(1, 4), random.randint(0, 3)
        members = [self.name("h") for _ in range(hosts)] + [self.name("r") for _ in range(routers)]
        random.shuffle(members)
        text = "".join(
            f'<router id="{name}"/>' if name[0] == "r" else f'<host id="{name}" speed="1Gf"/>'
            for name in members
        )
        links, known = self.links(random.randint(2, 6))
        text += links
        likely = random.choice((0.3, 0.6, 1))
        one_way = routing in ("Full", "Floyd") and random.random() < 0.4
        taken: set[tuple[str, str]] = set()
        for source in members if routing != "None" else ():
            for target in members:
                if source == target or (source, target) in taken or random.random() > likely:
                    continue
                back = "NO" if one_way and random.random() < 0.5 else "YES"
                taken.add((source, target))
                if back == "YES":
                    if (target, source) in taken:
                        back = "NO"
                    taken.add((target, source))
                text += (
                    f'<route src="{source}" dst="{target}" symmetrical="{back}">'
                    f"{self.hops(known)}</route>"
                )
        for _ in range(random.choice((0, 0, 1, 3))):
            source, target = random.choice(members), random.choice(members)
            if source != target and (source, target, "bypass") not in taken:
                taken.add((source, target, "bypass"))  # type: ignore[arg-type]
                text += (
                    f'<bypassRoute src="{source}" dst="{target}">{self.hops(known)}</bypassRoute>'
                )
        zone.text = f'<zone id="{zone.id}" routing="{routing}">{text}</zone>'
        zone.ends += members
        return zone

    def _hung(self) -> Drawn:
        """Draw a Cluster zone with host links, and perhaps cabinets and a backbone."""
        random = self._random
        zone = Drawn(self.name("z"), "")
        zone.zones.append(zone.id)
        hosts = [self.name("h") for _ in range(random.randint(1, 3))]
        text = "".join(f'<host id="{name}" speed="1Gf"/>' for name in hosts)
        routers = [self.name("r") for _ in range(random.randint(0, 2))]
        text += "".join(f'<router id="{name}"/>' for name in routers)
        shared = random.random() < 0.3
        names = [self.name("l") for _ in range(1 if shared else 2 * len(hosts))]
        text += "".join(f'<link id="{n}" bandwidth="2MBps" latency="1ms"/>' for n in names)
        if random.random() < 0.4:
            text += f'<backbone id="{self.name("b")}" bandwidth="3MBps" latency="2ms"/>'
        for i, host in enumerate(hosts):
            up, down = (names[0], names[0]) if shared else names[2 * i : 2 * i + 2]
            text += f'<host_link id="{host}" up="{up}" down="{down}"/>'
        if random.random() < 0.4:
            prefix = self.name("k") + "-"
            text += (
                f'<cabinet id="{prefix}" prefix="{prefix}" suffix="" radical="1-2" speed="1Gf"'
                ' bw="1MBps" lat="1ms"/>'
            )
            hosts += [f"{prefix}1", f"{prefix}2"]
        zone.text = f'<zone id="{zone.id}" routing="Cluster">{text}</zone>'
        zone.ends += hosts + routers
        return zone

    # --- clusters ------------------------------------------------------------------------

    def _flat(self) -> Drawn:
        random = self._random
        more = ""
        if random.random() < 0.5:
            more += f' bb_bw="5MBps" bb_lat="1ms" bb_sharing_policy="{random.choice(("SHARED", "FATPIPE"))}"'
        zone = self._cluster(random.randint(1, 4), more)
        zone.ends.append(f"{zone.id}-{zone.id}_router")
        return zone

    def _cluster(self, hosts: int, more: str) -> Drawn:
        random = self._random
        name = self.name("c")
        first = random.choice((0, 1, 7))
        radical = f"{first}-{first + hosts - 1}"
        if hosts > 2 and random.random() < 0.4:
            radical = f"{first + 20},{first}-{first + hosts - 2}"
        if random.random() < 0.4:
            more += ' limiter_link="4MBps"'
        if random.random() < 0.3:
            more += ' loopback_bw="9MBps" loopback_lat="1ms"'
        policy = random.choice(("SPLITDUPLEX", "SPLITDUPLEX", "SHARED"))
        text = (
            f'<cluster id="{name}" prefix="{name}-" suffix="" radical="{radical}" speed="1Gf"'
            f' bw="2MBps" lat="3ms" sharing_policy="{policy}"{more}/>'
        )
        numbers = range(first, first + hosts)
        if "," in radical:
            numbers = range(first, first + hosts - 1)
        return Drawn(name, text, [f"{name}-{n}" for n in numbers], [name])

    def _fabric(self) -> Drawn:
        random = self._random
        shape = random.choice(("TORUS", "FAT_TREE", "DRAGONFLY"))
        if shape == "TORUS":
            sizes = [random.randint(1, 5) for _ in range(random.randint(1, 3))]
            parameters, hosts = ",".join(map(str, sizes)), 1
            for size in sizes:
                hosts *= size
        elif shape == "FAT_TREE":
            levels = random.randint(1, 3)
            down, up, cables = (
                [random.randint(1, most) for _ in range(levels)] for most in (3, 3, 3)
            )
            if random.random() < 0.6:
                up[0] = cables[0] = 1
            hosts = 1
            for size in down:
                hosts *= size
            listed = (",".join(map(str, values)) for values in (down, up, cables))
            parameters = f"{levels};{';'.join(listed)}"
        else:
            routers = random.randint(1, 3)
            groups, chassis, nodes = (
                random.randint(1, routers),
                random.randint(1, 3),
                random.randint(1, 2),
            )
            bundles = [random.randint(1, 2) for _ in range(3)]
            parameters = (
                f"{groups},{bundles[0]};{chassis},{bundles[1]};{routers},{bundles[2]};{nodes}"
            )
            hosts = groups * chassis * routers * nodes
        return self._cluster(hosts, f' topology="{shape}" topo_parameters="{parameters}"')

    # --- zones of zones ------------------------------------------------------------------

    def _internal(self, depth: int) -> Drawn:
        random = self._random
        zone = Drawn(self.name("z"), "")
        zone.zones.append(zone.id)
        inside = [
            self.zone(depth - 1 if i == 0 else random.randint(0, depth - 1))
            for i in range(random.randint(1, 3))
        ]
        routing = random.choice(("Full", "Full", "Floyd", "Floyd", "Dijkstra"))
        links, known = self.links(random.randint(1, 5))
        text = "".join(child.text for child in inside) + links
        steady = random.random() < 0.5
        likely = random.choice((0.5, 0.8, 1))
        for i, source in enumerate(inside):
            for target in inside[i + 1 :]:
                if random.random() > likely:
                    continue
                back = "NO" if routing != "Dijkstra" and random.random() < 0.15 else "YES"
                gateways = [
                    child.ends[0] if steady else random.choice(child.ends)
                    for child in (source, target)
                ]
                text += self._zone_route("zoneRoute", source.id, target.id, gateways, known, back)
        taken = set()
        if len(inside) > 1:
            for _ in range(random.choice((0, 0, 1, 2))):
                source, target = random.sample(inside, 2)
                names = random.choice(source.zones), random.choice(target.zones)
                gateways = [random.choice(child.ends) for child in (source, target)]
                if names not in taken:
                    text += self._zone_route("bypassZoneRoute", *names, gateways, known)
                taken.add(names)
        for child in inside:
            zone.ends += child.ends
            zone.zones += child.zones
        random.shuffle(zone.ends)
        zone.text = f'<zone id="{zone.id}" routing="{routing}">{text}</zone>'
        return zone

    def _zone_route(
        self,
        tag: str,
        source: str,
        target: str,
        gateways: list[str],
        known: list[str],
        back: str = "",
    ) -> str:
        symmetrical = f' symmetrical="{back}"' if back else ""
        return (
            f'<{tag} src="{source}" dst="{target}" gw_src="{gateways[0]}" gw_dst="{gateways[1]}"'
            f"{symmetrical}>{self.hops(known)}</{tag}>"
        )
