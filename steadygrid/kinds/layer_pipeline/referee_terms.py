"""What an instance says, as the referee reads it: by name, layer by layer, nothing added up before."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.kinds.layer_pipeline.schemas import DeviceType, LayerPipelineInstance


class StageTerms(NamedTuple):
    """Layers from one position to another, both included, on copies of a device type."""

    first: int
    last: int
    device: str
    replicas: int

    @property
    def positions(self) -> range:
        """Of its layers."""
        return range(self.first, self.last + 1)


def reduce_time(weights: Fraction, width: Fraction | None, copies: int) -> Fraction:
    """Give the time that a ring takes to reduce weights over copies.

    Parameters
    ----------
    weights
        Data, of each copy.
    width
        Bandwidth of the reduction. None where it takes no time.
    copies
        How many there are.
    """
    if width is None:
        return Fraction(0)
    return weights * 2 * (copies - 1) / (copies * width)


class Terms:
    """An instance as the referee reads it.

    Attributes
    ----------
    position
        Of each layer in the chain.
    device_types
        By id.
    trains
        Whether there are backward passes.
    data_behind
        Of each layer: what goes to the next one, and back.
    """

    def __init__(self, instance: LayerPipelineInstance) -> None:
        self.instance = instance
        self.layers = instance.layers
        self.position = {layer.id: i for i, layer in enumerate(instance.layers)}
        self.device_types: dict[str, DeviceType] = {
            device.id: device for device in instance.devices
        }
        self.trains = any(
            self.passes(i, device_type)[1]
            for i in self.position.values()
            for device_type in self.device_types
        )
        self.data_behind = self._data_behind()
        self._pairs: dict[frozenset[str], Fraction] = {}
        if isinstance(instance.bandwidth, tuple):
            self._pairs = {
                frozenset((pair.source, pair.target)): pair.bandwidth for pair in instance.bandwidth
            }

    def passes(self, layer: int, device_type: str) -> tuple[Fraction, Fraction]:
        """Give the times of the forward and the backward pass of a layer on a device.

        Parameters
        ----------
        layer
            By position.
        device_type
            By id.
        """
        device, asked = self.device_types[device_type], self.layers[layer]
        if device.times is not None:
            return device.times[asked.id]
        return asked.forward / device.speed, asked.backward / device.speed

    def passes_of(self, stage: StageTerms) -> tuple[Fraction, Fraction]:
        """Give the times of the passes of a stage."""
        both = [self.passes(i, stage.device) for i in stage.positions]
        return (
            sum((forward for forward, _ in both), Fraction(0)),
            sum((backward for _, backward in both), Fraction(0)),
        )

    def _data_behind(self) -> list[tuple[Fraction, Fraction]]:
        """Give the data that go from each layer to the next one, and back."""
        skipped = [Fraction(0)] * len(self.layers)
        for skip in self.instance.skips:
            for i in range(self.position[skip.source], self.position[skip.target]):
                skipped[i] += skip.size
        found: list[tuple[Fraction, Fraction]] = []
        for layer, more in zip(self.layers, skipped, strict=True):
            back = layer.output if layer.gradient is None else layer.gradient
            found.append((layer.output + more, back + more if self.trains else Fraction(0)))
        return found

    def transfers(self, layer: int, device_type: str, following: str) -> tuple[Fraction, Fraction]:
        """Give the times of the transfers behind a layer, to the next one and back.

        Parameters
        ----------
        layer
            By position.
        device_type, following
            Of the devices before and behind the boundary.
        """
        width = self.instance.bandwidth
        if isinstance(width, tuple):
            width = self._pairs[frozenset((device_type, following))]
        there, back = self.data_behind[layer]
        return (Fraction(0), Fraction(0)) if width is None else (there / width, back / width)

    def memory(self, stage: StageTerms, data_sets: int) -> Fraction:
        """Give what a copy of a stage needs with so many data sets in flight."""
        return sum(
            (self.layers[i].memory + data_sets * self.layers[i].in_flight for i in stage.positions),
            Fraction(0),
        )

    def reduce_time(self, stage: StageTerms) -> Fraction:
        """Give the time that a ring takes to reduce the weights of a stage over its copies."""
        weights = sum((self.layers[i].weights for i in stage.positions), Fraction(0))
        return reduce_time(
            weights, self.device_types[stage.device].reduce_bandwidth, stage.replicas
        )

    def most_replicas(self, layers: Sequence[int]) -> int | None:
        """Give the most copies that a stage of some layers may have. None for any number."""
        given = self.instance.max_replicas
        if not isinstance(given, dict):
            return given
        return min(
            (given[name] for i in layers if (name := self.layers[i].id) in given), default=None
        )

    @property
    def devices(self) -> int:
        """How many there are, of all device types."""
        return sum(device.count for device in self.instance.devices)
