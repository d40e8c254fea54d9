"""The judge of runs of links finds each fault in a schedule made by hand, and cuts the right slots."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import slot_document
from tests.acceptance.grids import body, figure_3, random_grid
from tests.acceptance.runs import check_told, counts_of, slots_of
from tests.solved import solve

Document = dict[str, Any]

ASKED = body({"M": None, "A": 1, "B": 1}, [("M", "A", 1), ("M", "B", 1)], {"output_size": 1})


def run(start: int, end: int, ends: str, *cargo: tuple[str, int, str, int]) -> Document:
    """Cargo: ``in`` or ``out``, allocation, count, time."""
    files = {"in": ["begin", "task"], "out": ["task", "end"]}
    return {
        "start": str(start),
        "end": str(end),
        "sender": ends[0],
        "receiver": ends[1],
        "cargo": [
            {"file": files[file], "allocation": index, "count": count, "time": str(time)}
            for file, index, count, time in cargo
        ],
    }


def by_hand() -> Document:
    """A and B get three files each and send them back; the link to A is interrupted."""
    return {
        "period": "8",
        "ports": "one_port",
        "preempted": False,
        "interruptions": 1,
        "counts": {"runs": 5, "cargo": 6, "slots": 5, "transfers": 9, "allocations": 3},
        "runs": [
            run(0, 2, "MA", ("in", 0, "1", 1), ("in", 1, "1", 1)),
            run(0, 3, "BM", ("out", 2, "3", 3)),
            run(2, 5, "MB", ("in", 2, "3", 3)),
            run(3, 6, "AM", ("out", 0, "2", 2)),
            run(5, 7, "MA", ("in", 0, "1", 1)),
        ],
    }


def test_what_is_right_is_taken() -> None:
    check_told(ASKED["problem"], by_hand())


@pytest.mark.parametrize(
    "place",
    [
        lambda told: told["runs"][2].update(start="1"),
        lambda told: told["runs"][3].update(start="5/2"),
        lambda told: told["runs"][0].update(start="-1"),
        lambda told: told["runs"][4].update(end="9"),
        lambda told: told["runs"][4].update(end="5"),
        lambda told: told["runs"][4].update(cargo=[]),
        lambda told: told["runs"][0].update(end="3/2"),
        lambda told: told["runs"][0]["cargo"][0].update(count="0"),
        lambda told: told["runs"][0]["cargo"][0].update(count="1/2"),
        lambda told: told["runs"].reverse(),
        lambda told: told["runs"].insert(1, run(2, 3, "MA", ("in", 0, "1", 1))),
        lambda told: told.update(preempted=True),
        lambda told: told.update(interruptions=0),
        lambda told: told["counts"].update(runs=4),
        lambda told: told["counts"].update(cargo=5),
        lambda told: told["counts"].update(slots=6),
        lambda told: told["counts"].update(transfers=10),
        lambda told: told["runs"].pop(),
    ],
)
def test_each_fault_is_found(place: Callable[[Document], Any]) -> None:
    wrong = by_hand()
    place(wrong)
    with pytest.raises(AssertionError):
        check_told(ASKED["problem"], wrong)


def test_two_runs_that_touch_are_one() -> None:
    wrong = by_hand()
    wrong["runs"][0] = run(0, 1, "MA", ("in", 0, "1", 1))
    wrong["runs"].insert(2, run(1, 2, "MA", ("in", 1, "1", 1)))
    wrong["counts"]["runs"], wrong["interruptions"] = 6, 2
    with pytest.raises(AssertionError, match="are one run"):
        check_told(ASKED["problem"], wrong)


def test_cards_and_half_duplex_links_are_counted() -> None:
    with_cards = deepcopy(ASKED["problem"])
    with_cards["platform"]["processors"][0]["cards"] = 2
    told = by_hand()
    told["runs"][2] = run(1, 4, "MB", ("in", 2, "3", 3))
    told["runs"][3] = run(2, 5, "AM", ("out", 0, "2", 2))
    told["counts"] = counts_of(told)
    check_told(with_cards, told)
    with pytest.raises(AssertionError, match=r"M\.send serves 2"):
        check_told(ASKED["problem"], told)
    with_cards["platform"]["links"][1]["duplex"] = "half"
    with pytest.raises(AssertionError, match=r"M--B\.half serves 2"):
        check_told(with_cards, told)


def test_a_processor_that_receives_does_not_send_where_ports_do_one_of_both() -> None:
    told = by_hand() | {"ports": "send_or_receive"}
    with pytest.raises(AssertionError, match=r"M\.port serves 2"):
        check_told(ASKED["problem"], told)
    told["runs"] = [
        told["runs"][0],
        run(2, 5, "BM", ("out", 2, "3", 3)),
        run(5, 8, "MB", ("in", 2, "3", 3)),
    ]
    told["counts"], told["interruptions"] = counts_of(told), 0
    check_told(ASKED["problem"], told)


@pytest.mark.parametrize("longest", [None, 10])
@pytest.mark.parametrize("whole", [True, False])
def test_runs_cut_at_all_moments_are_the_slots_that_are_derived(
    longest: int | None, whole: bool
) -> None:
    asked = [figure_3(output_size=1), *(random_grid(seed, 7) for seed in range(6))]
    options: Document = {} if longest is None else {"max_period": longest}
    cut = 0
    for each in asked:
        document = solve(each, whole_files=whole, **options).schedule.document
        derived = Schedule.from_document(document).slots
        expected = slots_of(document)
        assert [slot_document(slot) for slot in derived] == expected
        transfers = [t for slot in expected for t in slot["transfers"]]
        counted = {"slots": len(expected), "transfers": len(transfers)}
        assert counted.items() <= counts_of(document).items()
        cut += len(transfers) > counts_of(document)["cargo"]
    assert cut > 3
