"""Reports of abuse, and the wish list, as operators see them."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.admin import display
from django.db.models import Q

from sarsen.server.operators.actions import ActionResult, AdminAction
from sarsen.server.operators.tables import ChoiceFilter, ReadOnlyAdmin
from sarsen.services.learning import puzzle_votes
from sarsen.services.notices import reports, wishes
from sarsen.storage.models import AbuseReport, GameWish, PuzzleReport


def _settle(row: AbuseReport, reason: str, choice: str, now: datetime) -> ActionResult:
    reports.settle(row, now)
    return ActionResult(f"Settled report {row.pk}.")


def _remove(row: GameWish, reason: str, choice: str, now: datetime) -> ActionResult:
    wishes.remove(row)
    return ActionResult(f"Removed the wish for {row.name}.")


class StateFilter(ChoiceFilter):
    """Choose reports that somebody has to look at."""

    title = parameter_name = "state"
    conditions: ClassVar = {
        "open": ("open", Q(settled_at=None)),
        "settled": ("settled", Q(settled_at__isnull=False)),
    }


class ShownReports(ReadOnlyAdmin):
    """The reports of players, whose names are told to nobody."""

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


def _settle_puzzle(row: PuzzleReport, reason: str, choice: str, now: datetime) -> ActionResult:
    puzzle_votes.settle(row, now)
    return ActionResult(f"Settled the report about {row.game}-{row.puzzle}.")


class ShownPuzzleReports(ReadOnlyAdmin):
    """Moves at puzzles that players say were refused though right, with the line to check them."""

    list_display = ("at", "player", "game", "puzzle", "line", "to_check", "settled_at")
    list_filter = (StateFilter,)
    list_select_related = ("player",)
    search_fields = ("game", "=puzzle", "player__key")
    search_help_text = "Search by game, number of the puzzle or userid"
    ordering = ("-pk",)
    fields = list_display
    admin_actions = (
        AdminAction(
            "settle",
            "Settle it",
            "It leaves the list of what needs attention. Run the line to check first: if it says "
            "that the puzzle differs, report it to the authors of the game, who retire it.",
            _settle_puzzle,
            lambda row: row.settled_at is None,
            is_told=False,
        ),
    )

    @display(description="to check")
    def to_check(self, row: PuzzleReport) -> str:
        """Return the line that proves every answer of the puzzle again."""
        return f"sarsen puzzles {row.game} --check --number {row.puzzle}"


class ShownWishes(ReadOnlyAdmin):
    """The votes of the wish list; the names of games are words that anybody can read."""

    list_display = ("name", "player", "at")
    list_select_related = ("player",)
    search_fields = ("name", "player__key")
    search_help_text = "Search by game or userid"
    ordering = ("-pk",)
    fields = ("name", "player", "at")
    admin_actions = (
        AdminAction(
            "remove",
            "Remove this wish",
            "All votes for this name are deleted.",
            _remove,
            is_told=False,
        ),
    )
