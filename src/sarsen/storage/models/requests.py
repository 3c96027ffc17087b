"""Requests that were answered, so that a repeat has no second effect."""

from __future__ import annotations

from django.db import models


class AnsweredRequest(models.Model):
    """One request id of one door, and the answer it got."""

    key = models.CharField(max_length=100, unique=True)
    said = models.CharField(max_length=64, blank=True, help_text="a digest of what was asked")
    reply = models.JSONField()
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
