"""DAX, the XML of Pegasus 2 to 4, to an application."""

from collections.abc import Mapping

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import refused
from steadygrid.formats.importer import Imported
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.workflows.jobs import Workflow
from steadygrid.formats.xml_tree import XMLNode, read_tree

_JOBS = ("job", "dax", "dag")


def import_dax(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a DAX into an `Application` in bytes and flop.

    Parameters
    ----------
    data
        The XML document, version 2 or 3.
    parameters
        ``name``, ``reference_speed``, ``runtime`` and ``file_size``.
    limits
        `max_body_bytes`, `max_tasks`, `max_files`.

    Raises
    ------
    InstanceError
        With every fault found, each with its line; ``missing_parameter``.
    """
    root = read_tree(data, limits)
    if root.tag != "adag":
        raise refused(root.line, "missing", "the root element of a DAX is <adag>")
    notes = Notes()
    workflow = Workflow(parameters, limits, notes)
    for element in root.children:
        if element.tag in _JOBS:
            _read_job(element, workflow)
    for child in root.children_named("child"):
        for parent in child.children_named("parent"):
            workflow.parents.setdefault((parent.get("ref"), child.get("ref")), parent.line)
    told = root.get("jobCount")
    if told and told != str(len(workflow.jobs)):
        notes.say(f"jobCount is {told[:20]}, and there are {len(workflow.jobs)} jobs")
    return workflow.finish(root.get("name") or None)


def _read_job(element: XMLNode, workflow: Workflow) -> None:
    name = element.get("id")
    if not name:
        workflow.faults.add(element.line, "missing", "a job has no id: give it one")
        return
    job = workflow.add_job(name, element.line)
    runtime = element.get("runtime")
    for profile in element.children_named("profile"):
        if profile.get("key") == "runtime" and not runtime:
            runtime = profile.text
    if runtime:
        job.runtime = workflow.number(runtime, element.line)
    if element.get("cores", "1") != "1":
        workflow.notes.add("runtimes on several cores count as the work of one processor", name)
    if element.tag != "job":
        workflow.notes.add("a workflow inside of the workflow is one job", name)
    for uses in element.children_named("uses"):
        file = uses.get("file") or uses.get("name")
        if not file:
            workflow.faults.add(uses.line, "missing", "a file has no name (file or name)")
            continue
        size = uses.get("size") or None
        workflow.add_file(job, file, uses.get("link").lower(), size, uses.line)
