"""Small random jobs of every kind whose prices bound upgrades, under every port model."""

from random import Random
from typing import Any

from tests.engine.scheduling.cards import with_cards
from tests.kinds.bag_of_tasks.bodies import drawn as drawn_bags
from tests.kinds.mono_allocation.contended import restricted, spread

PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
ASKED = ("master_worker", "task_graph", "mono_allocation", "collective", "bag_of_tasks")


def number(random: Random) -> str:
    return f"{random.randint(1, 9)}/{random.randint(1, 5)}"


def drawn_platform(random: Random, ports: str, *, cards: bool = True) -> dict[str, Any]:
    """Draw a connected platform of three to five processors with all sorts of links."""
    names = "ABCDE"[: random.randint(3, 5)]
    wide = ports == "multiport"
    processors: list[dict[str, Any]] = []
    for name in names:
        speed = {random.choice(["speed", "unit_time"]): number(random)}
        one: dict[str, Any] = {"id": name} | (
            speed if name in "AB" or random.random() < 0.8 else {}
        )
        if name == "E" and random.random() < 0.4:
            one = {"id": name, "switch": True}
        elif wide and random.random() < 0.6:
            one |= {random.choice(["bandwidth_in", "bandwidth_out"]): number(random)}
        processors.append(one)
    media = [{"id": "M", "bandwidth": number(random)}] if wide else []
    pairs = [(names[random.randrange(i)], names[i]) for i in range(1, len(names))]
    pairs += [(a, b) for a in names for b in names if a < b and random.random() < 0.3]
    links = []
    for a, b in dict.fromkeys(pairs):
        ends = (a, b) if random.random() < 0.7 else (b, a)
        link: dict[str, Any] = {"source": ends[0], "target": ends[1]}
        link[random.choice(["bandwidth", "unit_time"])] = number(random)
        link["duplex"] = random.choice(["full", "full", "half"])
        if ends == (a, b) and random.random() < 0.15:
            link["duplex"] = "simplex"
        if media and random.random() < 0.4:
            link["media"] = ["M"] * random.randint(1, 2)
        links.append(link)
    platform = {"processors": processors, "links": links, "media": media}
    if cards and ports == "one_port" and random.random() < 0.4:
        return with_cards(random, platform)
    return platform


def _work(random: Random, platform: dict[str, Any]) -> dict[str, Any]:
    if random.random() < 0.6:
        return {"work": random.randint(1, 6)}
    able = [one["id"] for one in platform["processors"] if not one.get("switch")]
    some = sorted({able[0], *random.sample(able, random.randint(1, len(able)))})
    return {"times": {name: number(random) for name in some}}


def drawn_body(random: Random, kind: str, ports: str) -> dict[str, Any]:
    """Draw a body of ``POST /v1/jobs``; ports that the kind does not have are left to it."""
    if kind == "bag_of_tasks":
        body = drawn_bags(random.randrange(10**6))
        body["problem"]["ports"] = ports if ports in ("one_port", "multiport") else "one_port"
        return body
    routing = random.choice(["free", "fixed"])
    platform = drawn_platform(random, ports, cards=kind != "mono_allocation" and routing == "free")
    problem: dict[str, Any] = {"kind": kind, "platform": platform, "ports": ports}
    names = [one["id"] for one in platform["processors"] if not one.get("switch")]
    if kind == "master_worker":
        task = _work(random, platform) | {"input_size": random.randint(1, 4)}
        task |= {"output_size": random.choice([0, 0, 2])}
        problem |= {"master": "A", "task": task, "routing": routing}
    elif kind == "collective":
        problem |= _operation(random, names)
    else:
        tasks = [{"id": f"T{i}"} | _work(random, platform) for i in range(random.randint(2, 3))]
        files = [
            {"source": f"T{i - 1}", "target": f"T{i}", "size": random.randint(0, 4)}
            for i in range(1, len(tasks))
        ]
        problem |= {"application": {"tasks": tasks, "files": files}, "routing": routing}
        if kind == "mono_allocation":
            problem |= {"method": "milp"}
    return {"problem": problem}


def drawn_mapping(random: Random) -> dict[str, Any]:
    """Draw a job whose bound often forbids tasks on processors, and files on links."""
    make = random.choice([restricted, spread])
    problem = make(random, random.randint(3, 5), random.randint(3, 4))
    routing = random.choice(["free", "fixed", "multipath"])
    copies = ["none"] if routing == "multipath" else ["none", "tasks", "tasks_and_files"]
    asked = {"routing": routing, "duplication": random.choice(copies), "ports": "multiport"}
    return {"problem": problem | asked | {"kind": "mono_allocation", "method": "milp"}}


def _operation(random: Random, names: list[str]) -> dict[str, Any]:
    chosen = random.choice(["scatter", "broadcast", "gather", "reduce", "all_to_all", "allgather"])
    asked: dict[str, Any] = {"operation": chosen, "size": random.randint(1, 3)}
    if chosen in ("scatter", "broadcast"):
        asked["source"] = "A"
    if chosen in ("gather", "reduce"):
        asked["target"] = "A"
    if chosen == "scatter":
        asked["targets"] = names[1:3]
    if chosen == "gather":
        asked["sources"] = names[1:3]
    if chosen == "reduce" and random.random() < 0.6:
        asked |= {"sources": names[:3], "combine": {"work": number(random)}}
    if chosen in ("all_to_all", "allgather"):
        asked["participants"] = names[:3]
    return asked
