"""A small body that can be posted as it is: one worker, whose tasks take 3 and whose files take 2."""

from collections.abc import Mapping
from typing import Any

EXAMPLE: Mapping[str, Any] = {
    "problem": {
        "kind": "simulation",
        "instances": 100,
        "instance": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "M"}, {"id": "W", "unit_time": 1}],
                "links": [{"source": "M", "target": "W", "unit_time": 1}],
            },
            "master": "M",
            "task": {"work": 3, "input_size": 2},
        },
        "result": {
            "kind": "master_worker",
            "outcome": "optimal",
            "method": "bandwidth_centric",
            "objective": {"name": "throughput", "value": "1/3", "approx": 0.3333333333333333},
            "bound": {"value": "1/3", "approx": 0.3333333333333333, "exact": True},
            "gap": "0",
            "certificate": {"type": "lp_duality", "prices": {"W.compute": "1/3"}},
            "proof": "exact",
            "verified": True,
            "computed": {"W": "1/3"},
            "sent": [{"source": "M", "target": "W", "file": "input", "rate": "1/3"}],
        },
        "schedule": {
            "form": "periodic",
            "period": "3",
            "instances_per_period": "1",
            "throughput": "1/3",
            "optimal_throughput": "1/3",
            "loss": "0",
            "ports": "one_port",
            "prologue_periods": 1,
            "latency_periods": 2,
            "preempted": False,
            "counts": {
                "allocations": 1,
                "computations": 1,
                "slots": 1,
                "transfers": 1,
                "runs": 1,
                "cargo": 1,
            },
            "files": [["begin", "task"]],
            "interruptions": 0,
            "allocations": [
                {
                    "index": 0,
                    "rate": "1/3",
                    "instances_per_period": "1",
                    "tasks": {"task": "W"},
                    "transfers": [{"file": ["begin", "task"], "path": ["M", "W"], "share": "1"}],
                }
            ],
            "computations": [
                {
                    "processor": "W",
                    "task": "task",
                    "allocation": 0,
                    "count": "1",
                    "start": "0",
                    "time": "3",
                }
            ],
            "runs": [
                {
                    "start": "0",
                    "end": "2",
                    "sender": "M",
                    "receiver": "W",
                    "cargo": [
                        {"file": ["begin", "task"], "allocation": 0, "count": "1", "time": "2"}
                    ],
                }
            ],
        },
    }
}
