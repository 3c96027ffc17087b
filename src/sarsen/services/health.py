"""Whether the server can do its work."""

from __future__ import annotations

from sarsen.storage.models import Match


def check_store() -> None:
    """Ask the database for one row; whatever it raises means that it cannot serve."""
    Match.objects.order_by("pk").values_list("pk", flat=True).first()
