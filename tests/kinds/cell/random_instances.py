"""Small random machines and applications, tight enough that every limit binds now and then."""

import random
from fractions import Fraction
from typing import Any


def random_body(seed: int, *, largest: int = 6) -> dict[str, Any]:
    """Draw the body of a job: up to three cores of a sort, `largest` tasks at most."""
    draw = random.Random(seed)
    ppes, spes = draw.choice([(1, 2), (1, 1), (2, 1), (1, 3), (0, 2), (2, 2), (1, 0)])
    number = draw.randint(2, largest)
    names = [f"t{i}" for i in range(number)]
    tasks = []
    for name in names:
        task: dict[str, Any] = {"id": name}
        if draw.random() < 0.85 or not spes:
            task["time_ppe"] = draw.randint(1, 12)
        if "time_ppe" not in task or draw.random() < 0.85 or not ppes:
            task["time_spe"] = str(Fraction(draw.randint(1, 24), draw.randint(1, 3)))
        for part in ("read", "write"):
            if draw.random() < 0.3:
                task[part] = draw.randint(1, 8)
        if draw.random() < 0.3:
            task["peek"] = draw.randint(1, 3)
        tasks.append(task)
    files = [
        {"source": names[i], "target": names[j], "size": draw.randint(0, 6)}
        for j in range(number)
        for i in range(j)
        if draw.random() < 0.5
    ]
    machine = {
        "ppes": ppes,
        "spes": spes,
        "bandwidth": draw.choice([1, 2, 5]),
        "local_store": draw.choice([20, 60, 150, 1000]),
        "dma_into_spe": draw.choice([1, 2, 16]),
        "dma_spe_to_ppe": draw.choice([1, 2, 8]),
    }
    draw.shuffle(tasks)
    application = {"tasks": tasks, "files": files}
    return {"problem": {"kind": "cell", "machine": machine, "application": application}}
