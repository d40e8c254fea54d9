"""What is right is accepted, and does what it says when it is replayed."""

import pytest

from tests.replay import assert_replays
from tests.verification.answers import RIGHT


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_accepted(name):
    assert RIGHT[name]().faults() == []


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_delivers_its_instances_when_replayed(name):
    answer = RIGHT[name]()
    assert_replays(answer.instance, answer.schedule)
