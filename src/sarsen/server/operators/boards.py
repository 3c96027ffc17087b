"""Boards as operators see them: who plays, how it stands; moves are on the board's own page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin import SimpleListFilter, display
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sarsen.server.operators.actions import AdminAction, Done
from sarsen.server.operators.tables import ReadOnlyAdmin
from sarsen.services.admin.actions import is_forfeited, undo_forfeit
from sarsen.storage.models import Match, MatchEvent


def _undo_forfeit(match: Match, reason: str, choice: str, now: datetime) -> Done:
    undo_forfeit(match.pk, reason, now)
    return Done(f"Undid the forfeit of board {match.pk}; it goes on.")


class EndFilter(SimpleListFilter):
    """Choose boards by how they stand."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        """Return what there is to choose."""
        return [("runs", "in play"), ("over", "over"), ("forfeit", "lost on time")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is chosen."""
        if self.value() == "runs":
            return queryset.filter(ended_at=None)
        if self.value() == "over":
            return queryset.exclude(ended_at=None)
        if self.value() == "forfeit":
            last = MatchEvent.objects.filter(
                kind=MatchEvent.Kind.FORFEIT, number=F("match__event_count")
            )
            return queryset.filter(pk__in=last.values("match_id"))
        return queryset


class ShownBoards(ReadOnlyAdmin):
    """Boards: found by number or userid."""

    list_display = ("number", "game", "players", "state", "ply", "moved_at", "due_at", "page")
    list_filter = (EndFilter, "game")
    search_fields = ("=id", "seats__player__key")
    search_help_text = "a board's number, or a userid"
    ordering = ("-moved_at",)
    fields = (
        "number",
        "game",
        "options",
        "players",
        "state",
        "ply",
        "started_at",
        "moved_at",
        "due_at",
        "ended_at",
        "page",
    )
    admin_actions = (
        AdminAction(
            "undo-forfeit",
            "Undo the forfeit",
            "The game goes on where it stood, with a fresh turn for the late player. Its result "
            "is taken off standings and ratings, a review of it is deleted, and both sides are "
            "told, with the reason.",
            _undo_forfeit,
            is_forfeited,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Fetch the players with the boards."""
        found: QuerySet[Any] = super().get_queryset(request)
        return found.prefetch_related("seats__player")

    @display(description="board", ordering="pk")
    def number(self, match: Match) -> int:
        """Return the number by which everybody knows it."""
        return match.pk

    @display(description="players")
    def players(self, match: Match) -> str:
        """Name who plays."""
        return " v ".join(seat.player.userid for seat in match.seats.all())

    @display(description="state")
    def state(self, match: Match) -> str:
        """Return a text that says who moves, or how it ended."""
        if match.ended_at:
            return match.reason
        return f"{match.seats.all()[match.seat_to_move].player.userid} moves"

    @display(description="page")
    def page(self, match: Match) -> str | SafeString:
        """Lead to the board; a private one is for its players only."""
        if match.terms.get("private"):
            return "private"
        return format_html('<a href="{}">open</a>', reverse("board", args=[match.pk]))
