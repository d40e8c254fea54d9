"""A mapping as an executed workflow in WfFormat."""

import json
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from steadygrid.formats.exporter import Answer, Exported, Exporter
from steadygrid.formats.fault_list import refused
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance, MonoAllocationResult

VERSION = "1.5"
"""Of WfFormat."""


def to_wfformat(answer: Answer, _parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write the workflow of an answer, with the processors that run each task.

    Parameters
    ----------
    answer
        With a mapping, and its instance.
    _parameters
        Not read.

    Raises
    ------
    InstanceError
        ``no_mapping``: the answer maps no tasks.
    """
    result, instance = answer.result, answer.instance
    assert isinstance(result, MonoAllocationResult)
    assert isinstance(instance, MonoAllocationInstance)
    if not result.mapping:
        raise refused("", "no_mapping", "this answer maps no tasks: there is nothing to write")
    document = {
        "name": instance.application.name or "application",
        "schemaVersion": VERSION,
        "workflow": {
            "specification": _specification(instance),
            "execution": _execution(instance, result.mapping),
        },
    }
    notes = ["runtimes are those of one instance, as floating-point numbers of seconds"]
    if any(size.denominator > 1 for size in instance.file_sizes.values()):
        notes.append("sizes are rounded up to whole bytes")
    return Exported(json.dumps(document, ensure_ascii=False, indent=1) + "\n", tuple(notes))


def _specification(instance: MonoAllocationInstance) -> dict[str, Any]:
    files = {pair: f"{pair[0]} to {pair[1]}" for pair in instance.file_sizes}
    return {
        "tasks": [
            {
                "name": task.id,
                "id": task.id,
                "parents": [source for source, target in files if target == task.id],
                "children": [target for source, target in files if source == task.id],
                "inputFiles": [name for pair, name in files.items() if pair[1] == task.id],
                "outputFiles": [name for pair, name in files.items() if pair[0] == task.id],
            }
            for task in instance.application.tasks
        ],
        "files": [
            {"id": name, "sizeInBytes": ceil(instance.file_sizes[pair])}
            for pair, name in files.items()
        ],
    }


def _execution(
    instance: MonoAllocationInstance, mapping: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    positions = {processor.id: i for i, processor in enumerate(instance.platform.processors)}
    used = {name for names in mapping.values() for name in names}

    def runtime(task: int, names: Sequence[str]) -> float:
        times = [instance.times[task][positions[name]] for name in names]
        return float(max(time for time in times if time is not None))

    return {
        "tasks": [
            {
                "id": task.id,
                "runtimeInSeconds": runtime(i, mapping[task.id]),
                "machines": list(mapping[task.id]),
            }
            for i, task in enumerate(instance.application.tasks)
        ],
        "machines": [{"nodeName": name} for name in positions if name in used],
    }


WFFORMAT = Exporter(
    name="wfformat",
    kind="mono_allocation",
    content_type="application/wfformat+json",
    title="WfFormat",
    convert=to_wfformat,
    of_instance=True,
)
