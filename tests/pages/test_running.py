"""Where a schedule that runs is, in the window that a page shows."""

from datetime import timedelta
from fractions import Fraction

import pytest

from app.db.watches import Epoch
from app.grids.epochs import position_at
from app.pages.running import PresentPosition
from tests.http.test_measurements import NOON


@pytest.mark.parametrize(
    ("seconds", "window", "part"),
    [
        (-1, (0, 10), None),
        (0, (0, 10), Fraction(0)),
        (25, (0, 10), Fraction(1, 2)),
        (25, (4, 8), Fraction(1, 4)),
        (29, (4, 8), None),
        (25, (20, 40), Fraction(1, 4)),
        (25, (30, 40), None),
    ],
)
def test_a_window_of_the_first_period_stands_for_each(
    seconds: int, window: tuple[int, int], part: Fraction | None
) -> None:
    period = Fraction(10)
    at = NOON + timedelta(seconds=seconds)
    now = PresentPosition(NOON, 1.0, period, position_at(Epoch(NOON, "1"), period, at))
    assert now.part_of_window(Fraction(window[0]), Fraction(window[1])) == part
