"""Background work of notices: digests, announcements, the weekly letter, webhooks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

import structlog
from django.db import connections
from django.utils import timezone
from django_tasks import task

from sarsen.games import find
from sarsen.language.notices import push_sentence
from sarsen.services.contests.views import weekly as contests
from sarsen.services.learning import daily_puzzles
from sarsen.services.notices import announcements, digests, push, webhooks, weekly
from sarsen.services.notices.push import PushContent
from sarsen.storage.models import Push

# One round of a kind in this process: it takes what becomes due meanwhile, too.
_RUNNING = {"webhooks": threading.Lock(), "pushes": threading.Lock()}
log = structlog.get_logger()


@task()
def send_digests() -> int:
    """Write the digests whose hour has come."""
    return digests.sweep_digests(timezone.now())


@task()
def announce() -> int:
    """Notify the next players of open announcements."""
    return announcements.sweep_announcements(timezone.now())


@task()
def send_weekly() -> int:
    """Write the weekly letters of the week that is over."""
    now = timezone.now()
    return weekly.sweep_weekly(now) + contests.sweep(now)


@task()
def send_puzzles() -> int:
    """Write the letters with the puzzle of the day."""
    return daily_puzzles.sweep(timezone.now())


@task()
def call_webhooks() -> bool:
    """Begin to call the webhooks that are due; tell whether a round began."""
    return _begin("webhooks", webhooks.is_any_due, webhooks.sweep_webhooks)


@task()
def send_pushes() -> bool:
    """Begin to send notices to devices; tell whether a round began."""
    return _begin("pushes", push.is_any_due, lambda now: push.sweep_pushes(now, words))


def words(notice: Push) -> PushContent:
    """Return what a device shows of a notice."""
    sentence, match = push_sentence(notice.event), notice.match
    if match is None:
        return PushContent("sarsen", sentence, "/my/", notice.event)
    game = find().get(match.game)
    others = [seat.player.userid for seat in match.seats.select_related("player")]
    others = [name for name in others if name != notice.device.player.userid]
    title = f"{game.info.title if game else match.game} {match.pk} against {' and '.join(others)}"
    return PushContent(title, sentence, f"/boards/{match.pk}/", f"board-{match.pk}")


def _begin(
    name: str, is_due: Callable[[datetime], bool], sweep: Callable[[datetime], object]
) -> bool:
    """Begin a round of what is due, unless this process is at it; return whether it began.

    In a thread of its own: addresses of strangers and push services may be slow, and letters
    shall not wait.
    """
    running = _RUNNING[name]
    if not is_due(timezone.now()) or not running.acquire(blocking=False):
        return False

    def run() -> None:
        try:
            sweep(timezone.now())
        except Exception:
            # The thread's outermost function: the next sweep tries again.
            log.exception("notices could not be sent", by=name)
        finally:
            connections.close_all()
            running.release()

    threading.Thread(target=run, name=name, daemon=True).start()
    return True
