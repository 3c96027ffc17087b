"""A player's own boards: what waits for him first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.doors.web.speaker import needs_speaker, speaker
from sarsen.services.own_boards import own_boards


@needs_speaker
def show_my_boards(request: HttpRequest) -> HttpResponse:
    """Show all that concerns the player who is logged in."""
    player = speaker(request)
    assert player is not None  # see the decorator
    return render(request, "web/my.html", {"own": own_boards(player), "player": player})
