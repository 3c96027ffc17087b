"""Words at a board: chat for everyone there, notes for oneself."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class ChatLine(models.Model):
    """Words said at a board, to everyone who sees it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    ply = models.PositiveIntegerField(help_text="moves played when it was said")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.player} at board {self.match_id}"


class Note(models.Model):
    """Words a player keeps with a board, for nobody else's eyes."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    ply = models.PositiveIntegerField(help_text="moves played when it was written")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"note of {self.player} at board {self.match_id}"
