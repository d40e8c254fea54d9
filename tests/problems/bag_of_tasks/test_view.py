"""What people are told about bags."""

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.telling import why
from steadygrid.problems.bag_of_tasks.view import view
from steadygrid.problems.submission import parse_submission
from tests.problems.bag_of_tasks.bodies import example_b
from tests.solved import solve


def test_prices_are_explained_by_what_a_task_costs_on_the_average() -> None:
    instance = parse_submission(example_b(), Limits()).instance
    told = solve(example_b())
    seen = view(instance, Options(), told.result, told.schedule)
    text = "".join(part for part in why(told.result, seen) if isinstance(part, str))
    assert "worth at least 1 on the average of all tasks" in text
    assert "Whichever way" not in text
