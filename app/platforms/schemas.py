"""Stored platforms as answers."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from app.domain.platform import Platform


class StoredPlatform(BaseModel):
    """A platform's record: everything but the platform itself."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="a hash of the content")
    name: str | None
    counts: dict[str, int]
    warnings: list[str] = Field(description="what a foreign format had that ours has not")
    created_at: datetime
    links: dict[str, str]


class StoredPlatformDetails(StoredPlatform):
    """A platform with its record."""

    platform: Platform


class StoredPlatformPage(BaseModel):
    """Some records, the newest first."""

    model_config = ConfigDict(extra="forbid")

    items: list[StoredPlatform]
    next_page_token: str | None
