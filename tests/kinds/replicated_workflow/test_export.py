"""Petri nets of mappings, read back from PNML: their periods are those of the answers."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.exporter import Answer
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.formats.pnml_net import Net, period, read
from tests.kinds.replicated_workflow.workflows import (
    example_a,
    example_b,
    random_workflow,
    skip_edge,
    workflow,
)
from tests.solved import solve


def answered(body: dict[str, Any]) -> Answer:
    instance = parse_submission(body, Limits()).instance
    return Answer(solve(body).result, instance=instance)


def exported(answer: Answer) -> Net:
    return read(EXPORTERS["pnml"].write(answer).text)


@pytest.mark.parametrize(
    ("body", "least", "transitions", "places", "tokens"),
    [
        (example_a("one_port"), 189, 42, 96, 19),
        (example_a("no_overlap"), Fraction(692, 3), 42, 60, 7),
        (example_b(), Fraction(875, 3), 36, 72, 14),
        (skip_edge(), Fraction(11, 2), 6, 15, 7),
        (workflow({"S": [6, 3, 10]}, {}, "no_overlap"), Fraction(10, 3), 3, 3, 3),
    ],
)
def test_published_nets_turn_once_in_all_rows(
    body: dict[str, Any], least: Fraction, transitions: int, places: int, tokens: int
) -> None:
    """As many places and tokens as the source draws for its chains, 6.3.3 and 6.3.4."""
    net = exported(answered(body))
    assert period(net) == net.rows * least
    assert (len(net.delays), len(net.places)) == (transitions, places)
    assert sum(place.tokens for place in net.places) == tokens


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
@pytest.mark.parametrize("chain", [True, False], ids=["chains", "graphs"])
def test_nets_have_the_periods_that_are_answered(ports: str, *, chain: bool) -> None:
    rng = random.Random(f"pnml {ports} {chain}")
    for _ in range(draws(8, 1000)):
        answer = answered(random_workflow(rng, ports, chain=chain, most_rows=12))
        net = exported(answer)
        assert str(net.rows) == answer.result.rows
        assert period(net) == net.rows * answer.result.period


def test_names_can_be_read_and_are_never_markup() -> None:
    body = workflow({"S<&": [Fraction(7, 2)], "b\ufffe": [1, 2]}, {"S<& b\ufffe": [[3, 5]]})
    net = exported(answered(_texts(body)))
    assert net.name == "replicated workflow, one_port"
    assert net.delays["t0"] == Fraction(7, 2)
    assert [net.names[f"t{i}"] for i in range(3)] == [
        "S<& on S<&.0, row 0",
        "S<& -> b\ufffd from S<&.0 to b\ufffd.0, row 0",
        "b\ufffd on b\ufffd.0, row 0",
    ]
    named = {place.name: place for place in net.places}
    assert named["S<& before S<& -> b\ufffd, row 1"][1:] == ("t3", "t4", 0)
    round_robin = "S<&.0.send: S<& -> b\ufffd, row 1, before S<& -> b\ufffd, row 0"
    assert named[round_robin][1:] == ("t4", "t1", 1)
    assert (
        named["b\ufffd.1.receive: S<& -> b\ufffd, row 1, before S<& -> b\ufffd, row 1"].tokens == 1
    )
    assert named["S<&.0.compute: S<&, row 0, before S<&, row 1"][1:] == ("t0", "t3", 0)


def test_long_ids_are_cut_in_names() -> None:
    net = exported(answered(workflow({"x" * 198: [1]}, {})))
    assert (
        net.names["t0"]
        == f"{'x' * 39}\N{HORIZONTAL ELLIPSIS} on {'x' * 39}\N{HORIZONTAL ELLIPSIS}, row 0"
    )


def _texts(body: dict[str, Any]) -> dict[str, Any]:
    for task in body["problem"]["application"]["tasks"]:
        task["times"] = {name: str(time) for name, time in task["times"].items()}
    return body


def test_large_nets_are_refused_with_their_size() -> None:
    copies = (32, 27, 25)
    names = "abc"
    body = workflow(
        {name: [1] * number for name, number in zip(names, copies, strict=True)},
        {
            f"{names[k]} {names[k + 1]}": [[1] * copies[k + 1]] * copies[k]
            for k in range(len(names) - 1)
        },
    )
    with pytest.raises(LimitError) as refused:
        exported(answered(body))
    (fault,) = refused.value.faults
    assert fault.code == "too_many_transitions"
    assert "108,000 transitions, 21,600 rows of 5 operations, and at most 100,000" in fault.detail


def test_only_a_mapping_of_the_instance_is_exported() -> None:
    def code(answer: Answer) -> str:
        with pytest.raises(InstanceError) as refused:
            exported(answer)
        (fault,) = refused.value.faults
        return fault.code

    answer = answered(example_a("one_port"))
    other = parse_submission(example_b(), Limits()).instance
    assert code(answer._replace(instance=other)) == "another_instance"
    turned = answer.result.model_copy(update={"mapping": answer.result.mapping[::-1]})
    assert code(answer._replace(result=turned)) == "another_instance"
    none = answer.result.model_copy(update={"mapping": None})
    assert code(answer._replace(result=none)) == "nothing_to_export"
