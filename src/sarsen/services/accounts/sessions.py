"""Sessions of browsers. The setting SESSION_ENGINE names this module."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from sarsen.storage import statements
from sarsen.storage.models import (
    Player,
    WebSession,
)

BEGAN = "began"  # the key under which a session keeps when its player logged in

_SESSION = """
SELECT {WebSession.session_data} FROM storage_websession WHERE session_key = %s AND expire_date > %s
"""


class SessionStore(db.SessionStore):
    """Store with each session whose it is."""

    @classmethod
    def get_model_class(cls) -> type[WebSession]:
        """Return the table."""
        return WebSession

    def load(self) -> dict[str, Any]:
        """Return the content of a session; each page of a player reads one."""
        rows = statements.select(_SESSION, self.session_key, timezone.now())
        content: dict[str, Any] = self.decode(rows[0][0]) if rows else super().load()
        return content

    def create_model_instance(self, data: dict[str, Any]) -> WebSession:
        """Make the row of a session."""
        row = super().create_model_instance(data)
        assert isinstance(row, WebSession)  # of the table above
        row.player_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.began_at = datetime.fromisoformat(data[BEGAN]) if BEGAN in data else None
        return row


@dataclass(frozen=True)
class OpenSession:
    """One browser that is logged in; `is_this` marks the one that asks."""

    began_at: datetime | None
    ends_at: datetime
    is_this: bool


def open_sessions(player: Player, key: str, now: datetime) -> tuple[OpenSession, ...]:
    """List the browsers in which a player is logged in; `key` is that of the one asking."""
    sessions = WebSession.objects.filter(player=player, expire_date__gt=now).order_by(
        "-expire_date"
    )
    return tuple(
        OpenSession(session.began_at, session.expire_date, session.session_key == key)
        for session in sessions[:50]
    )


def end_others(player: Player, key: str) -> int:
    """Log a player out everywhere but in the session `key`; return how many ended."""
    ended: int = WebSession.objects.filter(player=player).exclude(session_key=key).delete()[0]
    return ended
