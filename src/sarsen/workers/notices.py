"""Background work of notices: digests, announcements, the weekly letter, webhooks."""

from __future__ import annotations

import threading

import structlog
from django.db import connections
from django.utils import timezone
from django_tasks import task

from sarsen.games import find
from sarsen.language.notices import push_sentence
from sarsen.services.notices import digests, messages, webhooks
from sarsen.services.notices import push as notices_push
from sarsen.services.notices.push import PushContent
from sarsen.storage.models import Push

CALLER = "webhooks"
_calling = threading.Lock()
log = structlog.get_logger()


@task()
def send_digests() -> int:
    """Write the digests whose hour has come."""
    return digests.sweep_digests(timezone.now())


@task()
def announce() -> int:
    """Notify the next players of open announcements."""
    return messages.sweep_announcements(timezone.now())


@task()
def send_weekly() -> int:
    """Write the weekly letters of the week that is over."""
    return digests.sweep_weekly(timezone.now())


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
    return begin()


def _call_webhooks() -> None:
    try:
        webhooks.sweep_webhooks(timezone.now())
    except Exception:
        # The thread's outermost function: the next sweep tries again.
        log.exception("webhooks could not be called")
    finally:
        connections.close_all()
        _calling.release()


SENDER = "pushes"
_sending = threading.Lock()


def begin() -> bool:
    """Begin to send what is due, unless this process is at it; tell whether it began.

    In a thread of its own: push services may be slow, and letters shall not wait.
    """
    if not notices_push.is_any_due(timezone.now()) or not _sending.acquire(blocking=False):
        return False
    threading.Thread(target=_send, name=SENDER, daemon=True).start()
    return True


def words(push: Push) -> PushContent:
    """Return what a device shows of a notice."""
    said, match = push_sentence(push.event), push.match
    if match is None:
        return PushContent("sarsen", said, "/my/", push.event)
    game = find().get(match.game)
    others = [seat.player.userid for seat in match.seats.select_related("player")]
    others = [name for name in others if name != push.device.player.userid]
    title = f"{game.info.title if game else match.game} {match.pk} against {' and '.join(others)}"
    return PushContent(title, said, f"/boards/{match.pk}/", f"board-{match.pk}")


def _send() -> None:
    try:
        notices_push.sweep_pushes(timezone.now(), words)
    except Exception:
        # The thread's outermost function: the next sweep tries again.
        log.exception("notices could not be sent to devices")
    finally:
        connections.close_all()
        _sending.release()
