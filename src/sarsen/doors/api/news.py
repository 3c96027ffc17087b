"""The public news: broadcasts that anybody can read."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from ninja import Query, Router

from sarsen.doors.api.authentication import open_to_all
from sarsen.doors.api.replies import Before, Number, PageSize, documented_answers, send
from sarsen.language.publishing.news import MAX_SEARCH, NewsFacts, NewsList
from sarsen.services.notices.news import MAX_LISTED, newest, view_page

router = Router(tags=["news"], auth=open_to_all())
Search = Annotated[str, Query(max_length=MAX_SEARCH)]


@router.get("/news", response=documented_answers(NewsList), operation_id="read-news")
def list_news(
    request: HttpRequest, search: Search = "", before: Before = None, most: PageSize = MAX_LISTED
) -> HttpResponse:
    """List broadcasts, newest first; with `search`, those that have all of its words.

    `further` is the value of `before` for the next page; the `Link` header has its URL.
    """
    items = newest(search=search, before=before or 0, most=most)
    further = items[-1].number if len(items) == most else None
    link = ""
    if further is not None:
        query: dict[str, str | int] = {"search": search, "most": most, "before": further}
        link = f"{request.path}?{urlencode(query)}"
    return send(request, NewsList(tuple(items), further), further=link)


@router.get("/news/{number}", response=documented_answers(NewsFacts), operation_id="read-news-item")
def show_news(request: HttpRequest, number: Number) -> HttpResponse:
    """Return one broadcast; its text is empty when it was withdrawn or hidden."""
    return send(request, view_page(number).item)
