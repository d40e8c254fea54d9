"""What is given and not used is told in a warning, for all kinds, methods and options."""

import copy
from itertools import combinations
from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import (
    Submission,
    options_within,
    parse_submission,
    size_submission,
)

GIVEN: dict[str, Any] = {
    "mip_gap": "1/10",
    "max_period": 1000,
    "max_labelling_entries": 5,
    "whole_files": True,
    "latencies": "paid",
    "latency_loss": "1/7",
    "total_instances": 9,
    "prefer": "least_traffic",
    "depth": 3,
    "seed": 1,
    "source": "camera",
    "instances": 7,
    "max_installments": 9,
}
HEURISTICS = "simple_greedy refined_greedy rlp_max rlp_rand delegate neighborhood"
REFERENCES = "heft data_parallel clustering"
EVERY_METHOD = f"portfolio milp compare upper_bound given {HEURISTICS} {REFERENCES}"
NO_SCHEDULE = "max_period and whole_files are not used: {method} gives no periodic schedule"
START_UPS = "latencies latency_loss total_instances"
NO_START_UPS = "latencies and latency_loss and total_instances are not used: {}"
NO_PREFERENCE = "prefer is not used: only master_worker and collective have second objectives"
NO_LABELLING = "max_labelling_entries is not used: nothing is priced by labelling"
OLDER_NAME = "total_instances is an older name of run.instances, which is used instead"
WARNINGS: dict[str, list[tuple[str, str, str]]] = {
    "master_worker": [
        ("total_instances", "*", OLDER_NAME),
        ("mip_gap", "*", "mip_gap is not used: the program has no integer variables"),
        ("max_labelling_entries", "*", NO_LABELLING),
        (
            "prefer",
            "bandwidth_centric",
            "prefer is not used: {method} finds one answer only, and lp looks for another",
        ),
    ],
    "task_graph": [
        ("prefer", "*", NO_PREFERENCE),
        ("mip_gap", "*", "mip_gap is not used: no program has integer variables"),
        ("total_instances", "*", OLDER_NAME),
        ("max_labelling_entries", "constraint_lists", NO_LABELLING),
    ],
    "divisible_chain": [
        ("prefer", "*", NO_PREFERENCE),
        ("mip_gap", "*", "mip_gap is not used: the program has no integer variables"),
        *(
            (name, "*", f"{name} is not used: the schedule is not periodic")
            for name in ("max_period", "whole_files", "max_labelling_entries")
        ),
        (START_UPS, "*", NO_START_UPS.format("a message's start-up cost is given by startup")),
        (
            "max_installments",
            "lp simple single_load heuristic_b",
            "max_installments is not used by {method}",
        ),
    ],
    "cell": [
        ("prefer", "*", NO_PREFERENCE),
        ("mip_gap", "greedy ppe_only", "mip_gap is not used by {method}"),
        ("whole_files", "*", "whole_files is not used: files always move whole"),
        (START_UPS, "*", NO_START_UPS.format("a Cell is described without latencies")),
        ("max_labelling_entries", "*", NO_LABELLING),
    ],
    "mono_allocation": [
        ("total_instances", f"portfolio milp compare given {HEURISTICS}", OLDER_NAME),
        ("prefer", "*", NO_PREFERENCE),
        (
            "mip_gap",
            f"{HEURISTICS} {REFERENCES} upper_bound given",
            "mip_gap is not used by {method}",
        ),
        ("max_period whole_files", f"{REFERENCES} upper_bound", NO_SCHEDULE),
        (
            START_UPS,
            f"{REFERENCES} upper_bound",
            NO_START_UPS.format("{method} gives no periodic schedule"),
        ),
        (
            "max_labelling_entries",
            "*",
            "max_labelling_entries is not used: no integer program prices allocations",
        ),
        *(
            (
                name,
                " ".join(method for method in EVERY_METHOD.split() if method not in by.split()),
                f"{name} is not used by {{method}}",
            )
            for name, by in (
                ("depth", "delegate portfolio compare"),
                ("seed", "rlp_rand portfolio compare"),
                ("source", "delegate portfolio compare"),
                ("instances", f"{REFERENCES} compare"),
            )
        ),
    ],
}
"""By kind: the names, the methods that do not use them, and what is said. Kinds that are added
later say this in tests of their own."""


def _expected(kind: str, method: str, given: set[str]) -> list[str]:
    return sorted(
        sentence.format(method=method)
        for names, methods, sentence in WARNINGS[kind]
        if given & set(names.split()) and (methods == "*" or method in methods.split())
    )


def _warnings(kind: str, method: str, given: set[str]) -> list[str]:
    problem = PROBLEMS[kind]
    options = {name: GIVEN[name] for name in given if name in Options.model_fields}
    members = {name: GIVEN[name] for name in given if name not in options}
    asked = {**problem.example["problem"], **members, "method": method}
    submission = Submission(
        problem, problem.instance.model_validate(asked), Options.model_validate(options), {}
    )
    return sorted(
        warning
        for warning in size_submission(submission, Limits()).warnings
        if any(warning.startswith(f"{name} ") for name in GIVEN)
    )


@pytest.mark.parametrize(
    ("kind", "method"),
    [(kind, method) for kind in WARNINGS for method in PROBLEMS[kind].methods],
)
def test_a_warning_names_what_is_given_and_not_used(kind: str, method: str) -> None:
    fields = {*Options.model_fields, *PROBLEMS[kind].instance.model_fields}
    names = [name for name in GIVEN if name in fields]
    for number in (0, 1, 2, len(names)):
        for given in map(set, combinations(names, number)):
            assert _warnings(kind, method, given) == _expected(kind, method, given), given


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda problem: problem.kind)
def test_every_kind_declares_once_who_uses_each_option(problem) -> None:
    names = [name for use in problem.uses for name in use.names]
    assert len(names) == len(set(names))
    assert {*Options.model_fields} - {"time_limit"} <= set(names)
    for use in problem.uses:
        assert set(use.by or ()) <= set(problem.methods)
        for name in use.names:
            assert name in problem.instance.model_fields or name in Options.model_fields


def test_a_labelling_table_may_be_as_large_as_the_limit_and_no_larger() -> None:
    body = copy.deepcopy(dict(PROBLEMS["task_graph"].example))
    limits = Limits(max_labelling_entries=10)
    assert parse_submission(body | {"options": {"max_labelling_entries": 10}}, limits)
    with pytest.raises(LimitError) as refused:
        parse_submission(body | {"options": {"max_labelling_entries": 11}}, limits)
    (fault,) = refused.value.faults
    assert fault.pointer == ("options", "max_labelling_entries")
    assert fault.detail == "11 entries, and at most 10 are accepted"


@pytest.mark.parametrize(("asked", "most"), [(None, 10), (7, 7), (10, 10), (20, 10)])
def test_the_limit_is_the_default_and_the_most_of_the_option(asked, most) -> None:
    options = Options(max_labelling_entries=asked)
    assert options_within(options, Limits(max_labelling_entries=10)).max_labelling_entries == most


def test_a_lower_limit_lets_an_integer_program_price() -> None:
    body = copy.deepcopy(dict(PROBLEMS["task_graph"].example)) | {"options": {"mip_gap": "1/10"}}
    *_, last = body["problem"]["application"]["tasks"]
    last["times"] = {"P4": 2, "P5": 3}  # one processor to choose would be one entry
    submission = parse_submission(body, Limits())
    assert _unused_gap(size_submission(submission, Limits()).warnings)
    assert not _unused_gap(size_submission(submission, Limits(max_labelling_entries=1)).warnings)


def _unused_gap(warnings: tuple[str, ...]) -> bool:
    return any(warning.startswith("mip_gap") for warning in warnings)
