"""Quantities of a platform that says its units may have units of their own; they are exact."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.kinds.shared.piecewise import PIECE
from steadygrid.submissions.submission import parse_model, parse_submission

USUAL = {"time": "s", "data": "B", "work": "flop"}
TASKS = {"time": "ms", "data": "MB", "work": "task"}


def platform(
    units: Any, processor: Mapping[str, Any] | None = None, link: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {
        "units": units,
        "processors": [{"id": "a"} | dict(processor or {}), {"id": "b"}],
        "links": [{"source": "a", "target": "b"} | dict(link or {"bandwidth": 1})],
    }


def read(units: Any, name: str, text: str) -> Fraction:
    of_link = name.removeprefix("link.") if name.startswith("link.") else ""
    members = {of_link or name: text}
    document = platform(units, None, members) if of_link else platform(units, members)
    if of_link == "latency":
        document["links"][0]["bandwidth"] = 1
    found = Platform.model_validate(document)
    value: Fraction = getattr(found.links[0] if of_link else found.processors[0], of_link or name)
    return value


@pytest.mark.parametrize(
    ("units", "name", "text", "value"),
    [
        (USUAL, "speed", "2 Gflop/s", 2 * 10**9),
        (USUAL, "speed", "286.087kf", 286_087),
        (USUAL, "speed", "1/3 Gflops", Fraction(10**9, 3)),
        (USUAL, "speed", "6 Mflop/min", 10**5),
        (USUAL, "unit_time", "10 s each", 10),
        (USUAL, "unit_time", "2 ns/flop", Fraction(1, 5 * 10**8)),
        (USUAL, "latency", "50 us", Fraction(1, 20_000)),
        (USUAL, "bandwidth_out", "1 Kibit/s", 128),
        (USUAL, "link.bandwidth", "125 MB/s", 125 * 10**6),
        (USUAL, "link.bandwidth", "10 Gbit/s", 125 * 10**7),
        (USUAL, "link.bandwidth", "10Gbps", 125 * 10**7),
        (USUAL, "link.bandwidth", "1 TiB/s", 2**40),
        (USUAL, "link.bandwidth", "3/4", Fraction(3, 4)),
        (USUAL, "link.unit_time", "8 ns each", Fraction(1, 125 * 10**6)),
        (USUAL, "link.latency", "1.5 ms", Fraction(3, 2000)),
        (TASKS, "speed", "3 task/s", Fraction(3, 1000)),
        (TASKS, "unit_time", "10 s", 10_000),
        (TASKS, "link.bandwidth", "125 MB/s", Fraction(1, 8)),
        (TASKS, "link.bandwidth", "1 MiB/ms", Fraction(2**20, 10**6)),
        ({"data": "crate", "time": "tick"}, "link.bandwidth", "5 crate/tick", 5),
    ],
)
def test_a_unit_is_converted_exactly(units: Any, name: str, text: str, value: Fraction) -> None:
    assert read(units, name, text) == value


@pytest.mark.parametrize(
    ("units", "name", "text", "code", "told"),
    [
        (USUAL, "link.bandwidth", "125 XB/s", "unknown_unit", "there is no unit 'XB' of data; write a bandwidth in B or bit (with k, M, G, T, Ki, Mi or Gi before it) per s, ms, us, ns, min or h, such as 125 MB/s"),
        (USUAL, "link.bandwidth", "10 Gb/s", "unknown_unit", "b may be bits or bytes: write Gbit or GB"),
        (USUAL, "link.bandwidth", "10 KB/s", "unknown_unit", "K may be 1000 or 1024: write kB or KiB"),
        (USUAL, "link.bandwidth", "10 MB", "unknown_unit", "per s, ms"),
        (USUAL, "speed", "2 GB/s", "unknown_unit", "'GB' is a unit of data, not of work; write a speed in flop"),
        (USUAL, "latency", "3 parsec", "unknown_unit", "write a latency in s, ms, us, ns, min or h, such as 50 us"),
        (USUAL, "link.bandwidth", "0 MB/s", "zero_rational", "greater than zero"),
        (USUAL, "link.bandwidth", "-4 MB/s", "negative_rational", "negative"),
        (USUAL, "link.bandwidth", "1/0 B/s", "zero_denominator", "zero"),
        ({"time": "s"}, "link.bandwidth", "1 MB/s", "unknown_unit", 'say it: "units": {"data": "B"}'),
        ({"data": "crate", "time": "tick"}, "link.bandwidth", "1 MB/s", "unknown_unit", "write a bandwidth in crate per tick, such as 10 crate/tick"),
        (None, "link.bandwidth", "1 MB/s", "not_a_rational", "numbers are written without units"),
        (USUAL, "memory", "4 GB", "not_a_rational", "numbers are written without units"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_where_it_stands(
    units: Any, name: str, text: str, code: str, told: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        read(units, name, text)
    (error,) = caught.value.errors()
    of_link = name.startswith("link.")
    place = ("links", 0, name.removeprefix("link.")) if of_link else ("processors", 0, name)
    assert (error["loc"], error["type"]) == (place, code)
    assert told in error["msg"]


def test_the_canonical_platform_has_plain_numbers() -> None:
    sent = platform(USUAL, {"speed": "2 Gf"}, {"bandwidth": "1 Gbit/s"})
    found = parse_model(Platform, sent)
    assert sent["links"][0]["bandwidth"] == "1 Gbit/s"
    document = found.model_dump(mode="json", exclude_none=True)
    assert document["processors"][0]["speed"] == "2000000000"
    assert Platform.model_validate(document) == found


def test_faults_and_conversions_of_a_long_platform_are_the_same() -> None:
    many = PIECE
    document = platform(USUAL) | {
        "media": [{"id": f"m{i}", "bandwidth": "1 kB/s"} for i in range(many)]
    }
    assert parse_model(Platform, document).media[-1].bandwidth == 1000
    document["media"][7]["bandwidth"] = "1 XB/s"
    with pytest.raises(InstanceError) as caught:
        parse_model(Platform, document)
    (fault,) = caught.value.faults
    assert fault[:2] == (("media", 7, "bandwidth"), "unknown_unit")


def test_a_unit_without_units_of_the_platform_says_what_to_add() -> None:
    for of_host, of_link, offered in (
        ({}, {"bandwidth": "1 MB/s"}, True),
        ({"memory": "4 GB"}, {}, False),
    ):
        with pytest.raises(InstanceError) as caught:
            parse_model(Platform, platform(None, of_host, of_link))
        ((_, _, detail),) = caught.value.faults
        assert detail.startswith("numbers are written without units: ")
        assert (
            detail.endswith(
                '. Or add units to the platform: "units": {"time": "s", "data": "B", "work": "flop"}'
            )
            is offered
        )


def test_a_change_may_put_a_quantity_with_a_unit() -> None:
    problem = {"kind": "master_worker", "master": "a", "task": {"work": 1, "input_size": 1}}
    problem["platform"] = platform(USUAL, {}, {"bandwidth": "1 MB/s"})
    at = "/problem/platform/links/0/bandwidth"
    body = {"problem": problem, "changes": [{"at": at, "value": "2 MB/s"}]}
    assert parse_submission(body, Limits()).instance.platform.links[0].bandwidth == 2 * 10**6
    body["changes"] = [{"at": at, "value": "2 MB/h/h"}]
    with pytest.raises(InstanceError) as caught:
        parse_submission(body, Limits())
    assert caught.value.faults[0][:2] == (("changes", 0, "value"), "unknown_unit")


@given(st.text(max_size=14), st.sampled_from([USUAL, TASKS, {}, {"time": "B", "data": "s"}]))
def test_any_text_is_a_quantity_or_a_sentence(text: str, units: Any) -> None:
    for name in ("speed", "unit_time", "latency", "link.bandwidth"):
        told: list[str] = []
        try:
            read(units, name, text)
        except ValidationError as error:
            told = [found["msg"] for found in error.errors()]
        assert all(map(str.isprintable, told))


def refused(document: Any) -> list[tuple[str, str]]:
    with pytest.raises(InstanceError) as caught:
        parse_model(Platform, document)
    return [(fault.code, fault.detail) for fault in caught.value.faults]


@pytest.mark.parametrize("text", [f"{'9' * 64} Gflop/s", f"1/{'9' * 64} ms/flop", f"{'9' * 60} Tf"])
def test_what_has_too_many_digits_in_the_platform_s_units_is_refused(text: str) -> None:
    name = "unit_time" if "/flop" in text else "speed"
    ((code, detail),) = refused(platform(USUAL, {name: text}))
    assert code == "rational_too_long"
    assert "64 digits" in detail


@pytest.mark.parametrize(
    "label", [["flop"], {"a": 1}, "\ud800", 7, True], ids=["list", "object", "half", "int", "bool"]
)
@pytest.mark.parametrize("dimension", ["work", "data", "time"])
def test_units_that_are_no_labels_are_refused_beside_quantities_with_units(
    label: Any, dimension: str
) -> None:
    units = {**USUAL, dimension: label}
    told = refused(platform(units, {"speed": "5 Gf", "latency": "5 us"}, {"bandwidth": "1 MB/s"}))
    assert all(detail.encode() for _, detail in told)


def test_a_long_label_is_not_repeated_by_each_fault() -> None:
    units = {**USUAL, "work": "w" * 100_000}
    document = platform(units, {"speed": "5 Gf"}) | {"links": []}
    document["processors"] = [{"id": f"p{i}", "speed": "5 Gf"} for i in range(200)]
    assert sum(len(detail) for _, detail in refused(document)) < 100_000


@pytest.mark.parametrize("text", ["60 fps", "3 leaf", "5 ps"])
def test_only_units_of_work_stand_for_work_by_second(text: str) -> None:
    for work in ("flop", "leaf"):
        ((code, _),) = refused(platform({**USUAL, "work": work}, {"speed": text}))
        assert code == "unknown_unit"
