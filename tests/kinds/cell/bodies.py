"""Small problems whose numbers can be followed by hand."""

from typing import Any

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission


def body(
    tasks: dict[str, dict[str, Any]],
    files: dict[str, Any],
    method: str = "milp",
    **machine: Any,
) -> dict[str, Any]:
    """Write a problem: tasks by name, sizes of files by ``"k l"``."""
    return {
        "problem": {
            "kind": "cell",
            "machine": {"bandwidth": 1} | machine,
            "application": {
                "tasks": [{"id": name} | task for name, task in tasks.items()],
                "files": [
                    {"source": ends.split()[0], "target": ends.split()[1], "size": size}
                    for ends, size in files.items()
                ],
            },
            "method": method,
        }
    }


def both(time: Any = 1, **more: Any) -> dict[str, Any]:
    """A task that takes the same time everywhere."""
    return {"time_ppe": time, "time_spe": time} | more


def chain(method: str = "milp", **machine: Any) -> dict[str, Any]:
    """Four tasks in a row, files of size 1: first periods 1, 3, 5, 7, every buffer 2.

    On an SPE the tasks need 2, 4, 4 and 2.
    """
    tasks = {name: both() for name in "abcd"}
    return body(tasks, {"a b": 1, "b c": 1, "c d": 1}, method, **machine)


def faults(asked: dict[str, Any]) -> list[tuple[str, str, str]]:
    """List code, pointer and text of the faults of a body."""
    try:
        parse_submission(asked, Limits())
    except InstanceError as error:
        return [(f.code, "/".join(map(str, f.pointer)), f.detail) for f in error.faults]
    return []
