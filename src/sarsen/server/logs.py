"""Logs: one line an event on standard error, never a secret."""

from __future__ import annotations

import logging
import sys

import structlog

from sarsen.server import environment


def set_up_logs() -> None:
    """Send structlog and the standard library's loggers through one formatter."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _name_store_failure,
    ]
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            *shared,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.processors.format_exc_info],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    handler.addFilter(_without_trace)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(environment.log_level())
    # A path that is not found may be a signed one: its token stays out of the log.
    for speaks_of_paths in ("django.request", "django.security.csrf"):
        logging.getLogger(speaks_of_paths).setLevel(logging.ERROR)
    for noisy in ("django_tasks", "django_tasks_db", "mail.log", "fido2"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _name_store_failure(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace the traceback of a store that is away, full or busy by its own words.

    Where the code stood says nothing then, and every part of the server says it again and again.
    """
    found = event.get("exc_info")
    error = found[1] if isinstance(found, tuple) else sys.exc_info()[1] if found is True else found
    if isinstance(error, Exception) and "django.db" in sys.modules:
        from sarsen.services.failures import store_failure

        if failure := store_failure(error):
            del event["exc_info"]
            event["reason"] = failure
    return event


def _without_trace(record: logging.LogRecord) -> bool:
    """Make a line of what is wrong with a request alone: anybody can send a thousand of them."""
    if record.name.startswith("django.security."):
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True
