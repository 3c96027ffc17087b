"""Figures for a monitor, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from sarsen import __version__
from sarsen.services.admin.monitoring import Metrics, check_store, measure

NO_STORE = {"Cache-Control": "no-store"}
REGISTRY = CollectorRegistry(auto_describe=False)
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
# By the name of a page, never by its address: some addresses are secrets.
SECONDS = Histogram(
    "sarsen_page_seconds",
    "How long this process took to answer, streams of the API left out.",
    ("page", "status"),
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
    registry=REGISTRY,
)
_COUNTERS = {
    "events": "Things that happened at boards: the highest number given.",
    "mails": "Mails taken: the highest number given.",
    "letters": "Letters written: the highest number given.",
}
_GAUGES = {
    "running_boards": "Boards in play.",
    "mails_waiting": "Mails taken and not answered.",
    "mails_set_aside": "Mails of the last day that could not be answered, by a defect.",
    "letters_waiting": "Letters not sent, whenever they are due.",
    "letters_refused": "Letters that were refused for now and are tried again.",
    "oldest_mail": "Seconds for which the oldest unanswered mail has waited.",
    "oldest_letter": "Seconds for which the oldest letter has been due.",
    "clocks_age": "Seconds since a worker looked at the clocks; -1 for never.",
    "jobs_waiting": "Jobs queued.",
    "jobs_running": "Jobs begun; those of killed workers among them, until they are tidied.",
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

    The name of the run shows the supervisor that its own web process answers.
    """
    check_store()
    headers = NO_STORE | {"Sarsen-Run": settings.SARSEN_RUN}
    return HttpResponse("ok\n", "text/plain", headers=headers)


def send_due_health(request: HttpRequest) -> HttpResponse:
    """Answer ok while work gets done, or name what is late, one word a line, with status 503."""
    ailments = measure(timezone.now()).ailments
    text = "".join(f"{name}\n" for name in ailments) or "ok\n"
    return HttpResponse(text, "text/plain", status=503 if ailments else 200, headers=NO_STORE)
