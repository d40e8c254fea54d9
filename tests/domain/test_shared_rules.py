"""Rules that have one function for several readers, against the contract written out by hand."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.verification.network import read_network
from tests.engine.scheduling.cards import with_cards

Taken = dict[str, dict[tuple[str, str], Fraction]]
"""By resource, the time that one unit of data takes on each hop that uses it."""


@pytest.mark.parametrize(
    ("whole_files", "max_period", "wanted"),
    [
        (None, None, True),
        (None, 7, False),
        (True, None, True),
        (True, 7, True),
        (False, None, False),
        (False, 7, False),
        (None, "exact", True),
        (False, "exact", False),
    ],
)
def test_whole_files_are_wanted_unless_a_period_or_no_is_asked(
    whole_files: bool | None, max_period: int | str | None, wanted: bool
) -> None:
    asked = Options.model_validate({"whole_files": whole_files, "max_period": max_period})
    assert asked.wants_whole_files is wanted
    assert asked.longest_period == (None if max_period == "exact" else max_period)


def drawn(seed: int) -> dict[str, Any]:
    """Draw a platform of each sort of processor, link and medium; all of one may be missing."""
    random = Random(seed)
    names = random.sample(["b", "B", "a", "P2", "P10", "s"], random.randint(2, 4))
    processors = [{"id": name, "switch": random.random() < 0.4} for name in names]
    for processor in processors:
        for port in ("bandwidth_in", "bandwidth_out"):
            if random.random() < 0.5:
                processor[port] = f"{random.randint(1, 9)}/{random.randint(1, 4)}"
    links = []
    for pair in combinations(names, 2):
        if random.random() < 0.8:
            source, target = random.sample(pair, 2)
            speed = random.choice(["bandwidth", "unit_time"])
            links.append(
                {
                    "source": source,
                    "target": target,
                    speed: f"{random.randint(1, 9)}/{random.randint(1, 4)}",
                    "duplex": random.choice(["full", "half", "simplex"]),
                    "media": random.choices(["m", "n"], k=random.choice([0, 0, 1, 3])),
                }
            )
    media = [{"id": name, "bandwidth": random.randint(1, 5)} for name in ("m", "n", "idle")]
    return {"processors": processors, "links": links, "media": media}


def by_contract(document: Mapping[str, Any], ports: str) -> Taken:
    """Go through the resources that the contract lists, and ask each who uses it."""
    hops: dict[tuple[str, str], tuple[Fraction, dict[str, Any]]] = {}
    for link in document["links"]:
        time = (
            Fraction(link["unit_time"]) if "unit_time" in link else 1 / Fraction(link["bandwidth"])
        )
        hops[link["source"], link["target"]] = time, link
        if link["duplex"] != "simplex":
            hops[link["target"], link["source"]] = time, link
    switches = {p["id"] for p in document["processors"] if p["switch"]}
    cards = {
        p["id"]: p["cards"]
        for p in document["processors"]
        if isinstance(p.get("cards"), int) and p["cards"] > 1
    }
    found: Taken = {}
    for processor in document["processors"]:
        name = processor["id"]
        for port, bandwidth, end in (
            ("send", "bandwidth_out", 0),
            ("receive", "bandwidth_in", 1),
        ):
            here = [hop for hop in hops if hop[end] == name and name not in switches]
            if ports == "one_port":
                for hop in here:
                    time, link = hops[hop]
                    card = link.get("source_card" if link["source"] == name else "target_card")
                    stem, number = (f"{name}--{card}", 1) if card else (name, cards.get(name, 1))
                    found.setdefault(f"{stem}.{port}", {})[hop] = time / number
            elif ports != "multiport":
                own = found.setdefault(f"{name}.port", {})
                own |= {hop: hops[hop][0] for hop in here}
            elif bandwidth in processor:
                each = 1 / Fraction(processor[bandwidth])
                found[f"{name}.{bandwidth.removeprefix('bandwidth_')}"] = dict.fromkeys(here, each)
    for (sender, receiver), (time, link) in hops.items():
        away_from_ports = {sender, receiver} <= switches
        limits = ports in ("one_port", "multiport") or away_from_ports
        if link["duplex"] == "half" and limits:
            name = f"{min(sender, receiver)}--{max(sender, receiver)}.half"
            found.setdefault(name, {})[sender, receiver] = time
        elif (
            ports == "multiport"
            or away_from_ports
            or (ports == "one_port" and {sender, receiver} & cards.keys())
        ):
            found[f"{sender}->{receiver}.link"] = {(sender, receiver): time}
    for medium in document["media"] if ports == "multiport" else ():
        found[f"{medium['id']}.medium"] = {
            hop: Fraction(link["media"].count(medium["id"]), medium["bandwidth"])
            for hop, (_, link) in hops.items()
            if medium["id"] in link["media"]
        }
    return {name: users for name, users in found.items() if users}


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive", "no_overlap"])
def test_a_link_takes_what_the_contract_says_under_each_port_model(ports: Any) -> None:
    for seed in range(600):
        document = drawn(seed)
        if seed % 3 and ports == "one_port":
            document = with_cards(Random(seed), document, pools=seed % 3 == 1)
        expected = by_contract(document, ports)
        platform = Platform.model_validate(document)
        names = [processor.id for processor in platform.processors]
        solvers: Taken = {}
        for arc in platform.arcs:
            for resource, time in arc_uses(platform, arc, ports):
                ends = names[arc.source], names[arc.target]
                assert ends not in solvers.setdefault(resource, {})
                solvers[resource][ends] = time
        assert solvers == expected
        network = read_network(platform, ports)
        referees: Taken = {}
        for ends, hop in network.hops.items():
            for resource, time in hop.uses:
                assert ends not in referees.setdefault(resource, {})
                referees[resource][ends] = time
        assert referees == expected
        assert expected.keys() <= network.resources
