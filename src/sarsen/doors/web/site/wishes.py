"""The wish list: games that players would like to play here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.visitors import has_account, speaker
from sarsen.language.publishing.wishes import MAX_WISH
from sarsen.services.notices.wishes import wished


@require_safe
def show_wishes(request: HttpRequest) -> HttpResponse:
    """List the wishes by votes, with a button for each."""
    player = speaker(request)
    facts = {
        "wishes": wished(player),
        "longest": MAX_WISH,
        "may_vote": has_account(request),
    }
    return render(request, "web/site/wishes.html", facts)
