"""Topologies of NCCL and of nvidia-smi: numbers by hand, real files, and what they give solved."""

import re
import warnings
from fractions import Fraction
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.gpu_machines.constants import nvlink_bandwidth, pcie_bandwidth
from tests.data import shared_data
from tests.formats.foreign import bandwidths, faults, load
from tests.tree import ROOT

GEN3 = Fraction(1024, 65)
"""GB/s of 16 lanes of 8 GT/s."""
DUMPED = """<system version="1">
  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85">
    <pci busid="0000:01:00.0" class="0x060400" link_speed="8.0 GT/s PCIe" link_width="16">
      <pci busid="0000:03:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="80" rank="0">
          <nvlink target="0000:04:00.0" count="2" tclass="0x030200"/>
          <nvlink target="0000:05:00.0" count="1" tclass="0x068000"/>
        </gpu>
      </pci>
      <pci busid="0000:04:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16">
        <gpu dev="1" sm="80" rank="1">
          <nvlink target="0000:03:00.0" count="2" tclass="0x030200"/>
          <nvlink target="0000:06:00.0" count="1" tclass="0x068000"/>
          <nvlink target="0000:04:00.0" count="9" tclass="0x030200"/>
        </gpu>
      </pci>
      <pci busid="0000:07:00.0" class="0x020700" link_speed="8.0 GT/s PCIe" link_width="16">
        <nic><net name="ib0" dev="0" speed="100000"/></nic>
      </pci>
    </pci>
  </cpu>
  <cpu numaid="1" arch="x86_64" vendor="AuthenticAMD" familyid="23" modelid="49">
    <pci busid="0000:08:00.0" class="0x030200" link_speed="16 GT/s" link_width="8">
      <gpu dev="2" sm="90" rank="2"><c2c bw="1000" count="5"/></gpu>
    </pci>
    <nic><net name="eth0" dev="1" speed="-1"/></nic>
  </cpu>
</system>
"""


def platform_of(text: str, **parameters: Any) -> Any:
    return load("platform", text, **parameters)


def test_every_element_has_its_bandwidth() -> None:
    platform, found = platform_of(DUMPED, simplify="false")
    rates = bandwidths(platform)
    assert rates["gpu0", "pci-0000:01:00.0"] == GEN3
    assert rates["pci-0000:01:00.0", "cpu0"] == GEN3
    assert rates["gpu0", "gpu1"] == rates["gpu1", "gpu0"] == 2 * 25
    assert rates["gpu0", "nvswitch"] == rates["nvswitch", "gpu1"] == 25
    assert rates["cpu0", "cpu1"] == 10, "the slower of Intel's 10 and AMD's 16"
    assert rates["gpu2", "cpu1"] == 8 * Fraction(16 * 128, 130) / 8 + 5
    assert platform.units.data == "GB"
    switches = {p.id for p in platform.processors if p.switch}
    assert {p.id for p in platform.processors} - switches == {"gpu0", "gpu1", "gpu2"}
    assert {
        "an NVLink of a GPU to itself is left out: gpu1",
        "a GPU has no NVLink, and others have: a known cause of slow runs: gpu2",
        "cards without a speed have 10 Gbit/s, as NCCL has it: eth0",
        "c2c is read as a link to the CPU: gpu2",
    } <= set(found)


def test_the_numbers_of_nccl_are_another_choice() -> None:
    rates = bandwidths(platform_of(DUMPED, constants="nccl", simplify="false").document)
    assert rates["gpu0", "gpu1"] == 2 * 20
    assert rates["gpu0", "pci-0000:01:00.0"] == 12
    assert rates["gpu2", "cpu1"] == 8 * Fraction(120, 80) + 5


@pytest.mark.parametrize(
    ("sm", "nccl", "nominal"),
    [
        (60, "18", "20"), (70, "20", "25"), (80, "20", "25"), (86, "12", "14.0625"),
        (89, "20", "25"), (90, "20.6", "25"), (100, "40.1", "50"), (120, "40.1", "50"),
    ],
)  # fmt: skip
def test_an_nvlink_has_the_bandwidth_of_its_generation(sm: int, nccl: str, nominal: str) -> None:
    assert nvlink_bandwidth(sm, nominal=False) == Fraction(nccl)
    assert nvlink_bandwidth(sm, nominal=True) == Fraction(nominal)


@pytest.mark.parametrize(("rate", "nccl"), [(8, 12), (16, 24), (32, 48)])
def test_sixteen_lanes_of_pcie(rate: int, nccl: int) -> None:
    assert pcie_bandwidth(Fraction(rate), 16, nominal=False) == nccl
    assert pcie_bandwidth(Fraction(rate), 16, nominal=True) == Fraction(16 * rate * 128, 130 * 8)


def test_copies_are_joined_by_a_switch_or_by_rails() -> None:
    one, found = platform_of(DUMPED, boxes="2", simplify="false")
    assert any("2 boxes are joined by a fabric that never limits (switch)" in e for e in found)
    rates = bandwidths(one)
    assert rates["box0.card-0000:07:00.0", "fabric"] == Fraction(100, 8)
    assert rates["fabric", "box1.card-eth0"] == Fraction(10, 8)
    rails = bandwidths(platform_of(DUMPED, boxes="3", fabric="rails", simplify="false").document)
    assert {pair[1] for pair in rails if pair[1].startswith("rail")} == {"rail0", "rail1"}
    assert rails["box2.card-eth0", "rail1"] == Fraction(10, 8)


def test_without_sockets_and_with_a_switch_that_combines() -> None:
    platform, found = platform_of(DUMPED, peer_pci="false", nvls="true")
    assert {p.id: p.switch for p in platform.processors if "gpu" not in p.id} == {
        "pci-0000:01:00.0": True, "nvswitch": False,
    }  # fmt: skip
    assert any("bound from above" in each for each in found)


@pytest.mark.parametrize(
    ("text", "parameters", "code", "words"),
    [
        (DUMPED.replace("dev=\"1\" sm", "dev=\"0\" sm"), {}, "duplicate_processor", "line 10: two GPUs"),
        (DUMPED.replace("0000:04:00.0\" cl", "0000:03:00.0\" cl"), {}, "duplicate_processor", "line 10: "),
        (DUMPED.replace("sm=\"80\"", "sm=\"new\""), {}, "not_a_rational", "line 5: sm='new'"),
        (DUMPED.replace("0x068000", "0x099999"), {}, "unknown_class", "line 7: tclass"),
        (DUMPED.replace("sm=\"80\"", ""), {}, "missing_parameter", "line 4: gpu0 does not say its sm"),
        (DUMPED, {"boxes": "0"}, "invalid_parameter", "boxes: '0'"),
        (DUMPED, {"fabric": "ring"}, "invalid_parameter", "fabric: 'ring' is none of switch, rails"),
        (DUMPED, {"nvls": "maybe"}, "invalid_parameter", "nvls: 'maybe' is neither true nor false"),
        (DUMPED, {"gpu": "v100"}, "invalid_parameter", "gpu: 'v100' is none of"),
        (DUMPED, {"net_speed": "fast"}, "invalid_parameter", "net_speed: "),
        (DUMPED, {"net_speed": "0"}, "invalid_parameter", "net_speed: it is greater than zero"),
        ("<system/>", {}, "missing_parameter", "gpu: no element of the file is a GPU"),
    ],
)  # fmt: skip
def test_what_is_wrong_or_missing_is_told(
    text: str, parameters: dict[str, str], code: str, words: str
) -> None:
    found = faults("platform", text, **parameters)
    assert found[0][0] == code
    assert found[0][1].startswith(words)


def test_several_hosts_in_a_file_keep_their_names() -> None:
    host = DUMPED.replace("<cpu ", '<cpu host_hash="0x1" ').replace('<system version="1">', "")
    host = host.replace("</system>\n", "")
    other = host.replace("0x1", "0x2").replace("0000:", "0001:")
    text = f"<system>{host}{other}</system>"
    platform, _ = platform_of(text)
    assert {"host0.gpu0", "host1.gpu2"} <= {p.id for p in platform.processors}
    assert faults("platform", text, boxes="2")[0][1].startswith("boxes: the file has 2 hosts")


def test_limits_are_kept() -> None:
    for limits in (Limits(max_body_bytes=10), Limits(max_processors=2), Limits(max_links=1)):
        with pytest.raises(LimitError):
            load("platform", DUMPED, limits=limits)


# --- real files ------------------------------------------------------------------------------

NDV5 = {"gpu": "h200", "net_speed": 400000}
NDV4 = {"gpu": "a100", "net_speed": 200000}


def solved(name: str, operation: str, **parameters: Any) -> Fraction:
    path = shared_data(f"formats/nccl/{name}-topo.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.LossyFormatWarning)
        platform = sg.read_platform(path, **parameters)
    participants = [p.id for p in platform.processors if "gpu" in p.id]
    problem = {
        "kind": "collective", "platform": platform, "operation": operation,
        "ports": "multiport", "participants": participants,
    }  # fmt: skip
    answer = sg.solve(problem, in_process=True)
    assert answer.outcome.value == "optimal"
    return answer.objective


ALLREDUCE: list[tuple[str, dict[str, Any], Fraction]] = [
    ("ndv4", NDV4, Fraction(86192, 455)),
    ("ndv4", NDV4 | {"constants": "nccl"}, Fraction(1056, 7)),
    ("p4d-24xl", {"gpu": "a100", "net_speed": 100000}, Fraction(11728, 65)),
    ("ndv5", NDV5 | {"peer_pci": "false"}, Fraction(1800, 7)),
    ("ndv5", NDV5 | {"peer_pci": "false", "boxes": 2}, Fraction(800, 3)),
    ("ndv5", NDV5 | {"boxes": 2}, Fraction(266768, 975)),
    ("ndv5", NDV5 | {"peer_pci": "false", "boxes": 2, "constants": "nccl"}, Fraction(5584, 25)),
]


@pytest.mark.usefixtures("few_programs")
@pytest.mark.parametrize(("name", "parameters", "optimum"), ALLREDUCE)
def test_allreduce_on_real_machines(
    name: str, parameters: dict[str, Any], optimum: Fraction
) -> None:
    assert solved(name, "allreduce", **parameters) == optimum


def test_the_page_has_these_optima() -> None:
    page = (ROOT / "docs" / "own-files.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `([a-z0-9-]+)-topo.xml` \| (.+) \| ([0-9/]+) \| ([0-9.]+) \|$", page, re.MULTILINE
    )
    assert rows == [
        (
            name,
            " ".join(f"`{k}={v}`" for k, v in parameters.items()),
            str(best),
            f"{float(best):.1f}",
        )
        for name, parameters, best in ALLREDUCE
    ]


@pytest.mark.usefixtures("few_programs")
def test_out_of_each_gpu_goes_what_its_links_take() -> None:
    # 7/8 of all leaves each GPU: 12 NVLinks of 25, and of PCIe 16 GT/s 2048/65, shared by two
    assert solved("ndv4", "allgather", **NDV4) == Fraction(21548, 455)


@pytest.mark.usefixtures("few_programs")
@pytest.mark.parametrize("name", ["ndv4", "p4d-24xl"])
def test_switches_that_are_contracted_change_no_optimum(name: str) -> None:
    parameters = {"gpu": "a100", "net_speed": 100000}
    assert solved(name, "allgather", **parameters, simplify=False) == solved(
        name, "allgather", **parameters
    )


def test_real_files_that_say_too_little_are_refused() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("g5.48xl", {}, "gpu: no element of the file is a GPU"),
        ("ndv5", {}, "does not say its speed: say net_speed"),
        ("ndv5", {"net_speed": 400000}, "gpu: the 8 GPUs have no nvlink"),
    ]
    for name, parameters, words in cases:
        path = shared_data(f"formats/nccl/{name}-topo.xml")
        with pytest.raises(sg.InstanceError) as refused:
            sg.read_platform(path, **parameters)
        assert refused.value.faults[0].code == "missing_parameter"
        assert words in str(refused.value)


# --- nvidia-smi ------------------------------------------------------------------------------

TOPO = """\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV4\tSYS\tSYS\tPXB\t0-23\t0
GPU1\tNV4\t X \tSYS\tSYS\tPXB\t0-23\t0
GPU2\tSYS\tSYS\t X \tNV4\tSYS\t24-47\t1
GPU3\tSYS\tSYS\tNV4\t X \tSYS\t24-47\t1
NIC0\tPXB\tPXB\tSYS\tSYS\t X \t\t

Legend:

  X    = Self
"""
GEN4 = Fraction(2048, 65)


def test_a_matrix_of_distances_becomes_bridges_and_sockets() -> None:
    platform, found = platform_of(TOPO, gpu="a100", net_speed="100 Gbit/s", simplify="false")
    rates = bandwidths(platform)
    assert rates["gpu0", "gpu1"] == rates["gpu3", "gpu2"] == 4 * 25
    assert rates["gpu0", "pci0"] == rates["nic0", "pci0"] == GEN4
    assert rates["gpu2", "cpu1"] == rates["gpu3", "cpu1"] == GEN4
    assert rates["cpu0", "cpu1"] == 10
    assert "between sockets (SYS) 10 GB/s are taken: say socket_bandwidth" in found
    said = platform_of(TOPO, gpu="a100", net_speed="1", socket_bandwidth="20GB/s", simplify="false")
    assert bandwidths(said.document)["cpu0", "cpu1"] == 20


def test_all_links_between_all_pairs_are_one_switch() -> None:
    names = [f"GPU{i}" for i in range(8)]
    lines = ["\t" + "\t".join(names)]
    lines += ["\t".join([a, *("X" if a == b else "NV18" for b in names)]) for a in names]
    platform, _ = platform_of("\n".join(lines), gpu="h100", peer_pci="false")
    assert bandwidths(platform) == {
        pair: 450 for a in names for pair in ((a.lower(), "nvswitch"), ("nvswitch", a.lower()))
    }


@pytest.mark.parametrize(
    ("text", "parameters", "code", "words"),
    [
        (TOPO, {}, "missing_parameter", "gpu: the text does not say which GPUs"),
        (TOPO, {"gpu": "k80"}, "invalid_parameter", "gpu: "),
        (TOPO, {"gpu": "a100"}, "missing_parameter", "net_speed: the text does not say"),
        (TOPO.replace("PXB\t0-23\t0", "NEAR\t0"), {"gpu": "a100"}, "malformed_table", "line 2: 'NEAR'"),
        (TOPO.replace("GPU3\tSYS", "gpu3\tSYS"), {"gpu": "a100"}, "malformed_table", "there is no line of"),
        (TOPO.replace("GPU1\tGPU2", "GPU2\tGPU2"), {"gpu": "a100"}, "malformed_table", "line 1: the first"),
        (TOPO, {"gpu": "a100", "net_speed": "1", "socket_bandwidth": "0"}, "invalid_parameter",
         "socket_bandwidth: it is greater than zero"),
    ],
)  # fmt: skip
def test_what_the_matrix_does_not_say_is_asked(
    text: str, parameters: dict[str, str], code: str, words: str
) -> None:
    found = faults("platform", text, **parameters)
    assert found[0][0] == code
    assert found[0][1].startswith(words)
