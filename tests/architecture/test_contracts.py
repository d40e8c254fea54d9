"""Each import contract is seen to fail: one import that it forbids is planted in the graph."""

from copy import deepcopy
from typing import Any

import grimp
import pytest
from importlinter import Contract, api
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

from tests.tree import ROOT

READ = api.read_configuration(str(ROOT / "pyproject.toml"))
SESSION, CONTRACTS = READ["session_options"], READ["contracts_options"]
TYPES: dict[str, type[Contract]] = {"forbidden": ForbiddenContract, "layers": LayersContract}

PLANTS = {
    "one house": [("steadygrid.domain.platform", "steadygrid.verification.slots")],
    "what believes and tells": [
        ("steadygrid.verification.slots", "steadygrid.engine.slots.search"),
        ("steadygrid.report.page", "scipy"),
        ("steadygrid.submissions.submission", "steadygrid.kinds.cell.solver"),
        ("steadygrid.kinds.shared.pools", "steadygrid.kinds.cell.solver"),
        ("app.jobs.service", "steadygrid.engine.pipeline"),
    ],
    "a kind's contract half": [
        ("steadygrid.kinds.collective.validator", "steadygrid.engine.exact"),
        ("steadygrid.kinds.cell.sizing", "steadygrid.engine.exact.pivots"),
        ("steadygrid.kinds.cell.schemas", "steadygrid.kinds.cell.solver"),
        ("steadygrid.kinds.cell", "steadygrid.kinds.cell.solver.model"),
        ("steadygrid.kinds.cell.view", "scipy"),
        ("steadygrid.kinds.shared.pools", "steadygrid.engine.solver"),
        ("steadygrid.kinds.divisible_star.claims.one_round", "steadygrid.engine.exact"),
        (
            "steadygrid.kinds.divisible_star.optimality.partial",
            "steadygrid.kinds.divisible_star.solver.star.star",
        ),
    ],
    "rooms of divisible_star": [
        (
            "steadygrid.kinds.divisible_star.replay.timeline",
            "steadygrid.kinds.divisible_star.claims.one_round",
        ),
    ],
    "rooms of its solver": [
        (
            "steadygrid.kinds.divisible_star.solver.star.star",
            "steadygrid.kinds.divisible_star.solver.rounds.umr",
        ),
    ],
    "the engine": [("steadygrid.engine.exact.pivots", "steadygrid.engine.pipeline")],
    "the library knows no service": [
        ("steadygrid.solving", "workers.supervisor"),
        ("steadygrid.engine.pipeline", "app.db.engine"),
        ("steadygrid.kinds.cell.solver.model", "sqlalchemy"),
    ],
    "the front end:": [("app.settings", "app.http.clients")],
    "the front end never": [("app.main", "workers.embedded")],
    "the workers:": [("workers.lanes", "workers.tasks")],
    "workers import of": [("workers.supervisor", "app.jobs.service")],
    "only steadygrid.pictures": [("steadygrid.report.page", "altair")],
    "only app.db": [("workers.supervisor", "sqlalchemy")],
}
"""By the first words of a contract's name: imports, each of which it forbids."""


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(
        *SESSION["root_packages"], include_external_packages=True, cache_dir=None
    )


def contract(options: dict[str, Any]) -> Contract:
    return TYPES[options["type"]](options["name"], SESSION, options)


def test_each_contract_has_a_plant() -> None:
    found = {
        start: [c["name"] for c in CONTRACTS if c["name"].startswith(start)] for start in PLANTS
    }
    assert [len(names) for names in found.values()] == [1] * len(CONTRACTS)


@pytest.mark.parametrize("options", CONTRACTS, ids=lambda options: options["name"])
def test_a_contract_is_kept_and_breaks_with_each_plant(
    graph: grimp.ImportGraph, options: dict[str, Any]
) -> None:
    assert contract(options).check(deepcopy(graph), verbose=False).kept
    (plants,) = (plants for start, plants in PLANTS.items() if options["name"].startswith(start))
    for importer, imported in plants:
        planted = deepcopy(graph)
        assert {importer, imported} <= planted.modules
        planted.add_import(
            importer=importer, imported=imported, line_number=1, line_contents="planted"
        )
        check = contract(options).check(planted, verbose=False)
        assert not check.kept, (importer, imported)


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("steadygrid.kinds.cell.room.module", "steadygrid.engine.exact"),
        ("steadygrid.kinds.cell.room.module", "steadygrid.kinds.cell.solver.model"),
        ("steadygrid.kinds.cell.room.module", "steadygrid.kinds.cell.solver.room.module"),
        ("steadygrid.kinds.cell.sizing", "steadygrid.kinds.cell.solver.room.module"),
    ],
)
def test_a_new_room_of_either_half_of_a_kind_is_under_the_contract(
    graph: grimp.ImportGraph, importer: str, imported: str
) -> None:
    """Nothing else imports the room yet, so that no other module breaks the contract for it."""
    (options,) = (c for c in CONTRACTS if c["name"].startswith("a kind's contract half"))
    planted = deepcopy(graph)
    for room in ("steadygrid.kinds.cell.room", "steadygrid.kinds.cell.solver.room"):
        planted.add_module(room)
        planted.add_module(f"{room}.module")
    planted.add_import(importer=importer, imported=imported, line_number=1, line_contents="planted")
    assert not contract(options).check(planted, verbose=False).kept
