"""Mappings written as executed workflows."""

import json
from fractions import Fraction
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.formats.wfformat import IMPORTER
from steadygrid.kinds.mono_allocation import PROBLEM

BODY: dict[str, Any] = dict(PROBLEM.example)


def test_a_mapping_is_an_execution_that_is_read_back() -> None:
    answer = sg.solve(BODY, in_process=True)
    text = answer.export("wfformat")
    document = json.loads(text)["workflow"]
    machines = {task["id"]: task["machines"] for task in document["execution"]["tasks"]}
    assert machines == answer.result.mapping
    listed = {machine["nodeName"] for machine in document["execution"]["machines"]}
    assert listed == {name for names in machines.values() for name in names}
    instance: Any = answer.submission.instance
    positions = [processor.id for processor in instance.platform.processors]
    for i, task in enumerate(document["execution"]["tasks"]):
        (name,) = task["machines"]
        assert task["runtimeInSeconds"] == float(instance.times[i][positions.index(name)])
    again: Any = IMPORTER.read([text.encode()], {"reference_speed": "1f"}).document
    assert [task.id for task in again.tasks] == [task.id for task in instance.application.tasks]
    sizes = {(file.source, file.target): file.size for file in again.files}
    assert sizes == dict(instance.file_sizes)


def test_sizes_are_whole_bytes() -> None:
    body = json.loads(json.dumps(BODY))
    body["problem"]["application"]["files"][0]["size"] = "7/2"
    document = json.loads(sg.solve(body, in_process=True).export("wfformat"))
    assert document["workflow"]["specification"]["files"][0]["sizeInBytes"] == 4


def test_an_answer_without_a_mapping_is_refused() -> None:
    body = json.loads(json.dumps(BODY))
    body["problem"]["method"] = "upper_bound"
    answer = sg.solve(body, in_process=True)
    assert answer.result.bound.value > Fraction(0)
    with pytest.raises(sg.InstanceError, match="maps no tasks"):
        answer.export("wfformat")
