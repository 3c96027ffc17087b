"""A page for each game: its picture, its rules, and who plays it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.core.game import GameInfo
from sarsen.core.options import Number, Option
from sarsen.doors.web.board.pictures import FOR_A_DAY, caption, inline_picture, picture_file
from sarsen.doors.web.challenges.option_fields import small_options
from sarsen.doors.web.help.pages import rules_of
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import speaker
from sarsen.games import find, load, names, showpiece
from sarsen.language.ratings import points
from sarsen.services.bots.accounts import Program, list_programs
from sarsen.services.challenges.pages import open_challenges
from sarsen.services.matches.lobby import ended_boards, running_boards
from sarsen.services.ratings.glicko import Strength
from sarsen.services.ratings.pages import rating_list

MOST_RUNNING = 50
MOST_PICTURED = 8  # of them, with a picture
MOST_ENDED = 8
MOST_OPEN = 20
MOST_BEST = 8


@dataclass(frozen=True)
class OptionRow:
    """One option as its table shows it."""

    usage: str
    summary: str
    values: str


@dataclass(frozen=True)
class BestPlayer:
    """A line of the best players of a game; `rank` is None for a provisional rating."""

    rank: int | None
    userid: str
    points: str


def show_games(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    return render(
        request, "web/help/games.html", {"games": [game.info for game in find().values()]}
    )


@explains_refusals
def show_game(request: HttpRequest, name: str) -> HttpResponse:
    """Show one game."""
    info = load(name).info
    position = showpiece(info.name)
    running = running_boards(info.name, most=MOST_RUNNING)
    programs = list_programs() if len(info.seats) == 2 else ()
    facts = {
        "game": info,
        "small": small_options(info.options),
        "picture": inline_picture(position),
        "caption": caption(position),
        "rules": rules_of(info.name),
        "options": [_row(option) for option in info.options],
        "running": running[:MOST_PICTURED],
        "further": running[MOST_PICTURED:],
        "ended": ended_boards(info.name, most=MOST_ENDED),
        "challenges": open_challenges(speaker(request), info.name)[:MOST_OPEN],
        "example": _challenge(info),
        "programs": programs,
        "strengths": _strengths(programs, info.name),
        "best": _best(info.name, timezone.now()),
    }
    return render(request, "web/help/game.html", facts)


@explains_refusals
def send_picture(request: HttpRequest, name: str, theme: str = "light") -> HttpResponse:
    """Send the picture of a game in the colours of a theme."""
    return picture_file(showpiece(load(name).info.name), theme, keep=FOR_A_DAY)


def _best(game: str, now: datetime) -> list[BestPlayer]:
    """Return the people at the head of the rating list; programs have a list of their own."""
    people = [one for one in rating_list(game, now) if not one.is_bot][:MOST_BEST]
    return [BestPlayer(one.rank, one.userid, _figures(one.strength)) for one in people]


def _figures(strength: Strength) -> str:
    return points(strength.rating, is_provisional=strength.is_provisional)


def _strengths(programs: Sequence[Program], game: str) -> list[tuple[Program, str]]:
    place = list(names()).index(game)
    return [(one, one.ratings[place]) for one in programs if one.ratings[place]]


def _row(option: Option) -> OptionRow:
    return OptionRow(option.usage, option.summary, option.values)


def _challenge(info: GameInfo) -> str:
    """Write a line that challenges, with the first option as an example of one."""
    names = " ".join(["you", "them", "another", "one more"][: len(info.seats)])
    numbers = [option for option in info.options if isinstance(option, Number)]
    options = f"-{numbers[0].name}={numbers[0].default} " if numbers else ""
    return f"{info.name} challenge {options}{names}"
