"""What the referee refuses where processors have several network cards."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.domain.slots import Slot
from steadygrid.kinds.master_worker.validator import steady_instance
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.fitting import Demand
from steadygrid.verification.start_ups import ungrouped
from steadygrid.verification.steady import views_of_one_application
from tests.kinds.master_worker.test_cards import carded, named_cards_are_used, star
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction


def answered(body: dict[str, Any], **options: Any) -> Answer:
    body = body | {"options": options}
    submission = parse_submission(body, Limits())
    return Answer(submission.instance, submission.options, *solve(body))


def busy_star(*given: Any, output_size: int = 0) -> dict[str, Any]:
    """Three workers that want two thirds of the time of a card each."""
    body = star(*given)
    body["problem"]["task"] = {"work": "3/2", "output_size": output_size}
    return body


def numbered() -> Answer:
    """Two cards send to three workers, and receive what these send back."""
    return answered(busy_star(2, output_size=1))


def named() -> Answer:
    """Card b has two of the three links."""
    return answered(busy_star(["a", "b"], "a", "b", "b"))


Plant = Callable[[tuple[Slot, ...]], tuple[Slot, ...]]


def moved(sender: str, receiver: str, into: Callable[[Slot], bool]) -> Plant:
    """Let a transfer run in the first slot that fits, beside what is there."""

    def plant(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        transfer = next(t for s in slots for t in s.transfers if t[:2] == (sender, receiver))
        place = next(i for i, slot in enumerate(slots) if into(slot))
        slot = slots[place]
        crowded = slot._replace(transfers=(*slot.transfers, transfer._replace(count=F(1, 9))))
        return (*slots[:place], crowded, *slots[place + 1 :])

    return plant


def busy(end: int, name: str, number: int) -> Callable[[Slot], bool]:
    """Find a slot in which a processor sends (0) or receives (1) so many files."""
    return lambda slot: sum(t[end] == name for t in slot.transfers) == number


def without(receiver: str, end: int = 1) -> Callable[[Slot], bool]:
    """Find a slot in which a processor does not receive, and the master's cards are busy."""
    return lambda slot: (
        sum(t[1 - end] == "M" for t in slot.transfers) == 2
        and not any(t[end] == receiver for t in slot.transfers)
    )


def test_what_uses_all_cards_is_accepted() -> None:
    assert numbered().faults() == []
    assert named().faults() == []
    assert max(len(slot.transfers) for slot in numbered().schedule.slots) == 4


@pytest.mark.parametrize(
    ("plant", "code", "sentence"),
    [
        (
            moved("M", "W2", without("W2")),
            "two_sends",
            "M.send serves 3 transfers at once, the last one from 'M' to 'W2'",
        ),
        (
            moved("W2", "M", without("W2", 0)),
            "two_receives",
            "M.receive serves 3 transfers at once, the last one from 'W2' to 'M'",
        ),
        (
            moved("M", "W0", lambda slot: any(t[1] == "W0" for t in slot.transfers)),
            "link_twice",
            "M->W0.link serves two transfers at once",
        ),
    ],
)
def test_more_transfers_than_cards_are_refused(plant: Plant, code: str, sentence: str) -> None:
    wrong = numbered().in_slots().change("schedule/slots", plant)
    assert any(f.code == code and sentence in f.detail for f in wrong.faults())


def test_a_named_card_sends_one_file_at_a_time() -> None:
    plant = moved("M", "W2", lambda slot: any(t[1] == "W1" for t in slot.transfers))
    wrong = named().in_slots().change("schedule/slots", plant)
    sentence = "M--b.send serves two transfers at once, the second one from 'M' to 'W2'"
    assert any(f.code == "two_sends" and sentence in f.detail for f in wrong.faults())


@pytest.mark.parametrize(
    ("made", "sent", "code"),
    [(numbered, 0, "overloaded"), (named, 1, "overloaded")],
)
def test_rates_that_ask_too_much_of_cards_are_refused(
    made: Callable[[], Answer], sent: int, code: str
) -> None:
    assert code in made().change(f"result/sent/{sent}/rate", F(2, 3)).codes()


@pytest.mark.parametrize(
    ("made", "prices", "code"),
    [
        (named, {"M.send": F(1)}, "ghost_resource"),
        (named, {"M--c.send": F(1)}, "ghost_resource"),
        (named, {"M--a.send": F(1)}, "cheap_allocation"),
        (numbered, {"M--a.send": F(1)}, "ghost_resource"),
        (numbered, {"M.send": F(1, 2)}, "prices_miss_bound"),
        (numbered, {"W0->M.link": F(1)}, "cheap_allocation"),
    ],
)
def test_prices_of_cards_that_prove_nothing_are_refused(
    made: Callable[[], Answer], prices: dict[str, Fraction], code: str
) -> None:
    assert code in made().change("result/certificate/prices", prices).codes()


def test_prices_are_shares_of_all_cards() -> None:
    """The master sends a task in 2, of 2 cards: at a price of 1 for both this costs 1."""
    prices = {"M.send": F(1)}
    assert numbered().change("result/certificate/prices", prices).faults() == []


def demand(schedule: Schedule, answer: Answer) -> Demand:
    views = views_of_one_application(steady_instance(answer.instance))
    return Demand(views, schedule, whole=False, steady=ungrouped(schedule))


def test_the_transfers_of_slots_are_bounded_with_cards() -> None:
    """Three hops over two cards, and a worker each: 2 * 3 + 1 + 3 + 1 + 5 * 2 slots, of two."""
    answer = answered(busy_star(2))
    asked = demand(answer.schedule, answer)
    assert asked.surely_fits(ScheduleLimits(max_slot_transfers=42), None)
    assert not asked.surely_fits(ScheduleLimits(max_slot_transfers=41), None)


def test_each_named_card_is_a_port_of_its_own() -> None:
    """Three hops, two senders, three receivers: at most 3 + 2 + 3 + 1 slots of two."""
    answer = named()
    asked = demand(answer.schedule, answer)
    assert asked.surely_fits(ScheduleLimits(max_slot_transfers=18), None)
    assert not asked.surely_fits(ScheduleLimits(max_slot_transfers=17), None)


def test_no_slots_list_more_transfers_than_that() -> None:
    checked = 0
    for seed in range(60):
        body = carded(seed, pools=True)
        if body is None or not named_cards_are_used(body):
            continue
        solved = solve(body, whole_files=False, max_period="exact")
        instance = parse_submission(body, Limits()).instance
        answer = Answer(instance, Options(), *solved)
        listed = sum(len(slot.transfers) for slot in solved.schedule.slots)
        assert listed <= demand(solved.schedule, answer)._most_transfers
        checked += bool(listed)
    assert checked > 10


def test_a_schedule_is_not_rounded_where_the_exact_one_fits() -> None:
    asked = answered(busy_star(2), max_period=2)
    assert asked.schedule.rounding_loss is not None
    wrong = Answer(asked.instance, Options(), asked.result, asked.schedule)
    assert "rounded_without_need" in wrong.codes()


@pytest.mark.parametrize("seed", range(8))
def test_whole_files_fill_cards_in_bounded_periods(seed: int) -> None:
    choose = Random(seed)
    body = star(choose.randint(2, 3))
    for link in body["problem"]["platform"]["links"]:
        link["unit_time"] = f"{choose.randint(3, 9)}/{choose.randint(1, 4)}"
    exact = solve(body).result.objective.value
    bounded = solve(body, max_period=30, whole_files=True).schedule
    assert F(3, 4) * exact <= bounded.throughput <= exact
