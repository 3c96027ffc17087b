"""A viewer of records that other sites may frame; it knows nobody and sets no cookie.

`embed.svg` is a picture with links, without any script. `embed/` is the same picture in a
page whose small script adds the arrow keys and a button that plays the game by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.doors.web.chosen import Chosen
from sarsen.doors.web.pictures import FOR_A_WHILE
from sarsen.doors.web.record_page import Steps, record_page
from sarsen.doors.web.themes import style_version
from sarsen.services.viewing import BoardView, view_board

# Unlike all other pages, these may be framed by anybody: no `frame-ancestors`, since even `*`
# would keep out a page that somebody opens from his own disk.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'"
)
# Of the frame that the board's page offers. Every board fits in: the picture scales, and to
# draw one only to learn its height would make that page slower.
WIDTH, HEIGHT = 480, 600
# What an address may say of colours: `dark`, `light`, `safe`, `contrast`, `striped`, with dots
# between them. Otherwise they are those of the device.
COLOURS = "colours"

View = Callable[..., HttpResponse]


def may_be_framed(view: View) -> View:
    """Answer everybody alike, whoever is logged in; a refusal is one sentence."""

    @wraps(view)
    def framed(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            response = view(request, **address)
        except UserError as refusal:
            response = HttpResponse(refusal.text + "\n", "text/plain; charset=utf-8", status=404)
        response["Cache-Control"] = FOR_A_WHILE
        response["Content-Security-Policy"] = POLICY
        response.xframe_options_exempt = True
        return response

    return framed


@require_safe
@may_be_framed
def show_player(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a record at a ply, with a script that steps through it."""
    view = view_board(board, ply)
    colours = Chosen.read(request.GET.get(COLOURS, ""))
    facts = {
        "board": view,
        "colours": colours,
        "page": mark_safe(record_page(view, _steps(view, "embed-ply", colours))),  # noqa: S308
        "style": f"{reverse('board-style')}?v={style_version()}",
    }
    # Without the request: whoever is logged in, the page is the same.
    return HttpResponse(render_to_string("web/embed.html", facts))


@require_safe
@may_be_framed
def send_picture(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Send a record at a ply as one picture with links."""
    view = view_board(board, ply)
    style = f"{reverse('board-style')}?v={style_version()}"
    head = f'<?xml-stylesheet href="{style}"?>\n'
    colours = Chosen.read(request.GET.get(COLOURS, ""))
    page = record_page(view, _steps(view, "embed-picture-ply", colours))
    marked = page.replace("<svg ", f"<svg {_marks(colours)}", 1)
    return HttpResponse(head + marked, "image/svg+xml")


def frame_line(view: BoardView) -> str:
    """Write the line that shows a public board on another site; "" for a private one."""
    if view.is_private:
        return ""
    address = f"{settings.SARSEN_URL}{reverse('embed', args=[view.number])}"
    return (
        f'<iframe src="{address}" title="{view.title}" width="{WIDTH}" height="{HEIGHT}" '
        'style="border:0;max-width:100%" loading="lazy"></iframe>'
    )


def _marks(colours: Chosen) -> str:
    """Write the attributes by which the style sheet knows what is chosen."""
    marks = {"mode": colours.mode, "palette": colours.palette}
    striped = 'data-striped="" ' if colours.is_striped else ""
    return "".join(f'data-{name}="{word}" ' for name, word in marks.items() if word) + striped


def _steps(view: BoardView, name: str, colours: Chosen) -> Steps:
    here, last = view.ply, view.last_ply
    asked = "" if colours == Chosen() else f"?{COLOURS}={colours.write()}"

    def address(ply: int) -> str:
        return reverse(name, args=[view.number, ply]) + asked

    return Steps(
        first=address(0) if here > 0 else "",
        prev=address(here - 1) if here > 0 else "",
        next=address(here + 1) if here < last else "",
        last=address(last) if here < last else "",
        board=f"{settings.SARSEN_URL}{reverse('board', args=[view.number])}",
    )
