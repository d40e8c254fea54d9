"""A client of the service: it submits, waits, and gives answers as `solve` does.

`Client` blocks, `AsyncClient` is awaited; both need ``pip install 'steadygrid[client]'``.
"""

from steadygrid.client.asynchronous import AsyncClient, AsyncJob, AsyncPlatforms, AsyncSweep
from steadygrid.client.refusals import (
    Gone,
    JobCancelled,
    JobFailed,
    RefusedRequest,
    ServiceUnavailable,
)
from steadygrid.client.synchronous import Client, Job, Platforms, Sweep

__all__ = [
    "AsyncClient",
    "AsyncJob",
    "AsyncPlatforms",
    "AsyncSweep",
    "Client",
    "Gone",
    "Job",
    "JobCancelled",
    "JobFailed",
    "Platforms",
    "RefusedRequest",
    "ServiceUnavailable",
    "Sweep",
]
