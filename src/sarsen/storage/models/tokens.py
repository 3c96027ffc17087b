"""Tokens of programs that speak for a player, and what the stream of their boards tells them."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Token(models.Model):
    """A token by which a program speaks for a player. Only its digest is kept."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True, help_text="to some minutes")
    ends_at = models.DateTimeField(null=True, blank=True, help_text="None: when it is revoked")

    def __str__(self) -> str:
        return f"token of {self.player}"


class StreamItem(models.Model):
    """Something that happened at a board of a player whose programs listen.

    Writers do not number it: two writers that commit in another order than
    they began would get numbers that a reader has passed already. Readers number what
    they find, one at a time for each player; see `services.notices.streams`.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="stream")
    number = models.BigIntegerField(null=True, blank=True, help_text="counts from 1")
    kind = models.CharField(max_length=20)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "number"], name="stream_number_once")
        ]
        indexes = [
            models.Index(
                fields=["player", "id"],
                name="stream_unnumbered",
                condition=models.Q(number__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.player}"
