"""Whether somebody reads boards in words rather than as pictures: his browser remembers it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

WORDS, PICTURE = "words", "picture"
ASKED = "as"  # under which an address says it, and the browser remembers it from then on
COOKIE = "boards"
COOKIE_LASTS = 365 * 86_400  # seconds


def prefers_words(request: HttpRequest) -> bool:
    """Return whether boards are to be shown in words, where the address does not say it."""
    return ASKED not in request.GET and request.COOKIES.get(COOKIE) == WORDS


def remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have the browser remember what the address asks for, if it does."""
    if request.GET.get(ASKED) in (WORDS, PICTURE):
        asked = request.GET[ASKED]
        secure = request.is_secure()
        response.set_cookie(
            COOKIE, asked, COOKIE_LASTS, secure=secure, httponly=True, samesite="Lax"
        )
    return response
