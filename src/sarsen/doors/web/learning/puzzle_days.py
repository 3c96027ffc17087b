"""A player's own page of the puzzles of the last days; nobody else sees it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.visitors import render_private, speaker
from sarsen.language.learning.puzzle_choices import GameDays
from sarsen.services.learning.puzzle_days import days_of


@require_safe
def show_days(request: HttpRequest) -> HttpResponse:
    """Show which puzzles of the day are solved, with links to all of them."""
    player = speaker(request)
    is_shown = player is not None and player.wants_puzzle_days
    games = days_of(player, timezone.now().date()) if player is not None and is_shown else ()
    facts = {
        "player": player,
        "is_shown": is_shown,
        "games": [_rows(one) for one in games],
        "page_path": request.path,
    }
    return render_private(request, "web/learning/puzzle_days.html", facts)


def _rows(days: GameDays) -> dict[str, object]:
    """Return what the template needs of a game: its days from the first to today."""
    return {
        "title": days.title,
        "solved": days.solved,
        "count": len(days.days),
        "days": [
            (parse_date(day.day), reverse("puzzle", args=[days.game, day.puzzle]), day.is_solved)
            for day in reversed(days.days)
        ],
    }
