"""What `problems` tells about the kinds."""

from typing import Any

import pytest
from rich.cells import cell_len

from steadygrid.cli.catalogue import description_of, list_of_kinds, parts
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE


def description(kind: str, width: int = 80) -> str:
    return "\n".join(line.plain for line in description_of(PROBLEMS[kind], width, UNICODE))


def objects_of(schema: dict[str, Any]) -> set[str]:
    return {name for name, part in schema.get("$defs", {}).items() if part.get("properties")}


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_field_of_every_object_is_told(kind: str) -> None:
    schema = PROBLEMS[kind].instance.model_json_schema()
    listed = list(parts(schema))
    assert len(listed) == 1 + len(objects_of(schema))
    told = description(kind)
    for path, _, fields in listed:
        assert not path or f"\nFields of {path}\n" in told
        for name, _ in fields:
            assert f"\n  {name}" in told


def test_tasks_loads_and_machines_are_described() -> None:
    cell = description("cell")
    assert "\nFields of application.tasks[]\n  A task. A core of a type for which it has" in cell
    assert "\n  time_spe  number: time per instance on an SPE\n" in cell
    assert "\n  local_store     number, default 262144; of each SPE" in cell
    chain = description("divisible_chain")
    assert "\n  communication_volume*  number: data of the whole load\n" in chain
    assert "\nFields of startup\n" in chain
    assert "\n  startup            {data, time} or number: cost" in chain
    assert "The directed route that `routing: fixed` takes" in chain
    assert "\nFields of task\n" in description("master_worker")
    layers = description("layer_pipeline")
    assert "\nFields of bandwidth[]\n  Bandwidth of links between devices of two types" in layers
    assert "\n  layers*   list of text: the first and the last\n" in layers


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("kind", PROBLEMS)
def test_descriptions_fit(kind: str, width: int) -> None:
    told = description(kind, width).split("\nExample\n")[0]
    assert max(map(cell_len, told.splitlines())) <= width


def test_the_list_of_kinds_fits_and_has_all_of_them() -> None:
    for width in (40, 80):
        lines = [line.plain for line in list_of_kinds(PROBLEMS.values(), width)]
        assert max(map(cell_len, lines)) <= width
        assert {line.split()[0] for line in lines if line} >= PROBLEMS.keys()
