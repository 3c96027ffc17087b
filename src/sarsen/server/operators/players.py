"""Players as operators see them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.admin import display
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from sarsen.server.operators.actions import ActionResult, AdminAction
from sarsen.server.operators.tables import ChoiceFilter, ReadOnlyAdmin, masked
from sarsen.services.admin.actions import ban, end_access, unban
from sarsen.storage.models import MatchSeat, Player


def _ban(player: Player, reason: str, choice: str, now: datetime) -> ActionResult:
    result = ban(player, reason, now, resigns=choice == "resign")
    boards = f"boards resigned: {len(result.resigned)}, still running: {len(result.running)}."
    return ActionResult(f"Banned {player}; {boards}")


def _unban(player: Player, reason: str, choice: str, now: datetime) -> ActionResult:
    unban(player, reason, now)
    return ActionResult(f"Lifted the ban on {player}.")


def _end_access(player: Player, reason: str, choice: str, now: datetime) -> ActionResult:
    ended = end_access(player, reason, now)
    return ActionResult(f"Logged out {player}: sessions {ended.sessions}, tokens {ended.tokens}.")


def _show_addresses(player: Player, reason: str, choice: str, now: datetime) -> ActionResult:
    addresses = player.addresses.order_by("pk").values_list("address", flat=True)
    return ActionResult(f"Viewed the addresses of {player}.", "\n".join(addresses) or "None.")


class StateFilter(ChoiceFilter):
    """Choose players by how they stand."""

    title = parameter_name = "state"
    conditions: ClassVar = {
        "plays": ("plays", Q(is_active=True, is_bot=False)),
        "barred": ("banned", Q(banned_at__isnull=False)),
        "left": ("left", Q(left_at__isnull=False)),
        "program": ("program", Q(is_bot=True)),
        "operator": ("operator", Q(is_staff=True)),
    }


class ShownPlayers(ReadOnlyAdmin):
    """Players: found by userid or address; the addresses themselves only for a reason."""

    list_display = ("userid", "state", "joined_at", "running", "last_login")
    list_filter = (StateFilter,)
    search_fields = ("key", "addresses__address")
    search_help_text = "Search by the start of a userid or mail address"
    ordering = ("-pk",)
    fields = (
        "userid",
        "state",
        "ban_reason",
        "addresses_masked",
        "place",
        "about",
        "joined_at",
        "last_login",
        "left_at",
        "banned_at",
        "timezone",
        "sessions",
        "programs",
        "paused_until",
    )
    admin_actions = (
        AdminAction(
            "addresses",
            "Show the addresses",
            "The mail addresses of this player are shown to you. This action is logged.",
            _show_addresses,
            is_told=False,
        ),
        AdminAction(
            "end-access",
            "End sessions and tokens",
            "The player is logged out everywhere, tokens are revoked, and the player is told why.",
            _end_access,
            lambda player: bool(player.is_active) and not player.is_bot,
        ),
        AdminAction(
            "ban",
            "Ban this player",
            "The player can no longer log in, write or be challenged. Open challenges are "
            "closed, and queued moves are not played. The player is told why; opponents at "
            "running boards are told that the player is banned. Finished games and the player's "
            "name stay.",
            _ban,
            lambda player: bool(player.is_active) and not player.is_staff and not player.is_bot,
            (
                ("resign", "Resign the running boards now."),
                ("run", "Let the clocks run; each board is lost when its time runs out."),
            ),
        ),
        AdminAction(
            "let-in",
            "Lift the ban on this player",
            "The player can log in, write and play again. Resigned boards stay resigned.",
            _unban,
            lambda player: player.banned_at is not None and player.left_at is None,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Count the running boards with the players."""
        seats = MatchSeat.objects.filter(player=OuterRef("pk"), match__ended_at=None).order_by()
        boards = seats.values("player").values(boards=Count("match", distinct=True))
        players: QuerySet[Any] = super().get_queryset(request)
        # A query a row that is shown: to join and group them all takes as long as there are boards.
        counted: QuerySet[Any] = players.annotate(_running=Coalesce(Subquery(boards), 0))
        return counted

    @display(description="state")
    def state(self, player: Player) -> str:
        """Return a text that says how somebody stands."""
        if player.banned_at:
            return "banned"
        if player.left_at:
            return "left"
        if player.is_bot:
            return "program"
        return "operator" if player.is_staff else "plays"

    @display(description="running boards")
    def running(self, player: Any) -> int:
        """Count the boards in play."""
        count: int = player._running
        return count

    @display(description="addresses")
    def addresses_masked(self, player: Player) -> str:
        """Show that there are addresses, and where they lead."""
        return (
            ", ".join(masked(address.address) for address in player.addresses.order_by("pk"))
            or "none"
        )

    @display(description="sessions")
    def sessions(self, player: Player) -> int:
        """Count the browsers that a player is logged in with."""
        return player.web_sessions.count()

    @display(description="tokens of programs")
    def programs(self, player: Player) -> int:
        """Count the tokens of a player."""
        return player.tokens.count()
