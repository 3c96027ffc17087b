"""Puzzles outside our pages: a picture, a feed of those of the day, and a frame for other sites."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from sarsen.doors.web.board.feeds import ATOM, FeedItem, atom, feed_language, send_feed
from sarsen.doors.web.board.viewer import COLOURS, may_be_framed
from sarsen.doors.web.frame.colour_choice import ColourChoice
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.pictures import FOR_A_WHILE, in_words, inline_picture, picture_file
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.games import load
from sarsen.language.learning.puzzles import task_words
from sarsen.language.translating import _, translated, use_language
from sarsen.learning.puzzles.answers import answer, puzzle_title
from sarsen.learning.puzzles.shelf import (
    daily_puzzle,
    game_with_puzzles,
    puzzle_numbered,
    puzzle_of_day,
)

DAYS = 14  # in the feed


@require_safe
@with_refusal_pages
def send_picture(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Send the position of a puzzle as a picture."""
    game = game_with_puzzles(name).name
    return picture_file(puzzle_numbered(game, number).position(game), keep=FOR_A_WHILE)


@require_safe
@with_refusal_pages
def send_daily_feed(request: HttpRequest, name: str) -> HttpResponse:
    """Send the puzzles of the last days, as a feed."""
    info = game_with_puzzles(name)
    today = timezone.now().date()
    daily_puzzle(info.name, today)  # is refused where there is none
    with use_language(feed_language(request)):
        title = _("Puzzles of the day: {title}").format(title=info.title)
        body = atom(
            title,
            reverse("puzzle-daily", args=[info.name]),
            request.get_full_path(),
            f"puzzles-{info.name}",
            _items(info.name, today),
            _midnight(today),
        )
    return send_feed(request, body, ATOM, None)


def _items(game: str, today: date) -> Iterator[FeedItem]:
    """Yield the puzzles of the last days in the language in force, the newest first."""
    for back in range(DAYS):
        day = today - timedelta(days=back)
        puzzle = puzzle_of_day(game, day)
        shown = answer(game, puzzle, ())
        page = settings.SARSEN_URL + reverse("puzzle", args=[game, puzzle.id])
        picture = settings.SARSEN_URL + reverse("puzzle-picture", args=[game, puzzle.id])
        task = task_words(shown)
        summary = format_html(
            '<p><a href="{}"><img src="{}" alt="{}"></a></p><p>{}</p>', page, picture, task, task
        )
        title = translated(puzzle_title(shown.title, puzzle.id))
        yield FeedItem(
            f"{title}: {task}", page, f"puzzle-{game}-{day.isoformat()}", _midnight(day), summary
        )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


@require_safe
@may_be_framed
def show_frame(request: HttpRequest, name: str) -> HttpResponse:
    """Show the puzzle of the day in the frame of another site: a picture, the task and a link."""
    game = game_with_puzzles(name).name
    puzzle = daily_puzzle(game, timezone.now().date())
    position = puzzle.position(game)
    facts = {
        "title": translated(puzzle_title(load(game).info.title, puzzle.id)),
        "task": task_words(answer(game, puzzle, ())),
        "words": in_words(position),
        "picture": inline_picture(position),
        "address": settings.SARSEN_URL + reverse("puzzle", args=[game, puzzle.id]),
        "colours": ColourChoice.read(request.GET.get(COLOURS, "")),
        "style": f"{reverse('board-style')}?v={style_version()}",
    }
    # Without the request: the page is the same for everybody.
    return HttpResponse(render_to_string("web/learning/puzzle_frame.html", facts))
