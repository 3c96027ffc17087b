"""The public news as operators see them: with what is hidden, and why."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.admin import display
from django.db.models import Q

from sarsen.server.operators.actions import ActionResult, AdminAction
from sarsen.server.operators.tables import ChoiceFilter, ReadOnlyAdmin
from sarsen.services.notices import news as archive
from sarsen.storage.models import News


def _hide(news: News, reason: str, choice: str, now: datetime) -> ActionResult:
    archive.hide(news, reason)
    return ActionResult(f"Hid news {news.pk}.")


def _unhide(news: News, reason: str, choice: str, now: datetime) -> ActionResult:
    archive.unhide(news)
    return ActionResult(f"Showed news {news.pk} again.")


class StateFilter(ChoiceFilter):
    """Choose news that are not shown to everybody."""

    title = parameter_name = "state"
    conditions: ClassVar = {
        "hidden": ("hidden", ~Q(hidden_reason="")),
        "withdrawn": ("withdrawn", Q(withdrawn_at__isnull=False)),
    }


class ShownNews(ReadOnlyAdmin):
    """The public news; what is hidden stands here in full."""

    list_display = ("number", "at", "author", "kind", "title", "hidden_reason", "withdrawn_at")
    list_filter = (StateFilter, "kind")
    list_select_related = ("author",)
    search_fields = ("=id", "author__key", "text")
    search_help_text = "Search by number, userid or text"
    ordering = ("-pk",)
    fields = ("number", "at", "author", "kind", "text", "hidden_reason", "withdrawn_at")
    admin_actions = (
        AdminAction(
            "hide",
            "Hide it",
            "Nobody but operators can read it any more, and mails that wait are not sent. The "
            "reason is shown in its place, to everybody.",
            _hide,
            lambda news: not news.hidden_reason and news.withdrawn_at is None,
        ),
        AdminAction(
            "unhide",
            "Show it again",
            "Everybody can read it again. Mails that were stopped are not sent.",
            _unhide,
            lambda news: bool(news.hidden_reason),
            is_told=False,
        ),
    )

    @display(description="news", ordering="pk")
    def number(self, news: News) -> int:
        """Return its number."""
        return news.pk

    @display(description="title")
    def title(self, news: News) -> str:
        """Return its first line."""
        return archive.title_of(news.text)
