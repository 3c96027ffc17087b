"""Figures for a monitor, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from sarsen import __version__
from sarsen.doors.web.frame.metrics import REGISTRY
from sarsen.services.admin.monitoring import Metrics, check_store, measure
from sarsen.services.limits.processor_time import PAGE_THREADS, PageThreads

# In which no page was answered though some were asked for: a busy server answers some in a second.
MAX_STANDSTILL_SECONDS = 10.0
NO_STORE = {"Cache-Control": "no-store"}
_COUNTERS = {
    "events": "Board events created so far (highest number).",
    "mails": "Incoming mails stored so far (highest number).",
    "letters": "Outgoing mails created so far (highest number).",
}
_GAUGES = {
    "running_boards": "Running boards.",
    "mails_waiting": "Incoming mails not processed yet.",
    "mails_set_aside": "Incoming mails of the last day that could not be processed because of an "
    "error.",
    "letters_waiting": "Outgoing mails not sent yet, including those not yet due.",
    "letters_refused": "Outgoing mails that were temporarily refused and will be retried.",
    "oldest_mail": "Age of the oldest incoming mail not processed yet, in seconds.",
    "oldest_letter": "Seconds since the oldest unsent outgoing mail was due.",
    "clocks_age": "Seconds since a worker last checked the clocks; -1 if never.",
    "jobs_waiting": "Queued jobs.",
    "jobs_running": "Started jobs, including those of killed workers until they are cleaned up.",
}


class _Stored(Collector):
    """The figures of the database, counted when asked for."""

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        yield GaugeMetricFamily("sarsen_info", f"Release {__version__}.", value=1)
        yield from families(measure(timezone.now()))


def families(measures: Metrics) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
    """Yield figures in the words of the monitor."""
    for name, meaning in _COUNTERS.items():
        yield CounterMetricFamily(f"sarsen_{name}", meaning, value=getattr(measures, name))
    for name, meaning in _GAUGES.items():
        value = getattr(measures, name)
        yield GaugeMetricFamily(f"sarsen_{name}", meaning, value=-1 if value is None else value)


REGISTRY.register(_Stored())


def send_metrics(request: HttpRequest) -> HttpResponse:
    """Send the figures to a caller with the operator's token; 404 for others."""
    expected = settings.SARSEN_METRICS_TOKEN
    token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    if not expected or not compare_digest(token.encode(), expected.encode()):
        raise Http404
    text = generate_latest(REGISTRY)
    return HttpResponse(text, CONTENT_TYPE_LATEST, headers=NO_STORE)


def send_health(request: HttpRequest) -> HttpResponse:
    """Answer ok when the database answers; a failure is answered like that of any page.

    The name of the run shows the supervisor that its own web process answers. Pages may stand
    still although this is answered: it has threads of its own.
    """
    check_store()
    headers = NO_STORE | {"Sarsen-Run": settings.SARSEN_RUN}
    threads: PageThreads | None = request.META.get(PAGE_THREADS)
    if threads is not None and threads.standstill() > MAX_STANDSTILL_SECONDS:
        return HttpResponse("pages wait\n", "text/plain", status=503, headers=headers)
    return HttpResponse("ok\n", "text/plain", headers=headers)


def send_due_health(request: HttpRequest) -> HttpResponse:
    """Answer ok while work gets done, or name what is late, one word a line, with status 503."""
    ailments = measure(timezone.now()).ailments
    text = "".join(f"{name}\n" for name in ailments) or "ok\n"
    return HttpResponse(text, "text/plain", status=503 if ailments else 200, headers=NO_STORE)
