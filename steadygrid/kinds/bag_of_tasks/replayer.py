"""What the runs of an answer share when the referee replays them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import cycle
from math import lcm

from steadygrid.kinds.bag_of_tasks.referee_star import Star
from steadygrid.kinds.bag_of_tasks.replay import Happened, OnDemand, Site, replay_known
from steadygrid.kinds.bag_of_tasks.runs import PolicyRun, RunEvent, TaskPlan
from steadygrid.kinds.bag_of_tasks.sampling import Sampled
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance
from steadygrid.kinds.bag_of_tasks.stream import read_stream


class Replayer:
    """The stream of one seed, and what policies make of it."""

    def __init__(self, instance: BagOfTasksInstance, star: Star, seed: int) -> None:
        assert instance.stream is not None
        self._instance = instance
        self._star = star
        self.names, self.kinds, self.stream = read_stream(
            instance.stream, instance.bags, star.classes, seed
        )
        self.workers = list(star.time_per_work)
        self._receiving = [self._receiving_at(worker) for worker in self.workers]
        self._computing = list(star.time_per_work.values())
        self.steps = lcm(
            _common(kind.size for kind in self.kinds) * _common(self._receiving),
            _common(kind.work for kind in self.kinds) * _common(self._computing),
        )
        master = self.workers.index(star.master) if star.master in self.workers else None
        is_one_port = instance.ports == "one_port"
        self.site = Site(len(self.workers), master, is_one_port, self._times)
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def _receiving_at(self, worker: str) -> Fraction:
        """Give the time that a unit of data takes. Each worker has what it needs of the master's."""
        if worker == self._star.master:
            return Fraction(0)
        return max(time for _, time in self._star.network.hops[self._star.master, worker].uses)

    def _times(self, k: int, worker: int) -> tuple[int, int]:
        if (k, worker) not in self._known:
            kind = self.kinds[k]
            self._known[k, worker] = (
                int(kind.size * self._receiving[worker] * self.steps),
                int(kind.work * self._computing[worker] * self.steps),
            )
        return self._known[k, worker]

    def sampled(self) -> tuple[int, Sampled]:
        """Give how many tasks are the sample, and what it tells."""
        part = self._instance.sample * len(self.stream)
        number = -(-part.numerator // part.denominator)
        buckets = self._instance.buckets, self._instance.work_buckets
        bags = [bag.id for bag in self._instance.bags]
        sample = self.stream[:number]
        return number, Sampled(bags, self.kinds, sample, self._instance.split, buckets)

    def happened(
        self, run: PolicyRun, tasks: Sequence[int], sampled: Sampled | None
    ) -> list[Happened] | None:
        """Replay a run on its tasks. None where its plan leaves a class or worker out.

        Parameters
        ----------
        run
            As the answer tells it. Its policy and plan are used.
        tasks
            Those of the run, in order: of each, the position of its kind.
        sampled
            What the plan was made from. None where it was made from the bags.

        Returns
        -------
        list of Happened or None
            By task; dates in steps.
        """
        if run.policy == "on_demand":
            return OnDemand(self.site, tasks, self._instance.buffer).replay()
        if run.policy == "round_robin":
            return replay_known(self.site, tasks, cycle(range(len(self.workers))))
        if run.plan is None:
            return None
        told = {k: self.names[k] if sampled is None else sampled.name_for(k) for k in set(tasks)}
        destinations = self._counted(run.plan, [told[k] for k in tasks])
        return None if destinations is None else replay_known(self.site, tasks, destinations)

    def _counted(self, plan: TaskPlan, names: Sequence[str]) -> Iterator[int] | None:
        """Follow the rates of a plan: each class has a counter for each of its workers."""
        index = {name: i for i, name in enumerate(self.workers)}
        rates: dict[str, list[tuple[int, Fraction]]] = {}
        for planned in plan.rates:
            if planned.rate <= 0 or planned.processor not in index:
                return None
            rates.setdefault(planned.name, []).append((index[planned.processor], planned.rate))
        if not set(names) <= rates.keys():
            return None
        return _counted_bags(
            {name: _Counter(sorted(listed)) for name, listed in rates.items()}, names
        )

    def events(
        self, tasks: Sequence[int], happened: Sequence[Happened], most: int
    ) -> list[RunEvent]:
        """List the first events by start, then by task, the transfer before the computation.

        Parameters
        ----------
        tasks
            Those of the run, in order: of each, the position of its kind.
        happened
            What was replayed, by task.
        most
            How many events are listed at most.
        """
        listed: list[tuple[int, int, int, int]] = []
        for number, one in enumerate(happened):
            if one.worker != self.site.master:
                listed.append((one.sent, number, 0, one.arrived))
            listed.append((one.begun, number, 1, one.done))
        listed.sort()
        return [
            RunEvent(
                task=number,
                name=self.names[tasks[number]],
                event="compute" if computes else "transfer",
                processor=self.workers[happened[number].worker],
                start=Fraction(start, self.steps),
                end=Fraction(end, self.steps),
            )
            for start, number, computes, end in listed[:most]
        ]

    def average_cost(self, tasks: Sequence[int], prices: Mapping[str, Fraction]) -> Fraction:
        """Give what these tasks cost on the average, each where it is cheapest, equation (16).

        Parameters
        ----------
        tasks
            Those of the run, in order: of each, the position of its kind.
        prices
            By resource. What is not named is free.
        """
        star = self._star
        lines = set()
        for worker in self.workers:
            uses = () if worker == star.master else star.network.hops[star.master, worker].uses
            data = sum((time * prices.get(name, 0) for name, time in uses), Fraction(0))
            computing = prices.get(star.network.computing(worker), Fraction(0))
            lines.add((data, computing * star.time_per_work[worker]))
        cheap: list[tuple[Fraction, Fraction]] = []
        for line in sorted(lines):
            if not cheap or line[1] < cheap[-1][1]:
                cheap.append(line)
        unit = _common(part for line in cheap for part in line)
        whole = [(int(a * unit), int(b * unit)) for a, b in cheap]
        total = Fraction(0)
        for k, number in Counter(tasks).items():
            kind = self.kinds[k]
            total += number * min(kind.size * a + kind.work * b for a, b in whole)
        return total / (unit * len(tasks))


class _Counter:
    """Whose turn it is: the least number of tasks, the next one included, over the rate."""

    def __init__(self, rates: Sequence[tuple[int, Fraction]]) -> None:
        unit = _common(rate for _, rate in rates)
        self._workers = [worker for worker, _ in rates]
        self._weights = [int(rate * unit) for _, rate in rates]
        self._numbers = [1] * len(rates)

    def next(self) -> int:
        """Give the next task to a worker. The first of those that are equal."""
        best = 0
        for i in range(1, len(self._weights)):
            if self._numbers[i] * self._weights[best] < self._numbers[best] * self._weights[i]:
                best = i
        self._numbers[best] += 1
        return self._workers[best]


def _counted_bags(counters: Mapping[str, _Counter], names: Iterable[str]) -> Iterator[int]:
    for name in names:
        yield counters[name].next()


def _common(values: Iterable[Fraction]) -> int:
    return lcm(*(value.denominator for value in values))
