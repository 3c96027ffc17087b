"""What operators have done, as they see it."""

from __future__ import annotations

from django.contrib.admin import display
from django.contrib.admin.models import LogEntry

from sarsen.server.operators.shown import Shown


class ShownLog(Shown):
    """The log: only ever added to."""

    list_display = ("action_time", "user", "about", "change_message")
    list_filter = ("user",)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__key")
    search_help_text = "words of it"
    ordering = ("-pk",)
    fields = ("action_time", "user", "about", "change_message")

    @display(description="about")
    def about(self, entry: LogEntry) -> str:
        """Return a text that says what it was done to."""
        return entry.object_repr
