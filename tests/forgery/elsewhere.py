"""Forgeries from elsewhere: answers to other problems, other names, other proofs."""

import json
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

from tests.forgery.cases import Case, forgery, passed_off
from tests.forgery.papers import Papers, renamed


@forgery
def the_best_of_a_narrower_problem(case: Case) -> Iterator[Papers]:
    """A right schedule with the proof that, with less to choose from, no other is better."""
    for given in case.narrower:
        if given.value != case.right.value:
            method = case.right.result["method"]
            if given.result["outcome"] == "optimal":
                yield given._replace(asked=case.right.asked).with_result(method=method)
            yield from passed_off(case, given)


@forgery
def the_answer_of_another_problem(case: Case) -> Iterator[Papers]:
    for given in case.others:
        if given.value != case.right.value:
            yield given._replace(asked=case.right.asked)


@forgery
def the_schedule_of_another_problem(case: Case) -> Iterator[Papers]:
    """All that the result says is right, and the schedule has as many entries."""
    for given in (*case.others, *case.narrower):
        if given.schedule not in (case.right.schedule, None):
            yield case.right._replace(schedule=given.schedule)


@forgery
def the_certificate_of_another_problem(case: Case) -> Iterator[Papers]:
    """The value, the bound and the proof of another problem, with rates that are right."""
    for given in (*case.others, *case.narrower):
        if given.value == case.right.value or given.result["certificate"]["type"] == "search":
            continue
        names = ("bound", "gap", "outcome", "proof", "objective", "certificate")
        yield case.right.with_result(**{name: given.result[name] for name in names})


@forgery
def what_is_feasible_for_the_best(case: Case) -> Iterator[Papers]:
    """An answer that is below its bound, with a bound that it reaches."""
    if case.right.result["outcome"] == "feasible":
        yield from passed_off(case, case.right)


@forgery
def names_exchanged(case: Case) -> Iterator[Papers]:
    """Two processors, or actors, that are not alike do each other's work."""
    yield from islice(_exchanged(case), 4)


def _exchanged(case: Case) -> Iterator[Papers]:
    problem = case.right.asked["problem"]
    for one, other in combinations(_names(case.right), 2):
        names = {one: other, other: one}
        result = renamed(case.right.result, names)
        if _sorted(renamed(problem, names)) != _sorted(problem) and result != case.right.result:
            yield Papers(case.right.asked, result, renamed(case.right.schedule, names))


@forgery
def one_does_the_work_of_two(case: Case) -> Iterator[Papers]:
    """One of two processors does all that both of them did; members of classes, too."""
    for one, other in islice(combinations(_names(case.right), 2), 6):
        names = {other: one}
        result, schedule = (
            renamed(part, names) for part in (case.right.result, case.right.schedule)
        )
        if result != case.right.result or schedule != case.right.schedule:
            yield Papers(case.right.asked, result, schedule)


@forgery
def a_class_dealt_to_one(case: Case) -> Iterator[Papers]:
    """The first of interchangeable processors does in the schedule what all of them do."""
    for members in case.right.result.get("classes") or ():
        if isinstance(members, list):
            first = dict.fromkeys(members[1:], members[0])
            yield case.right._replace(schedule=renamed(case.right.schedule, first))


@forgery
def a_class_of_all_sorts(case: Case) -> Iterator[Papers]:
    """Processors are said to be interchangeable that are not."""
    if case.right.kind == "task_graph":
        names = _names(case.right)
        yield case.right.with_result(classes=[names])
        yield case.right.with_result(classes=[[names[-1], names[0]]])


def _names(papers: Papers) -> list[str]:
    problem = papers.asked["problem"]
    if "schedule" in problem and "instance" in problem:
        problem = problem["instance"]["problem"]
    if "graph" in problem:
        return [actor["id"] for actor in problem["graph"]["actors"]]
    if "layers" in problem:
        return [one["id"] for one in (*problem["layers"], *problem["devices"])]
    if "machine" in problem:
        machine = problem["machine"]
        sorts = (("PPE", machine.get("ppes", 1)), ("SPE", machine["spes"]))
        return [f"{sort}{i}" for sort, number in sorts for i in range(1, number + 1)]
    return [processor["id"] for processor in problem["platform"]["processors"]]


def _sorted(document: Any) -> Any:
    """Forget the order of lists."""
    if isinstance(document, dict):
        return {name: _sorted(member) for name, member in document.items()}
    if isinstance(document, list):
        return sorted(map(_sorted, document), key=json.dumps)
    return document
