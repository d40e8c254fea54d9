"""Small pipelines of layers, given and drawn."""

import random
from collections.abc import Sequence
from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.domain.job import Options
from steadygrid.kinds.layer_pipeline import PROBLEM
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance

Document = dict[str, Any]


def layers(*listed: Document) -> list[Document]:
    """Name layers a, b, c, ..."""
    return [{"id": "abcdefghij"[i]} | layer for i, layer in enumerate(listed)]


def alike(number: int, **more: Any) -> list[Document]:
    """Give layers that train, all the same."""
    return layers(*[{"forward": 1, "backward": 2, "memory": 1, "in_flight": 1} | more] * number)


def body(listed: Sequence[Document], devices: Any, **more: Any) -> Document:
    """Put a body together; devices are device types, or the members of a single one."""
    device_types = devices if isinstance(devices, list) else [{"id": "gpu"} | devices]
    asked = {"kind": "layer_pipeline", "layers": list(listed), "devices": device_types}
    return {"problem": asked | more}


def instance(document: Document) -> LayerPipelineInstance:
    """Read a body."""
    return LayerPipelineInstance.model_validate(document["problem"])


def faults(document: Document) -> list[Fault]:
    """List what is wrong with a well-formed pipeline."""
    return list(PROBLEM.faults(instance(document), Options(), ("problem",)))


A = body(alike(3), {"count": 3, "memory": 4})
B = body(alike(3), {"count": 3, "memory": 3})
C = body(alike(3, output=1), {"count": 3, "memory": 3}, bandwidth=1)
D = body(alike(3, output=1), {"count": 3, "memory": 4}, bandwidth=1)
E = body(
    alike(2, output=2, weights=3),
    {"count": 4, "memory": 4, "reduce_bandwidth": 1},
    bandwidth=1,
    update_every=4,
)
F = body(
    alike(2, output=2, weights=3), {"count": 4, "memory": 4, "reduce_bandwidth": 1}, bandwidth=1
)
G = body(
    layers(
        *(
            {
                "forward": work,
                "backward": 2 * work,
                "memory": 2,
                "in_flight": work,
                "output": 1,
                "weights": 2,
            }
            for work in (1, 3, 2, 1)
        )
    ),
    [
        {"id": "x", "count": 1, "speed": 2, "memory": 12, "reduce_bandwidth": 2},
        {"id": "y", "count": 2, "memory": 9, "reduce_bandwidth": 1},
    ],
    bandwidth=[
        {"source": "x", "target": "y", "bandwidth": 1},
        {"source": "y", "target": "y", "bandwidth": 1},
    ],
    update_every=4,
)
H = body(
    layers(*({"forward": work, "memory": 1} for work in (4, 1, 1, 3))), {"count": 4, "memory": 3}
)


def intervals(number: int, devices: int, device_types: int) -> Document:
    """Give a chain of forward passes, and devices that run one interval each."""
    rng = random.Random(0)
    room = int(number * 5 / devices * 1.35)
    listed = [
        {"id": f"l{i}", "forward": rng.randint(20, 40), "memory": rng.randint(3, 7)}
        for i in range(number)
    ]
    counted = [
        {
            "id": f"s{i}",
            "count": devices // device_types,
            "speed": 10 + 3 * i,
            "memory": room + 4 * (i % 3),
        }
        for i in range(device_types)
    ]
    return body(listed, counted, max_replicas=1)


def training(number: int, counts: Sequence[int], seed: int = 1) -> Document:
    """Give layers that train, with little memory, on one type of devices or two."""
    rng = random.Random(seed)
    device_types = [
        {
            "id": "ab"[i],
            "count": count,
            "speed": ("1", "2/3")[i],
            "memory": (900, 600)[i] * number // sum(counts) // 4 + 500,
            "reduce_bandwidth": 50,
        }
        for i, count in enumerate(counts)
    ]
    listed = []
    for i in range(number):
        work = rng.randint(20, 40)
        layer = {"id": f"l{i}", "forward": work, "backward": 2 * work, "output": 2}
        layer |= {"memory": rng.randint(30, 70), "in_flight": rng.randint(10, 40)}
        listed.append(layer | {"weights": rng.randint(10, 30)})
    return body(listed, device_types, bandwidth=1, update_every=64)


def drawn(rng: random.Random, most_layers: int = 4, most_devices: int = 4) -> Document:
    """Draw a small pipeline without faults: training or not, with or without limits of memory."""
    while True:
        document = _drawn(rng, most_layers, most_devices)
        if not faults(document):
            return document


def _drawn(rng: random.Random, most_layers: int, most_devices: int) -> Document:
    number = rng.randint(1, most_layers)
    trains = rng.random() < 0.75
    listed = []
    for _ in range(number):
        layer: Document = {"forward": _number(rng, 6), "output": rng.randint(0, 5)}
        layer |= {"memory": rng.randint(0, 4), "in_flight": rng.randint(0, 4)}
        layer |= {"weights": rng.randint(0, 8)}
        if trains:
            layer["backward"] = _number(rng, 9)
            if rng.random() < 0.4:
                layer["gradient"] = rng.randint(0, 6)
        listed.append(layer)
    listed[rng.randrange(number)]["forward"] = rng.randint(1, 6)
    device_types = []
    left = rng.randint(1, most_devices)
    for name in "xyz"[: rng.randint(1, 3)]:
        if not left:
            break
        device_type: Document = {"id": name, "count": rng.randint(1, left)}
        left -= device_type["count"]
        device_type["speed"] = rng.choice(["1", "2", "3/2"])
        if rng.random() < 0.85:
            device_type["memory"] = rng.randint(5, 26)
        if rng.random() < 0.6:
            device_type["reduce_bandwidth"] = rng.randint(1, 3)
        device_types.append(device_type)
    more: Document = {"update_every": rng.choice([1, 1, 2, 5])}
    how = rng.random()
    if how < 0.4:
        more["bandwidth"] = rng.choice([1, 2, "1/2"])
    elif how < 0.75:
        names = [device_type["id"] for device_type in device_types]
        more["bandwidth"] = [
            {"source": one, "target": other, "bandwidth": rng.choice([1, 3, "1/3", "1/6"])}
            for i, one in enumerate(names)
            for other in names[i:]
        ]
    listed = layers(*listed)
    if number > 2 and rng.random() < 0.4:
        ends = sorted(rng.sample(range(number), 2))
        skip = {"source": "abcdef"[ends[0]], "target": "abcdef"[ends[1]], "size": rng.randint(1, 3)}
        more["skips"] = [skip]
    if rng.random() < 0.3:
        more["max_replicas"] = rng.choice([1, 2, {"a": 1}, {listed[-1]["id"]: 2}])
    return body(listed, device_types, **more)


def _number(rng: random.Random, most: int) -> Any:
    return rng.choice([rng.randint(0, most), f"{rng.randint(1, 2 * most)}/2"])
