"""The methods of `mono_allocation`, each with a sentence about it: said here and nowhere else."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

METHODS: Mapping[str, str] = {
    "portfolio": (
        "the best of the heuristics, then a search around it and the exact program from there,"
        " with the time that is left"
    ),
    "milp": "the exact mixed-integer program for the routing and the duplication asked",
    "simple_greedy": "tasks by decreasing time, each where the least computing has gathered",
    "refined_greedy": (
        "tasks by decreasing distance from the beginning, each where the busiest resource,"
        " links included, stays least busy"
    ),
    "rlp_max": "the relaxed program, its largest assignment fixed, solved again, task by task",
    "rlp_rand": "the same, task and processor drawn at random, as probable as the relaxation says",
    "delegate": (
        "all tasks on one processor, then connected groups of them delegated to others as long"
        " as that relieves the busiest resources"
    ),
    "neighborhood": "each task with its neighbours on the processor that suits them best",
    "heft": "reference: list scheduling of a number of instances by upward ranks, simulated",
    "data_parallel": "reference: each instance on one processor as a whole, simulated",
    "clustering": "reference: tasks merged along the heaviest files, simulated",
    "given": (
        "the mapping that is given, as it is: its exact throughput, what keeps it from more, its"
        " distance to a bound, and the best move of one task"
    ),
    "upper_bound": "no allocation, only what no schedule can exceed",
    "compare": "all that look for one, with throughput, distance to the best bound, latency and time",
}

if TYPE_CHECKING:
    Method = str
else:
    Method = Literal[tuple(METHODS)]
