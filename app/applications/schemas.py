"""Stored applications as answers."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from app.domain.application import Application


class StoredApplication(BaseModel):
    """An application's record: everything but the application itself."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="a hash of the content")
    name: str | None
    counts: dict[str, int]
    warnings: list[str] = Field(description="what a foreign format had that ours has not")
    created_at: datetime
    links: dict[str, str]


class StoredApplicationDetails(StoredApplication):
    """An application with its record."""

    application: Application


class StoredApplicationPage(BaseModel):
    """Some records, the newest first."""

    model_config = ConfigDict(extra="forbid")

    items: list[StoredApplication]
    next_page_token: str | None
