"""The speed of the machine that recorded the runtimes of a workflow."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.units import parse_speed

DEFAULT_SPEED = "1Gf"
ASSUMED_SPEED = "runtimes are read as work at 1 Gf/s: say reference_speed"
"""The warning, if no speed is given."""
PARAMETER = (
    "speed of the machine that recorded the runtimes, such as 2Gf or a number of flops per second"
    f" (default: {DEFAULT_SPEED}, with a warning)"
)


def reference_speed(parameters: Mapping[str, str], notes: Notes) -> Fraction:
    """Give the speed in flops per second, and warn where it is assumed.

    Parameters
    ----------
    parameters
        May have ``reference_speed``.
    notes
        Gets the warning.

    Raises
    ------
    InstanceError
        It is no speed, or zero.
    """
    if "reference_speed" not in parameters:
        notes.say(ASSUMED_SPEED)
    try:
        speed = parse_speed(parameters.get("reference_speed", DEFAULT_SPEED)).value
    except ValueError as error:
        raise InstanceError(
            faults=[Fault((), "invalid_parameter", f"reference_speed: {error}")]
        ) from None
    if not speed:
        detail = "reference_speed: a speed is greater than zero, such as 2Gf"
        raise InstanceError(faults=[Fault((), "invalid_parameter", detail)])
    return speed
