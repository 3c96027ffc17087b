"""Reports of abuse as operators see them: those to settle first."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.admin import display
from django.db.models import Q

from sarsen.server.operators.actions import ActionResult, AdminAction
from sarsen.server.operators.tables import ChoiceFilter, ReadOnlyAdmin
from sarsen.services.notices import reports
from sarsen.storage.models import AbuseReport


def _settle(row: AbuseReport, reason: str, choice: str, now: datetime) -> ActionResult:
    reports.settle(row, now)
    return ActionResult(f"Settled report {row.pk}.")


class StateFilter(ChoiceFilter):
    """Choose reports that somebody has to look at."""

    title = parameter_name = "state"
    conditions: ClassVar = {
        "open": ("open", Q(settled_at=None)),
        "settled": ("settled", Q(settled_at__isnull=False)),
    }


class ShownReports(ReadOnlyAdmin):
    """What players report; who they are is told to nobody."""

    list_display = ("number", "at", "player", "about", "news", "text", "settled_at")
    list_filter = (StateFilter,)
    list_select_related = ("player", "about", "news")
    search_fields = ("=id", "player__key", "about__key", "text")
    search_help_text = "Search by number, userid or text"
    ordering = ("-pk",)
    fields = ("number", "at", "player", "about", "news", "text", "settled_at")
    admin_actions = (
        AdminAction(
            "settle",
            "Settle it",
            "It leaves the list of what needs attention. To act on it, hide the broadcast or ban "
            "the player on their own pages.",
            _settle,
            lambda row: row.settled_at is None,
            is_told=False,
        ),
    )

    @display(description="report", ordering="pk")
    def number(self, row: AbuseReport) -> int:
        """Return its number."""
        return row.pk
