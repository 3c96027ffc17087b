"""Django's sessions in a table of ours; the setting SESSION_ENGINE names this module."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from sarsen.storage.models import WebSession

BEGAN = "began"  # the key under which a session keeps when its player logged in


class SessionStore(db.SessionStore):
    """Keep with each session whose it is."""

    @classmethod
    def get_model_class(cls) -> type[WebSession]:
        """Return the table."""
        return WebSession

    def create_model_instance(self, data: dict[str, Any]) -> WebSession:
        """Make the row of a session."""
        row = super().create_model_instance(data)
        assert isinstance(row, WebSession)  # of the table above
        row.player_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.began_at = datetime.fromisoformat(data[BEGAN]) if BEGAN in data else None
        return row
