"""Problems to be solved, a function for each kind; `tests.library.question_writer` writes this.

Each gives a `Question`, which `solve` and the client take. Platforms and applications are objects or
documents, and numbers are of any exact sort. A member that is None gets its default.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from steadygrid.domain.application import Application
from steadygrid.domain.platform import Platform
from steadygrid.submissions.question import Quantity, Question

if TYPE_CHECKING:
    from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksResult
    from steadygrid.kinds.cell.schemas import CellResult
    from steadygrid.kinds.collective.schemas import CollectiveResult
    from steadygrid.kinds.dataflow.schemas import DataflowResult
    from steadygrid.kinds.divisible_chain.schemas import DivisibleChainResult
    from steadygrid.kinds.divisible_star.schemas import DivisibleStarResult
    from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineResult
    from steadygrid.kinds.master_worker.schemas import MasterWorkerResult
    from steadygrid.kinds.mono_allocation.schemas import MonoAllocationResult
    from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowResult
    from steadygrid.kinds.simulation.schemas import SimulationResult
    from steadygrid.kinds.task_graph.schemas import TaskGraphResult


def master_worker(
    platform: Platform | Mapping[str, Any],
    *,
    master: str,
    ports: Literal["one_port", "multiport", "send_or_receive", "no_overlap"] | None = None,
    routing: Literal["free", "fixed"] | None = None,
    method: Literal["auto", "lp", "bandwidth_centric"] | None = None,
    work: Quantity | None = None,
    times: Any = None,
    input_size: Quantity | None = None,
    output_size: Quantity | None = None,
) -> "Question[MasterWorkerResult]":
    """Ask for master-worker tasking."""
    return Question(
        "master_worker",
        {
            "platform": platform,
            "master": master,
            "ports": ports,
            "routing": routing,
            "method": method,
            "task": _given(
                {"work": work, "times": times, "input_size": input_size, "output_size": output_size}
            ),
        },
    )


def task_graph(
    platform: Platform | Mapping[str, Any],
    *,
    application: Application | Mapping[str, Any],
    ports: Literal["one_port", "multiport", "send_or_receive", "no_overlap"] | None = None,
    routing: Literal["free", "fixed"] | None = None,
    method: Literal["auto", "column_generation", "constraint_lists", "given"] | None = None,
    allocations: Any = None,
    classes: Any = None,
    rates: Literal["given"] | None = None,
    bound_method: Literal["free", "none"] | None = None,
) -> "Question[TaskGraphResult]":
    """Ask for collections of identical task graphs."""
    return Question(
        "task_graph",
        {
            "platform": platform,
            "application": application,
            "ports": ports,
            "routing": routing,
            "method": method,
            "allocations": allocations,
            "classes": classes,
            "rates": rates,
            "bound_method": bound_method,
        },
    )


def mono_allocation(
    platform: Platform | Mapping[str, Any],
    *,
    application: Application | Mapping[str, Any],
    ports: Literal["one_port", "multiport", "send_or_receive", "no_overlap"] | None = None,
    routing: Literal["fixed", "free", "multipath"] | None = None,
    duplication: Literal["none", "tasks", "tasks_and_files"] | None = None,
    contiguous: bool | None = None,
    method: Literal[
        "portfolio",
        "milp",
        "simple_greedy",
        "refined_greedy",
        "rlp_max",
        "rlp_rand",
        "delegate",
        "neighborhood",
        "heft",
        "data_parallel",
        "clustering",
        "given",
        "upper_bound",
        "compare",
    ]
    | None = None,
    depth: int | None = None,
    seed: int | None = None,
    source: str | None = None,
    instances: int | None = None,
    mapping: Any = None,
    paths: Any = None,
    bound_method: Literal["relaxation", "allocations", "none"] | None = None,
) -> "Question[MonoAllocationResult]":
    """Ask for one allocation for a collection of task graphs."""
    return Question(
        "mono_allocation",
        {
            "platform": platform,
            "application": application,
            "ports": ports,
            "routing": routing,
            "duplication": duplication,
            "contiguous": contiguous,
            "method": method,
            "depth": depth,
            "seed": seed,
            "source": source,
            "instances": instances,
            "mapping": mapping,
            "paths": paths,
            "bound_method": bound_method,
        },
    )


def collective(
    platform: Platform | Mapping[str, Any],
    *,
    operation: Literal[
        "scatter",
        "gather",
        "all_to_all",
        "broadcast",
        "multicast",
        "allgather",
        "reduce",
        "reduce_scatter",
        "allreduce",
    ],
    ports: Literal["one_port", "multiport", "send_or_receive", "no_overlap"] | None = None,
    source: str | None = None,
    target: str | None = None,
    targets: Any = None,
    sources: Any = None,
    participants: Any = None,
    size: Quantity | None = None,
    sizes: Any = None,
    pair_sizes: Any = None,
    copying: Literal["processors", "participants", "all"] | None = None,
    combine: Any = None,
    order: Literal["any", "fixed"] | None = None,
    chunks: Any = None,
    chunk_loss: Quantity | None = None,
    objective: Literal["throughput", "completion"] | None = None,
    execution: Any = None,
    method: Literal[
        "auto",
        "flows",
        "intervals",
        "least_cut",
        "cutting_planes",
        "trees",
        "mcph",
        "reduced_broadcast",
        "scatter",
        "upper_bound",
        "programs",
        "compare",
    ]
    | None = None,
) -> "Question[CollectiveResult]":
    """Ask for collective communications."""
    return Question(
        "collective",
        {
            "platform": platform,
            "operation": operation,
            "ports": ports,
            "source": source,
            "target": target,
            "targets": targets,
            "sources": sources,
            "participants": participants,
            "size": size,
            "sizes": sizes,
            "pair_sizes": pair_sizes,
            "copying": copying,
            "combine": combine,
            "order": order,
            "chunks": chunks,
            "chunk_loss": chunk_loss,
            "objective": objective,
            "execution": execution,
            "method": method,
        },
    )


def divisible_chain(
    platform: Platform | Mapping[str, Any],
    *,
    loads: Any,
    chain: Any = None,
    availability: Any = None,
    ports: Literal["strict_one_port", "one_port"] | None = None,
    objective: Literal["makespan", "mean_completion", "weighted_flow"] | None = None,
    rounds: int | None = None,
    startup: Any = None,
    max_startup_ratio: Quantity | None = None,
    max_installments: int | None = None,
    method: Literal["lp", "simple", "single_load", "multi_installment", "heuristic_b"]
    | None = None,
) -> "Question[DivisibleChainResult]":
    """Ask for divisible loads on a chain."""
    return Question(
        "divisible_chain",
        {
            "platform": platform,
            "chain": chain,
            "loads": loads,
            "availability": availability,
            "ports": ports,
            "objective": objective,
            "rounds": rounds,
            "startup": startup,
            "max_startup_ratio": max_startup_ratio,
            "max_installments": max_installments,
            "method": method,
        },
    )


def divisible_star(
    platform: Platform | Mapping[str, Any],
    *,
    master: str,
    communication_volume: Quantity,
    computation_volume: Quantity,
    ports: Literal["strict_one_port", "one_port"] | None = None,
    order: Any = None,
    return_orders: Any = None,
    rounds: int | None = None,
    max_rounds: int | None = None,
    method: Literal[
        "auto",
        "closed_form",
        "lp",
        "search",
        "local_search",
        "umr",
        "periodic",
        "rounding",
        "compare",
    ]
    | None = None,
    return_volume: Quantity | None = None,
    items: int | None = None,
) -> "Question[DivisibleStarResult]":
    """Ask for a divisible load on a star or a tree."""
    return Question(
        "divisible_star",
        {
            "platform": platform,
            "master": master,
            "ports": ports,
            "order": order,
            "return_orders": return_orders,
            "rounds": rounds,
            "max_rounds": max_rounds,
            "method": method,
            "load": _given(
                {
                    "communication_volume": communication_volume,
                    "computation_volume": computation_volume,
                    "return_volume": return_volume,
                    "items": items,
                }
            ),
        },
    )


def cell(
    machine: Any = None,
    *,
    application: Any,
    method: Literal["milp", "greedy", "ppe_only"] | None = None,
) -> "Question[CellResult]":
    """Ask for a stream of task graphs on a Cell processor."""
    return Question("cell", {"machine": machine, "application": application, "method": method})


def bag_of_tasks(
    platform: Platform | Mapping[str, Any],
    *,
    master: str,
    bags: Any,
    ports: Literal["multiport", "one_port"] | None = None,
    method: Literal[
        "auto",
        "lp",
        "means",
        "approximation",
        "on_demand",
        "round_robin",
        "dispatch",
        "lp_samp",
        "compare",
    ]
    | None = None,
    stream: Any = None,
    buffer: int | None = None,
    sample: Quantity | None = None,
    split: Literal["arithmetic", "geometric"] | None = None,
    buckets: int | None = None,
    work_buckets: int | None = None,
    epsilon: Quantity | None = None,
) -> "Question[BagOfTasksResult]":
    """Ask for bags of tasks."""
    return Question(
        "bag_of_tasks",
        {
            "platform": platform,
            "master": master,
            "bags": bags,
            "ports": ports,
            "method": method,
            "stream": stream,
            "buffer": buffer,
            "sample": sample,
            "split": split,
            "buckets": buckets,
            "work_buckets": work_buckets,
            "epsilon": epsilon,
        },
    )


def replicated_workflow(
    platform: Platform | Mapping[str, Any],
    *,
    application: Application | Mapping[str, Any],
    ports: Literal["one_port", "no_overlap"] | None = None,
    mapping: Any = None,
    stages: Any = None,
    max_replicas: Any = None,
    order: Literal["listed", "searched"] | None = None,
    service: Any = None,
    method: Literal[
        "auto", "evaluate", "exact", "greedy", "local_search", "portfolio", "upper_bound"
    ]
    | None = None,
    seed: int | None = None,
    max_rows: int | None = None,
) -> "Question[ReplicatedWorkflowResult]":
    """Ask for a workflow whose stages run on several processors in turn."""
    return Question(
        "replicated_workflow",
        {
            "platform": platform,
            "application": application,
            "ports": ports,
            "mapping": mapping,
            "stages": stages,
            "max_replicas": max_replicas,
            "order": order,
            "service": service,
            "method": method,
            "seed": seed,
            "max_rows": max_rows,
        },
    )


def dataflow(
    graph: Any,
    *,
    concurrency: Literal["sequential", "auto"] | None = None,
    method: Literal["auto", "k_periodic"] | None = None,
    schedule: Literal["k_periodic", "strictly_periodic"] | None = None,
    capacities: Any = None,
    buffers: Literal["of_schedule", "least", "front"] | None = None,
    target_period: Quantity | None = None,
    weights: Any = None,
    counted: Any = None,
) -> "Question[DataflowResult]":
    """Ask for the throughput of a dataflow graph."""
    return Question(
        "dataflow",
        {
            "graph": graph,
            "concurrency": concurrency,
            "method": method,
            "schedule": schedule,
            "capacities": capacities,
            "buffers": buffers,
            "target_period": target_period,
            "weights": weights,
            "counted": counted,
        },
    )


def layer_pipeline(
    name: str | None = None,
    *,
    layers: Any,
    devices: Any,
    skips: Any = None,
    bandwidth: Any = None,
    update_every: int | None = None,
    max_replicas: Any = None,
    schedule: Literal["one_forward_one_backward", "forward"] | None = None,
    stages: Any = None,
    method: Literal["exact", "evaluate"] | None = None,
) -> "Question[LayerPipelineResult]":
    """Ask for a pipeline of layers on devices counted by type."""
    return Question(
        "layer_pipeline",
        {
            "name": name,
            "layers": layers,
            "skips": skips,
            "devices": devices,
            "bandwidth": bandwidth,
            "update_every": update_every,
            "max_replicas": max_replicas,
            "schedule": schedule,
            "stages": stages,
            "method": method,
        },
    )


def simulation(
    job: str | None = None,
    *,
    instance: Any = None,
    result: Any = None,
    schedule: Any = None,
    executions: Any = None,
    window: int | None = None,
    overtake: bool | None = None,
    buffer: int | None = None,
    batch: int | None = None,
    bytes: int | None = None,
    noise: Any = None,
    noise_of: Literal["operation", "resource", "drift"] | None = None,
    instances: int | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    method: Literal["replay"] | None = None,
) -> "Question[SimulationResult]":
    """Ask for a schedule when times are not exact."""
    return Question(
        "simulation",
        {
            "job": job,
            "instance": instance,
            "result": result,
            "schedule": schedule,
            "executions": executions,
            "window": window,
            "overtake": overtake,
            "buffer": buffer,
            "batch": batch,
            "bytes": bytes,
            "noise": noise,
            "noise_of": noise_of,
            "instances": instances,
            "seeds": seeds,
            "seed": seed,
            "method": method,
        },
    )


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
