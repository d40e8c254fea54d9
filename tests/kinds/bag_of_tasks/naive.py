"""Policies played out in fractions from the words of the contract, one instant after the other."""

import hashlib
import math
from fractions import Fraction
from typing import Any, NamedTuple

F = Fraction


def draw(seed: int, number: int) -> Fraction:
    digest = hashlib.sha256(f"{seed}:{number}".encode("ascii")).digest()
    return F(int.from_bytes(digest[:8], "big"), 2**64)


class Task(NamedTuple):
    name: str
    bag: str
    size: Fraction
    work: Fraction


def stream(problem: dict[str, Any], seed: int) -> list[Task]:
    """Draw the tasks."""
    given, number = problem["stream"], 0
    if "order" in given:
        bags = list(given["order"])
    else:
        bags = []
        for bag in problem["bags"]:
            bags += [bag["id"]] * int(given["count"] * F(bag.get("priority", 1)))
        for i in range(len(bags) - 1, 0, -1):
            j = math.floor(draw(seed, number) * (i + 1))
            number += 1
            bags[i], bags[j] = bags[j], bags[i]
    given_bags = {bag["id"]: bag for bag in problem["bags"]}
    found = []
    for name in bags:
        bag = given_bags[name]
        drawn, total = draw(seed, number), F(0)
        number += 1
        if "uniform" in bag:
            other = draw(seed, number)
            number += 1
            m, M, n, N = (F(end) for key in ("input_size", "work") for end in bag["uniform"][key])  # noqa: N806
            phi, share = F(bag["uniform"]["correlation"]), 1 - drawn
            low = (phi * share + 1 - phi) * n + phi * (1 - share) * N
            high = phi * share * n + (1 - phi * share) * N
            size = share * m + (1 - share) * M
            found.append(Task(name, name, size, low + other * (high - low)))
            continue
        for j, one in enumerate(bag["classes"]):
            total += F(one["probability"])
            if drawn < total:
                found.append(Task(f"{name}--{j}", name, F(one["input_size"]), F(one["work"])))
                break
    return found


class Star:
    """Workers in the platform's order, with what a unit of data and of work takes there."""

    def __init__(self, problem: dict[str, Any]) -> None:
        bandwidth = {link["target"]: F(link["bandwidth"]) for link in problem["platform"]["links"]}
        self.one_port = problem["ports"] == "one_port"
        self.names: list[str] = []
        self.receive: list[Any] = []
        self.compute: list[Fraction] = []
        for processor in problem["platform"]["processors"]:
            if "speed" not in processor:
                continue
            name = processor["id"]
            self.names.append(name)
            self.compute.append(1 / F(processor["speed"]))
            if name == problem["master"]:
                self.receive.append(None)
            else:
                into = bandwidth[name]
                if not self.one_port and "bandwidth_in" in processor:
                    into = min(into, F(processor["bandwidth_in"]))
                self.receive.append(1 / into)


def on_demand(star: Star, tasks: list[tuple[Fraction, Fraction]], buffer: int) -> Fraction:
    """Look at every worker at every instant; give the makespan."""
    p = len(star.names)
    now, served = F(0), 0
    # Of each worker: what is on its way (arrival), who waits, and the end of what it computes.
    way: list[Any] = [None] * p
    waiting: list[list[int]] = [[] for _ in range(p)]
    end: list[Any] = [None] * p
    queue: list[tuple[int, int]] = []
    port: Any = None
    last = F(0)
    while True:
        moved = True
        while moved:
            moved = False
            for i in range(p):
                if end[i] == now:
                    end[i], moved, last = None, True, now
                if way[i] is not None and way[i][0] == now:
                    waiting[i].append(way[i][1])
                    if port == i:
                        port = None
                    way[i], moved = None, True
                if waiting[i] and end[i] is None:
                    end[i], moved = now + tasks[waiting[i].pop(0)][1] * star.compute[i], True
            if port is None and queue:
                n, i = queue.pop(0)
                way[i], port, moved = (now + tasks[n][0] * star.receive[i], n), i, True
            if not moved and served < len(tasks):
                for i in range(p):
                    if (
                        way[i] is None
                        and i not in [j for _, j in queue]
                        and len(waiting[i]) < buffer
                    ):
                        if star.receive[i] is None:
                            way[i] = (now, served)
                        elif star.one_port:
                            queue.append((served, i))
                        else:
                            way[i] = (now + tasks[served][0] * star.receive[i], served)
                        served += 1
                        moved = True
                        break
        dates = [date for date in end if date is not None] + [w[0] for w in way if w is not None]
        if not dates:
            return last
        now = min(dates)


def known(star: Star, tasks: list[tuple[Fraction, Fraction]], workers: list[int]) -> Fraction:
    """Send tasks in order to known workers; give the makespan."""
    sending = F(0)
    flowing = [F(0)] * len(star.names)
    free = [F(0)] * len(star.names)
    for (size, work), i in zip(tasks, workers, strict=True):
        time = star.receive[i]
        if time is None:
            arrival = F(0)
        elif star.one_port:
            sending += size * time
            arrival = sending
        else:
            flowing[i] += size * time
            arrival = flowing[i]
        free[i] = max(free[i], arrival) + work * star.compute[i]
    return max(free)


def counted(rates: dict[str, dict[int, Fraction]], names: list[str]) -> list[int]:
    """Let every class have counters of its own."""
    done = {name: dict.fromkeys(of, 0) for name, of in rates.items()}
    workers = []
    for name in names:
        worker = min(rates[name], key=lambda i: ((done[name][i] + 1) / rates[name][i], i))
        done[name][worker] += 1
        workers.append(worker)
    return workers


def bucket(value: Fraction, values: list[Fraction], number: int, split: str) -> int:
    """Go from border to border; where ratios are equal, compare powers and let 0 be before all."""
    if split == "geometric":
        values = [other for other in values if other]
        if not value:
            return 0
    found = 1 if split == "geometric" else 0
    if not values or min(values) == max(values):
        return found
    least, greatest = min(values), max(values)
    for j in range(1, number):
        if split == "geometric":
            above = (value / least) ** number >= (greatest / least) ** j
        else:
            above = value >= least + F(j, number) * (greatest - least)
        found += above
    return found


def cells(sample: list[Task], tasks: list[Task], problem: dict[str, Any]) -> list[Any]:
    """Give bag and buckets of each task, by the sample; None where that has none of its bag."""
    found: list[Any] = []
    for task in tasks:
        own = [other for other in sample if other.bag == task.bag]
        if not own:
            found.append(None)
            continue
        sizes, works = [other.size for other in own], [other.work for other in own]
        split = problem["split"]
        found.append(
            (
                task.bag,
                bucket(task.size, sizes, problem["buckets"], split),
                bucket(task.work, works, problem["work_buckets"], split),
            )
        )
    return found
