"""The YAML of Pegasus 5 to an application."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.errors import Pointer
from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import refused
from steadygrid.formats.importer import Imported
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.workflows.jobs import Workflow
from steadygrid.formats.yaml_tree import read_yaml


def import_pegasus(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a workflow of Pegasus 5 into an `Application` in bytes and flop.

    Parameters
    ----------
    data
        The YAML document.
    parameters
        ``name``, ``reference_speed``, ``runtime`` and ``file_size``.
    limits
        `max_body_bytes`, `max_tasks`, `max_files`.

    Raises
    ------
    InstanceError
        With every fault found; pointers walk the document; ``missing_parameter``.
    """
    document = read_yaml(data, limits)
    if not isinstance(document, dict) or not isinstance(document.get("jobs"), list):
        raise refused(("jobs",), "missing", "expected a list of jobs")
    workflow = Workflow(parameters, limits, Notes())
    for i, entry in enumerate(document["jobs"]):
        _read_job(entry, ("jobs", i), workflow)
    for i, entry in enumerate(_list(document, "jobDependencies", (), workflow)):
        at: Pointer = ("jobDependencies", i)
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            workflow.faults.add(at, "missing", "expected an id, and a list of children")
            continue
        for j, child in enumerate(_list(entry, "children", at, workflow)):
            workflow.parents.setdefault((entry["id"], str(child)), (*at, "children", j))
    name = document.get("name")
    return workflow.finish(name if isinstance(name, str) else None)


def _read_job(entry: Any, at: Pointer, workflow: Workflow) -> None:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        workflow.faults.add((*at, "id"), "missing", "a job has no id: give it one")
        return
    job = workflow.add_job(entry["id"], at)
    profiles = _mapping(_mapping(entry, "profiles"), "pegasus")
    runtime = profiles.get("runtime", entry.get("runtime"))
    if runtime is not None:
        job.runtime = workflow.number(runtime, (*at, "profiles", "pegasus", "runtime"))
    if str(profiles.get("cores", "1")) != "1":
        workflow.notes.add(
            "runtimes on several cores count as the work of one processor", entry["id"]
        )
    if entry.get("type", "job") != "job":
        workflow.notes.add("a workflow inside of the workflow is one job", entry["id"])
    for i, file in enumerate(_list(entry, "uses", at, workflow)):
        here: Pointer = (*at, "uses", i)
        if not isinstance(file, dict) or not isinstance(file.get("lfn"), str):
            workflow.faults.add((*here, "lfn"), "missing", "a file has no lfn: name it")
            continue
        size = file.get("size", _mapping(file, "metadata").get("size"))
        workflow.add_file(job, file["lfn"], str(file.get("type")), size, (*here, "size"))


def _mapping(parent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = parent.get(name)
    return found if isinstance(found, dict) else {}


def _list(parent: Mapping[str, Any], name: str, at: Pointer, workflow: Workflow) -> list[Any]:
    found = parent.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        workflow.faults.add((*at, name), "invalid_type", "expected a list")
        return []
    return found
