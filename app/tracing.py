"""OpenTelemetry traces, an extra that is off by default: where they are off nothing of it is loaded.

A request and the job that it makes are one trace. The request's span is kept in the job's row as a
`traceparent`, and the worker that takes the job goes on from there.
"""

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from steadygrid.environment import PREFIX

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

CURRENT: ContextVar[str | None] = ContextVar("traceparent", default=None)
"""The span of the request that is being served. None where there are no traces."""
_NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
_EXPORT_SECONDS = 5
_NANOSECONDS = 10**9


def tracing_faults(url: str | None) -> Iterator[str]:
    """Say what is missing where traces are asked for.

    Parameters
    ----------
    url
        Where they are sent. None: nowhere.
    """
    if url is not None and not all(map(_is_installed, _NEEDED)):
        yield (
            f"{PREFIX}TRACES_URL asks for traces, which need the extra `traces`: install it with"
            " pip install 'steadygrid-service[traces]', or leave the setting out"
        )


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Tracing:
    """Makes spans and sends them, in the background.

    Parameters
    ----------
    service
        What this process is: ``api`` or ``worker``.
    exporter
        Where spans go.
    at_once
        Whether each span goes there when it ends, for tests.
    """

    def __init__(self, service: str, exporter: "SpanExporter", *, at_once: bool = False) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        described = {
            "service.name": f"steadygrid-{service}",
            "service.version": version("steadygrid"),
        }
        self._provider = TracerProvider(resource=Resource.create(described), shutdown_on_exit=False)
        processor = SimpleSpanProcessor if at_once else BatchSpanProcessor
        self._provider.add_span_processor(processor(exporter))
        self._tracer = self._provider.get_tracer("steadygrid")
        self._propagator = TraceContextTextMapPropagator()

    @classmethod
    def open(cls, service: str, url: str | None) -> "Tracing | None":
        """Send spans to an OTLP address. None if there is none.

        Parameters
        ----------
        service
            What this process is.
        url
            As the setting `traces_url` has it.
        """
        if url is None:
            return None
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        endpoint = f"{url.rstrip('/')}/v1/traces"
        return cls(service, OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT_SECONDS))

    def start(
        self,
        name: str,
        parent: str | None = None,
        *,
        kind: str = "internal",
        since: datetime | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> "Span":
        """Begin a span.

        Parameters
        ----------
        name
            What is done.
        parent
            The `traceparent` of the span that it belongs to. None, or none that can be read: it
            begins a trace.
        kind
            ``internal``, ``server`` or ``consumer``.
        since
            When it began. None: now.
        attributes
            What is known from the start, never a payload.
        """
        from opentelemetry.trace import SpanKind

        return self._tracer.start_span(
            name,
            self._propagator.extract({} if parent is None else {"traceparent": parent}),
            SpanKind[kind.upper()],
            attributes=attributes,
            start_time=None if since is None else round(since.timestamp() * _NANOSECONDS),
        )

    def traceparent(self, span: "Span") -> str:
        """Write how another process names a span."""
        from opentelemetry.trace import set_span_in_context

        carrier: dict[str, str] = {}
        self._propagator.inject(carrier, set_span_in_context(span))
        return carrier["traceparent"]

    def close(self) -> None:
        """Send what is left, for a few seconds at most."""
        self._provider.force_flush(1000 * _EXPORT_SECONDS)
        self._provider.shutdown()


def fail(span: "Span", reason: str) -> None:
    """Say that what a span is about has failed."""
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, reason))
