"""Workflows to ask about: published ones, small ones, random ones."""

import copy
from collections.abc import Mapping, Sequence
from math import lcm
from random import Random
from typing import Any

Body = dict[str, Any]


def workflow(
    tasks: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, Any],
    links: Mapping[str, Any],
    mapping: Mapping[str, str] | None,
    **problem: Any,
) -> Body:
    """Write a problem.

    Parameters
    ----------
    tasks
        Times by processor.
    files
        Sizes by ``"source target"``.
    links
        Unit times by ``"sender receiver"``; one way.
    mapping
        By the tasks of a stage, ``"a b"``, its processors, ``"P1 P2"``, in turn.
    """
    names = dict.fromkeys(name for times in tasks.values() for name in times)
    names |= dict.fromkeys(end for link in links for end in link.split())
    asked: Body = {
        "kind": "replicated_workflow",
        "platform": {
            "processors": [{"id": name} for name in names],
            "links": [
                dict(zip(("source", "target"), link.split(), strict=True))
                | {"unit_time": time, "duplex": "simplex"}
                for link, time in links.items()
            ],
        },
        "application": {
            "tasks": [{"id": task, "times": dict(times)} for task, times in tasks.items()],
            "files": [
                dict(zip(("source", "target"), file.split(), strict=True)) | {"size": size}
                for file, size in files.items()
            ],
        },
    }
    if mapping is not None:
        asked["mapping"] = [
            {"tasks": names.split(), "processors": processors.split()}
            for names, processors in mapping.items()
        ]
    return {"problem": asked | problem}


def published_a(ports: str = "one_port") -> Body:
    """Give example A of the thesis' chapter 6, labels reconstructed: 189 and 692/3."""
    links = {
        "P1 P2": 186,
        "P1 P3": 192,
        **{f"P2 P{i}": t for i, t in zip((4, 5, 6), (57, 68, 77), strict=True)},
        **{f"P3 P{i}": t for i, t in zip((4, 5, 6), (13, 157, 165), strict=True)},
        **{f"P{i} P7": t for i, t in zip((4, 5, 6), (23, 67, 73), strict=True)},
    }
    tasks = {
        "S1": {"P1": 22},
        "S2": {"P2": 147, "P3": 128},
        "S3": {"P4": 73, "P5": 73, "P6": 73},
        "S4": {"P7": 67},
    }
    mapping = {"S1": "P1", "S2": "P2 P3", "S3": "P4 P5 P6", "S4": "P7"}
    files = {"S1 S2": 1, "S2 S3": 1, "S3 S4": 1}
    return workflow(tasks, files, links, mapping, ports=ports)


def published_b() -> Body:
    """Give example B: 875/3, and no critical resource."""
    table = ((100, 100, 1000, 1000), (1000, 1000, 1000, 100), (1000, 100, 100, 1000))
    links = {f"A{i} B{j}": time for i, row in enumerate(table) for j, time in enumerate(row)}
    tasks = {"S1": {f"A{i}": 0 for i in range(3)}, "S2": {f"B{j}": 0 for j in range(4)}}
    return workflow(tasks, {"S1 S2": 1}, links, {"S1": "A0 A1 A2", "S2": "B0 B1 B2 B3"})


def skip_edge() -> Body:
    """Give three tasks whose skip edge holds a fast file back: 11/2, though no port needs over 4."""
    tasks = {"a": {"A": 4}, "b": {"B": 4}, "c": {"C": 1}}
    files = {"a b": 3, "b c": 3, "a c": 1}
    links = {"A B": 1, "B C": 1, "A C": 1}
    return workflow(tasks, files, links, {"a": "A", "b": "B", "c": "C"})


def small(**problem: Any) -> Body:
    """Give one reader and two filters: the example of the contract."""
    return workflow(
        {"read": {"P1": 2}, "filter": {"P2": 7, "P3": 4}},
        {"read filter": 1},
        {"P1 P2": 3, "P1 P3": 5},
        {"read": "P1", "filter": "P2 P3"},
        **problem,
    )


def without_mapping(body: Body, **problem: Any) -> Body:
    """Give a copy that leaves the mapping to be found."""
    changed = copy.deepcopy(body)
    changed["problem"].pop("mapping", None)
    changed["problem"] |= problem
    return changed


def random_workflow(random: Random, *, most_rows: int = 12, ports: str | None = None) -> Body:
    """Draw a small workflow: stages of one or two tasks, some files, copies in turn."""
    while True:
        number = random.randint(1, 4)
        copies = [random.randint(1, 4) for _ in range(number)]
        if lcm(*copies) <= most_rows:
            break
    stages = [[f"t{k}"] + ([f"u{k}"] if random.random() < 0.3 else []) for k in range(number)]
    processors = [[f"P{k}x{j}" for j in range(count)] for k, count in enumerate(copies)]
    most = random.choice((1, 4, 20))
    tasks = {
        task: {name: number_of(random, most) for name in processors[k]}
        for k, names in enumerate(stages)
        for task in names
    }
    pairs = [(k, l) for k in range(number) for l in range(k + 1, number)]
    chosen = [ends for ends in pairs if ends[1] == ends[0] + 1 or random.random() < 0.3]
    files: dict[str, Any] = {}
    for k, l in chosen:
        for source in stages[k]:
            for target in stages[l]:
                if not files or random.random() < 0.7:
                    files[f"{source} {target}"] = number_of(random, 2)
    for names in stages:
        if len(names) == 2:
            files[" ".join(names)] = 5
    shuffled = list(files)
    random.shuffle(shuffled)
    links = {
        f"{sender} {receiver}": 1 + random.randrange(most)
        for k, l in chosen
        for sender in processors[k]
        for receiver in processors[l]
    }
    order = random.sample(range(number), number)
    for names in processors:
        random.shuffle(names)
    mapping = {" ".join(stages[k]): " ".join(processors[k]) for k in order}
    drawn = workflow(
        tasks,
        {name: files[name] for name in shuffled},
        links,
        mapping,
        ports=ports or random.choice(("one_port", "no_overlap")),
    )
    if not any(time != "0" for times in tasks.values() for time in times.values()):
        return random_workflow(random, most_rows=most_rows, ports=ports)
    return drawn


def number_of(random: Random, most: int) -> str:
    """Draw a number up to some number, 0 and fractions among them."""
    whole = random.randint(0, most)
    return str(whole) if random.random() < 0.8 else f"{2 * whole + 1}/2"


def turns(mapping: Sequence[Mapping[str, Any]]) -> int:
    """Give after how many data sets the copies of a mapping have their first turns again."""
    return lcm(*(len(stage["processors"]) for stage in mapping))
