"""Which quantities of a document have units, so that all of a sort have one or none has."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.measures import RATE, SPEED, TIME, Measure, Unreadable
from steadygrid.formats.simgrid.notes import Notes

_LABELS = {RATE: ("data", "B"), SPEED: ("work", "flop"), TIME: ("time", "s")}
_PLURALS = {RATE: "bandwidths", SPEED: "speeds", TIME: "latencies"}


class UnitLabels:
    """Reads quantities, and tells which units the platform has.

    Parameters
    ----------
    parameters
        ``bandwidth_unit``, ``latency_unit`` and ``speed_unit`` of quantities without a unit.
    faults
        Gets ``mixed_units``.
    notes
        Gets what is assumed.
    """

    def __init__(self, parameters: Mapping[str, str], faults: FaultList, notes: Notes) -> None:
        self._faults = faults
        self._notes = notes
        self._seen: dict[Measure, dict[bool, int | str]] = {}
        self._counts: dict[Measure, dict[bool, int]] = {}
        self._default: dict[Measure, str] = {}
        for measure in _LABELS:
            name = f"{measure.noun}_unit"
            if name in parameters:
                self._default[measure] = parameters[name]
                try:
                    measure.factor(parameters[name])
                except Unreadable as error:
                    raise refused(name, "invalid_parameter", str(error)) from None

    def read(self, place: int | str, value: Any, measure: Measure, unit: str = "") -> Fraction:
        """Read a quantity.

        Parameters
        ----------
        place
            Its line.
        value
            Text, or a number.
        measure
            What it is of.
        unit
            Of the column.

        Raises
        ------
        Unreadable
            As of `Measure.read`.
        """
        found = measure.read(value, unit or self._default.get(measure, ""))
        self.note(place, measure, found.has_unit)
        return found.value

    def note(self, place: int | str, measure: Measure, has_unit: bool) -> None:
        """Remember whether a quantity had a unit.

        Parameters
        ----------
        place
            Its line.
        measure
            What it is of.
        has_unit
            Whether it had one.
        """
        self._seen.setdefault(measure, {}).setdefault(has_unit, place)
        counts = self._counts.setdefault(measure, {})
        counts[has_unit] = counts.get(has_unit, 0) + 1

    def labels(self) -> dict[str, str]:
        """Give the units of the platform; add the fault of those that mix."""
        labels: dict[str, str] = {}
        for measure, seen in self._seen.items():
            if len(seen) > 1:
                place, counts = seen[False], self._counts[measure]
                self._faults.add(
                    place,
                    "mixed_units",
                    f"{counts[False]} of {sum(counts.values())} {_PLURALS[measure]} have no unit, and"
                    f" the others have: write one everywhere, or say {measure.noun}_unit",
                )
            if True in seen:
                name, label = _LABELS[measure]
                labels |= {"time": "s", name: label}
        if labels:
            for measure, seen in self._seen.items():
                if seen.keys() == {False}:
                    self._notes.say(
                        f"{_PLURALS[measure]} have no unit: they are read as they are, with the second"
                        f" as unit of time. Say {measure.noun}_unit"
                    )
        return labels
