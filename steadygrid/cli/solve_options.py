"""The options of ``steadygrid solve``: how they are called, and what was given."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from steadygrid.cli.terminal import Refusal
from steadygrid.report.glyphs import printable

_CHANGE = re.compile(
    r'(/(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]|"(?:[^"\\]|\\.)*"|[^=\["])*)(=)(.*)', re.DOTALL
)
"""A path into the body, whose selectors have equals signs of their own, and what is put there."""

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="The body of POST /v1/jobs, or a platform and an application, or a platform with"
        " --master, --work and --input. Platforms and applications are JSON or in a foreign"
        " format. - is standard input.",
    ),
]
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="Kind of problem to make of a platform and an application. Default: task_graph.",
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
        help="Data that a task needs from the master, such as 25MB or 25MiB. Use 0 for none.",
    ),
]
Return = Annotated[
    str | None,
    typer.Option("--return", metavar="SIZE", help="Data that a task sends back. Default: 0."),
]
OldReturn = Annotated[str | None, typer.Option("--output", hidden=True)]
"""What ``--return`` was called."""
Ports = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Port model: one_port, multiport, send_or_receive or no_overlap. Default: depends on"
        " the kind.",
    ),
]
Routing = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="Routes of files: fixed or free. Default: fixed for a foreign platform, else depends"
        " on the kind.",
    ),
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="NAME", help="Method of the kind. Default: chosen by the kind."
    ),
]
Mapping_ = Annotated[
    str | None,
    typer.Option(
        "--mapping",
        metavar="FILE",
        help="Judge this mapping, with method given. CSV with the columns task and processor, a"
        " JSON object or a result. - is standard input. A platform and an application become"
        " a mono_allocation.",
    ),
]
TimeLimit = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Longest time to solve, such as 90s or 5min. Default: 60 s."),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory limit of each solve, such as 2GiB. Default: STEADYGRID_SOLVER_MEMORY_BYTES,"
        " or 4 GiB.",
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
        help="Number of instances of the run. The period is chosen to complete them early, and"
        " the answer says when.",
    ),
]
Horizon = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="How long the schedule runs, such as 24h. The answer says how many instances are"
        " complete then.",
    ),
]
Latencies = Annotated[
    str | None, typer.Option(metavar="HOW", help="Latencies: ignored or paid. Default: ignored.")
]
Prefer = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="Which optimal rates to take: any or least_traffic. For master_worker, scatter,"
        " gather and all_to_all. Default: least_traffic, unless it takes more allocations.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Any other field of the kind or of the options with a single value, such as"
        " mip_gap=1/100. Also a parameter of a foreign format, such as reference_speed=2Gf"
        " (see `steadygrid convert --help`). A path puts a value into the body, as sweeps do:"
        " '/problem/platform/links/[source=A,target=B]/bandwidth=125 MB/s'.",
    ),
]
PrintBody = Annotated[
    bool,
    typer.Option(
        "--print-body", help="Print the same problem as the body of POST /v1/jobs, and stop."
    ),
]


@dataclass(frozen=True)
class SolveRequest:
    """What was asked besides the files. None where an option was not given."""

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
        target = _CHANGE.fullmatch(pair)
        name, equals, value = target.groups() if target else pair.partition("=")
        if not equals or not name:
            raise Refusal(f"--set {printable(pair)!r}: expected NAME=VALUE")
        parameters.setdefault(name, []).append(value)
    return parameters


def unique_values(pairs: Sequence[str]) -> dict[str, str]:
    """Read what stands in ``--set NAME=VALUE``. Each name may be given once."""
    given = named_values(pairs)
    for name, values in given.items():
        if len(values) > 1:
            raise Refusal(
                f"--set {printable(name)}: given {len(values)} times, and may be given once"
            )
    return {name: value for name, (value,) in given.items()}
