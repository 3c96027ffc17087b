"""Tables as operators see them: read-only, with a page for each admin action; that of boards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin, SimpleListFilter, display
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db.models import F, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString

from sarsen.games import find
from sarsen.server.operators.actions import ActionResult, AdminAction, show_admin_action
from sarsen.services.admin.actions import is_forfeited, undo_forfeit
from sarsen.storage.models import Match, MatchEvent, MatchSeat


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Count no more rows than anybody leafs through: to count a million takes long."""

    most = 5_000

    @cached_property
    def count(self) -> int:
        """Return the number of rows on all pages."""
        queryset: Any = self.object_list
        rows: int = queryset.order_by().values("pk")[: self.most].count()
        return rows


class ReadOnlyAdmin(ModelAdmin[Any]):
    """Show rows; what can be done to one stands in `admin_actions`."""

    admin_actions: ClassVar[tuple[AdminAction[Any], ...]] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False
    paginator = CappedPaginator
    change_form_template = "operators/row.html"

    def _may(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def _may_not(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    # Every operator on this site looks; what changes a row is a function of services.
    has_view_permission = has_module_permission = _may
    has_add_permission = has_change_permission = has_delete_permission = _may_not

    def get_urls(self) -> list[URLPattern]:
        """Return the list, the row, its history, and a page for each admin action."""
        patterns = [pattern for pattern in super().get_urls() if _only_shows(pattern)]
        name = self.opts.model_name
        admin_actions = [
            path(
                f"<int:key>/{admin_action.name}/",
                self.admin_site.admin_view(self._admin_action_view(admin_action)),
                name=f"{self.opts.app_label}_{name}_{admin_action.name}",
            )
            for admin_action in self.admin_actions
        ]
        return [*admin_actions, *patterns]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *arguments: Any, **keywords: Any
    ) -> HttpResponse:
        """Show a row with the admin actions that make sense for it now."""
        row = keywords.get("obj")
        context["admin_actions"] = [
            admin_action for admin_action in self.admin_actions if row and admin_action.applies(row)
        ]
        return super().render_change_form(request, context, *arguments, **keywords)

    def _admin_action_view(self, admin_action: AdminAction[Any]) -> Any:
        def view(request: HttpRequest, key: int) -> HttpResponse:
            return show_admin_action(request, self, admin_action, key)

        return view


def masked(address: str) -> str:
    """Hide the middle of a mail address: `a…@example.org`."""
    local, at, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}" if at else f"{address[:1]}…"


def kind_of(recipient: str) -> str:
    """Return the kind of an address of ours: a signed one would let its reader speak for others."""
    local = recipient.partition("@")[0].lower()
    kind, dash, _ = local.partition("-")
    return f"{kind}-…" if dash else local


class ShownLog(ReadOnlyAdmin):
    """The log: only ever added to."""

    list_display = ("action_time", "user", "about", "change_message")
    list_filter = ("user",)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__key")
    search_help_text = "Search by text"
    ordering = ("-pk",)
    fields = ("action_time", "user", "about", "change_message")

    @display(description="about")
    def about(self, entry: LogEntry) -> str:
        """Return a text that says what it was done to."""
        return entry.object_repr


class ChoiceFilter(SimpleListFilter):
    """Choose rows by conditions that have names."""

    conditions: ClassVar[dict[str, tuple[str, Q]]] = {}  # what is shown, by the value in addresses

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        """Return what there is to choose."""
        return [(value, label) for value, (label, _) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is chosen."""
        chosen = self.conditions.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


_FORFEITED = MatchEvent.objects.filter(
    kind=MatchEvent.Kind.FORFEIT, number=F("match__event_count")
).values("match_id")


class EndFilter(ChoiceFilter):
    """Choose boards by how they stand."""

    title = parameter_name = "state"
    conditions: ClassVar = {
        "runs": ("in play", Q(ended_at=None)),
        "over": ("over", Q(ended_at__isnull=False)),
        "forfeit": ("lost on time", Q(pk__in=_FORFEITED)),
    }


class GameFilter(ChoiceFilter):
    """Choose boards by their game, of those that are here: not by looking at all boards."""

    title = parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        """Return the games."""
        return [(name, name) for name in find()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is chosen."""
        return queryset.filter(game=self.value()) if self.value() else queryset


def _undo_forfeit(match: Match, reason: str, choice: str, now: datetime) -> ActionResult:
    undo_forfeit(match.pk, reason, now)
    return ActionResult(f"Undid the forfeit of board {match.pk}; the game continues.")


class ShownBoards(ReadOnlyAdmin):
    """Boards: found by number or userid."""

    list_display = ("number", "game", "players", "state", "ply", "moved_at", "due_at", "page")
    list_filter = (EndFilter, GameFilter)
    search_fields = ("id",)  # shows the field; see `get_search_results`
    search_help_text = "Search by board number or userid"
    ordering = ("-pk",)
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
            "The game continues where it stood, with a new turn for the late player. Its result "
            "is removed from standings and ratings, its review is deleted, and both sides are "
            "told the reason.",
            _undo_forfeit,
            is_forfeited,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Fetch the players with the boards."""
        queryset: QuerySet[Any] = super().get_queryset(request)
        return queryset.prefetch_related("seats__player")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find boards by their number, or by the whole userid of a player."""
        if not search_term:
            return queryset, False
        if search_term.isdecimal() and len(search_term) < 10:
            return queryset.filter(pk=int(search_term)), False
        seats = MatchSeat.objects.filter(player__key=search_term.lower())
        return queryset.filter(pk__in=seats.values("match")), False

    @display(description="board", ordering="pk")
    def number(self, match: Match) -> int:
        """Return the number by which everybody knows it."""
        return match.pk

    @display(description="players")
    def players(self, match: Match) -> str:
        """Return the userids of the players."""
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


def _only_shows(address: URLPattern) -> bool:
    name = address.name or ""
    return not name.endswith(("_add", "_delete"))
