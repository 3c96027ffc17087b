"""The log of what operators did: nothing takes an entry out of it."""

from __future__ import annotations

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from sarsen.storage.models import Player


def record(operator: Player, row: Model | None, message: str) -> None:
    """Write down who did what to which row; None for everybody."""
    LogEntry.objects.create(
        user=operator,
        content_type=ContentType.objects.get_for_model(row) if row else None,
        object_id=str(row.pk) if row else None,
        object_repr=str(row)[:200] if row else "everybody",
        action_flag=CHANGE,
        change_message=message,
    )
