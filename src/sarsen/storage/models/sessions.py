"""Sessions of browsers, each with its player, so that a player can see and end them."""

from __future__ import annotations

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from sarsen.storage.models.players import Player


class WebSession(AbstractBaseSession):
    """One browser's session; without a player it keeps what was typed before log-in."""

    player = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="web_sessions"
    )
    began_at = models.DateTimeField(null=True, help_text="the log-in")

    def __str__(self) -> str:
        return f"session of {self.player}"
