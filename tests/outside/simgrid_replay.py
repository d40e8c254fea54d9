"""Replays operations in SimGrid: reads a JSON document from standard input, and writes dates.

    python3 simgrid_replay.py < plan.json > dates.json

runs with any Python that has SimGrid's module, without this project. A plan has the ``platform``, the
path of a file of SimGrid's or null; ``hosts`` with their speeds and ``links`` with their bandwidths
that are made beside it; ``paths``, each of links and a latency, which gets two hosts of its own at its
ends; ``ports`` with how many each serves; and ``actors``, lists of operations. An operation has a
``number``, a date ``at`` which it begins at the earliest, the ``ports`` that it takes first, and is
to ``compute`` an amount on a host, or to ``send`` an amount over a path, or between two hosts, perhaps
at a limited ``rate``. The answer lists start and end by numbers.
"""

import json
import sys

import simgrid  # type: ignore[import-not-found]
from simgrid import Actor, Comm, Engine, Host, LinkInRoute, Mailbox, Semaphore, this_actor

MODEL = "raw" if tuple(map(int, simgrid.simgrid_version.split("."))) >= (3, 34) else "CM02"
"""Both share bandwidths fairly, and correct nothing with what is set below."""
SETTINGS = (
    f"network/model:{MODEL}",
    "network/crosstraffic:0",
    "network/TCP-gamma:0",
    "network/weight-S:0",
    "network/latency-factor:1",
    "network/bandwidth-factor:1",
)


def main() -> None:
    """Replay one plan."""
    plan = json.load(sys.stdin)
    arguments = ["replay", "--log=root.thres:critical"]
    engine = Engine([*arguments, *(f"--cfg={one}" for one in (*SETTINGS, *plan["settings"]))])
    zone = made(plan) if plan["platform"] is None else None
    if zone is None:
        engine.load_platform(plan["platform"])
        for link in engine.all_links:
            link.set_latency(0)
    dates = [[0.0, 0.0] for operations in plan["actors"] for _ in operations]
    ports = {name: Semaphore(number) for name, number in plan["ports"].items()}
    somewhere = engine.all_hosts[0]
    for number, operations in enumerate(plan["actors"]):
        Actor.create(f"actor {number}", somewhere, act, operations, ports, dates)
    engine.run()
    json.dump(dates, sys.stdout)


def made(plan):
    """Make the platform of a plan."""
    zone = simgrid.NetZone.create_full_zone("plan")
    links = {name: zone.create_link(name, bandwidth) for name, bandwidth in plan["links"].items()}
    for name, speed in plan["hosts"].items():
        zone.create_host(name, speed)
    for number, path in enumerate(plan["paths"]):
        ends = [zone.create_host(f"{end} {number}", 1.0) for end in ("from", "to")]
        # A pipe of its own: as wide as need be, and with the latency of the path.
        pipe = zone.create_link(f"pipe {number}", 1e6 * max(plan["links"].values()))
        pipe.set_latency(path["latency"])
        route = [LinkInRoute(link) for link in (pipe, *(links[name] for name in path["links"]))]
        zone.add_route(ends[0].netpoint, ends[1].netpoint, None, None, route, False)
    zone.seal()
    return zone


def act(operations, ports, dates) -> None:
    """Do one operation after the other."""
    for one in operations:
        this_actor.sleep_until(one["at"])
        for name in one["ports"]:
            ports[name].acquire()
        begin = Engine.clock
        if "compute" in one:
            host, amount = one["compute"]
            this_actor.set_host(Host.by_name(host))
            this_actor.execute(amount)
        else:
            send(one)
        for name in one["ports"]:
            ports[name].release()
        dates[one["number"]] = [begin, Engine.clock]


def send(one) -> None:
    """Send an amount, no faster than the operation may."""
    path, amount = one["send"]
    ends = path if isinstance(path, list) else [f"from {path}", f"to {path}"]
    sender, receiver = map(Host.by_name, ends)
    if one["rate"] is None:
        Comm.sendto(sender, receiver, amount)
        return
    # SimGrid 3.32 limits the rate of what goes through a mailbox only.
    box = Mailbox.by_name(str(one["number"]))
    Actor.create("receiver", receiver, box.get)
    this_actor.set_host(sender)
    box.put_init(None, amount).set_rate(one["rate"]).start().wait()


if __name__ == "__main__":
    main()
