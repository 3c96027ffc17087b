"""What is done with every page: its policy, its compression, its language, and its time."""

from __future__ import annotations

import re
from collections.abc import Callable
from gzip import GzipFile
from io import BytesIO
from secrets import randbelow
from time import perf_counter

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from sarsen.doors.web.frame.metrics import SECONDS
from sarsen.doors.web.frame.visitors import REVALIDATED, has_account, speaker
from sarsen.language.translating import ENGLISH, LANGUAGES, use_language
from sarsen.services.limits.processor_time import IS_PLAYER

LANGUAGE_COOKIE = "language"
MAX_HEADER_LENGTH = 500  # characters: anybody may send more, and it is parsed
PAGE_LEVEL = 5  # of compression; Django has 6
SHORTEST = 200  # bytes of a page that is compressed: below, gzip makes it no smaller
# The same for everybody, and so without a look at the visitor: what programs read, pictures,
# and what stands on other people's pages.
SAME_FOR_ALL = re.compile(r"/api/|.*(?:/embed/|\.svg$|\.css$)")
_CHANGES = frozenset(
    f"_csp_{change}{kind}"
    for change in ("config", "exempt", "replace", "update")
    for kind in ("", "_ro")
)
Answering = Callable[[HttpRequest], HttpResponseBase]


class FixedPolicyMiddleware(CSPMiddleware):
    """Send the policies of the settings: of what a page loads, built once, and of what it uses."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(answer)
        self._usual = build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the headers."""
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        if _CHANGES.isdisjoint(vars(response)):
            response.headers.setdefault(HEADER, self._usual)
            return response
        changed: HttpResponseBase = super().process_response(request, response)
        return changed


def compress_pages(answer: Answering) -> Answering:
    """Compress pages as `GZipMiddleware` does, a level lower. A middleware inside of that one.

    A page with a board gets 1 % longer, in 60 % of the time.
    """

    def answering(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not isinstance(response, HttpResponse) or not _is_compressed(request, response):
            return response
        # A name of random length: the size must not tell what in a page is repeated (BREACH).
        name = "a" * randbelow(GZipMiddleware.max_random_bytes)
        packed = BytesIO()
        with GzipFile(name, "wb", PAGE_LEVEL, packed, mtime=0) as file:
            file.write(response.content)
        response.content = packed.getvalue()
        response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(response.content))
        patch_vary_headers(response, ("Accept-Encoding",))
        return response

    return answering


def _is_compressed(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a response is a page, and its browser takes gzip; see `GZipMiddleware`."""
    is_page = response.get("Content-Type", "").startswith("text/html")
    is_plain = "Content-Encoding" not in response and len(response.content) > SHORTEST
    return is_page and is_plain and "gzip" in request.headers.get("Accept-Encoding", "")


def speak_language(answer: Answering) -> Answering:
    """Answer in the visitor's language, in English where all get the same. A middleware."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        if SAME_FOR_ALL.match(request.path):
            return answer(request)
        request.META[IS_PLAYER] = has_account(request)
        language = language_of(request)
        with use_language(language), translation.override(language):
            response = answer(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Content-Language", language)
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return answering


def language_of(request: HttpRequest) -> str:
    """Return the code of the visitor's language."""
    player = speaker(request)
    codes = [player.language if player else "", request.COOKIES.get(LANGUAGE_COOKIE, "")]
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")[:MAX_HEADER_LENGTH]
    codes += [code.partition("-")[0] for code, _ in parse_accept_lang_header(header)]
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def time_pages(answer: Answering) -> Answering:
    """Measure how long each page takes. A middleware."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        response = answer(request)
        if not response.streaming:
            match = request.resolver_match
            page = (match.view_name if match else "") or "none"
            seconds = perf_counter() - began
            SECONDS.labels(page, f"{response.status_code // 100}xx").observe(seconds)
        return response

    return answering


def keep_private(answer: Answering) -> Answering:
    """Mark pages of a player as private, to be asked for again each time. A middleware."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not response.has_header("Cache-Control") and speaker(request) is not None:
            response["Cache-Control"] = REVALIDATED
        return response

    return answering
