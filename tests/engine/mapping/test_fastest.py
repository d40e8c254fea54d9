"""Processors by the time of a task, and the sorts by which times are read."""

from random import Random

import pytest

from steadygrid.engine.mapping.fastest import fastest_first
from steadygrid.kinds.shared.collection import CollectionInstance, time_on
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance


def _few_speeds(seed: int) -> CollectionInstance:
    random = Random(seed)
    document = drawn(random, processors=7)
    for processor in document["platform"]["processors"]:
        if "speed" in processor:
            processor["speed"] = random.choice((1, 2))
    names = [p["id"] for p in document["platform"]["processors"] if "speed" in p]
    for task in document["application"]["tasks"]:
        if random.random() < 0.3:
            chosen = random.sample(names, random.randint(1, len(names)))
            task["times"] = {name: random.choice((1, 2, "1/2")) for name in chosen}
            if "allowed" in task and not set(task["allowed"]) & set(chosen):
                del task["allowed"]
            del task["work"]
    return instance(document)


@pytest.mark.parametrize("seed", range(draws(8, 1000)))
def test_times_by_sorts_are_those_of_each_task_on_each_processor(seed: int) -> None:
    of = _few_speeds(seed)
    processors, tasks = of.platform.processors, of.application.tasks
    assert of.times == tuple(tuple(time_on(task, p) for p in processors) for task in tasks)
    columns = list(zip(*of.times, strict=True))
    for i, first in enumerate(of.sorts):
        assert first <= i
        assert columns[first] == columns[i]
    assert sorted(i for members in of.sort_members.values() for i in members) == [
        *range(len(processors))
    ]


@pytest.mark.parametrize("seed", range(draws(8, 1000)))
def test_the_fastest_come_first_ties_by_position(seed: int) -> None:
    of = _few_speeds(seed)
    for task, row in enumerate(of.times):
        able = [(time, i) for i, time in enumerate(row) if time is not None]
        assert list(fastest_first(of, task)) == [i for _, i in sorted(able)]
