"""Dask carries out a schedule on local processes, in its dispatch order and on demand.

Needs the extra `dask`. The network is emulated. The master has one port: its thread sleeps while it
sends. A worker has one thread, which sleeps while it computes. So the figures show what the order of
the tasks does, not what a network does. Run it with ``python examples/dask_master_worker.py [TASKS [SECONDS]]``,
with the seconds of a time unit.
"""

import sys
import time
from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from distributed import Client, LocalCluster, as_completed

import steadygrid as sg

SEND: Mapping[str, int] = {"near": 1, "middle": 1, "far": 6}
"""Time units that the port of the master is busy with a task for each worker."""
COMPUTE: Mapping[str, int] = {"near": 4, "middle": 4, "far": 1}
"""Time units of a task on each."""
ROOM = 3
"""Tasks that a worker has at most, those that are being sent included."""


class Sent(NamedTuple):
    """A task that a worker has."""

    worker: str
    instance: int | None
    """As the dispatcher counts; None on demand."""


def solved() -> sg.Answer[Any]:
    """Ask for the best schedule of this star."""
    workers = [{"id": name, "unit_time": time_each} for name, time_each in COMPUTE.items()]
    links = [
        {"source": "master", "target": name, "unit_time": each, "duplex": "simplex"}
        for name, each in SEND.items()
    ]
    problem = {
        "kind": "master_worker",
        "platform": {"processors": [{"id": "master"}, *workers], "links": links},
        "master": "master",
        "task": {"work": 1, "input_size": 1},
        "ports": "one_port",
    }
    return sg.solve(problem)


def compute(seconds: float) -> None:
    """Stand for a task."""
    time.sleep(seconds)


def carried_out(client: Any, plan: Any, *, on_demand: bool, tasks: int, tick: float) -> float:
    """Hand out tasks, and measure the tasks per time unit of the middle part.

    Parameters
    ----------
    client
        Of Dask, with a worker process of one thread for each worker.
    plan
        The schedule.
    on_demand
        Serve the worker that asks first, not the one that the dispatcher names.
    tasks
        How many are handed out.
    tick
        Seconds of a time unit.
    """
    addresses = dict(zip(SEND, sorted(client.scheduler_info()["workers"]), strict=True))
    done = as_completed(with_results=False)
    had = dict.fromkeys(SEND, 0)
    asking = deque(name for _ in range(ROOM) for name in SEND)
    running: dict[str, Sent] = {}
    ends: list[float] = []
    dispatcher = sg.Dispatcher(plan)

    def collect(*, wait: bool) -> None:
        while running and (wait or not done.queue.empty()):
            sent = running.pop(next(done).key)
            had[sent.worker] -= 1
            asking.append(sent.worker)
            if sent.instance is not None:
                dispatcher.finish(sent.instance)
            ends.append(time.perf_counter())
            wait = False

    for _ in range(tasks):
        collect(wait=False)
        if on_demand:
            while not asking:
                collect(wait=True)
            name, instance = asking.popleft(), None
        else:
            while (given := dispatcher.next()) is None:
                collect(wait=True)
            instance, (name,) = given.instance, given.allocation.tasks["task"]
            while had[name] >= ROOM:
                collect(wait=True)
        time.sleep(SEND[name] * tick)
        future = client.submit(compute, COMPUTE[name] * tick, workers=[addresses[name]], pure=False)
        running[future.key] = Sent(name, instance)
        had[name] += 1
        done.add(future)
    while running:
        collect(wait=True)
    first, last = tasks // 5, tasks * 4 // 5
    return (last - first) * tick / (ends[last] - ends[first])


def compare(tasks: int = 120, tick: float = 0.02) -> tuple[Fraction, float, float]:
    """Carry out the plan, then serve on demand, on the same processes.

    Parameters
    ----------
    tasks
        How many each of both hands out.
    tick
        Seconds of a time unit.

    Returns
    -------
    tuple
        The optimum, and the tasks per time unit of both.
    """
    answer = solved()
    plan = answer.schedule
    cluster = LocalCluster(n_workers=len(SEND), threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        client.wait_for_workers(len(SEND))
        planned = carried_out(client, plan, on_demand=False, tasks=tasks, tick=tick)
        asked = carried_out(client, plan, on_demand=True, tasks=tasks, tick=tick)
    return answer.objective, planned, asked


if __name__ == "__main__":
    given = dict(zip(("tasks", "tick"), map(float, sys.argv[1:]), strict=False))
    optimum, by_plan, by_demand = compare(int(given.get("tasks", 120)), given.get("tick", 0.02))
    for what, reached in (("in the order of the plan", by_plan), ("on demand", by_demand)):
        share = reached / float(optimum)
        sys.stdout.write(f"{what}: {reached:.3f} tasks per unit, {share:.0%} of {optimum}\n")
