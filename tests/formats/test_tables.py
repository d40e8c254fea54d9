"""Tables of hosts and links, and matrices of bandwidths."""

from fractions import Fraction

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid.notes import FORWARDS_ONLY
from tests.formats.foreign import bandwidths, faults, load, speeds

HOSTS = "Host;Gflops\nA;1.5\nB;3\nM;\n"
LINKS = "from,to,bandwidth (Gbit/s),latency_ms\nM,A,10,0.1\nM,B,1,\n"
GIGABIT = 10**9 // 8


def test_hosts_and_links_become_a_platform_in_bytes_flop_and_seconds() -> None:
    platform, warnings = load("platform", HOSTS, LINKS, name="lab")
    assert platform.name == "lab"
    assert platform.units.model_dump() == {"time": "s", "data": "B", "work": "flop"}
    assert speeds(platform) == {"A": 15 * 10**8, "B": 3 * 10**9, "M": None}
    assert bandwidths(platform)["A", "M"] == 10 * GIGABIT
    assert bandwidths(platform)["M", "B"] == GIGABIT
    assert [link.latency for link in platform.links] == [Fraction(1, 10**4), 0]
    assert warnings == (f"{FORWARDS_ONLY}: M",)


def test_the_order_of_files_and_an_empty_line_between_tables_make_no_difference() -> None:
    both = load("platform", HOSTS, LINKS)
    assert set(load("platform", LINKS, HOSTS).document.processors) == set(both.document.processors)
    assert load("platform", f"{HOSTS}\n\n{LINKS}") == both
    assert load("platform", "# measured\n" + HOSTS, LINKS.replace(",", "\t")) == both


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("Gbit/s", Fraction(10**9, 8)), ("Gbps", Fraction(10**9, 8)), ("Mbits/s", Fraction(10**6, 8)),
        ("GB/s", 10**9), ("MiB/s", 2**20), ("kbyte/s", 1000), ("B/s", 1), ("TBps", 10**12),
    ],
)  # fmt: skip
def test_units_are_read_exactly_from_headers_and_cells(unit: str, factor: Fraction) -> None:
    in_header = load("platform", f"from,to,bw ({unit})\nA,B,0.3\n").document
    in_cell = load("platform", f"from,to,bw [GB/s]\nA,B,0.3 {unit}\n").document
    as_parameter = load("platform", "from,to,bw\nA,B,3e-1\n", bandwidth_unit=unit).document
    assert bandwidths(in_header)["A", "B"] == Fraction(3, 10) * factor
    assert in_header == in_cell == as_parameter


def test_without_units_numbers_stay_as_they_are() -> None:
    platform, _ = load("platform", "node1 node2 bw\nA B 2/3\n")
    assert platform.units is None
    assert bandwidths(platform)["B", "A"] == Fraction(2, 3)


def test_speeds_without_a_unit_beside_bandwidths_with_one_are_told() -> None:
    platform, warnings = load("platform", "id,speed\nA,2\n", LINKS.replace("M,B", "A,B"))
    assert platform.units.work is None
    assert any(warning.startswith("speeds have no unit") for warning in warnings)


def test_duplex_switches_media_and_times_are_columns() -> None:
    hosts = "id,unit_time,switch\nA,1/2,\nB,2,no\nS,,yes\n"
    links = (
        "src,dst,bw,duplex,medium,colour\nA,S,4,half,,red\nB,S,2,simplex,wan,\nS,B,2,simplex,wan,\n"
    )
    platform, warnings = load("platform", hosts, links)
    assert [p.unit_time for p in platform.processors] == [Fraction(1, 2), 2, None]
    assert [p.switch for p in platform.processors] == [False, False, True]
    assert [e.duplex for e in platform.links] == ["half", "simplex", "simplex"]
    assert [(m.id, m.bandwidth) for m in platform.media] == [("wan", 2)]
    assert [e.media for e in platform.links] == [(), ("wan",), ("wan",)]
    assert warnings == ("columns that say nothing to us are left out: colour",)


MATRIX = "bw (Mbit/s),from,to,C\nfrom,-,940,93.5\nto,941,x,93.6\nC,93.4,93.6,0\n"


def test_a_matrix_is_told_before_all_else_and_joins_equal_directions() -> None:
    platform, warnings = load("platform", MATRIX)
    mega = Fraction(10**6, 8)
    assert bandwidths(platform) == {
        ("from", "to"): 940 * mega, ("to", "from"): 941 * mega, ("from", "C"): Fraction("93.5") * mega,
        ("C", "from"): Fraction("93.4") * mega, ("to", "C"): Fraction("93.6") * mega,
        ("C", "to"): Fraction("93.6") * mega,
    }  # fmt: skip
    assert [e.duplex for e in platform.links].count("full") == 1
    assert any("nothing is known of what they share" in warning for warning in warnings)


def test_a_matrix_by_blanks_needs_no_corner() -> None:
    text = "           0          1\n 0        N/A     276.07\n 1     276.07        N/A\n"
    platform, _ = load("platform", text)
    assert bandwidths(platform) == {("0", "1"): Fraction("276.07"), ("1", "0"): Fraction("276.07")}


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("from,to,bw\nA,B,10 Gb/s\n", "ambiguous_unit", "line 2: 'Gb/s': b may be a bit or a byte"),
        ("from,to,bw\nA,B,1 Gbps\nB,C,5\n", "mixed_units", "line 3: 1 of 2 bandwidths have no unit"),
        ("from,to,bw\nA,B,1\n\nfrom,to,bw\nB,A,1\n", "duplicate_link", "line 5: "),
        ("from,to,bw\nA,B,1\nB,A,2\n", "duplicate_link", "are joined at line 2 already: say duplex"),
        ("from,to,bw (GB/s)\nA,B,ten\n", "not_a_rational", "line 2: 'ten' is no number"),
        ("from,to,bw\nA,B,-1\n", "negative_rational", "line 2: "),
        ("from,to,bw\nA,B,1 x" + 300 * " " + "y\n", "rational_too_long", "line 2: "),
        ("from,to,bw\nA,B,0\n", "zero_rational", "line 2: bandwidth is greater than zero"),
        ("from,to,bw\nA,B,\n", "missing", "line 2: there is no bandwidth"),
        ("from,to,bw\n,B,1\n", "missing", "line 2: a link has a source and a target"),
        ("from,to,bw\nA,A,1\n", "self_link", "line 2: 'A' is joined to itself"),
        ("from,to,bw,duplex\nA,B,1,both\n", "invalid_type", "duplex is full, half or simplex"),
        ("from,to,bw (parsec)\nA,B,1\n", "unknown_unit", "line 2: 'parsec' is no rate"),
        ("from,to,latency\nA,B,1\n", "unknown_column", "line 1: links need a column of bandwidths"),
        ("from,to,bw,rate\nA,B,1,1\n", "unknown_column", "two columns say bandwidth"),
        ("id,speed\nA,1\nA,2\n", "duplicate_processor", "line 3: host 'A' is given twice"),
        ("id,speed\n,1\n", "missing", "line 2: there is no id"),
        ("id,speed,switch\nA,1,yes\n", "switch_with_speed", "line 2: a switch has no speed"),
        ("id,speed,switch\nA,1,perhaps\n", "invalid_type", "line 2: switch is yes or no"),
        ("from,to,bw,medium\nA,B,1,m\nB,C,2,m\n", "two_bandwidths", "line 3: medium 'm'"),
        ("id,speed\nA,1\n\nfrom,until\nA,B\n", "unknown_column", "line 4: the columns from, until"),
        (",A,B\nA,0\nB,1,0\n", "malformed_table", "line 2: 2 bandwidths are expected here, not 1"),
        ("from,to,bw\n", "malformed_table", "there is no line below"),
        ("from;to;bw\nA;B;1,5\n", "not_a_rational", "write a decimal point, and no other comma"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text: str, code: str, words: str) -> None:
    found = faults("platform", text, format="tables")
    assert [each[0] for each in found] == [code]
    assert words in found[0][1]


def test_a_fault_in_the_second_file_says_so() -> None:
    assert faults("platform", HOSTS, "from,to,bw\nA,B,ten\n") == [
        ("not_a_rational", "file 2, line 2: 'ten' is no number, such as 10 Gbit/s")
    ]


def test_at_most_twenty_faults_are_told() -> None:
    assert len(faults("platform", "from,to,bw\n" + "A,B,ten\n" * 30)) == 20


@pytest.mark.parametrize("text", [b"from,to,bw\nA,\xff,1\n", b'from,to,bw\n"A,B,1\n'])
def test_what_is_no_table_is_refused(text: bytes) -> None:
    assert faults("platform", text, format="tables")[0][0] == "malformed_table"


def test_a_wrong_unit_as_parameter_names_the_parameter() -> None:
    found = faults("platform", LINKS, bandwidth_unit="Gb/s")
    assert found[0][0] == "invalid_parameter"
    assert found[0][1].startswith("bandwidth_unit: ")


def test_one_value_of_a_unit_time_and_of_a_switch() -> None:
    platform, _ = load("platform", "host,seconds_per_task (ms)\nA,250\n\nfrom,to,bw\nA,B,1\n")
    assert platform.processors[0].unit_time == Fraction(1, 4)


def test_a_matrix_names_each_host_once() -> None:
    text = ",A,A\nA,0,1\nA,1,0\n"
    assert faults("platform", text) == [
        (
            "duplicate_processor",
            "line 1: a name is given twice: each host has one row and one column",
        )
    ]


def test_a_matrix_of_too_many_links_is_refused_before_its_cells_are_read() -> None:
    with pytest.raises(LimitError, match=r"3 links or more. At most 2 are"):
        load(
            "platform",
            ",A,B,C\nA,0,ten,1\nB,1,0,2\nC,1,2,0\n",
            format="tables",
            limits=Limits(max_links=2),
        )


def test_limits_are_kept() -> None:
    for limits in (Limits(max_body_bytes=10), Limits(max_processors=2), Limits(max_links=1)):
        with pytest.raises(LimitError):
            load("platform", HOSTS, LINKS, limits=limits)
