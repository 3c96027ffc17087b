"""What makes the pages an application of a phone or desktop: manifest, icons, worker.

The worker is a file like the other scripts, but stands at the root: a browser lets it work for
no page above its own place.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from sarsen.doors.web.pictures import FOR_A_DAY
from sarsen.services.notices import pushes

SIZES = (192, 512)
PAPER = "#faf7f0"
# A system may cut a maskable icon to any shape that leaves the inner 80 in 100.
_SHRUNK = "translate(16 16) scale(.62) translate(-16 -16)"
_HERE = Path(__file__).parent / "static" / "web"


@require_safe
def send_manifest(request: HttpRequest) -> JsonResponse:
    """Return what is installed, and where it begins."""
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
    return HttpResponse(_drawn(size, purpose), "image/png", headers={"Cache-Control": FOR_A_DAY})


@require_safe
def send_favicon(request: HttpRequest) -> HttpResponse:
    """Lead to the icon whoever shows something that names none: a picture, an operator's page."""
    return redirect(static("web/icon.svg"))


@require_safe
def send_worker(request: HttpRequest) -> HttpResponse:
    """Send the script that serves pages while there is no connection."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_worker(), "text/javascript; charset=utf-8", headers=headers)


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """Show what stands in for a page that is not kept; the worker keeps it beforehand."""
    response = render(request, "web/offline.html")
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
def _drawn(size: int, purpose: str) -> bytes:
    picture = (_HERE / "icon.svg").read_text()
    if purpose == "maskable":
        start, end = picture.index("<g "), picture.index("</svg>")
        drawn = f'<g transform="{_SHRUNK}">{picture[start:end]}</g>'
        picture = f'{picture[:start]}<rect width="32" height="32" fill="{PAPER}"/>{drawn}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=size, height=size))


def _worker() -> str:
    facts = {
        "START": reverse("my"),
        "BOX": reverse("do"),
        "OFFLINE": reverse("offline"),
        "LOGOUT": reverse("logout"),
        "ICON": reverse("icon-any", args=[192]),
        "STATIC": static("web/"),
        "RENEW": reverse("renew-device"),
        "PUSH_KEY": pushes.public_key(),
    }
    known = "".join(f'const {name} = "{fact}";\n' for name, fact in facts.items())
    return known + (_HERE / "worker.js").read_text()
