"""Ways of copied files, read from what the solver says."""

from fractions import Fraction

import pytest

from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.copies import over_used_links


@pytest.mark.parametrize("receivers", [[1, 2], [2, 1]])
def test_a_path_ends_where_a_copy_is_needed_even_if_another_begins_there(
    receivers: list[int],
) -> None:
    tables = MonoTables(
        MonoAllocationInstance.model_validate(
            {
                "kind": "mono_allocation",
                "duplication": "tasks_and_files",
                "routing": "free",
                "platform": {
                    "processors": [{"id": name, "speed": 1} for name in "ABC"],
                    "links": [
                        {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
                        for a, b in ("AB", "BC")
                    ],
                },
                "application": {
                    "tasks": [{"id": "make", "work": 1}, {"id": "use", "work": 1}],
                    "files": [{"source": "make", "target": "use", "size": 1}],
                },
            }
        )
    )
    supply = over_used_links(tables, {(0, 0): 1.0, (0, 1): 1.0})
    one = Fraction(1)
    assert sorted(supply(0, [0], receivers)) == [((0,), one), ((1,), one)]
