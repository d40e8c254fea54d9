"""Exact, verified steady-state schedules for heterogeneous platforms.

As a library::

    import steadygrid as sg

    answer = sg.solve("examples/rr4870-figure-3.json")
    print(answer)                      # the summary
    answer.objective                   # Fraction(21, 40)
    sg.check(answer.instance, answer.result, answer.schedule)
    answer.picture("gantt").save("gantt.svg")
    print(sg.what_if(answer, factor=2))    # what would help most, if it were twice as fast
    sg.replan(answer, {"processors": {"P2": {"speed": "1/4"}}})    # what is kept of it, and what is best now
    list(sg.sweep("examples/sweeps/figure-3-links-and-machines.json"))    # rows of a table

`problems()` gives the kinds of problem, each with its example; `read_platform` and
`read_application` read files, those of steadygrid and foreign ones, and `read_mapping` tables of
who runs what. What is wrong with a problem, an answer or a solve is a `SchedulingError`.

Pictures need ``pip install 'steadygrid[pictures]'``: `Answer.pictures` lists those that an answer has,
`Answer.picture` and `picture_of_platform` draw. What prevents it is a `PictureError`.

What is named here is loaded when it is first used: the import alone costs nothing. `solve` starts a
process that loads the solver, and keeps it for the next solve of the main thread; `close` ends it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steadygrid.answer import Answer
    from steadygrid.client import AsyncClient, Client
    from steadygrid.dispatcher import Dispatcher
    from steadygrid.domain.application import Application
    from steadygrid.domain.errors import (
        CertificationError,
        InstanceError,
        InternalError,
        InvalidScheduleError,
        LimitError,
        SchedulingError,
        SolverError,
        TimeLimitError,
    )
    from steadygrid.domain.job import Outcome
    from steadygrid.domain.limits import Limits
    from steadygrid.domain.platform import Platform
    from steadygrid.domain.problem import Problem
    from steadygrid.library import check, replan, solve, sweep, what_if
    from steadygrid.pictures.drawn import DrawnPicture, picture_of_platform
    from steadygrid.pictures.errors import PictureError
    from steadygrid.reading import (
        LossyFormatWarning,
        read_application,
        read_mapping,
        read_platform,
    )
    from steadygrid.sequencer import Sequencer
    from steadygrid.solving import close
    from steadygrid.studies.forecast import forecast
    from steadygrid.studies.sweep_table import SweepRow
    from steadygrid.submissions.question import Question
    from steadygrid.submissions.questions import (
        bag_of_tasks,
        cell,
        collective,
        dataflow,
        divisible_chain,
        divisible_star,
        layer_pipeline,
        master_worker,
        mono_allocation,
        replicated_workflow,
        simulation,
        task_graph,
    )

    def problems() -> Mapping[str, Problem[Any, Any]]:
        """Give the kinds of problem. The package of this name can be called."""


__all__ = [
    "Answer",
    "Application",
    "AsyncClient",
    "CertificationError",
    "Client",
    "Dispatcher",
    "DrawnPicture",
    "InstanceError",
    "InternalError",
    "InvalidScheduleError",
    "LimitError",
    "Limits",
    "LossyFormatWarning",
    "Outcome",
    "PictureError",
    "Platform",
    "Question",
    "SchedulingError",
    "Sequencer",
    "SolverError",
    "SweepRow",
    "TimeLimitError",
    "bag_of_tasks",
    "cell",
    "check",
    "close",
    "collective",
    "dataflow",
    "divisible_chain",
    "divisible_star",
    "forecast",
    "layer_pipeline",
    "master_worker",
    "mono_allocation",
    "picture_of_platform",
    "problems",
    "read_application",
    "read_mapping",
    "read_platform",
    "replan",
    "replicated_workflow",
    "simulation",
    "solve",
    "sweep",
    "task_graph",
    "what_if",
]

_ROOMS = {
    "steadygrid.answer": ("Answer",),
    "steadygrid.client": ("AsyncClient", "Client"),
    "steadygrid.dispatcher": ("Dispatcher",),
    "steadygrid.domain.application": ("Application",),
    "steadygrid.domain.errors": (
        "CertificationError",
        "InstanceError",
        "InternalError",
        "InvalidScheduleError",
        "LimitError",
        "SchedulingError",
        "SolverError",
        "TimeLimitError",
    ),
    "steadygrid.domain.job": ("Outcome",),
    "steadygrid.domain.limits": ("Limits",),
    "steadygrid.domain.platform": ("Platform",),
    "steadygrid.library": ("check", "replan", "solve", "sweep", "what_if"),
    "steadygrid.pictures.drawn": ("DrawnPicture", "picture_of_platform"),
    "steadygrid.pictures.errors": ("PictureError",),
    "steadygrid.reading": (
        "LossyFormatWarning",
        "read_application",
        "read_mapping",
        "read_platform",
    ),
    "steadygrid.sequencer": ("Sequencer",),
    "steadygrid.solving": ("close",),
    "steadygrid.studies.forecast": ("forecast",),
    "steadygrid.studies.sweep_table": ("SweepRow",),
    "steadygrid.submissions.question": ("Question",),
    "steadygrid.submissions.questions": (
        "bag_of_tasks",
        "cell",
        "collective",
        "dataflow",
        "divisible_chain",
        "divisible_star",
        "layer_pipeline",
        "master_worker",
        "mono_allocation",
        "replicated_workflow",
        "simulation",
        "task_graph",
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "problems":
        return import_module("steadygrid.kinds")
    if name == "__version__":
        return import_module("importlib.metadata").version("steadygrid")
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=None)
    found = globals()[name] = getattr(import_module(_ROOM_OF[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
