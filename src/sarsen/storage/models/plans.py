"""Plans: one tree of variations per player and board."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Plan(models.Model):
    """A player's tree of variations at a board; see `services.plans` for its form."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plans")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="plans")
    tree = models.JSONField(default=dict)
    is_active = models.BooleanField(default=False, help_text="a line of it may be played")
    is_public = models.BooleanField(default=False, help_text="shown to all after the game")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="plan_once")]

    def __str__(self) -> str:
        return f"plan of {self.player} at board {self.match_id}"
