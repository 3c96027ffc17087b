"""Browsers that show a player notices, and what was sent to them."""

from __future__ import annotations

from django.db import models

from sarsen.storage.models.matches import Match
from sarsen.storage.models.players import Player


class Device(models.Model):
    """A browser that takes notices; its push service knows it by the endpoint."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=1000)
    digest = models.CharField(max_length=64, unique=True, help_text="of the endpoint")
    public = models.CharField(max_length=100, help_text="its key, in base64url")
    secret = models.CharField(max_length=40, help_text="what it shares with us, in base64url")
    label = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0, help_text="notices lost since one came")

    def __str__(self) -> str:
        return f"{self.label or 'a device'} of {self.player}"


class Push(models.Model):
    """A notice to show on a device, tried again when its service does not take it."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="pushes")
    event = models.CharField(max_length=20)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    queued_at = models.DateTimeField()
    due_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "pushes"
        indexes = [
            models.Index(fields=["due_at"], name="pushes_due", condition=models.Q(state="waiting"))
        ]

    def __str__(self) -> str:
        return f"{self.event} for {self.device}"
