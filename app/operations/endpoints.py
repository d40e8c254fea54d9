"""``/livez``, ``/readyz``, ``/metrics`` and ``/v1/info``."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from app.http.answers import json_answer
from app.http.identity import tenant_of
from app.http.openapi import Responses, answer, problems
from app.http.resources import resources_of
from app.operations import service
from app.operations.streams import forget_dead_processes

router = APIRouter(tags=["operations"])

_METRICS: Responses = {
    200: {
        "description": "Metrics in the text format of Prometheus.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}


@router.get("/livez", responses={200: answer("The process answers.", "Health"), **problems()})
async def get_liveness() -> Response:
    """Say that the process answers; depends on nothing."""
    return json_answer({"status": "alive"}, headers={"Cache-Control": "no-store"})


@router.get(
    "/readyz", responses={200: answer("Requests can be served.", "Readiness"), **problems()}
)
def get_readiness(request: Request) -> Response:
    """Say whether requests can be served: the database answers and takes writes."""
    document = service.readiness(resources_of(request))
    return json_answer(document, headers={"Cache-Control": "no-store"})


@router.get("/metrics", response_class=Response, responses={**_METRICS, **problems()})
def get_metrics(request: Request) -> Response:
    """Give metrics to Prometheus."""
    registry: CollectorRegistry = request.app.state.metrics
    forget_dead_processes()
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


@router.get("/v1/info", responses={200: answer("The service.", "Info"), **problems()})
def get_info(request: Request) -> Response:
    """Say what this service is: version, limits, formats, solvers."""
    return json_answer(service.info(resources_of(request), tenant_of(request)))
