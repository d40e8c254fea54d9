"""The settings of pages on other hosts: which may use the API, and which may frame views."""

import re

from pydantic import BaseModel, Field, field_validator

from app.webhook_settings import listed

_ORIGIN = re.compile(r"https?://[^/\s?#@,;]+", re.ASCII)
_ANY = "*"


class OriginSettings(BaseModel):
    """Which origins are let in."""

    cors_origins: str = Field(
        "", description="origins whose pages may use the API, separated by commas. * is any"
    )
    view_origins: str = Field(
        "",
        description="origins whose pages may embed views of jobs, separated by commas. * is any",
    )

    @field_validator("cors_origins", "view_origins")
    @classmethod
    def _origins_only(cls, value: str) -> str:
        for origin in listed(value):
            if origin != _ANY and not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin!r} is not an origin: write scheme, host and port only,"
                    " such as https://grid.example.org"
                )
        return value

    @property
    def origins(self) -> list[str]:
        """The origins of `cors_origins`."""
        return listed(self.cors_origins)

    @property
    def view_frames(self) -> str:
        """The origins of `view_origins`, as ``frame-ancestors`` has them."""
        return " ".join(listed(self.view_origins)) or "'none'"
