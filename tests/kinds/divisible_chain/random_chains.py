"""Random chains with every extension, reproducible by their seed."""

import random
from typing import Any

from tests.kinds.divisible_chain.solving import body


def random_chain(seed: int, **fixed: Any) -> dict[str, Any]:
    """Give a body with at most five processors and four loads."""
    chance = random.Random(seed)
    length, count = chance.randint(1, 5), chance.randint(1, 4)
    speeds: list[Any] = [chance.choice([None, *range(1, 9)]) for _ in range(length)]
    if not any(speeds):
        speeds[chance.randrange(length)] = 3
    volumes = [(chance.choice([0, 1, 2, 5]), chance.choice([0, 1, 3, 9])) for _ in range(count)]
    document = body(speeds, [chance.randint(1, 9) for _ in range(length - 1)], volumes)
    problem = document["problem"]
    for load in problem["loads"]:
        if chance.random() < 0.5:
            load["installments"] = chance.randint(1, 3)
        if chance.random() < 0.3:
            load["release_date"] = chance.randint(0, 5)
        if chance.random() < 0.3:
            load["weight"] = chance.randint(0, 5)
        if chance.random() < 0.3:
            load["speeds"] = {f"P{chance.randint(1, length)}": chance.randint(1, 9)}
    if chance.random() < 0.4:
        problem["availability"] = {
            f"P{chance.randint(1, length)}": chance.randint(0, 12) for _ in range(2)
        }
    problem["ports"] = chance.choice(["strict_one_port", "one_port"])
    problem["objective"] = chance.choice(["makespan", "mean_completion", "weighted_flow"])
    problem["rounds"] = chance.choice([1, 1, 2, 3])
    if chance.random() < 0.3:
        problem["startup"] = chance.choice(["1/10", {"time": "1/7"}, {"data": "1/9"}])
        if chance.random() < 0.5:
            problem["max_startup_ratio"] = chance.choice(["11/10", "3/2", 3])
    problem.update(fixed)
    return document


def plain_chain(seed: int, length: int, count: int) -> dict[str, Any]:
    """Give a chain on which every processor computes, with loads of one installment."""
    chance = random.Random(seed)
    return body(
        [chance.randint(1, 9) for _ in range(length)],
        [chance.randint(1, 9) for _ in range(length - 1)],
        [(chance.randint(1, 9), chance.randint(1, 9)) for _ in range(count)],
    )


def with_installments(document: dict[str, Any], count: int) -> dict[str, Any]:
    """Give the same loads, each in `count` installments."""
    problem = document["problem"]
    loads = [load | {"installments": count} for load in problem["loads"]]
    return {"problem": problem | {"loads": loads}}
