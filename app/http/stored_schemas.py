"""Stored documents as answers."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class StoredDocument(BaseModel):
    """The record of a stored document: everything but the document itself."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="a hash of the content")
    name: str | None
    counts: dict[str, int] = Field(description="how many of each the document lists")
    warnings: list[str] = Field(description="what a foreign format had and the document lacks")
    created_at: datetime
    links: dict[str, str] = Field(
        description="`self`. Of a platform also `pictures`, where the service can draw"
    )


class StoredDocumentPage(BaseModel):
    """Some records, the newest first."""

    model_config = ConfigDict(extra="forbid")

    items: list[StoredDocument]
    next_page_token: str | None
