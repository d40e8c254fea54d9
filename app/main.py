"""The HTTP service: one application from its parts, and what its refusals mean in HTTP."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from operator import attrgetter

import structlog
from fastapi import Depends, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from prometheus_client import CollectorRegistry
from prometheus_fastapi_instrumentator import Instrumentator
from prometheus_fastapi_instrumentator.metrics import Info
from prometheus_fastapi_instrumentator.metrics import default as default_metrics
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import RedirectResponse
from starlette.routing import Match
from starlette_compress import CompressMiddleware, remove_compress_type

from app.access.admission import Admission
from app.access.attempts import SharedAttempts
from app.access.holders import Holders
from app.access.meter import Meter
from app.access.rates import Rates
from app.applications.endpoints import router as applications
from app.broker import open_broker
from app.db.errors import DatabaseUnavailableError
from app.db.migrate import open_database
from app.error_entries import GUIDE, ErrorEntries
from app.grids.endpoints import router as measurements
from app.grids.feed import look
from app.grids.job_endpoints import router as running_jobs
from app.grids.keeper import DriftKeeper, attach_keeper
from app.http.background import Background
from app.http.body_guard import LARGE_AT_A_TIME, BodyGuard
from app.http.documentation import ASSETS as DOCUMENTATION_ASSETS
from app.http.documentation import serve_documentation
from app.http.entrance import Entrance
from app.http.fair_places import FairPlaces
from app.http.feed import Feed
from app.http.guide import serve_guide
from app.http.header_fields import HeaderFields
from app.http.long_poll import refused_stream
from app.http.openapi import install
from app.http.origin_guard import UNCHECKED, OriginGuard
from app.http.parameters import only_known_parameters
from app.http.paths import PublicPath, root_of
from app.http.pictures import PROCESS, Studio
from app.http.reading import Readers
from app.http.refusals import (
    Refusal,
    RefusedPart,
    database_away,
    problem_response,
    refused_pointers,
)
from app.http.resources import Resources, attach
from app.http.shutdown import Shutdown
from app.http.sources import Sources
from app.http.starting import WhyNot, explained, settings_or_exit
from app.http.traced import TraceRequests
from app.http.turns import TenantTurns
from app.http.watcher import Watcher
from app.jobs import news
from app.jobs.endpoints import router as jobs
from app.jobs.live import router as live
from app.jobs.picture_endpoints import router as pictures_of_jobs
from app.jobs.resource_endpoints import router as resources_of_jobs
from app.logs import configure_logging, places
from app.openapi_components import openapi_components
from app.operations.endpoints import router as operations
from app.operations.metrics import JobsCollector
from app.operations.service import all_processes, enough_messages
from app.operations.streams import OpenStreams
from app.pages.asking import router as asking
from app.pages.assets import FOLDER as ASSETS
from app.pages.assets import serve_asset
from app.pages.endpoints import router as pages
from app.pages.errors import error_page, wants_page
from app.pages.login import LOGIN, LOGOUT, lead_to_login, login_router
from app.pages.vega_bundle import BUNDLE, LEAD, VegaBundle
from app.pages.view_endpoints import router as views_of_jobs
from app.pages.views import router as views
from app.platforms.endpoints import router as platforms
from app.platforms.picture_endpoints import router as pictures_of_platforms
from app.problem_kinds.endpoints import router as problem_kinds
from app.schedules.endpoints import router as schedules
from app.server.capacity import capacity_of
from app.settings import Settings
from app.studies.endpoints import router as studies
from app.sweeps.endpoints import router as sweeps
from app.sweeps.picture_endpoints import router as pictures_of_sweeps
from app.tracing import Tracing
from app.webhooks.endpoints import router as webhooks
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.wording import sentence_for
from steadygrid.pictures.drawing import Drawer

CLIENT_GONE = 499
STATUS_BY_CODE: Mapping[str, int] = {
    "malformed_request": 400,
    "malformed_json": 400,
    "unauthorized": 401,
    "foreign_origin": 403,
    "insecure": 403,
    "missing_scope": 403,
    "guide_not_installed": 404,
    "no_such_picture": 404,
    "not_found": 404,
    "no_resources": 404,
    "no_trace": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "job_active": 409,
    "job_of_sweep": 409,
    "sweep_active": 409,
    "sweep_cancelled": 409,
    "tests_too_many": 409,
    "webhook_disabled": 409,
    "webhooks_too_many": 409,
    "job_not_finished": 409,
    "job_failed": 409,
    "job_cancelled": 409,
    "no_value": 409,
    "slots_too_many": 409,
    "job_purged": 410,
    "replan_purged": 410,
    "sweep_purged": 410,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "foreign_host": 421,
    "invalid_request": 422,
    "limit_exceeded": 422,
    "no_prices": 422,
    "not_periodic": 422,
    "idempotency_key_reused": 422,
    "queue_full": 429,
    "quota_exceeded": 429,
    "client_gone": CLIENT_GONE,
    "internal": 500,
    "pictures_not_installed": 501,
    "disk_full": 503,
    "issuer_unavailable": 503,
    "picture_failed": 503,
    "reading_failed": 503,
    "temporary_reduced_capacity": 503,
    "too_many_bodies": 503,
    "too_many_connections": 503,
    "too_many_large_bodies": 503,
    "too_many_pictures": 503,
    "unavailable": 503,
}
"""The one table: error code -> HTTP status."""

DESCRIPTION = """
Submit a platform and an application, get back the best periodic schedule: exact, certified
and verified. Quantities in answers are strings in lowest terms ("21/40"). `?numbers=float`
makes them JSON numbers. Errors are problem details (RFC 9457) with a stable `code`.
"""

TAGS = (
    {"name": "jobs", "description": "Submit problems, follow them, read their results."},
    {"name": "sweeps", "description": "One job with some of its values varied."},
    {"name": "pictures", "description": "Answers and platforms as pictures, and their tables."},
    {
        "name": "studies",
        "description": "What would help a job, and what to do now that speeds have changed.",
    },
    {"name": "schedules", "description": "Who does what when, in pages."},
    {
        "name": "measurements",
        "description": "What is measured of running platforms, and what schedules still do there.",
    },
    {"name": "platforms", "description": "Stored platforms, to be referred to by jobs."},
    {"name": "applications", "description": "Stored applications, to be referred to by jobs."},
    {"name": "webhooks", "description": "Receivers that hear of what has ended."},
    {"name": "problems", "description": "The kinds of problems that can be solved."},
    {"name": "operations", "description": "For those who run the service."},
)
OPEN = frozenset(("/livez", "/readyz", "/docs", GUIDE, "/openapi.json", LOGIN, LOGOUT))
"""Paths that need no key. What is below `OPEN_BELOW`, files that pages load, needs none either."""
OPEN_BELOW = (f"{DOCUMENTATION_ASSETS}/", f"{GUIDE}/", f"{ASSETS}/")
ROUTERS = (
    jobs,
    live,
    pictures_of_jobs,
    resources_of_jobs,
    studies,
    sweeps,
    pictures_of_sweeps,
    schedules,
    platforms,
    pictures_of_platforms,
    measurements,
    running_jobs,
    applications,
    webhooks,
    problem_kinds,
    operations,
)
CORS_REQUEST_FIELDS = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "Last-Event-ID",
    "Prefer",
)
CORS_ANSWER_FIELDS = (
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
)
CORS_SECONDS = 600
"""For a browser to remember what it may send."""
GZIP_LEVEL = 5
ZSTD_LEVEL = 3

log = structlog.get_logger(__name__)


def create_app(
    settings: Settings | None = None,
    large_bodies: int = LARGE_AT_A_TIME,
    tracing: Tracing | None = None,
) -> FastAPI:
    """Make the application. Its database and broker are opened when it starts.

    Parameters
    ----------
    settings
        Read from the environment if None.
    large_bodies
        How many large bodies are taken at a time.
    tracing
        Makes spans. None: as the settings say.
    """
    chosen = settings or settings_or_exit()
    configure_logging(chosen)
    meter = Meter(chosen)
    holders = Holders(chosen)
    attempts = SharedAttempts(chosen)
    entries = ErrorEntries(chosen)
    refuse = partial(_answer_refusal, entries)
    tracing = tracing or Tracing.open("api", chosen.traces_url)
    app = FastAPI(
        title="steadygrid",
        version=version("steadygrid"),
        summary="Exact, verified steady-state schedules for heterogeneous platforms",
        description=DESCRIPTION,
        redirect_slashes=False,
        generate_unique_id_function=attrgetter("name"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(only_known_parameters)],
        lifespan=_lifespan(chosen, meter, holders, attempts, tracing),
    )
    for router in ROUTERS:
        app.include_router(router)
    install(app, openapi_components, TAGS)
    serve_documentation(app)
    serve_guide(app, chosen)
    _answer_errors(app)
    app.state.entries = entries
    app.state.parameters = {}
    app.state.pages = chosen.pages
    app.state.login = chosen.login
    if chosen.login:
        app.include_router(login_router(chosen, attempts))
    if chosen.pages:
        app.include_router(pages)
        app.include_router(asking)
        app.include_router(views_of_jobs)
        app.include_router(views)
        vega = VegaBundle(chosen.assets_folder)
        app.add_route(LEAD, vega.lead, include_in_schema=False)
        app.add_route(BUNDLE, vega.serve, include_in_schema=False)
        app.add_route(f"{ASSETS}/{{name}}", serve_asset, include_in_schema=False)
    else:
        app.add_route("/", _lead_in, include_in_schema=False)
    _measure(app)
    app.add_middleware(PublicPath, settings=chosen)
    # What compresses a stream has up to a megabyte of its own for as long as that is open.
    remove_compress_type("text/event-stream")
    # The last one added is the outermost.
    app.add_middleware(
        CompressMiddleware, brotli=False, gzip_level=GZIP_LEVEL, zstd_level=ZSTD_LEVEL
    )
    app.add_middleware(BodyGuard, settings=chosen, refuse=refuse, large=large_bodies)
    app.add_middleware(TenantTurns, settings=chosen, refuse=_refuse, refused=refused_stream)
    app.add_middleware(Rates, meter=meter, is_free=_is_free, refuse=_refuse)
    app.add_middleware(
        Admission, settings=chosen, holders=holders, is_open=_is_open, refuse=_refuse
    )
    app.add_middleware(Entrance, refuse=refuse)
    if chosen.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=chosen.origins,
            allow_methods=["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"],
            allow_headers=CORS_REQUEST_FIELDS,
            expose_headers=CORS_ANSWER_FIELDS,
            max_age=CORS_SECONDS,
        )
    app.add_middleware(OriginGuard, settings=chosen, refuse=refuse)
    app.add_middleware(HeaderFields)
    if tracing is not None:
        app.add_middleware(TraceRequests, tracing=tracing)
    app.add_middleware(WhyNot)
    return app


def _is_open(path: str) -> bool:
    """Whether a path shows every caller the same, and nothing of any tenant."""
    # What draws is made when it is first asked for, and that is not done for every request.
    drawn = path.startswith(f"{ASSETS}/vega")
    return path in OPEN or (path.startswith(OPEN_BELOW) and not drawn)


def _is_free(path: str) -> bool:
    """Whether a path may be asked for at any time."""
    return path in OPEN | UNCHECKED or path.startswith(OPEN_BELOW)


async def _lead_in(request: Request) -> Response:
    """Lead users who type the bare address to the documentation."""
    return RedirectResponse(f"{root_of(request.scope)}/docs", HTTPStatus.TEMPORARY_REDIRECT)


def _answer_refusal(entries: ErrorEntries, refusal: Refusal) -> Response:
    """Write a refusal as an HTTP answer, by the table."""
    help_path = entries.path_of(refusal.code)
    return problem_response(refusal, STATUS_BY_CODE[refusal.code], help_path)


def _refuse(request: Request, refusal: Refusal) -> Response:
    """Write a refusal for the caller: as a page for people who look for one."""
    if request.app.state.pages and wants_page(request.scope):
        if request.app.state.login and refusal.code == "unauthorized":
            return lead_to_login(request)
        help_path = request.app.state.entries.path_of(refusal.code)
        return error_page(request, refusal, STATUS_BY_CODE[refusal.code], help_path)
    return _answer_refusal(request.app.state.entries, refusal)


def _lifespan(
    settings: Settings,
    meter: Meter,
    holders: Holders,
    attempts: SharedAttempts,
    tracing: Tracing | None,
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with explained(app):
            database = await run_in_threadpool(open_database, settings, migrate=True)
        broker = open_broker(settings, partial(enough_messages, database))
        shutdown = Shutdown()
        capacity = capacity_of(settings)
        waiting = FairPlaces(capacity.waiting, shared=settings.shared)
        watcher = Watcher(partial(look, database), shutdown.event)
        feed = Feed(partial(news.look, database), shutdown.event)
        drawer = Drawer(
            PROCESS, seconds=settings.picture_seconds, memory=settings.picture_memory_bytes
        )
        studio = Studio(drawer, shutdown)
        background = Background()
        readers = Readers(Sources(settings, database), capacity.connections)
        parts = (broker, watcher, feed, shutdown, waiting, studio, background, readers)
        resources = Resources(settings, database, *parts, app.version)
        attach(app, resources)
        keeper = DriftKeeper(resources)
        attach_keeper(app, keeper)
        app.state.metrics.register(JobsCollector(database, broker))
        try:
            with shutdown.listening():
                keeper.start()
                yield
        finally:
            await keeper.close()
            await feed.close()
            await watcher.close()
            await studio.close()
            await readers.close()
            await meter.close()
            await holders.close()
            await attempts.close()
            await run_in_threadpool(background.close)
            if tracing is not None:
                await run_in_threadpool(tracing.close)
            broker.close()
            database.close()

    return lifespan


def _measure(app: FastAPI) -> None:
    """Count and time requests. A registry of its own for each application."""
    registry = CollectorRegistry()
    app.state.metrics = all_processes(registry)
    count = default_metrics(metric_namespace="steadygrid", registry=registry)
    assert count is not None

    def count_known(request: Info) -> None:
        # All that clients make up is one value: each further one would be kept for ever.
        if request.method not in _METHODS:
            request.method = _OTHER
        if request.modified_handler == "none":
            request.modified_handler = _OTHER
        # Other refusals are the client's error; here the service was too slow for it.
        if request.response is not None and request.response.status_code == CLIENT_GONE:
            request.modified_status = str(CLIENT_GONE)
        count(request)

    Instrumentator(excluded_handlers=["^/metrics$"]).add(count_known).instrument(app)
    app.add_middleware(OpenStreams, registry=registry)


_METHODS = frozenset(("DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT"))
_OTHER = "other"


def _answer_errors(app: FastAPI) -> None:
    """Turn errors of every kind into problem details."""

    @app.exception_handler(Refusal)
    async def _(request: Request, error: Refusal) -> Response:
        return _refuse(request, error)

    @app.exception_handler(SchedulingError)
    async def _(request: Request, error: SchedulingError) -> Response:
        refusal = Refusal(error.code, error.detail, errors=refused_pointers(error.faults))
        return _refuse(request, refusal)

    @app.exception_handler(DatabaseUnavailableError)
    async def _(request: Request, error: DatabaseUnavailableError) -> Response:
        return _refuse(request, database_away(error))

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        return _refuse(request, _parameter_refusal(error))

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        code = _CODE_BY_STATUS.get(error.status_code, "malformed_request")
        headers = dict(error.headers or {})
        said = f"{error.detail}."
        if error.status_code == HTTPStatus.NOT_FOUND:
            said = "There is nothing at this path; /openapi.json lists all that there are."
        elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(_allowed_methods(request))
            said = f"This path answers to {headers['Allow']}."
        return _refuse(request, Refusal(code, said, headers=headers))

    @app.exception_handler(Exception)
    async def _(request: Request, error: Exception) -> Response:
        log.error("request_failed", error=type(error).__name__, places=places(error))
        refusal = Refusal("internal", "The service made an error. Its log has the details.")
        return _refuse(request, refusal)


_CODE_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}


def _allowed_methods(request: Request) -> list[str]:
    """List what the path answers to. The router itself knows one method per route."""
    probe = dict(request.scope)
    methods = {
        method
        for route in request.app.routes
        for method in ("DELETE", "GET", "POST")
        if route.matches(probe | {"method": method})[0] is Match.FULL
    }
    if "GET" in methods:
        methods.add("HEAD")
    return sorted(methods)


def _parameter_refusal(error: RequestValidationError) -> Refusal:
    parts = []
    for finding in error.errors():
        where, name = str(finding["loc"][0]), str(finding["loc"][1])
        place = {"header": name} if where == "header" else {"parameter": name}
        parts.append(RefusedPart(**place, code=finding["type"], detail=sentence_for(finding)))
    names = ", ".join(sorted({part.header or part.parameter or "" for part in parts}))
    return Refusal(
        "invalid_request", f"The request has unacceptable values: {names}.", errors=parts
    )
