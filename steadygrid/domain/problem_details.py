"""Problem details (RFC 9457): the members that every refusal and every failed job has."""

from typing import Any

PROBLEM_JSON = "application/problem+json"
TYPE_PREFIX = "urn:steadygrid:problem:"


def problem_details(code: str, detail: str) -> dict[str, Any]:
    """Write the members that every problem has.

    Parameters
    ----------
    code
        Stable; with underscores.
    detail
        A sentence for people.
    """
    return {
        "type": TYPE_PREFIX + code,
        "title": code.replace("_", " ").capitalize(),
        "detail": detail,
        "code": code,
    }
