"""Notices on devices: what they say, and the thread that sends them."""

from __future__ import annotations

import threading

import structlog
from django.db import connections
from django.utils import timezone

from sarsen.games import find
from sarsen.language.wording.pushes import push_sentence
from sarsen.services.notices import pushes
from sarsen.services.notices.pushes import Shown
from sarsen.storage.models import Push

SENDER = "pushes"
_sending = threading.Lock()
log = structlog.get_logger()


def begin() -> bool:
    """Begin to send what is due, unless this process is at it; tell whether it began.

    In a thread of its own: push services may be slow, and letters shall not wait.
    """
    if not pushes.is_any_due(timezone.now()) or not _sending.acquire(blocking=False):
        return False
    threading.Thread(target=_send, name=SENDER, daemon=True).start()
    return True


def words(push: Push) -> Shown:
    """Return what a device shows of a notice."""
    said, match = push_sentence(push.event), push.match
    if match is None:
        return Shown("sarsen", said, "/my/", push.event)
    game = find().get(match.game)
    others = [seat.player.userid for seat in match.seats.select_related("player")]
    others = [name for name in others if name != push.device.player.userid]
    title = f"{game.info.title if game else match.game} {match.pk} against {' and '.join(others)}"
    return Shown(title, said, f"/boards/{match.pk}/", f"board-{match.pk}")


def _send() -> None:
    try:
        pushes.sweep_pushes(timezone.now(), words)
    except Exception:
        # The thread's outermost function: the next sweep tries again.
        log.exception("notices could not be sent to devices")
    finally:
        connections.close_all()
        _sending.release()
