"""What players are told beside letters at once: digests, webhooks, what they watch."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class DigestItem(models.Model):
    """Something that waits for a player's next digest."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="digest_items")
    event = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.event} for {self.player}"


class Subscription(models.Model):
    """A player watches a board, another player, a game, or gets the weekly letter."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="subscriptions")
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="watchers")
    watched = models.ForeignKey(
        Player, null=True, on_delete=models.CASCADE, related_name="watchers"
    )
    game = models.CharField(max_length=40, blank=True, db_index=True)
    is_weekly = models.BooleanField(default=False)
    last_sent_at = models.DateTimeField(null=True, blank=True, help_text="of the weekly letter")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.player} watches"


class WebhookCall(models.Model):
    """A notice to hand to a player's own web address, signed, and tried again when refused."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    queued_at = models.DateTimeField()
    due_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"], name="webhooks_due", condition=models.Q(state="waiting")
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} for the webhook of {self.player}"
