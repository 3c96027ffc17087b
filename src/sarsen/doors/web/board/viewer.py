"""A viewer of records that other sites may frame; it knows nobody and sets no cookie.

`embed.svg` is a picture with links, without any script. `embed/` is the same picture in a
page whose small script adds the arrow keys and a button that plays the game by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.web.board.moves import StepAddresses, step_addresses
from sarsen.doors.web.frame.colour_choice import ColourChoice
from sarsen.doors.web.frame.pictures import FOR_A_WHILE
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.svg import FONT, svg
from sarsen.services.boards.view import BoardView, view_board

# Unlike all other pages, these may be framed by anybody: no `frame-ancestors`, since even `*`
# would keep out a page that somebody opens from their own disk.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'"
)
# What an address may say of colours: `dark`, `light`, `safe`, `contrast`, `striped`, with dots
# between them. Otherwise they are those of the device.
COLOURS = "colours"
MAX_MOVE = 36  # characters, as fit in one row; a bounce of Gyges may have 200
_LETTERS = 30  # letters of a line, about: its size is that part of the width
_NAMES = ("First", "Back", "Next", "Last")
RELATIONS = ("first", "prev", "next", "last")

View = Callable[..., HttpResponse]


def may_be_framed(view: View) -> View:
    """Answer everybody alike, logged in or not; a refusal is one sentence."""

    @wraps(view)
    def wrapper(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            response = view(request, **address)
        except UserError as refusal:
            response = HttpResponse(refusal.text + "\n", "text/plain; charset=utf-8", status=404)
        response["Cache-Control"] = FOR_A_WHILE
        response["Content-Security-Policy"] = POLICY
        response.xframe_options_exempt = True
        return response

    return wrapper


@require_safe
@may_be_framed
def show_player(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a record at a ply, with a script that steps through it."""
    view = view_board(board, ply)
    colours = ColourChoice.read(request.GET.get(COLOURS, ""))
    facts = {
        "board": view,
        "colours": colours,
        "page": mark_safe(record_page(view, _steps(view, "embed-ply", colours))),  # noqa: S308
        "style": f"{reverse('board-style')}?v={style_version()}",
    }
    # Without the request: the page is the same for everybody.
    return HttpResponse(render_to_string("web/board/embed.html", facts))


@require_safe
@may_be_framed
def send_picture(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Send a record at a ply as one picture with links."""
    view = view_board(board, ply)
    style = f"{reverse('board-style')}?v={style_version()}"
    head = f'<?xml-stylesheet href="{style}"?>\n'
    colours = ColourChoice.read(request.GET.get(COLOURS, ""))
    page = record_page(view, _steps(view, "embed-picture-ply", colours))
    marked = page.replace("<svg ", f"<svg {_marks(colours)}", 1)
    return HttpResponse(head + marked, "image/svg+xml")


def _marks(colours: ColourChoice) -> str:
    """Write the attributes that select the chosen colours in the style sheet."""
    marks = {"mode": colours.mode, "palette": colours.palette}
    striped = 'data-striped="" ' if colours.is_striped else ""
    return "".join(f'data-{name}="{word}" ' for name, word in marks.items() if word) + striped


def _steps(view: BoardView, name: str, colours: ColourChoice) -> StepAddresses:
    query = "" if colours == ColourChoice() else f"?{COLOURS}={colours.write()}"

    def address(ply: int) -> str:
        return reverse(name, args=[view.number, ply]) + query

    return step_addresses(view.ply, view.last_ply, address)


@dataclass(frozen=True)
class _Frame:
    """The measures of the page, in units of the board's picture."""

    width: float
    board_height: float

    @property
    def letter(self) -> float:
        return self.width / _LETTERS

    @property
    def top(self) -> float:
        return self.letter * 2.2

    @property
    def height(self) -> float:
        return self.top + self.board_height + self.letter * 5.4


def record_page(view: BoardView, steps: StepAddresses) -> str:
    """Draw the page as one SVG element; every text in it is escaped."""
    scene = drawing.scene(view.position)
    frame = _Frame(scene.width, scene.height)
    below = frame.top + scene.height
    parts = (
        # Far beyond the edges: a window of another shape shows more than the page.
        f'<rect x="-1000%" y="-1000%" width="2100%" height="2100%" {_fill("paper")}/>',
        _title(view, frame),
        f'<g transform="translate(0 {frame.top:.2f})">{svg(scene)}</g>',
        _text(frame.width / 2, below + frame.letter * 1.4, frame.letter, _state(view), "ink"),
        _links(steps, frame, below + frame.letter * 2.2),
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board" '
        f'viewBox="0 0 {frame.width:.2f} {frame.height:.2f}" font-family="{FONT}">'
        f"{''.join(parts)}</svg>"
    )


def _title(view: BoardView, frame: _Frame) -> str:
    words = f"{view.title}: {' v '.join(view.players)}"
    size = min(frame.letter, frame.width / (0.58 * len(words)))
    text = _text(frame.width / 2, frame.letter * 1.5, size, words, "ink", bold=True)
    # A page of its own: the board's page cannot be framed.
    page = f"{settings.SARSEN_URL}{reverse('board', args=[view.number])}"
    return f'<a href="{escape(page)}" target="_blank" rel="noopener">{text}</a>'


def _state(view: BoardView) -> str:
    words = f"{view.ply} / {view.last_ply}"
    if view.ply:
        move = view.moves[view.ply - 1].text
        short = move if len(move) <= MAX_MOVE else f"{move[: MAX_MOVE - 1]}…"
        words += f" · {short}"
    return f"{words} · {view.result}" if view.result and len(words + view.result) < 52 else words


def _links(steps: StepAddresses, frame: _Frame, y: float) -> str:
    width, height = frame.width / 4, frame.letter * 2.6
    buttons = []
    addresses = (steps.first, steps.previous, steps.next, steps.last)
    for index, (name, relation, address) in enumerate(
        zip(_NAMES, RELATIONS, addresses, strict=True)
    ):
        x = index * width
        box = (
            f'<rect x="{x + width * 0.04:.2f}" y="{y:.2f}" width="{width * 0.92:.2f}" '
            f'height="{height:.2f}" rx="{frame.letter * 0.3:.2f}" {_fill("ground")}/>'
        )
        role = "ink" if address else "ink-soft"
        middle = y + height / 2 + frame.letter * 0.35
        label = _text(x + width / 2, middle, frame.letter, name, role, bold=bool(address))
        if address:
            buttons.append(f'<a href="{escape(address)}" rel="{relation}">{box}{label}</a>')
        else:
            buttons.append(f'<g opacity=".5">{label}</g>')
    return "".join(buttons)


def _text(x: float, y: float, size: float, words: str, role: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="middle"{weight} '
        f"{_fill(role)}>{escape(words)}</text>"
    )


def _fill(role: str) -> str:
    return f'class="f-{role}" fill="{LIGHT[role]}"'
