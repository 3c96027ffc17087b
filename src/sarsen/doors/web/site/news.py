"""The public news: broadcasts that can be read again, searched and followed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.visitors import has_account, number_in, speaker
from sarsen.language.publishing.news import MAX_SEARCH, NewsFacts, absence, kind_words
from sarsen.services.notices.news import MAX_LISTED, may_withdraw, newest, view_page

KINDS = ("server", "game")  # that are marked in a list; the rest is what players write


@require_safe
@takes({"before": NUMBER})
@with_refusal_pages
def show_news(request: HttpRequest) -> HttpResponse:
    """List broadcasts, the newest first, or those with the words searched for."""
    search = " ".join(request.GET.get("q", "")[:MAX_SEARCH].split())
    before = number_in(request.GET.get("before", "")) or 0
    items = newest(search=search, before=before, most=MAX_LISTED)
    facts = {
        "items": [(item, _mark(item), _absence(item)) for item in items],
        "search": search,
        "longest": MAX_SEARCH,
        "older": items[-1].number if len(items) == MAX_LISTED else 0,
        "is_first": not before,
    }
    return render(request, "web/site/news.html", facts)


@require_safe
@with_refusal_pages
def show_news_item(request: HttpRequest, number: int) -> HttpResponse:
    """Show one broadcast, with its neighbours by date and in its thread."""
    page = view_page(number)
    item, player = page.item, speaker(request)
    is_own = player is not None and player.userid == item.author
    facts = {
        "page": page,
        "item": item,
        "kind": kind_words(item.news_kind),
        "absence": _absence(item),
        "others": [other for other in page.thread if other.number != number],
        "may_withdraw": is_own and not item.state and may_withdraw(item.at, timezone.now()),
        "may_reply": has_account(request) and not is_own and not item.state,
    }
    return render(request, "web/site/news_item.html", facts)


def _mark(item: NewsFacts) -> str:
    return kind_words(item.news_kind) if item.news_kind in KINDS else ""


def _absence(item: NewsFacts) -> str:
    return absence(item.state, item.author, item.reason)
