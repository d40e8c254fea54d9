"""DAX, Pegasus 5, STG and TGFF: small documents, and real ones with known sums."""

from fractions import Fraction

import pytest
import yaml

import steadygrid as sg
from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.reference_speeds import ASSUMED_SPEED
from tests.data import shared_data
from tests.formats.foreign import faults, load, sizes, works

DAX = """<?xml version="1.0"?>
<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1" name="pair" jobCount="3">
  <job id="a" runtime="1.5"><uses file="in" link="input" size="9"/>
    <uses file="f" link="output" size="10"/><uses file="g" link="output" size="4"/></job>
  <job id="b" cores="2"><profile namespace="pegasus" key="runtime">2</profile>
    <uses name="f" link="input" size="11"/><uses name="g" link="input"/></job>
  <job id="c" runtime="0"><uses file="g" link="input" size="4"/></job>
  <child ref="b"><parent ref="a"/></child>
  <child ref="c"><parent ref="b"/></child>
</adag>
"""
PEGASUS = """x-pegasus: {apiLang: python}
pegasus: "5.0"
name: diamond
jobs:
- {type: job, name: a, id: ID1, uses: [{lfn: f, type: output, size: 10}, {lfn: i, type: input}],
   profiles: {pegasus: {runtime: 1.50}}}
- type: job
  name: b
  id: ID2
  uses:
  - {lfn: f, type: input}
  profiles: {pegasus: {runtime: "3", cores: "4"}}
jobDependencies:
- id: ID1
  children: [ID2]
"""
STG = """3
0 0 0
1 4 1 0
2 2.5 1 0
3 3 2 1 2
4 0 1 3
# the end
"""
TGFF = """@HYPERPERIOD 8
@TASK_GRAPH 0 {
  PERIOD 8
  TASK a TYPE 1
  TASK b TYPE 0
  ARC ab FROM a TO b TYPE 5
  HARD_DEADLINE d0 ON b AT 8
}
@TASK_GRAPH 1 {
  TASK c TYPE 0
}
@COMMUN_QUANT 0 {
  5 400
}
@CORE 0 {
# price
  10.5
# type version power exec_time
  0    0       1.5   0.025
  1    0       9.3   1/3
  1    1       9.3   7
}
@CORE 1 {
# type exec_time
  0 2
}
"""


def test_a_dax_has_jobs_and_files_of_two_versions() -> None:
    application, found = load("application", DAX, reference_speed="2")
    assert application.name == "pair"
    assert works(application) == {"a": 3, "b": 4, "c": 0}
    assert sizes(application) == {("a", "b"): 14, ("b", "c"): 0, ("a", "c"): 4}
    assert {
        "runtimes on several cores count as the work of one processor: b",
        "files have another size where they are used: the producer's is taken: f",
        "who is before whom is said by files only: a to c",
        "parents without a common file give files of size 0: b to c",
        "external inputs are where they are used: 1 files",
    } == set(found)


def test_the_assumed_speed_is_a_warning_in_these_words() -> None:
    for text in (DAX, PEGASUS):
        application, found = load("application", text)
        assert ASSUMED_SPEED in found
        assert works(application)[application.tasks[0].id] == Fraction(3, 2) * 10**9
        assert ASSUMED_SPEED not in load("application", text, reference_speed="1Gf").warnings
    assert ASSUMED_SPEED == "runtimes are read as work at 1 Gf/s: say reference_speed"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (DAX.replace('ref="b"/>', 'ref="x"/>'), "unknown_task", "line 9: there is no job 'x'"),
        (DAX.replace('id="c"', 'id="a"'), "duplicate_task", "line 7: job 'a' is given twice"),
        (DAX.replace('id="c"', ""), "missing", "line 7: a job has no id"),
        (DAX.replace("1.5", "soon"), "not_a_rational", "line 3: 'soon'"),
        (DAX.replace('"10"', '"-1"'), "negative_rational", "line 4: "),
        (DAX.replace(' runtime="0"', ""), "missing_parameter", "runtime: 1 of 3 jobs do not say"),
        (DAX.replace('"10"', '""').replace('"11"', '""'), "missing_parameter", "file_size: 1 files"),
        (DAX.replace('<parent ref="b"/>', '<parent ref="c"/>'), "cycle", "the files form a cycle"),
        ("<adag/>", "too_short", "there is no job"),
        (DAX.replace('file="g" link="input"', 'link="input"'), "missing", "line 7: a file has no name"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_dax_is_told(text: str, code: str, words: str) -> None:
    found = faults("application", text)
    assert code in [each[0] for each in found]
    assert any(each[1].startswith(words) for each in found), found


@pytest.mark.parametrize("speed", ["fast", "0", "-1", "1Gb"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    ((code, sentence),) = faults("application", DAX, reference_speed=speed)
    assert (code, sentence[:17]) == ("invalid_parameter", "reference_speed: ")


def test_a_workflow_inside_of_a_workflow_is_one_job() -> None:
    text = DAX.replace('<job id="c"', '<dax id="c"').replace(
        '"/></job>\n  <child', '"/></dax>\n  <child', 1
    )
    found = load("application", text).warnings
    assert "a workflow inside of the workflow is one job: c" in found
    found = load("application", PEGASUS.replace("type: job\n", "type: pegasusWorkflow\n")).warnings
    assert "a workflow inside of the workflow is one job: ID2" in found


def test_what_a_dax_does_not_say_can_be_said() -> None:
    text = DAX.replace(' runtime="0"', "").replace('"10"', '""').replace('"11"', '""')
    application, found = load(
        "application", text, runtime="1min", file_size="2kB", reference_speed="1"
    )
    assert works(application)["c"] == 60
    assert sizes(application)["a", "b"] == 2004
    assert "jobs without a runtime have the one that is said: c" in found
    assert "files without a size have the one that is said: f" in found


@pytest.mark.parametrize(
    ("name", "tasks", "edges", "work", "data"),
    [
        ("HEFT_paper", 10, 15, "127", 29750),
        ("CyberShake_30", 30, 52, "760.53", 7492680824),
        ("Montage_25", 25, 45, "227.75", 322367526),
        ("floodplain", 7, 10, "160200", 104922842397),
    ],
)
def test_real_workflows_have_these_sums(
    name: str, tasks: int, edges: int, work: str, data: int
) -> None:
    text = shared_data(f"formats/{name}.dax.xml").read_bytes()
    application, _ = load("application", text, reference_speed="1")
    assert (len(application.tasks), len(application.files)) == (tasks, edges)
    assert sum(works(application).values()) == Fraction(work)
    assert sum(sizes(application).values()) == data


def test_pegasus_5_is_read_as_yaml_is() -> None:
    application, found = load("application", PEGASUS, reference_speed="2")
    second = yaml.safe_load(PEGASUS)
    assert application.name == second["name"]
    assert works(application) == {
        job["id"]: 2 * Fraction(str(job["profiles"]["pegasus"]["runtime"]))
        for job in second["jobs"]
    }
    assert sizes(application) == {("ID1", "ID2"): 10}
    assert "runtimes on several cores count as the work of one processor: ID2" in found


def test_numbers_of_yaml_are_exact() -> None:
    long = "0.12345678901234567890123"
    application, _ = load("application", PEGASUS.replace("1.50", long), reference_speed="1")
    assert works(application)["ID1"] == Fraction(long)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (PEGASUS + "a: &x [1]\n", "malformed_yaml", "line 16: anchors and aliases are not read"),
        (PEGASUS + "a: *x\n", "malformed_yaml", "line 16: "),
        (PEGASUS + "a: [1\n", "malformed_yaml", "line 17: "),
        (PEGASUS + "name: again\n", "malformed_yaml", "line 16: the name 'name' is given twice"),
        (PEGASUS + "---\na: 1\n", "malformed_yaml", "line 16: one document is read"),
        (PEGASUS + "? [a]\n: b\n", "malformed_yaml", "line 16: a name is text"),
        (PEGASUS + "a: " + "[" * 70 + "]" * 70, "nested_too_deeply", "line 16: "),
        (PEGASUS.replace("children: [ID2]", "children: [ID3]"), "unknown_task", "there is no job 'ID3'"),
        (PEGASUS.replace("children: [ID2]", "children: ID3"), "invalid_type", "expected a list"),
        (PEGASUS.replace("id: ID2", "name2: x"), "missing", "a job has no id"),
        (PEGASUS.replace("lfn: f, type: input", "type: input"), "missing", "a file has no lfn"),
        (PEGASUS.replace("- id: ID1", "- name: ID1"), "missing", "expected an id"),
        (PEGASUS.replace('"3"', "soon"), "not_a_rational", "'soon'"),
        (PEGASUS.replace(", size: 10", ""), "missing_parameter", "file_size: 1 files"),
        ("jobs: 3", "missing", "expected a list of jobs"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_pegasus_is_told(text: str, code: str, words: str) -> None:
    found = faults("application", text)
    assert found[0][0] == code
    assert found[0][1].startswith(words), found


def test_a_pegasus_fault_has_a_pointer() -> None:
    with pytest.raises(sg.InstanceError) as refused:
        load("application", PEGASUS.replace('"3"', "soon"))
    assert refused.value.faults[0].pointer == ("jobs", 1, "profiles", "pegasus", "runtime")


def test_stg_counts_dummies_or_does_not() -> None:
    application, found = load("application", STG)
    assert works(application) == {"0": 0, "1": 4, "2": Fraction(5, 2), "3": 3, "4": 0}
    assert set(sizes(application)) == {("0", "1"), ("0", "2"), ("1", "3"), ("2", "3"), ("3", "4")}
    assert set(sizes(application).values()) == {0}
    assert len(found) == 2
    bare, _ = load("application", STG, drop_dummies="true")
    assert list(works(bare)) == ["1", "2", "3"]
    assert set(sizes(bare)) == {("1", "3"), ("2", "3")}
    counted, found = load("application", STG.replace("3\n", "5\n", 1))
    assert works(counted) == works(application)
    assert len(found) == 1


def test_stg_may_have_costs_of_communication() -> None:
    application, found = load("application", "2\n0 3 0\n1 4 1 0 7.5\n", name="two")
    assert application.name == "two"
    assert sizes(application) == {("0", "1"): Fraction(15, 2)}
    assert found == ()


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (
            "4\n0 3 0\n1 4 0\n1 2 0\n",
            "malformed_stg",
            "line 1: 4 tasks are announced, and 3 are there",
        ),
        (
            "2\n0 3 0\n1 4 2 0\n",
            "malformed_stg",
            "line 3: 2 predecessors are announced, and 1 words",
        ),
        ("2\n0 3 0\n1 4 x\n", "malformed_stg", "line 3: expected a task"),
        ("2\n0 3 0\n0 4 0\n", "duplicate_task", "line 3: task '0' is given twice"),
        ("2\n0 3 0\n1 soon 1 0\n", "not_a_rational", "line 3: 'soon'"),
        ("2\n0 3 0\n1 4 2 0 0\n", "duplicate_file", "line 3: predecessor '0'"),
        ("2\n0 3 0\n1 4 1 7\n", "unknown_task", "there is no task '7'"),
        ("x", "malformed_stg", "line 1: the first line is the number of tasks"),
        ("", "malformed_stg", "the first line is the number of tasks"),
    ],
)
def test_what_is_wrong_with_stg_is_told(text: str, code: str, words: str) -> None:
    found = faults("application", text, format="stg")
    assert found[0][0] == code
    assert found[0][1].startswith(words), found


def test_what_takes_time_is_no_dummy() -> None:
    found = faults("application", STG.replace("4 0 1 3", "4 1 1 3"), drop_dummies="true")
    assert found[0][0] == "invalid_parameter"


def test_tgff_has_types_and_times_on_each_processor() -> None:
    application, found = load("application", TGFF)
    assert application.name == "TASK_GRAPH 0"
    assert [(t.id, t.times) for t in application.tasks] == [
        ("a", {"CORE0": Fraction(1, 3)}), ("b", {"CORE0": Fraction(1, 40), "CORE1": 2}),
    ]  # fmt: skip
    assert sizes(application) == {("a", "b"): 400}
    assert {
        "1 other graphs of the file are left out: say graph",
        "periods and deadlines are left out",
        "further versions of a type are left out: CORE0, type 1",
        "prices, power and other columns are left out: CORE0",
    } == set(found)
    other, _ = load("application", TGFF, graph="1", name="one")
    assert (other.name, [t.id for t in other.tasks]) == ("one", ["c"])


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (TGFF.replace("5 400", "6 400"), "missing_parameter", "arc_size: 1 of 1 arcs have a type"),
        (TGFF.replace("TO b", "TO z"), "unknown_task", "line 6: there is no task 'z'"),
        (TGFF.replace("b TYPE 0", "a TYPE 0"), "duplicate_task", "line 5: task 'a' is given twice"),
        (TGFF.replace("a TYPE 1", "a TYPE 9"), "unknown_type", "line 4: no table has a time of type 9"),
        (TGFF.replace("1/3", "soon"), "not_a_rational", "line 20: 'soon'"),
        (TGFF.replace("TASK b", "JOB b"), "malformed_tgff", "line 5: expected TASK or ARC"),
        (TGFF.replace("exec_time", "speed"), "missing", "no table says how long a type takes"),
        (TGFF.replace("9.3   1/3", ""), "malformed_tgff", "line 20: 4 columns are named, and 2"),
        (TGFF.rstrip("}\n"), "malformed_tgff", "line 23: @CORE does not end"),
        ("@GRAPH 0 {\n}\n", "too_short", "line 1: the graph has no task"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_tgff_is_told(text: str, code: str, words: str) -> None:
    found = faults("application", text)
    assert found[0][0] == code
    assert found[0][1].startswith(words), found


def test_a_graph_that_is_not_there_is_refused() -> None:
    assert faults("application", TGFF, graph="7") == [
        ("missing", "graph: there is no such graph. Those of the file: 0, 1")
    ]


def test_a_real_tgff_needs_sizes_of_its_arcs() -> None:
    text = shared_data("formats/002_040.tgff").read_bytes()
    assert faults("application", text)[0][1].startswith("arc_size: 52 of 52 arcs")
    application, _ = load("application", text, arc_size="1kB")
    assert (len(application.tasks), len(application.files)) == (40, 52)
    assert application.tasks[0].times == {"CORE0": Fraction("0.015"), "CORE1": Fraction("0.021")}


def test_limits_are_kept() -> None:
    for text in (DAX, PEGASUS, STG, TGFF):
        for limits in (Limits(max_body_bytes=10), Limits(max_tasks=1)):
            with pytest.raises(LimitError):
                load("application", text, limits=limits)
    for text in (DAX, STG):
        with pytest.raises(LimitError):
            load("application", text, limits=Limits(max_files=1))
