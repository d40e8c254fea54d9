"""What an instance says of its layers and devices, in numbers: for admission and for the solver."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm

from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance


def has_backward_passes(instance: LayerPipelineInstance) -> bool:
    """Tell whether some layer has a backward pass on some device."""
    listed = [device.times for device in instance.devices if device.times is not None]
    if any(backward for times in listed for _, backward in times.values()):
        return True
    return len(listed) < len(instance.devices) and any(l.backward for l in instance.layers)


def _sums(values: Sequence[Fraction]) -> list[Fraction]:
    return list(accumulate(values, initial=Fraction(0)))


@dataclass(frozen=True)
class Chain:
    """An instance without faults, in numbers; layers and device types by position.

    Attributes
    ----------
    trains
        Whether there are backward passes.
    forward, backward
        Time of the passes of the first so many layers, by device type.
    memory, in_flight, weights
        Of the first so many layers.
    outputs, gradients
        Data from a layer to the next, and back, skips included.
    most_copies
        Of a stage that holds the layer.
    bandwidths
        Of links between two device types. None where transfers take no time.
    """

    instance: LayerPipelineInstance
    trains: bool
    forward: list[list[Fraction]]
    backward: list[list[Fraction]]
    memory: list[Fraction]
    in_flight: list[Fraction]
    weights: list[Fraction]
    outputs: list[Fraction]
    gradients: list[Fraction]
    most_copies: list[int]
    bandwidths: list[list[Fraction | None]]

    @classmethod
    def from_instance(cls, instance: LayerPipelineInstance) -> "Chain":
        """Read an instance.

        Parameters
        ----------
        instance
            Without faults.
        """
        layers, devices = instance.layers, instance.devices
        trains = has_backward_passes(instance)
        passes = [
            [
                (layer.forward / device.speed, layer.backward / device.speed)
                if device.times is None
                else device.times[layer.id]
                for layer in layers
            ]
            for device in devices
        ]
        outputs, gradients = _moved(instance, trains)
        return cls(
            instance,
            trains,
            [_sums([one[0] for one in row]) for row in passes],
            [_sums([one[1] for one in row]) for row in passes],
            _sums([layer.memory for layer in layers]),
            _sums([layer.in_flight for layer in layers]),
            _sums([layer.weights for layer in layers]),
            outputs,
            gradients,
            _most_copies(instance),
            _bandwidths(instance),
        )

    @property
    def num_layers(self) -> int:
        """How many layers there are."""
        return len(self.outputs)

    @property
    def num_device_types(self) -> int:
        """How many types of devices there are."""
        return len(self.forward)

    def load(self, first: int, end: int, device_type: int) -> Fraction:
        """Give the time of both passes of some layers.

        Parameters
        ----------
        first, end
            The layers are those from the first to the one before the end.
        device_type
            Of the device, by position.
        """
        forward, backward = self.forward[device_type], self.backward[device_type]
        return forward[end] - forward[first] + backward[end] - backward[first]

    def transfer(self, last: int, device_type: int, following: int) -> tuple[Fraction, Fraction]:
        """Give the time of the transfers behind a layer, to the next and back.

        Parameters
        ----------
        last
            The layer before the boundary.
        device_type, following
            Of the devices before and behind it.
        """
        width = self.bandwidths[device_type][following]
        if width is None:
            return Fraction(0), Fraction(0)
        return self.outputs[last] / width, self.gradients[last] / width

    def reduce_time(self, first: int, end: int, device_type: int, copies: int) -> Fraction:
        """Give the time of a reduction of the weights of some layers over their copies, in a ring.

        Parameters
        ----------
        first, end
            The layers are those from the first to the one before the end.
        device_type
            Of the devices, by position.
        copies
            How many there are.
        """
        width = self.instance.devices[device_type].reduce_bandwidth
        if width is None:
            return Fraction(0)
        return 2 * Fraction(copies - 1, copies) * (self.weights[end] - self.weights[first]) / width

    def fits(self, first: int, end: int, device_type: int, data_sets: int = 1) -> bool:
        """Tell whether a device has room for some layers, with so many data sets in flight.

        Parameters
        ----------
        first, end
            The layers are those from the first to the one before the end.
        device_type
            Of the device, by position.
        data_sets
            In flight at a time.
        """
        room = self.instance.devices[device_type].memory
        return room is None or self.held(first, end, data_sets) <= room

    def held(self, first: int, end: int, data_sets: int) -> Fraction:
        """Give the memory that some layers take, with so many data sets in flight.

        Parameters
        ----------
        first, end
            The layers are those from the first to the one before the end.
        data_sets
            In flight at a time.
        """
        each = self.in_flight[end] - self.in_flight[first]
        return self.memory[end] - self.memory[first] + data_sets * each

    @cached_property
    def longest_transfer(self) -> Fraction:
        """The time of the longest transfer between any two device types, in one direction."""
        data = max((*self.outputs[:-1], *self.gradients[:-1]), default=Fraction(0))
        widths = [width for row in self.bandwidths for width in row if width is not None]
        return data / min(widths) if widths else Fraction(0)

    def last_ends(self, copies: int) -> list[int]:
        """Give, for each layer, the last end of a stage that may have so many copies.

        Parameters
        ----------
        copies
            At least 1.
        """
        ends = [self.num_layers] * self.num_layers
        end = self.num_layers
        for layer in range(self.num_layers - 1, -1, -1):
            if self.most_copies[layer] < copies:
                end = layer
            ends[layer] = end
        return ends

    def times(self) -> list[Fraction]:
        """List all times of which periods are sums and quotients by whole numbers."""
        found = [time for rows in (self.forward, self.backward) for row in rows for time in row]
        for width in {width for row in self.bandwidths for width in row if width is not None}:
            found += [size / width for size in (*self.outputs, *self.gradients)]
        for device in self.instance.devices:
            if device.reduce_bandwidth is not None:
                found += [weight / device.reduce_bandwidth for weight in self.weights]
        return found

    @cached_property
    def unit(self) -> int:
        """The common denominator of all times."""
        return lcm(*{time.denominator for time in self.times()})

    def is_short(self, limit: int) -> bool:
        """Tell whether the common denominator of all times is below a limit, without more work.

        Parameters
        ----------
        limit
            Above 1.
        """
        common = 1
        for denominator in {time.denominator for time in self.times()}:
            common = lcm(common, denominator)
            if common >= limit:
                return False
        return True


def _moved(instance: LayerPipelineInstance, trains: bool) -> tuple[list[Fraction], list[Fraction]]:
    """Give the data that go from each layer to the next, and back."""
    outputs = [layer.output for layer in instance.layers]
    gradients = [
        Fraction(0) if not trains else l.output if l.gradient is None else l.gradient
        for l in instance.layers
    ]
    index = {layer.id: i for i, layer in enumerate(instance.layers)}
    more = [Fraction(0)] * (len(outputs) + 1)
    for skip in instance.skips:
        more[index[skip.source]] += skip.size
        more[index[skip.target]] -= skip.size
    passed = list(accumulate(more))[:-1]
    return (
        [size + extra for size, extra in zip(outputs, passed, strict=True)],
        [size + extra * trains for size, extra in zip(gradients, passed, strict=True)],
    )


def _most_copies(instance: LayerPipelineInstance) -> list[int]:
    given, all_of_them = instance.max_replicas, sum(d.count for d in instance.devices)
    if isinstance(given, dict):
        return [given.get(layer.id, all_of_them) for layer in instance.layers]
    return [all_of_them if given is None else given] * len(instance.layers)


def _bandwidths(instance: LayerPipelineInstance) -> list[list[Fraction | None]]:
    names = [device.id for device in instance.devices]
    given = instance.bandwidth
    if not isinstance(given, tuple):
        return [[given] * len(names) for _ in names]
    known: dict[tuple[str, str], Fraction | None] = {}
    for pair in given:
        known[pair.source, pair.target] = known[pair.target, pair.source] = pair.bandwidth
    return [[known.get((one, other)) for other in names] for one in names]
