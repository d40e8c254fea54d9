"""The options of ``steadygrid solve``: how they are called, and what was given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from steadygrid.cli.terminal import Refusal
from steadygrid.report.glyphs import printable

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="The body of POST /v1/jobs; or a platform and an application, ours or in a foreign"
        " format; or a platform and --master, --work, --input. - is standard input.",
    ),
]
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="What to make of a platform and an application; default: task_graph.",
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        "--master", metavar="ID", help="The processor that holds a bag of identical tasks."
    ),
]
Work = Annotated[
    str | None,
    typer.Option(
        "--work", metavar="AMOUNT", help="Work of a task, such as 20Gf, or a plain number."
    ),
]
Input = Annotated[
    str | None,
    typer.Option(
        "--input",
        metavar="SIZE",
        help="Data that a task needs from the master, such as 25MB or 25MiB; 0: none.",
    ),
]
Return = Annotated[
    str | None,
    typer.Option(
        "--return", metavar="SIZE", help="Data that a task sends back; 0, if not given: none."
    ),
]
OldReturn = Annotated[str | None, typer.Option("--output", hidden=True)]
"""What ``--return`` was called."""
Ports = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="one_port, multiport, send_or_receive, no_overlap; default: the kind's.",
    ),
]
Routing = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="fixed (where a foreign platform is given) or free; default: the kind's.",
    ),
]
Method = Annotated[
    str | None,
    typer.Option("--method", metavar="NAME", help="One of the kind's; default: its own choice."),
]
Mapping_ = Annotated[
    str | None,
    typer.Option(
        "--mapping",
        metavar="FILE",
        help="Say how good this mapping is, with method given: CSV with the columns task and"
        " processor, or a JSON object or result; - is standard input. Of two files it makes a"
        " mono_allocation.",
    ),
]
TimeLimit = Annotated[
    str | None, typer.Option(metavar="TIME", help="Such as 90s or 5min; default: 60 s.")
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Of the process of each solve, such as 2GiB; default: STEADYGRID_SOLVER_MEMORY_BYTES, or 4"
        " GiB.",
    ),
]
MaxPeriod = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Longest period of the schedule, or the word exact."),
]
Instances = Annotated[
    str | None,
    typer.Option(
        "--instances",
        metavar="NUMBER",
        help="How many instances the schedule is for: its period is chosen so that they are complete"
        " early, and it says when.",
    ),
]
Horizon = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="How long the schedule runs, such as 24h: it says how many instances are complete then.",
    ),
]
Latencies = Annotated[
    str | None, typer.Option(metavar="HOW", help="ignored or paid; default: ignored.")
]
Prefer = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="Of all optimal rates of master_worker, and of a scatter, gather or all_to_all, any or"
        " those of least_traffic; default: these, unless they take more allocations.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other field of the kind or of the options that is a single value, such as"
        " mip_gap=1/100, or what a foreign format cannot say, such as reference_speed=2Gf (see"
        " `steadygrid convert --help`).",
    ),
]
PrintBody = Annotated[
    bool,
    typer.Option(
        "--print-body", help="Print the body of POST /v1/jobs that says the same; solve nothing."
    ),
]


@dataclass(frozen=True)
class SolveRequest:
    """What was asked beside the files; None where an option was not given."""

    kind: str | None = None
    master: str | None = None
    work: str | None = None
    input_size: str | None = None
    output_size: str | None = None
    ports: str | None = None
    routing: str | None = None
    method: str | None = None
    time_limit: str | None = None
    memory: str | None = None
    max_period: str | None = None
    instances: str | None = None
    horizon: str | None = None
    latencies: str | None = None
    prefer: str | None = None
    mapping: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def bag(self) -> dict[str, str]:
        """What describes a bag of identical tasks, by the name of the option."""
        named = {
            "--master": self.master,
            "--work": self.work,
            "--input": self.input_size,
            "--return": self.output_size,
        }
        return {flag: value for flag, value in named.items() if value is not None}

    @property
    def choices(self) -> dict[str, str]:
        """Fields of a problem that are words, by their names."""
        named = {"ports": self.ports, "routing": self.routing, "method": self.method}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def of_problem(self) -> list[str]:
        """Name the options that a whole problem does not need."""
        kind = [] if self.kind is None else ["--kind"]
        return [*kind, *self.bag, *(f"--{name}" for name in self.choices)]


def named_values(pairs: Sequence[str]) -> dict[str, list[str]]:
    """Read what stands in ``--set NAME=VALUE``, in the order given.

    Raises
    ------
    Refusal
        There is no name, or no value.
    """
    parameters: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise Refusal(f"--set {printable(pair)!r}: expected NAME=VALUE")
        parameters.setdefault(name, []).append(value)
    return parameters


def unique_values(pairs: Sequence[str]) -> dict[str, str]:
    """Read what stands in ``--set NAME=VALUE``; each name may be given once."""
    given = named_values(pairs)
    for name, values in given.items():
        if len(values) > 1:
            raise Refusal(
                f"--set {printable(name)}: given {len(values)} times, and may be given once"
            )
    return {name: value for name, (value,) in given.items()}
