"""Background work of notices: digests, announcements, the weekly letter, webhooks."""

from __future__ import annotations

import threading

import structlog
from django.db import connections
from django.utils import timezone
from django_tasks import task

from sarsen.services import announcements, weekly
from sarsen.services.notices import digests, webhooks
from sarsen.workers import pushing

CALLER = "webhooks"
_calling = threading.Lock()
log = structlog.get_logger()


@task()
def send_digests() -> int:
    """Write the digests whose hour has come."""
    return digests.sweep_digests(timezone.now())


@task()
def announce() -> int:
    """Tell the next players of what many shall hear."""
    return announcements.sweep_announcements(timezone.now())


@task()
def send_weekly() -> int:
    """Write the weekly letters of the week that is over."""
    return weekly.sweep_weekly(timezone.now())


@task()
def call_webhooks() -> bool:
    """Begin to call the webhooks that are due, unless this process is at it.

    In a thread of its own: addresses of strangers may be slow, and letters shall not wait.

    Returns:
        Whether a round began.
    """
    if not webhooks.is_any_due(timezone.now()) or not _calling.acquire(blocking=False):
        return False
    threading.Thread(target=_call_webhooks, name=CALLER, daemon=True).start()
    return True


@task()
def send_pushes() -> bool:
    """Begin to send notices to devices; tell whether a round began."""
    return pushing.begin()


def _call_webhooks() -> None:
    try:
        webhooks.sweep_webhooks(timezone.now())
    except Exception:
        # The thread's outermost function: the next sweep tries again.
        log.exception("webhooks could not be called")
    finally:
        connections.close_all()
        _calling.release()
