"""What the referee shares with admission and solvers is small, named, and tested a second way.

What is read off an instance, decided or computed by one function on both sides can be wrong on both
sides at once. So each such function has a sentence here that says why there is only one, and a
test that finds the same by itself: by enumeration, or by hand from the contract.
"""

import ast
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import pytest

from steadygrid.kinds import PROBLEMS
from tests.architecture.reach import Sources, without_data
from tests.tree import ROOT, syntax_of

REGISTRY = "steadygrid.kinds.PROBLEMS"
OUTSIDE = (
    "steadygrid.cli",
    "steadygrid.__main__",
    "steadygrid.engine.answer_process",
    "steadygrid.engine.reporter",
    "steadygrid.engine.robustness",
    "steadygrid.kinds.simulation.subject",
)
"""They start solvers, ask the referee, and draw; they compute no answer."""
OF_JOBS = {
    "steadygrid.domain.problem",
    "steadygrid.kinds",
    "steadygrid.submissions.counts",
    "steadygrid.submissions.submission",
}
"""How kinds are found, and how jobs are declared, read and claimed: no rule of scheduling either."""


class Shared(NamedTuple):
    """Functions of a module that both sides use."""

    names: frozenset[str]
    why: str
    test: str
    """File and function of the test by a second way."""


PLAIN = {
    "steadygrid.domain.amounts": "fractions added up by name",
    "steadygrid.domain.combination": "documents of combinations",
    "steadygrid.domain.errors": "how faults are told",
    "steadygrid.domain.units": "texts of numbers with a unit, all of them refused",
    "steadygrid.domain.nearest": "words that were meant where others were written",
    "steadygrid.domain.quantity": "texts of numbers with a unit, in the units of a platform",
    "steadygrid.domain.rational": "texts of numbers, and rationals",
    "steadygrid.domain.schedule": "documents of schedules",
    "steadygrid.domain.graph_objects": "what platforms and applications are read of and shown as",
    "steadygrid.domain.showing": "lines that objects are shown as",
    "steadygrid.domain.text": "texts of names",
    "steadygrid.domain.timeline": "documents of schedules that run once",
    "steadygrid.domain.timetable": "documents of schedules that repeat row by row",
}
"""Modules that read, write and add: no rule of scheduling is in what both sides use of them."""

SHARED = {
    "steadygrid.domain.job": Shared(
        frozenset({"Options.asked_run", "Options.longest_period", "Options.wants_whole_files"}),
        "What a null of `whole_files`, a word for `max_period` and the older name of a run mean is part"
        " of the question.",
        "tests/domain/test_shared_rules.py::test_whole_files_are_wanted_unless_a_period_or_no_is_asked",
    ),
    "steadygrid.domain.run": Shared(
        frozenset({"RunGoal"}),
        "What a run is for is part of the question.",
        "tests/submissions/test_runs_of_instances.py::test_what_cannot_be_run_is_refused_with_its_place",
    ),
    "steadygrid.domain.resources": Shared(
        frozenset(
            f"{name}_resource"
            for name in (
                "compute",
                "send",
                "receive",
                "port",
                "out",
                "in",
                "link",
                "half",
                "medium",
            )
        )
        | {"channel_name", "class_name", "pair_name"},
        "Names are words of the contract, which solvers write and the referee reads.",
        "tests/domain/test_shared_rules.py"
        "::test_a_link_takes_what_the_contract_says_under_each_port_model",
    ),
    "steadygrid.domain.rounding": Shared(
        frozenset({"magnitude", "num_bits", "num_digits"}),
        "How long a number is decides whether it is printed, and whether an exact period is due.",
        "tests/engine/scheduling/test_period.py::test_digits_are_counted_to_within_one",
    ),
    "steadygrid.domain.runs": Shared(
        frozenset(
            {
                "DerivedSlots",
                "DerivedSlots._cuts",
                "DerivedSlots._starts",
                "DerivedSlots._stretches",
                "DerivedSlots.starting_with",
                "_slot",
                "_whole",
                "common_unit",
                "run_document",
                "slots_of",
            }
        ),
        "A header counts the slots that its runs make. The referee compares that number; it judges"
        " the runs themselves, and never derives slots to do so.",
        "tests/verification/test_runs.py::test_derived_slots_are_what_goes_on_between_two_changes",
    ),
    "steadygrid.domain.slots": Shared(
        frozenset({"slot_document"}),
        "How a slot is written is part of the contract.",
        "tests/verification/test_runs.py::test_documents_have_runs_or_slots_and_never_both",
    ),
    "steadygrid.kinds.shared.elimination": Shared(
        frozenset({"_entries", "_greedy", "eliminate"}),
        "Any order of the tasks gives the same answer; a good one is long to find, and only time and"
        " room depend on it.",
        "tests/kinds/test_elimination.py::test_an_order_is_as_wide_as_eliminating_by_hand_says",
    ),
    "steadygrid.kinds.dataflow.schemas": Shared(
        frozenset(
            {
                "DataflowInstance.channel_names",
                "DataflowInstance.chooses_places",
                "DataflowInstance.even",
                "_given_as",
                "room_name",
            }
        ),
        "What a channel without an id is called, and whether a rate is one number or a list, are words"
        " of the contract.",
        "tests/kinds/dataflow/test_faults.py::test_a_channel_without_an_id_is_named_by_its_ends",
    ),
    "steadygrid.verification.placement": Shared(
        frozenset(
            {
                "Places.from_hops",
                "Places.reaches",
                "_close",
                "_join",
                "_split",
                "placement_exists",
            }
        ),
        "Admission refuses what needs no resource, the referee believes no solver that finds no"
        " allocation: both ask whether tasks can be placed, which takes a program of its own.",
        "tests/verification/test_placement.py::test_tasks_can_be_placed_where_enumeration_says_so",
    ),
}
"""What the referee shares with admission or with solvers, by module."""

BEFORE_THE_REFEREE = {
    "steadygrid.kinds.replicated_workflow.faults": (
        "tests/kinds/replicated_workflow/test_mappings.py::test_mappings_are_counted_from_above"
    ),
    "steadygrid.kinds.replicated_workflow.matching": (
        "tests/kinds/replicated_workflow/test_mappings.py::test_mappings_are_counted_from_above"
    ),
    "steadygrid.kinds.replicated_workflow.stages": (
        "tests/kinds/replicated_workflow/test_mappings.py"
        "::test_the_referee_takes_what_searches_answer"
    ),
    "steadygrid.domain.periods": (
        "tests/engine/executions/test_ordered.py::test_without_noise_the_clock_keeps_every_date"
    ),
    "steadygrid.domain.roles": (
        "tests/engine/executions/test_ordered.py::test_without_noise_the_clock_keeps_every_date"
    ),
    "steadygrid.kinds.simulation.sizing": (
        "tests/engine/executions/test_ordered.py::test_operations_are_those_that_the_schedule_lists"
    ),
    "steadygrid.kinds.bag_of_tasks.grid": (
        "tests/kinds/bag_of_tasks/test_cells.py::test_cells_are_counted_before_they_are_made"
    ),
    "steadygrid.kinds.bag_of_tasks.schemas": (
        "tests/kinds/bag_of_tasks/test_agreement.py::test_classes_are_those_that_the_contract_says"
    ),
    "steadygrid.domain.rounding": (
        "tests/kinds/bag_of_tasks/test_cells.py"
        "::test_long_bounds_of_cells_are_nearly_of_the_ratio_asked"
    ),
    "steadygrid.domain.pools": (
        "tests/kinds/task_graph/test_twins.py::test_pools_have_the_optimum_of_all_hosts"
    ),
    "steadygrid.domain.twins": (
        "tests/domain/test_twins.py::test_members_are_exchangeable_and_never_joined"
    ),
    "steadygrid.kinds.shared.pools": (
        "tests/kinds/task_graph/test_twins.py::test_pools_have_the_optimum_of_all_hosts"
    ),
    "steadygrid.domain.platform": (
        "tests/domain/test_shared_rules.py::test_a_link_takes_what_the_contract_says_under_each_port_model"
    ),
    "steadygrid.kinds.layer_pipeline.chain": (
        "tests/kinds/layer_pipeline/test_agreement.py"
        "::test_numbers_are_those_that_the_contract_says"
    ),
    "steadygrid.kinds.cell.periods": (
        "tests/kinds/cell/test_agreement.py::test_tables_and_bounds_agree_with_the_plain_words_of_the_chapter"
    ),
    "steadygrid.kinds.cell.schemas": (
        "tests/kinds/cell/test_agreement.py::test_tables_and_bounds_agree_with_the_plain_words_of_the_chapter"
    ),
    "steadygrid.kinds.shared.collection": (
        "tests/kinds/test_admission.py::test_times_are_those_that_the_contract_says"
    ),
    "steadygrid.kinds.collective.choice": (
        "tests/kinds/collective/test_reductions.py::test_where_a_table_is_made_the_referee_makes_one"
    ),
    "steadygrid.kinds.collective.schemas": (
        "tests/kinds/collective/test_agreement.py::test_messages_are_those_that_the_contract_says"
    ),
    "steadygrid.kinds.collective.sizing": (
        "tests/kinds/collective/test_faults.py::test_what_a_table_of_trees_takes_is_counted"
    ),
    "steadygrid.kinds.divisible_chain.schemas": (
        "tests/kinds/test_admission.py::test_installments_are_the_most_within_the_ratio"
    ),
    "steadygrid.kinds.divisible_chain.sizing": (
        "tests/kinds/test_admission.py::test_a_chain_is_the_only_order_in_which_it_can_be_walked"
    ),
    "steadygrid.kinds.divisible_star.return_methods": (
        "tests/kinds/divisible_star/results/test_results.py::test_each_question_about_results_has_its_method"
    ),
    "steadygrid.kinds.divisible_star.choice": (
        "tests/kinds/divisible_star/test_faults.py::test_each_question_has_its_method"
    ),
    "steadygrid.kinds.divisible_star.order": (
        "tests/kinds/test_admission.py::test_a_tree_is_read_as_its_links_say"
    ),
    "steadygrid.kinds.master_worker.pools": (
        "tests/kinds/master_worker/test_pools.py::test_pools_have_the_optimum_of_all_workers"
    ),
    "steadygrid.kinds.master_worker.schemas": (
        "tests/kinds/test_admission.py::test_workers_are_those_to_whom_a_path_leads"
    ),
    "steadygrid.kinds.master_worker.sizing": (
        "tests/kinds/test_admission.py::test_workers_are_those_to_whom_a_path_leads"
    ),
    "steadygrid.kinds.shared.members": ("tests/kinds/test_members.py::test_what_is_told_of_them"),
    "steadygrid.kinds.mono_allocation.fitting": (
        "tests/kinds/mono_allocation/test_within_limits.py"
        "::test_what_fits_is_found_and_what_does_not_is_told"
    ),
    "steadygrid.kinds.mono_allocation.schemas": (
        "tests/kinds/mono_allocation/test_limits_refereed.py"
        "::test_processors_too_small_for_a_task_cannot_run_it"
    ),
    "steadygrid.kinds.mono_allocation.processor_bound": (
        "tests/kinds/mono_allocation/programs/test_twins.py"
        "::test_the_optimum_is_that_of_all_processors"
    ),
    "steadygrid.kinds.mono_allocation.program": (
        "tests/kinds/mono_allocation/test_sizing.py"
        "::test_the_exact_program_is_counted_for_routing_and_duplication"
    ),
    "steadygrid.kinds.task_graph.dependencies": (
        "tests/kinds/task_graph/test_constraint_lists.py"
        "::test_lists_by_post_dominators_are_those_of_the_definition"
    ),
    "steadygrid.kinds.shared.reaching": (
        "tests/kinds/collective/test_size_zero.py"
        "::test_a_message_without_a_route_is_infeasible_whatever_its_size"
    ),
    "steadygrid.kinds.shared.routes": (
        "tests/kinds/test_routes.py::test_every_route_is_the_first_of_the_shortest_paths"
    ),
    "steadygrid.kinds.task_graph.given": (
        "tests/kinds/task_graph/test_given.py::test_members_of_classes_take_turns"
    ),
    "steadygrid.kinds.task_graph.list_program": (
        "tests/kinds/task_graph/test_constraint_lists.py"
        "::test_the_size_that_limits_go_by_is_the_size_of_the_program"
    ),
    "steadygrid.kinds.master_worker.holders": (
        "tests/kinds/master_worker/test_fixed_routing.py"
        "::test_the_optimum_is_that_of_all_chains_of_routes"
    ),
}
"""Modules of which admission and solvers both use something that the referee derives anew."""


def of_a_solver(name: str) -> bool:
    """Whether a name is of what solves: the engine, or the solving half of a kind."""
    return re.match(r"steadygrid\.(engine|kinds\.\w+\.solver)\.", name) is not None


@cache
def sources() -> Sources:
    return Sources("steadygrid", leaving_out=OUTSIDE)


@cache
def used_by(side: str) -> frozenset[str]:
    """What the referees, admission or the solvers of all kinds use."""
    units, kinds = sources().units, [f"steadygrid.kinds.{kind}" for kind in PROBLEMS]
    roots = {
        "referee": [f"{kind}.validator.validate" for kind in kinds],
        "admission": [f"{kind}.sizing.{name}" for kind in kinds for name in ("faults", "sizing")]
        + [name for name in units if name.startswith("steadygrid.submissions.submission.")],
        "solvers": [name for name in units if of_a_solver(name)],
    }
    return frozenset(without_data(sources(), sources().reached(roots[side], REGISTRY)))


def by_module(names: frozenset[str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in names:
        module = sources().units[name].scope.module
        if module not in PLAIN:
            found.setdefault(module, set()).add(name.removeprefix(f"{module}."))
    return {module: frozenset(listed) for module, listed in found.items()}


def test_the_referee_shares_only_what_is_named() -> None:
    both = used_by("referee") & (used_by("admission") | used_by("solvers"))
    assert by_module(both) == {module: shared.names for module, shared in SHARED.items()}


def test_the_referee_uses_nothing_of_the_solvers() -> None:
    assert not [name for name in used_by("referee") if of_a_solver(name)]


def test_what_admission_and_solvers_share_is_named() -> None:
    both = (used_by("admission") & used_by("solvers")) - used_by("referee")
    assert by_module(both).keys() - OF_JOBS == BEFORE_THE_REFEREE.keys()


@pytest.mark.parametrize(
    "test", sorted({*(shared.test for shared in SHARED.values()), *BEFORE_THE_REFEREE.values()})
)
def test_the_test_by_a_second_method_exists(test: str) -> None:
    path, _, name = test.partition("::")
    tree = syntax_of(ROOT / path)
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("side", ["referee", "admission", "solvers"])
def test_what_a_side_uses_is_found(side: str) -> None:
    """Names, members by their annotations, and members of what only runs tell are all followed."""
    known = {
        "referee": {
            "kinds.cell.referee_view.RefereeView.needs",
            "kinds.mono_allocation.referee_search._Search.run",
            "verification.fitting.Demand.surely_fits",
            "verification.prices.Cost.exact",
            "verification.slots._check_matching",
        },
        "admission": {"domain.platform.arc_uses", "domain.platform.Platform.arcs_out"},
        "solvers": {"domain.platform.arc_uses", "kinds.shared.collection.CollectionInstance.times"},
    }
    assert {f"steadygrid.{name}" for name in known[side]} <= used_by(side)
