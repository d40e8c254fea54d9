"""The settings of the service, as its commands read them."""

from app.settings import Settings, SettingsError, read_settings
from steadygrid.cli.solve_settings import wrong


def settings() -> Settings:
    """Read the settings.

    Raises
    ------
    Refusal
        An environment variable has a value that it cannot have.
    """
    try:
        return read_settings()
    except SettingsError as error:
        raise wrong(error) from None
