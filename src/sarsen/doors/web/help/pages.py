"""Help pages, the same ones that mails are answered with, and a page for each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.token import Token

from sarsen.core.errors import UserError
from sarsen.doors.web.board.practice import address, board_html, live_board
from sarsen.doors.web.challenges.option_fields import small_options
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.pictures import FOR_A_DAY, caption, inline_picture, picture_file
from sarsen.doors.web.frame.prose import to_html
from sarsen.doors.web.frame.visitors import speaker
from sarsen.games import find, help_text, language_of_help, load, names, showpiece, showpiece_game
from sarsen.help import find_page
from sarsen.help.game_pages import game_page
from sarsen.help.pages import Example, read_example
from sarsen.language.commands import BY_WORD, COMMANDS
from sarsen.language.translating import _, current_language, translated
from sarsen.learning.lessons import has_lesson, taught
from sarsen.learning.puzzles.shelf import has_puzzles
from sarsen.learning.solved import claims_of
from sarsen.services.bots.accounts import Program, list_programs
from sarsen.services.challenges.lists import open_challenges
from sarsen.services.contests.views.ladders import ladders_of
from sarsen.services.matches.lobby import ended_boards, running_boards
from sarsen.services.matches.practice import make_practice
from sarsen.services.ratings.measurements import running_measurement
from sarsen.services.ratings.pages import rating_list

MAX_SUBJECT_LENGTH = 60  # characters: anybody may ask for any subject, and it is repeated
MAX_RUNNING = 50  # boards of the page, the newest: each is a row or a picture
MAX_PICTURED = 8  # of them, with a picture, which makes the page longer
MAX_ENDED = 8  # boards, as one row or two of pictures on a screen
MAX_OPEN = 20  # challenges; the lobby has all
MAX_BEST = 8  # people; the rating list has all
OPEN_CHAPTERS = 3  # of a game's rules
_markdown = MarkdownIt("commonmark")


@dataclass(frozen=True)
class SubjectGroup:
    """A group of subjects in the index: pairs of a subject and what it is called."""

    title: str
    subjects: tuple[tuple[str, str], ...]


@with_refusal_pages
def show_help(request: HttpRequest, subject: str = "") -> HttpResponse:
    """Show one help page beside the index of all of them."""
    if len(subject) > MAX_SUBJECT_LENGTH:
        raise UserError("No help page has a name that long.", code="unknown-subject", hint="help")
    page = find_page(tuple(subject.lower().split()))
    has_boards = subject.lower() in find()
    facts = {
        "title": page.title,
        "text": page_of(subject.lower()) if has_boards else to_html(page.text),
        "language": language_of_help(subject.lower()) if has_boards else current_language(),
        "has_boards": has_boards,
        "lesson": subject.lower() if has_boards and has_lesson(subject) else "",
        "shelves": _shelves(),
        "subject": subject.lower(),
        "is_command": subject.lower() in BY_WORD,
    }
    return render(request, "web/help/page.html", facts)


def _shelves() -> tuple[SubjectGroup, ...]:
    first = (
        ("tutorial", _("Your first game")),
        ("bots", _("Programs to play against")),
        ("options", _("Options")),
        ("commands", _("All commands")),
    )
    games = tuple((name, game.info.title) for name, game in find().items())
    commands = tuple((command.words[0], command.words[0]) for command in COMMANDS)
    return (
        SubjectGroup(_("To begin"), first),
        SubjectGroup(_("Games"), games),
        SubjectGroup(_("Commands"), commands),
    )


@dataclass(frozen=True)
class ForbiddenMove:
    """A move that the rules refuse, in their own words.

    Attributes:
        address: The board on which it is refused, to try it.
    """

    move: str
    text: str
    address: str


def page_of(game: str) -> SafeString:
    """Return the help page of a game as HTML, without its title, its examples as boards."""
    return in_chapters(html_with_boards(game_page(game)))


def rules_of(game: str) -> SafeString:
    """Return its rules alone, for a page that offers to play the game."""
    text = help_text(game).partition("\n")[2]
    return in_chapters(html_with_boards(text))


@dataclass(frozen=True)
class Chapter:
    """A part of a game's rules; `key` names it within the page."""

    title: str
    key: str
    html: SafeString
    is_open: bool


def in_chapters(html: SafeString) -> SafeString:
    """Fold the chapters of a page behind the first ones, and put a list of them before it."""
    start, *parts = html.split("<h2>")
    chapters = []
    for at, part in enumerate(parts):
        title, _, body = part.partition("</h2>")
        # The title and the rest are parts of HTML that is safe.
        chapters.append(
            Chapter(
                mark_safe(title),  # noqa: S308
                f"rules-{at + 1}",
                mark_safe(body),  # noqa: S308
                is_open=at < OPEN_CHAPTERS,
            )
        )
    facts = {"start": mark_safe(start), "chapters": chapters}  # noqa: S308
    return render_to_string("web/help/chapters.html", facts)


def html_with_boards(text: str) -> SafeString:
    """Turn Markdown into HTML, its examples into boards."""
    return _lesson(text, get_language())


@lru_cache(maxsize=100)
def _lesson(text: str, language: str | None) -> SafeString:
    lines = text.split("\n")
    parts, next_line, number = [], 0, 0
    tokens = [token for token in _markdown.parse(text) if token.type == "fence" and token.map]
    for at, token in enumerate(tokens):
        assert token.map is not None  # see above
        begins, ends = token.map
        if begins < next_line or token.info.strip() != "sarsen":
            continue
        text_board = _text_board(tokens, at, lines)
        html, number = _boards_html(token.content, text_board, number)
        if html:
            parts += [to_html("\n".join(lines[next_line:begins])), html]
            next_line = _end(tokens[at + 1]) if text_board else ends
    return mark_safe("".join([*parts, to_html("\n".join(lines[next_line:]))]))  # noqa: S308


def _end(token: Token) -> int:
    assert token.map is not None  # every fence has its place
    return token.map[1]


def _text_board(tokens: list[Token], at: int, lines: list[str]) -> str:
    """Return the text board that stands directly below an example; "" where none does."""
    if at + 1 == len(tokens) or tokens[at + 1].info.strip() != "text":
        return ""
    begins = (tokens[at + 1].map or [0])[0]
    between = lines[_end(tokens[at]) : begins]
    return "" if any(line.strip() for line in between) else tokens[at + 1].content


def _boards_html(content: str, text_board: str, number: int) -> tuple[str, int]:
    """Make boards, or a list of refusals, of a fence; "" where it is about something else."""
    boards, refused = [], []
    for line in content.splitlines():
        if line.startswith("show ") and (example := read_example(line)):
            number += 1
            practice = make_practice(example.game, example.options, example.moves)
            boards.append(board_html(live_board(practice, key=f"board-{number}", text=text_board)))
        elif line.startswith("refused ") and (example := read_example(line)):
            refused += list(_forbidden(example))
    rows = render_to_string("web/help/refused_moves.html", {"rows": refused}) if refused else ""
    return "".join([*boards, rows]), number


def _forbidden(example: Example) -> Iterator[ForbiddenMove]:
    """Ask the rules what they say against the last move."""
    before = make_practice(example.game, example.options, example.moves[:-1])
    try:
        make_practice(example.game, example.options, example.moves)
    except UserError as refusal:
        board = address(before, before.at, has_partner=False)
        yield ForbiddenMove(example.moves[-1], translated(refusal.text), board)


@dataclass(frozen=True)
class BestPlayer:
    """A line of the best players of a game; `rank` is None for a provisional rating."""

    rank: int | None
    userid: str
    points: str


def show_games(request: HttpRequest) -> HttpResponse:
    """Show all games."""
    facts = {"games": [game.info for game in find().values()], "taught": taught()}
    return render(request, "web/help/games.html", facts)


@with_refusal_pages
def show_game(request: HttpRequest, name: str) -> HttpResponse:
    """Show one game."""
    info = load(name).info
    position = showpiece(info.name)
    running = running_boards(info.name, most=MAX_RUNNING)
    programs = list_programs(with_ratings=True) if len(info.seats) == 2 else ()
    facts = {
        "game": info,
        "small": small_options(info.options),
        "picture": inline_picture(position),
        "caption": caption(position),
        "rules": rules_of(info.name),
        "language_of_rules": language_of_help(info.name),
        "options": info.options,
        "running": running[:MAX_PICTURED],
        "further": running[MAX_PICTURED:],
        "ended": ended_boards(info.name, most=MAX_ENDED),
        "challenges": open_challenges(speaker(request), info.name, most=MAX_OPEN),
        "programs": programs,
        "strengths": _strengths(programs, info.name),
        "measurement": running_measurement(info.name),
        "best": _best(info.name, timezone.now()),
        "ladders": ladders_of(info.name),
        "has_lesson": has_lesson(info.name),
        "has_puzzles": has_puzzles(info.name),
        "solved": claims_of(info.name),
    }
    return render(request, "web/help/game.html", facts)


@with_refusal_pages
def send_picture(request: HttpRequest, name: str, theme: str = "light") -> HttpResponse:
    """Send the picture of a game in the colours of a theme."""
    return picture_file(showpiece(load(name).info.name), theme, keep=FOR_A_DAY)


@with_refusal_pages
def send_classic(request: HttpRequest, name: str, ply: int, theme: str) -> HttpResponse:
    """Send a position of the game that leads to the picture of a game; after its end, the last."""
    positions = showpiece_game(load(name).info.name)
    return picture_file(positions[min(ply, len(positions) - 1)], theme, keep=FOR_A_DAY)


def _best(game: str, now: datetime) -> list[BestPlayer]:
    """Return the people at the head of the rating list; programs have a list of their own."""
    people = [player for player in rating_list(game, now) if not player.is_bot][:MAX_BEST]
    return [BestPlayer(player.rank, player.userid, player.strength.figures) for player in people]


def _strengths(programs: Sequence[Program], game: str) -> list[tuple[Program, str]]:
    index = list(names()).index(game)
    return [(program, program.ratings[index]) for program in programs if program.ratings[index]]
