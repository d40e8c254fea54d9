"""The settings, as commands read them."""

from app.settings import Settings, SettingsError, read_settings
from workers.console.terminal import Refusal


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
        raise Refusal(["the settings are wrong", *(f"  {line}" for line in error.args)]) from None
