"""Who asks: the one place that says whose rows a request sees."""

from fastapi import Request

from app.db.models import LOCAL_TENANT


def who(_request: Request) -> str:
    """Give the tenant of a request; without keys everybody is the same one."""
    return LOCAL_TENANT


def is_alone(tenant: str) -> bool:
    """Say whether a tenant shares the service with nobody: without keys there is no other."""
    return tenant == LOCAL_TENANT
