"""Problem kinds as answers."""

from typing import Any

from pydantic import BaseModel, Field


class ProblemKind(BaseModel):
    """A kind of problem, in short."""

    kind: str = Field(description="as `problem.kind` of a job")
    title: str
    description: str
    methods: dict[str, str] = Field(description="a sentence for each method")
    links: dict[str, str]


class ProblemKindDetails(ProblemKind):
    """A kind of problem with all that one needs to ask for it."""

    sources: list[str]
    instance_schema: dict[str, Any] = Field(description="JSON Schema of `problem`")
    result_schema: dict[str, Any] = Field(description="JSON Schema of the result")
    not_judged: list[str] = Field(
        description="members of results that the referee does not judge, in some answers or in all:"
        " JSON pointers, with * for every member of a list"
    )
    example: dict[str, Any] = Field(description="a body that can be posted to /v1/jobs as it is")


class ProblemKindPage(BaseModel):
    """All kinds. They fit one page."""

    items: list[ProblemKind]
    next_page_token: str | None = None
