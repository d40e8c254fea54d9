"""Orders of service and lags: those that are searched, and those that are given."""

import copy
import random
from collections.abc import Mapping
from fractions import Fraction
from math import factorial, lcm, prod
from typing import Any

import pytest

from steadygrid.answer import Answer
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.formats.exporter import Answer as ToExport
from steadygrid.kinds import SOLVES
from steadygrid.kinds.replicated_workflow.limits import MOST_ORDERS
from steadygrid.kinds.replicated_workflow.sizing import SINCE, requires
from steadygrid.kinds.replicated_workflow.solver import methods
from steadygrid.kinds.replicated_workflow.view import view
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.formats.pnml_net import period, read
from tests.kinds.replicated_workflow.bodies import Body, without_mapping
from tests.kinds.replicated_workflow.every_order import Orders
from tests.kinds.replicated_workflow.judged import codes
from tests.kinds.replicated_workflow.workflows import random_workflow, skip_edge, workflow
from tests.kinds.told import facts_of
from tests.solved import solve

AS_PUBLISHED = {"a": 0, ("a", "b"): 0, ("a", "c"): 2, "b": 0, ("b", "c"): 1, "c": 0}


def with_service(body: Body, lags: Mapping[Any, int]) -> Body:
    body = copy.deepcopy(body)
    body["problem"]["service"] = [
        {"operation": name if isinstance(name, str) else list(name), "lag": lag}
        for name, lag in lags.items()
    ]
    return body


def searched(body: Body) -> Body:
    body = copy.deepcopy(body)
    body["problem"]["order"] = "searched"
    return body


def service_of(result: Any) -> dict[Any, int]:
    return {one.operation: one.lag for one in result.service}


def test_lags_that_are_given_let_a_skip_edge_pass() -> None:
    result, schedule = solve(with_service(skip_edge(), AS_PUBLISHED))
    assert (result.outcome, result.period, result.critical_resource) == (
        "optimal",
        4,
        "a.0.compute",
    )
    assert [row.start for row in schedule.rows] == [0, 4, 15, 7, 12, 16]
    assert service_of(result) == AS_PUBLISHED


def test_a_search_finds_lags_for_a_skip_edge() -> None:
    result, schedule = solve(searched(skip_edge()))
    assert (result.outcome, result.period) == ("optimal", 4)
    assert service_of(result) == AS_PUBLISHED | {("a", "c"): 0}
    assert [row.start for row in schedule.rows] == [0, 4, 7, 7, 12, 15]
    assert result.latency.largest == 16


def test_as_listed_the_skip_edge_waits() -> None:
    result, _ = solve(skip_edge())
    assert (result.outcome, result.period, result.service) == ("optimal", Fraction(11, 2), None)


def test_a_search_of_mappings_searches_orders_unless_they_are_listed() -> None:
    body = without_mapping(skip_edge(), method="exact")
    result, _ = solve(body)
    assert (result.outcome, result.period) == ("optimal", 4)
    listed, _ = solve(without_mapping(skip_edge(), method="exact", order="listed"))
    assert (listed.outcome, listed.period, listed.service) == ("optimal", Fraction(11, 2), None)


def drawn(rng: random.Random, ports: str) -> Body:
    """Draw a workflow all of whose orders and lags are tried."""
    while True:
        stages = 3 if ports == "one_port" else rng.choice((2, 3))
        most = 3 if stages == 2 else 2
        copies = [rng.randint(1, most) for _ in range(stages)]
        names = "abc"[:stages]
        pairs = [(0, 1)] if stages == 2 else [(0, 1), (1, 2), (0, 2)]
        if ports == "no_overlap" and stages == 3:
            pairs, copies = rng.choice((pairs[:2], pairs)), [1, 1, 1]
        rng.shuffle(pairs)
        moduli = [lcm(copies[k], copies[l]) for k, l in pairs]
        if ports == "no_overlap":
            moduli += copies
        if prod(moduli) <= 60:
            break
    return workflow(
        {names[k]: [rng.randint(0, 6) for _ in range(copies[k])] for k in range(stages)},
        {
            f"{names[k]} {names[l]}": [
                [rng.randint(1, 9) for _ in range(copies[l])] for _ in range(copies[k])
            ]
            for k, l in pairs
        },
        ports,
    )


@pytest.mark.parametrize(("ports", "most_lag"), [("one_port", 3), ("no_overlap", 2)])
def test_no_order_in_a_box_is_better_than_what_is_found(ports: str, most_lag: int) -> None:
    rng = random.Random(f"orders {ports}")
    faster = inside = 0
    for _ in range(draws(40, 400)):
        body = drawn(rng, ports)
        result, _ = solve(searched(body))
        every = Orders(body)
        service = service_of(result)
        assert every.period(service) == result.period
        best = every.best(most_lag)
        assert result.period <= best
        if max(service.values()) <= most_lag:
            assert result.period == best
            inside += 1
        faster += result.period < solve(body).result.period
    assert inside > draws(30, 300)
    assert faster > 3


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
def test_orders_of_larger_workflows_are_no_worse_than_the_listed_one(ports: str) -> None:
    rng = random.Random(f"larger {ports}")
    for _ in range(draws(20, 300)):
        body = random_workflow(rng, ports, most_rows=12)
        by_name = copy.deepcopy(body)
        by_name["problem"]["application"]["files"].sort(key=lambda f: (f["source"], f["target"]))
        result, _ = solve(searched(body))
        assert result.outcome == "optimal"
        assert result.mct <= result.period <= solve(by_name).result.period
        again, _ = solve(with_service(body, service_of(result)))
        assert (again.period, again.service) == (result.period, result.service)


@pytest.mark.parametrize("method", ["exact", "portfolio", None])
def test_the_order_in_which_files_are_listed_changes_nothing(method: str | None) -> None:
    rng = random.Random(f"listed {method}")
    for _ in range(draws(6, 60)):
        body = drawn(rng, rng.choice(("one_port", "no_overlap")))
        body = searched(body) if method is None else without_mapping(body, method=method)
        result, schedule = solve(body)
        told = _without_times(result)
        for _ in range(2):
            other = copy.deepcopy(body)
            rng.shuffle(other["problem"]["application"]["files"])
            one, rows = solve(other)
            assert _without_times(one) == told
            assert rows == schedule


def _without_times(result: Any) -> dict[str, Any]:
    told: dict[str, Any] = result.model_dump(exclude={"statistics", "certificate"})
    for row in told["comparison"] or ():
        del row["seconds"]
    return told


def fan(receivers: int) -> Body:
    """Give one stage that sends to several, and a last one that receives from all of these."""
    middle = [f"m{i}" for i in range(receivers)]
    return workflow(
        {"a": [1], **{name: [i % 3 + 1] for i, name in enumerate(middle)}, "z": [1]},
        {
            **{f"a {name}": [[1 + i % 2]] for i, name in enumerate(middle)},
            **{f"{name} z": [[1 + i % 3]] for i, name in enumerate(middle)},
        },
    )


def test_orders_of_many_files_are_searched_by_exchange() -> None:
    body = fan(6)
    assert factorial(6) > MOST_ORDERS
    result, _ = solve(searched(body))
    assert result.mct <= result.period <= solve(body).result.period
    assert len(result.service) == 20


def test_without_time_the_order_of_names_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "ORDER_SHARE", 0)
    result, _ = solve(searched(skip_edge()))
    assert (result.period, set(service_of(result).values())) == (Fraction(11, 2), {0})


def faults_of(body: Body) -> dict[str, str]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission(body, Limits())
    return {fault.code: "/".join(map(str, fault.pointer)) for fault in refusal.value.faults}


@pytest.mark.parametrize(
    ("lags", "code", "at"),
    [
        ({"b": 0, "a": 0}, "before_its_input", "problem/service/0/operation"),
        ({"a": 0, "x": 0}, "unknown_operation", "problem/service/1/operation"),
        ({"a": 0}, "operation_missing", "problem/service"),
        (AS_PUBLISHED | {("a", "b"): 3}, "waits_for_itself", "problem/service"),
    ],
)
def test_orders_that_cannot_be_served_are_refused(
    lags: Mapping[Any, int], code: str, at: str
) -> None:
    assert faults_of(with_service(skip_edge(), lags))[code] == at


def test_an_operation_is_listed_once() -> None:
    body = with_service(skip_edge(), AS_PUBLISHED)
    body["problem"]["service"].insert(1, {"operation": "a"})
    assert faults_of(body) == {"operation_twice": "problem/service/1/operation"}


def test_an_order_is_given_with_a_mapping_or_searched() -> None:
    given = with_service(skip_edge(), AS_PUBLISHED)
    assert faults_of(searched(given)) == {"service_given": "problem/order"}
    del given["problem"]["method"]
    assert faults_of(without_mapping(given)) == {"mapping_missing": "problem/service"}


def test_only_lags_that_leave_no_closed_walk_are_accepted() -> None:
    """Which lags these are is seen from the net alone."""
    rng = random.Random("closed walks")
    body = skip_edge()
    every = Orders(body)
    refused = 0
    for lags in rng.sample([*every.services(3)], draws(40, 100)):
        asked = with_service(body, lags)
        period = every.period(lags)
        if period is None:
            refused += 1
            assert "waits_for_itself" in faults_of(asked)
        else:
            assert solve(asked).result.period == period
    assert refused > 3


def judged(body: Body, **changes: Any) -> set[str]:
    result, schedule = solve(body)
    document = result.model_dump(mode="json") | changes
    return codes(parse_submission(body, Limits()).instance, document, schedule)


def test_each_fault_of_an_order_is_named() -> None:
    body = searched(skip_edge())
    right = solve(body).result.model_dump(mode="json")["service"]
    assert judged(body, service=right) == set()
    assert judged(body, service=None) == {"no_service"}
    assert judged(body, service=right[1:]) == {"wrong_service"}
    assert judged(body, service=[right[-1], *right[:-1]]) == {"wrong_service"}
    assert judged(body, service=[*right[:1], right[3], *right[1:3], *right[4:]]) == {
        "wrong_service"
    }
    assert judged(body, service=[right[0] | {"lag": -1}, *right[1:]]) == {"wrong_lag"}
    late = [one | {"lag": 0} for one in right]
    assert "too_early" in judged(body, service=late)
    assert judged(skip_edge(), service=right) == {"wrong_service"}
    given = with_service(skip_edge(), AS_PUBLISHED)
    assert judged(given, service=right) == {"wrong_service"}
    assert judged(given, service=None) == {"no_service"}


def one_with_no_busy_resource() -> Body:
    """Draw a workflow whose period is longer than the busiest resource needs, in every order."""
    return drawn(random.Random(86), "one_port")


def test_pages_and_reports_name_the_order_that_an_answer_holds_for() -> None:
    body = searched(one_with_no_busy_resource())
    result, schedule = solve(body)
    assert result.period > result.mct
    told = facts_of(body, result, schedule)
    assert "no schedule of this mapping for this order of service does better" in told["bound"]
    assert "files in this order: a to b, a to c, b to c" in told["bound for"]
    assert any("not all there are" in note for note in result.notes)


def test_lags_are_named_in_pages_and_reports() -> None:
    body = with_service(one_with_no_busy_resource(), AS_PUBLISHED)
    result, schedule = solve(body)
    told = facts_of(body, result, schedule)
    assert "a to b, a to c (lag 2), b to c (lag 1);" in told["bound for"]
    submission = parse_submission(body, Limits())
    shown = view(submission.instance, Options(), result, schedule)
    section = next(one for one in shown.sections if one.title == "Order of service")
    assert section.table is not None
    assert [*section.table.rows][2] == ("a to c", 2)


def test_an_optimum_of_a_search_without_its_bound_is_one_of_the_orders_tried() -> None:
    body = one_with_no_busy_resource()
    copies = {stage["tasks"][0]: len(stage["processors"]) for stage in body["problem"]["mapping"]}
    asked = without_mapping(body, method="exact", max_replicas=copies)
    result, schedule = solve(asked)
    assert (result.outcome, result.certificate.type) == ("optimal", "search")
    told = facts_of(asked, result, schedule)
    assert "no mapping in the orders tried does better" in told["bound"]
    assert "in the orders of service and with the lags that were tried" in told["bound for"]
    answer = Answer(parse_submission(asked, Limits()), result, schedule)
    assert "\nOPTIMAL in the orders tried: checked by the referee" in repr(answer)


def with_single_tokens(net: Any) -> Any:
    """Put transitions that take no time between the tokens of a place."""
    delays, places = dict(net.delays), []
    for i, place in enumerate(net.places):
        before = place.before
        for token in range(1, place.tokens):
            delays[f"x{i}.{token}"] = Fraction(0)
            places.append(place._replace(before=before, after=f"x{i}.{token}", tokens=1))
            before = f"x{i}.{token}"
        places.append(place._replace(before=before, tokens=min(place.tokens, 1)))
    return net._replace(delays=delays, places=places)


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
def test_nets_of_lagging_operations_have_the_periods_that_are_answered(ports: str) -> None:
    rng = random.Random(f"lagging {ports}")
    checked = 0
    for _ in range(draws(6, 60)):
        body = drawn(rng, ports)
        every = Orders(body)
        listed = [lags for lags in every.services(2) if any(lags.values())]
        lags = next(
            (one for one in rng.sample(listed, len(listed)) if every.period(one) is not None), None
        )
        if lags is None:
            continue
        asked = with_service(body, lags)
        result, _ = solve(asked)
        instance = parse_submission(asked, Limits()).instance
        net = read(EXPORTERS["pnml"].write(ToExport(result, instance=instance)).text)
        assert result.period == every.period(lags)
        assert period(with_single_tokens(net)) == net.rows * result.period
        checked += 1
    assert checked > 3


def test_workers_of_earlier_versions_are_not_given_orders() -> None:
    listed = parse_submission(skip_edge(), Limits()).instance
    ordered = parse_submission(searched(skip_edge()), Limits()).instance
    assert requires(listed, Options()) == SINCE < requires(ordered, Options()) <= SOLVES
