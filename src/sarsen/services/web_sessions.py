"""Where a player is logged in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.services.call import Player
from sarsen.storage.models import WebSession
from sarsen.storage.web_sessions import BEGAN

__all__ = ["BEGAN", "OpenSession", "end_others", "open_sessions"]


@dataclass(frozen=True)
class OpenSession:
    """One browser that is logged in; `is_this` marks the one that asks."""

    began_at: datetime | None
    ends_at: datetime
    is_this: bool


def open_sessions(player: Player, key: str, now: datetime) -> tuple[OpenSession, ...]:
    """List the browsers in which a player is logged in; `key` is that of the one asking."""
    found = WebSession.objects.filter(player=player, expire_date__gt=now).order_by("-expire_date")
    return tuple(
        OpenSession(one.began_at, one.expire_date, one.session_key == key) for one in found[:50]
    )


def end_others(player: Player, key: str) -> int:
    """Log a player out everywhere but in the session `key`; give how many ended."""
    ended: int = WebSession.objects.filter(player=player).exclude(session_key=key).delete()[0]
    return ended
