"""What browsers install: the manifest, icons, and the worker that serves pages offline."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import resvg_py
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.pictures import FOR_A_DAY
from sarsen.doors.web.frame.style_sheet import style_version
from sarsen.services.notices import push

SIZES = (192, 512)
PAPER = "#faf7f0"
# A system may cut a maskable icon to any shape that leaves the inner 80 in 100.
_SHRUNK = "translate(16 16) scale(.62) translate(-16 -16)"
_HERE = Path(__file__).parents[1] / "static" / "web"
# What the page of a board needs without a connection.
_NEEDED = (
    *("board-page.js", "board.js", "elements.js", "keys.js", "live.js", "navigation.js"),
    *("offline.js", "spots.js", "view.js"),
    *("board.css", "forms.css", "page.css"),
)


@require_safe
def send_manifest(request: HttpRequest) -> JsonResponse:
    """Send the manifest of the installable app."""
    about = {
        "id": "/",
        "name": "sarsen: board games by mail",
        "short_name": "sarsen",
        "start_url": reverse("my"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [_icon(size, purpose) for size in SIZES for purpose in ("any", "maskable")],
        "shortcuts": [
            {"name": "Next board", "url": reverse("next-board")},
            {"name": "Challenges", "url": reverse("challenges")},
        ],
    }
    return JsonResponse(
        about, content_type="application/manifest+json", headers={"Cache-Control": FOR_A_DAY}
    )


@require_safe
def send_icon(request: HttpRequest, size: int, purpose: str) -> HttpResponse:
    """Send the icon as a PNG."""
    if size not in SIZES:
        raise Http404
    return HttpResponse(_icon_png(size, purpose), "image/png", headers={"Cache-Control": FOR_A_DAY})


@require_safe
def send_favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for a page that names none: a picture, an operator's page."""
    return redirect(static("web/icon.svg"))


@require_safe
def send_worker(request: HttpRequest) -> HttpResponse:
    """Send the script that serves pages while there is no connection."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_worker(), "text/javascript; charset=utf-8", headers=headers)


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker shows for an uncached page without a connection."""
    response = render(request, "web/site/offline.html")
    response["Cache-Control"] = "no-cache"
    return response


def _icon(size: int, purpose: str) -> dict[str, str]:
    return {
        "src": reverse(f"icon-{purpose}", args=[size]),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@cache
def _icon_png(size: int, purpose: str) -> bytes:
    picture = (_HERE / "icon.svg").read_text()
    if purpose == "maskable":
        start, end = picture.index("<g "), picture.index("</svg>")
        shrunk = f'<g transform="{_SHRUNK}">{picture[start:end]}</g>'
        picture = f'{picture[:start]}<rect width="32" height="32" fill="{PAPER}"/>{shrunk}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=size, height=size))


def _worker() -> str:
    style = f"{reverse('board-style')}?v={style_version()}"
    facts = {
        # Their addresses change with them: then another worker is installed, and keeps the newest.
        "NEEDED": [style, *(static(f"web/{name}") for name in _NEEDED)],
        "START": reverse("my"),
        "BOX": reverse("do"),
        "OFFLINE": reverse("offline"),
        "LOGOUT": reverse("logout"),
        "ICON": reverse("icon-any", args=[192]),
        # Without the version: a page that was kept may ask for older ones.
        "STATIC": static("").removesuffix(f"{settings.STATIC_VERSION}/"),
        "RENEW": reverse("renew-device"),
        "PUSH_KEY": push.public_key(),
    }
    constants = "".join(f"const {name} = {json.dumps(fact)};\n" for name, fact in facts.items())
    return constants + (_HERE / "worker.js").read_text()
