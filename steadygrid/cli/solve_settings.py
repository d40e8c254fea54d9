"""The settings of those who solve, as commands read them."""

from steadygrid.cli.terminal import Refusal
from steadygrid.environment import SettingsError, SolveSettings, read_solve_settings


def settings() -> SolveSettings:
    """Read the settings.

    Raises
    ------
    Refusal
        An environment variable has a value that it cannot have.
    """
    try:
        return read_solve_settings()
    except SettingsError as error:
        raise wrong(error) from None


def wrong(error: SettingsError) -> Refusal:
    """Give the refusal of settings that are wrong, a line for each variable."""
    return Refusal(["the settings are wrong", *(f"  {line}" for line in error.args)])
