"""Results of files in foreign formats."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.commands import Command, write
from tests.formats.msccl_machine import check
from tests.formats.pnml_net import period, read
from tests.kinds.collective.bodies import body
from tests.kinds.replicated_workflow.workflows import example_a, workflow
from tests.solved import solve
from tests.tree import ROOT

UNEVEN = "a>b 1/1000003, b>a 1/1000003, b>c 1/999983, c>b 1/999983, c>a 1/7, a>c 1/7"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A result, and its schedule of a bounded period."""
    found = solve(body(UNEVEN, "allgather", ports="multiport"), max_period="1/1000")
    result = write(tmp_path / "result.json", found.result.model_dump(mode="json"))
    return result, write(tmp_path / "schedule.json", found.schedule.document)


def test_a_result_becomes_an_algorithm(
    command: Command, files: tuple[Path, Path], tmp_path: Path
) -> None:
    result, schedule = files
    convert = ("convert", result, "--to", "msccl")
    code, out, err = command(*convert, "--schedule", schedule)
    assert code == 0
    assert check(out).nchunksperloop == 3
    assert err == "note: ranks: 3, chunks of each: 1, trees: 3\n"
    target = tmp_path / "allgather.xml"
    ranks = [argument for name in "bca" for argument in ("--set", f"rank={name}")]
    settings = ("--set", "inplace=true", "--set", "name=x", "-o", target, *ranks)
    assert command(*convert, "--schedule", schedule, *settings).out == ""
    assert check(target.read_text()).name == "x"
    code, _, err = command(*convert)
    assert code == 2
    assert "options.max_period" in err


def test_a_proof_with_negative_potentials_is_judged_and_exported(
    command: Command, tmp_path: Path
) -> None:
    """What only forwards may be worth less than nothing: here the switch."""
    links = "d>s 1, b>a 2/3, a>b 2/3, s>b 1, b>s 1, b>d 3/2, d>b 3/2"
    asked = body(
        links, "allgather", switches="s", participants=["a", "b", "d"], ports="send_or_receive"
    )
    found = solve(asked)
    assert min(found.result.certificate.potentials.values()) < 0
    instance = write(tmp_path / "instance.json", asked)
    result = write(tmp_path / "result.json", found.result.model_dump(mode="json"))
    schedule = write(tmp_path / "schedule.json", found.schedule.document)
    assert command("check", instance, result, schedule).code == 0
    code, out, _ = command("convert", result, "--to", "msccl", "--schedule", schedule)
    assert code == 0
    assert check(out).ngpus == 3


def test_an_order_by_start_is_found_from_what_was_asked(command: Command, tmp_path: Path) -> None:
    asked = body(UNEVEN, "broadcast", source="a", ports="multiport")
    found = solve(asked, max_period="1/1000")
    instance = write(tmp_path / "instance.json", asked)
    result = write(tmp_path / "result.json", found.result.model_dump(mode="json"))
    schedule = write(tmp_path / "schedule.json", found.schedule.document)
    convert = ("convert", result, "--to", "msccl", "--schedule", schedule, "--set", "order=start")
    code, _, err = command(*convert)
    assert (
        code,
        "--set order: moves are ordered by their start, which needs what was asked" in err,
    ) == (2, True)
    code, out, err = command(*convert, "--instance", instance, "--set", "split=depth")
    assert code == 0
    assert check(out).coll == "broadcast"
    assert "note: rank 0 is the root, 'a'" in err


def test_without_a_schedule_the_rates_are_written(command: Command, tmp_path: Path) -> None:
    found = solve(body("a>b 1, b>a 1", "allgather"))
    result = write(tmp_path / "result.json", found.result.model_dump(mode="json"))
    code, out, err = command("convert", result, "--to", "msccl")
    assert code == 0
    assert check(out).ngpus == 2
    assert "note: these are the rates of the result" in err


def test_what_cannot_be_written_is_refused(
    command: Command, files: tuple[Path, Path], tmp_path: Path
) -> None:
    result, schedule = files
    convert = ("convert", result, "--to", "msccl")
    for arguments, told in (
        (("--set", "rank=A"), "--set rank: 'A' is no participant. Did you mean 'a'?"),
        (("--set", "colour=red"), "--set colour: MSCCL XML has no such parameter"),
        (("--format", "x"), "--format and --into are for foreign files"),
        (("--schedule", result), "not a whole schedule"),
    ):
        code, out, err = command(*convert, *arguments)
        assert (code, out) == (2, "")
        assert told in err
    assert "expected a result of collective" in command("convert", schedule, *convert[2:]).err
    document = json.loads(result.read_text())
    rounded = write(tmp_path / "rounded.json", document | {"allocations": [{"rate": 0.5}]})
    assert command("convert", rounded, *convert[2:]).code == 2
    told = "--to is one of: platform, application, dataflow, msccl, pnml, wfformat, trace, paje, graphml, csv. Did you mean"
    assert told in command("convert", result, "--to", "mscl").err
    wrong = command(*convert, "--instance", result)
    assert (wrong.code, "faults" in wrong.err) == (2, True)
    assert "--instance is for results" in (
        command("convert", result, "--to", "platform", "--instance", schedule).err
    )
    assert "only one of the files" in command("convert", "-", *convert[2:], "--schedule", "-").err
    assert "--schedule is for results" in (
        command("convert", result, "--to", "platform", "--schedule", schedule).err
    )


def test_a_mapping_becomes_a_petri_net(command: Command, tmp_path: Path) -> None:
    asked = example_a("no_overlap")
    instance = write(tmp_path / "instance.json", asked)
    result = write(tmp_path / "result.json", solve(asked).result.model_dump(mode="json"))
    convert = ("convert", result, "--to", "pnml")
    code, out, err = command(*convert, "--instance", instance)
    assert code == 0
    assert period(read(out)) == 6 * Fraction(692, 3)
    assert err == "note: transitions: 42, places: 60, rows: 6\n"
    other = write(tmp_path / "other.json", workflow({"S": [1]}, {}))
    foreign = write(tmp_path / "foreign.json", body("a>b 1, b>a 1", "allgather"))
    for arguments, told in (
        ((), "--to pnml needs --instance FILE"),
        (("--schedule", result), "--schedule is not for --to pnml, which needs --instance"),
        (("--instance", foreign), "expected an instance of replicated_workflow"),
        (("--instance", other), "the mapping is none of this instance"),
        (("--instance", instance, "--set", "name=x"), "--set name: PNML has no such parameter"),
    ):
        code, out, err = command(*convert, *arguments)
        assert (code, out) == (2, "")
        assert told in err


def test_nets_that_are_too_large_are_refused_with_their_size(
    command: Command, tmp_path: Path
) -> None:
    copies = {"a": 409, "b": 256}
    asked = workflow({name: [1] * number for name, number in copies.items()}, {})
    instance = write(tmp_path / "instance.json", asked)
    result = write(tmp_path / "result.json", solve(asked).result.model_dump(mode="json"))
    code, out, err = command("convert", result, "--to", "pnml", "--instance", instance)
    assert (code, out) == (2, "")
    assert "the net has 209,408 transitions" in err


def test_a_schedule_of_any_kind_is_written_as_a_trace(command: Command, tmp_path: Path) -> None:
    body, result, schedule = (tmp_path / f"{name}.json" for name in ("body", "result", "schedule"))
    body.write_text((ROOT / "examples" / "star.json").read_text("utf-8"))
    result.write_text(command("solve", body, "--json", "--schedule", schedule).out)
    files = (result, "--schedule", schedule, "--instance", body)
    code, out, err = command("convert", *files, "--to", "trace", "--set", "to=9")
    assert code == 0
    assert {event["ph"] for event in json.loads(out)["traceEvents"]} == {"M", "X"}
    assert "activities; one unit of time is" in err
    assert command("convert", *files, "--to", "paje").out.startswith("%EventDef ")
    prices = command("convert", *files, "--to", "csv", "--set", "part=prices").out
    assert prices.startswith("resource,price,price_decimal\n")
    assert "--schedule" in command("convert", result, "--to", "trace").err
    assert "--instance" in command("convert", result, "--schedule", schedule, "--to", "trace").err
    wrong = command("convert", *files, "--to", "csv", "--set", "part=x")
    assert (wrong.code, "--set part: 'x' is none of" in wrong.err) == (2, True)
