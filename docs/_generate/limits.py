"""The page of sizes: the numbers are those of the code, and each has its meaning here."""

from collections.abc import Iterator, Mapping

from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS

HEAD = """# Largest sizes

[Limits](../../limits.md) has what no table can say: times, tenants, connections, and what is not proved.

## Sizes of a submission

These are settings: `STEADYGRID_` and the name in capitals. `GET /v1/info` shows their values, and they are checked before anything is built. A larger submission is refused (`422`, code `limit_exceeded`). Times are seconds of one core, for the whole answer with its referee.
"""

OF_KINDS = """## Limits of single kinds

No setting changes these. `problem_limits` of `GET /v1/info` lists them. A larger problem is refused by a code of the kind. The refusal names a method that takes more, if there is one.
"""

SIZES: Mapping[str, str] = {
    "max_body_bytes": "a request body (`413`). Encoded bodies are refused (`415`)",
    "max_processors": (
        "a platform. A tree of this size that a master feeds takes 20 s and 0.7 GB, and a "
        "divisible load on a star of this size 22 s and 0.6 GB. Interchangeable hosts of a "
        "[SimGrid cluster](../../own-files.md#simgrid-platforms) count as one or two if all of "
        "them would be too many, or more than 20,000"
    ),
    "max_links": "a platform. Also media and routes",
    "max_tasks": (
        "tasks of an application. A chain of 5,000 tasks on 20 processors takes 30 s as a task "
        "graph"
    ),
    "max_files": "files of an application",
    "max_coefficients": (
        "a linear program, estimated from the instance. `least_cut` of `collective` has none and "
        "counts a quarter, so that a broadcast among 1,024 GPUs in 128 boxes is accepted: it "
        "takes 32 s and 0.7 GB"
    ),
    "max_labelling_entries": (
        "entries that the labelling tables of `task_graph` hold together. If they would hold "
        "more, allocations are priced by integer programs. Also entries of a table of Steiner "
        "trees of `collective` (never above 50,000,000, which the referee has to make as well; "
        "20,000,000 where combining takes time). Beyond it heuristics find trees. The option of "
        "that name lowers it for one job, and is refused above it"
    ),
    "max_stream_tasks": (
        "tasks of the streams that policies of `bag_of_tasks` deal out, over all seeds"
    ),
    "max_simulated_operations": "operations of a [simulation](../../simulation.md), over all runs",
    "max_period_digits": (
        "the exact period. Beyond it the schedule is bounded by itself (shorter periods may be, "
        "too: [decision 11](../../decisions/0011-huge-periods-are-bounded-by-themselves.md))"
    ),
    "max_slot_transfers": (
        "transfers of a schedule: entries of cargo over all [runs of links](../../schedules.md), "
        "or transfers over all slots. 1,000 processors with 966 links in use have 13,295 entries "
        "in 966 runs, and slots would list 2,074,477 transfers"
    ),
    "max_sweep_jobs": "jobs of a [sweep](../../sweeps.md)",
    "max_measurements": (
        "measured processors, links, media and times of a request to "
        "[re-plan](../../re-planning.md). Also measurements of a series of which a forecast is "
        "made, and of one post of [measurements](../../measurements.md)"
    ),
}
"""What each setting bounds."""

KINDS: Mapping[str, Mapping[str, str]] = {
    "divisible_chain": {
        "max_loads": "an instance",
    },
    "divisible_star": {
        "max_processors_searched": (
            "processors that compute, in one round with latencies, by `search` without an `order`"
        ),
        "max_processors_with_latencies": "the same by any method",
        "max_processors_with_items": "processors that compute, with items",
        "max_workers_with_results_searched": (
            "workers, without the master, whose results come back in an order that no theorem "
            "gives, by `search`: 6 to 13, depending on what is open"
        ),
        "max_workers_with_results": "the same by any method",
        "max_messages_of_rounds": "messages: `rounds` times workers",
        "max_messages_by_rule": "messages of `umr` and `periodic`: `max_rounds` times workers",
    },
    "bag_of_tasks": {
        "max_cells": "cells. With more classes than that, `auto` deals tasks out by cells",
        "max_batch_digits": "digits of the fewest tasks that are in proportion",
    },
    "cell": {
        "max_ppes": "a Cell processor",
        "max_spes": "a Cell processor",
    },
    "dataflow": {
        "max_actors": "a graph. 160,000 actors with 199,998 channels take 36 s and 1.4 GB",
        "max_channels": "a graph",
        "max_phases": "an actor",
        "max_tokens": "a channel at the beginning, and a firing on one channel",
        "max_repetitions": "cycles of an actor in an iteration",
        "max_digits_of_times": "digits of the common denominator of all times",
    },
    "layer_pipeline": {
        "max_layers": "a chain",
        "max_skips": "a chain",
        "max_sorts": "devices",
        "max_devices": "devices of all types",
        "max_states": "numbers of devices in use, by type: the product of all counts, each plus 1",
        "max_steps": (
            "those times the stages that a device has room for, by their layers and their copies"
        ),
        "max_places_refereed": (
            "places of the referee's search. If it has more, the bound is the word of the "
            "solver's search"
        ),
        "max_digits_of_times": "digits of the common denominator of all times",
    },
    "collective": {
        "max_messages": "messages that differ",
        "max_copies": "copies or parts of messages",
        "max_hops_of_completion": (
            "hops of all chunks of one operation, where its completion is asked for"
        ),
    },
    "task_graph": {
        "max_given_allocations": (
            "allocations that are given to be judged, those of the members of classes counted"
        ),
        "max_digits_of_given_rates": "digits of the sum of rates that are given",
    },
    "replicated_workflow": {
        "max_cycle_nodes": (
            "operations of a mapping, by residue of the data set: processors of stages, and "
            "pairs of processors for each file. More only under `no_overlap`, if all rows can be "
            "played"
        ),
        "max_turn_operations": (
            "`rows` times operations of a mapping that is played until it repeats, and of a "
            "`state` that the referee plays"
        ),
        "max_listed_rows": (
            "rows of a timetable. Beyond it there is a `state` instead, under `no_overlap`, or "
            "only a bound"
        ),
        "max_mappings_searched": (
            "mappings with all orders of their processors, counted from above, by `exact`"
        ),
        "max_transitions_exported": "`rows` times operations of a Petri net that is exported",
        "max_searched_nodes": (
            "operations of a mapping, by residue of the data set, that searches look at"
        ),
        "max_digits_of_times": "digits of the common denominator of all times",
    },
}
"""What each limit of a kind bounds."""


def page() -> str:
    """Write the page."""
    return "\n".join((HEAD, *_sizes(), OF_KINDS, *_kinds()))


def _sizes() -> Iterator[str]:
    yield from ("| setting | default | of |", "|---|---|---|")
    for name, field in Limits.model_fields.items():
        default = "any number" if field.default is None else f"{field.default:,}"
        yield f"| `{name}` | {default} | {SIZES[name]} |"
    yield ""


def _kinds() -> Iterator[str]:
    yield from ("| kind | limit | at most | of |", "|---|---|---|---|")
    for kind, problem in sorted(PROBLEMS.items()):
        for name, most in problem.limits.items():
            yield f"| `{kind}` | `{name}` | {most:,} | {KINDS[kind][name]} |"
    yield ""
