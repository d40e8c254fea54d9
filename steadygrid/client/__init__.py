"""A client of the service: it submits, waits, and gives answers as `solve` does.

`Client` blocks, `AsyncClient` is awaited; both need ``pip install 'steadygrid[client]'``.
"""

from steadygrid.client.asynchronous import AsyncClient, AsyncJob, AsyncSweep
from steadygrid.client.asynchronous_grids import AsyncPlatforms
from steadygrid.client.asynchronous_webhooks import AsyncWebhooks
from steadygrid.client.refusals import (
    Gone,
    JobCancelled,
    JobFailed,
    RefusedRequest,
    ServiceUnavailable,
)
from steadygrid.client.synchronous import Client, Job, Sweep
from steadygrid.client.synchronous_grids import Platforms
from steadygrid.client.synchronous_webhooks import Webhooks

__all__ = [
    "AsyncClient",
    "AsyncJob",
    "AsyncPlatforms",
    "AsyncSweep",
    "AsyncWebhooks",
    "Client",
    "Gone",
    "Job",
    "JobCancelled",
    "JobFailed",
    "Platforms",
    "RefusedRequest",
    "ServiceUnavailable",
    "Sweep",
    "Webhooks",
]
