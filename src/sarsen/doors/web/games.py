"""A page for each game: its picture, its rules, and who plays it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen import drawing
from sarsen.core.game import GameInfo
from sarsen.core.options import Number, Option
from sarsen.doors.web.pictures import FOR_A_DAY, inline_picture, picture_file
from sarsen.doors.web.prose import to_html
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.showcase import showpiece
from sarsen.doors.web.speaker import speaker
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.games import find, load
from sarsen.help import find_page
from sarsen.services.bots.pages import list_programs
from sarsen.services.challenge_pages import open_challenges
from sarsen.services.lobby import ended_boards, running_boards

MOST_RUNNING = 50
MOST_ENDED = 20
MOST_OPEN = 20


@dataclass(frozen=True)
class OptionRow:
    """One option as its table shows it."""

    usage: str
    summary: str
    values: str


def show_games(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    return render(request, "web/games.html", {"games": [game.info for game in find().values()]})


@explains_refusals
def show_game(request: HttpRequest, name: str) -> HttpResponse:
    """Show one game."""
    info = load(name).info
    position = showpiece(info.name)
    facts = {
        "game": info,
        "picture": inline_picture(position),
        "caption": drawing.scene(position).title,
        "rules": to_html(find_page((info.name,)).text),
        "options": [_row(option) for option in info.options],
        "running": running_boards(info.name, most=MOST_RUNNING),
        "ended": ended_boards(info.name, most=MOST_ENDED),
        "challenges": open_challenges(speaker(request), info.name)[:MOST_OPEN],
        "example": _challenge(info),
        "programs": list_programs() if len(info.seats) == 2 else (),
    }
    return render(request, "web/game.html", facts)


@explains_refusals
def send_picture(request: HttpRequest, name: str) -> HttpResponse:
    """Send the picture of a game in light colours."""
    return picture_file(showpiece(load(name).info.name), LIGHT, keep=FOR_A_DAY)


@explains_refusals
def send_dark_picture(request: HttpRequest, name: str) -> HttpResponse:
    """Send the picture of a game in dark colours."""
    return picture_file(showpiece(load(name).info.name), DARK, keep=FOR_A_DAY)


def _row(option: Option) -> OptionRow:
    return OptionRow(option.usage, option.summary, option.values)


def _challenge(info: GameInfo) -> str:
    """Write a line that challenges, with the first option as an example of one."""
    names = " ".join(["you", "them", "another", "one more"][: len(info.seats)])
    numbers = [option for option in info.options if isinstance(option, Number)]
    options = f"-{numbers[0].name}={numbers[0].default} " if numbers else ""
    return f"{info.name} challenge {options}{names}"
