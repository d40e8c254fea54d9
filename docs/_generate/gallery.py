"""The gallery: each file of ``examples`` with its picture, its command and its answer."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import steadygrid

ROOT = Path(__file__).resolve().parents[2]

HEAD = """# Gallery

Each example is a file of `examples/`. The pictures and answers of this page come from solving them.
"""

SENTENCES: Mapping[str, str] = {
    "bags-of-two-kinds": "Two bags of tasks share a fast worker behind a slow link and a slow one"
    " behind a fast link.",
    "bags-of-uniform-tasks": "The sizes of tasks are drawn at random, and the optimum holds on"
    " average.",
    "bags-on-demand": "Policies that serve the worker that asks first, compared with the optimum.",
    "camera-as-it-runs": "A mapping that runs today is judged, with the move that helps most.",
    "cell-filter-bank": "A filter bank is placed on a Cell processor with small local stores.",
    "dataflow-front": "A dataflow graph of three actors without a circuit: the slowest actor"
    " decides.",
    "dataflow-two-actors": "An SDF graph with a buffer of two places that limits its throughput.",
    "divisible-load-on-a-star": "A divisible load is dealt to three workers in one round.",
    "divisible-load-on-a-tree-with-results": "A divisible load on a tree, whose results come back"
    " in reverse order.",
    "divisible-load-with-latencies": "Workers that take time to begin: not all of them take part.",
    "divisible-load-with-results": "Results come back, and their order is part of the answer.",
    "divisible-loads-on-a-chain": "Several loads travel along a chain of processors in"
    " installments.",
    "file-server-two-cards": "A file server with two network cards feeds a render farm.",
    "microscope": "All methods place the workflow of a microscope, and are compared with the bound.",
    "pipeline-twelve-layers": "Twelve layers of a network are cut into stages for four GPUs within"
    " their memory.",
    "replicated-workflow": "Stages of a workflow run on several processors in turn.",
    "rr4870-figure-3": "Four processors in a diamond: the first example of RR-4870.",
    "rr4870-figure-3-latencies": "The same diamond with latencies that are paid.",
    "rr4870-figure-9": "A task graph whose optimum mixes several allocations.",
    "rr4872-figure-2-scatter": "A scatter to two targets over two relays, from RR-4872.",
    "shared-wide-area-link": "Three clusters, two of them behind one wide-area link.",
    "simulated-figure-3": "A schedule is simulated with noise under several executions.",
    "small-transformer": "Layers of a small transformer are trained in a pipeline with copies.",
    "star": "A master with three workers on a star.",
    "three-sites-broadcast": "A broadcast among ten hosts at three sites.",
    "triangle-no-overlap": "Three processors that do one thing at a time.",
    "triangle-one-allocation": "One mapping for all instances on a triangle with one transfer at a"
    " time.",
    "two-boxes-allgather": "An allgather among sixteen GPUs in two boxes.",
}
"""What each example is about."""


def write(folder: Path) -> None:
    """Solve all examples, and write the page and its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [HEAD]
    for name in SENTENCES:
        lines += card(name, folder)
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")


def card(name: str, folder: Path) -> Iterator[str]:
    """Write the picture of an example, and give the lines of its entry."""
    answer = steadygrid.solve(ROOT / "examples" / f"{name}.json")
    shown = "gantt" if "gantt" in answer.pictures else next(iter(answer.pictures))
    (folder / f"{name}.svg").write_bytes(answer.picture(shown).svg.encode())
    headline = " ".join(str(answer).split("\n\n")[1].split())
    sentence = SENTENCES[name]
    yield from (f"## {name}", "", sentence, "", f"![{sentence}]({name}.svg)", "")
    yield from ("```", f"steadygrid solve examples/{name}.json", "", f"  {headline}", "```", "")
