"""Log lines: one form for all that this process says, and no line twice for one outage."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import structlog

from app.settings import Settings

log = structlog.get_logger(__name__)

_SETTLED_SECONDS = 5.0
_OF_THE_SERVER = ("uvicorn", "uvicorn.access", "uvicorn.error")


class _Lines(logging.StreamHandler[Any]):
    """Writes to what standard error is at the time."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def configure_logging(settings: Settings) -> None:
    """Send log lines to standard error, never a secret, an instance or a label.

    Lines of libraries (from WARNING on), warnings and uncaught exceptions take the same
    form as those of the service: with `log_json` each is one JSON object.
    """
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    told: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    written: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, renderer]
    structlog.configure(
        processors=[*told, *written],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_standard_error,
        cache_logger_on_first_use=False,
    )
    handler = _Lines()
    handler.setLevel(level)
    handler.addFilter(_without_contents)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=told,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *written],
        )
    )
    root = logging.getLogger()
    root.handlers = [*(one for one in root.handlers if not isinstance(one, _Lines)), handler]
    root.setLevel(max(level, logging.WARNING))
    for name in _OF_THE_SERVER:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    if settings.log_json:
        logging.captureWarnings(True)
        sys.excepthook = _uncaught
        threading.excepthook = _uncaught_in_thread


def _standard_error(*_: Any) -> structlog.WriteLogger:
    # Asked for at every line: what was standard error at the start may be closed by then.
    return structlog.WriteLogger(sys.stderr)


def _without_contents(record: logging.LogRecord) -> bool:
    """Drop what may hold contents: query strings, and exceptions that requests have raised.

    `app.main` has logged those already, without their messages.
    """
    if record.name == "uvicorn.access" and isinstance(record.args, tuple):
        cut = (one.partition("?")[0] if isinstance(one, str) else one for one in record.args)
        record.args = tuple(cut)
    return not (
        record.name == "uvicorn.error" and record.msg.startswith("Exception in ASGI application")
    )


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("uncaught", exc_info=(kind, error, trace))


def _uncaught_in_thread(found: threading.ExceptHookArgs) -> None:
    error = found.exc_value or found.exc_type()
    name = found.thread.name if found.thread is not None else None
    log.critical("uncaught", thread=name, exc_info=(found.exc_type, error, found.exc_traceback))


def places(error: BaseException, most: int = 20) -> Sequence[str]:
    """Give where an exception came from, innermost last, without any value or message.

    Parameters
    ----------
    error
        With its traceback.
    most
        Frames that are listed, the innermost ones.
    """
    frames = traceback.extract_tb(error.__traceback__)[-most:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


class Outage:
    """Logs the beginning and the end of an outage, and counts what failed in between.

    Parameters
    ----------
    what
        The lines are ``<what>_unavailable`` and ``<what>_back``.
    settled
        Seconds without a failure after which a success ends the outage.
    """

    def __init__(self, what: str, settled: float = _SETTLED_SECONDS) -> None:
        self._what = what
        self._settled = settled
        self._lock = threading.Lock()
        self._since: float | None = None
        self._latest = 0.0
        self._failures = 0

    def noticed(self, cause: str) -> None:
        """Count a failure. The first one is logged with its cause."""
        with self._lock:
            self._failures += 1
            self._latest = time.monotonic()
            first = self._since is None
            if first:
                self._since = self._latest
        if first:
            log.warning(f"{self._what}_unavailable", cause=cause)

    def end(self) -> None:
        """Notice a success."""
        if self._since is None:
            return
        with self._lock:
            now = time.monotonic()
            if self._since is None or now - self._latest < self._settled:
                return
            failures, seconds = self._failures, round(now - self._since, 1)
            self._since, self._failures = None, 0
        log.warning(f"{self._what}_back", failures=failures, seconds=seconds)
