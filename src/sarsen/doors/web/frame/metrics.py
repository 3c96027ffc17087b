"""The registry of figures for a monitor, and how long pages take."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Histogram, PlatformCollector, ProcessCollector

REGISTRY = CollectorRegistry(auto_describe=False)
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
# By the name of a page, never by its address: some addresses are secrets.
SECONDS = Histogram(
    "sarsen_page_seconds",
    "Response time in seconds, without streams of the API.",
    ("page", "status"),
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
    registry=REGISTRY,
)
