"""In which language a page speaks: as its reader's account says, else a cookie, else a browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from sarsen.core.errors import UserError
from sarsen.doors.web.speaker import actor, local_path, speaker
from sarsen.language.commands import ChangeLanguage
from sarsen.language.translating import ENGLISH, LANGUAGES, speaking
from sarsen.services.dispatch import perform

COOKIE = "language"
A_YEAR = 365 * 86_400  # seconds
LONGEST_HEADER = 500
# The same for everybody who asks, and so without a look at who that is: what programs read,
# pictures, and what stands on other people's pages.
SAME_FOR_ALL = re.compile(r"/api/|.*(?:/embed/|\.svg$|\.css$)")
Answering = Callable[[HttpRequest], HttpResponseBase]


def speak_language(answer: Answering) -> Answering:
    """Answer in the language of whoever asks; what is alike for all is English."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        if SAME_FOR_ALL.match(request.path):
            return answer(request)
        language = language_of(request)
        with speaking(language), translation.override(language):
            response = answer(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.setdefault("Content-Language", language)
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return answering


def language_of(request: HttpRequest) -> str:
    """Return the code of the language that whoever looks is spoken to in."""
    player = speaker(request)
    wanted = [player.language if player else "", request.COOKIES.get(COOKIE, "")]
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")[:LONGEST_HEADER]
    wanted += [code.partition("-")[0] for code, _ in parse_accept_lang_header(header)]
    return next((code for code in wanted if code in LANGUAGES), ENGLISH)


def show_languages(request: HttpRequest) -> HttpResponse:
    """Show which languages there are; a POST chooses one, here and for the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    code = request.POST.get("language", "")
    if request.method != "POST" or code not in LANGUAGES:
        facts = {"languages": LANGUAGES, "chosen": language_of(request), "back": back}
        response = render(request, "web/languages.html", facts)
        response["Cache-Control"] = "private, no-cache"
        return response
    if speaker(request) is not None:
        try:
            perform(ChangeLanguage(code), actor(request), "", timezone.now())
        except UserError as refusal:
            refused = {"refusal": refusal, "languages": LANGUAGES, "back": back}
            return render(request, "web/languages.html", refused, status=422)
    response = redirect(back or reverse("home"))
    response.set_cookie(
        COOKIE,
        code,
        max_age=A_YEAR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
