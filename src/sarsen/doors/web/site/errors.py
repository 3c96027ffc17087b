"""A `UserError` becomes a page that says what was refused, and what would work."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from sarsen.core.errors import UserError
from sarsen.doors.web.site.visitors import speaker
from sarsen.games import known_names
from sarsen.language.commands import BY_WORD
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.services.store_failures import Failure
from sarsen.services.time_limits import RETRY_SECONDS

# Other than 404.
_STATUS = {"too-much": 429, "busy": 503, "takes-too-long": 503}
View = Callable[..., HttpResponse]


def with_refusal_pages(view: View) -> View:
    """Answer 404 with the words of the refusal; other statuses are in `status_of`."""

    @wraps(view)
    def explaining(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            return view(request, **address)
        except UserError as refusal:
            return show_refusal(request, refusal, status=status_of(refusal))

    return explaining


def status_of(refusal: UserError) -> int:
    """Return the HTTP status of a page that shows a refusal."""
    return _STATUS.get(refusal.code, 404)


def show_refusal(request: HttpRequest, refusal: UserError, *, status: int) -> HttpResponse:
    """Show a refusal as a page."""
    player = speaker(request)
    hint = read_hint(refusal.hint, player.userid if player else "")
    response = render(
        request, "web/site/refused.html", {"refusal": refusal, "hint": hint}, status=status
    )
    if refusal.code == "busy":
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


RETRY_AFTER = {Failure.FULL: 300, Failure.AWAY: 10, Failure.BROKEN: 10}  # seconds


def show_failure(failure: Failure | None) -> HttpResponse:
    """Answer that the database failed, or apologise for a defect.

    Nothing of the site is asked for: its database may be what is away.
    """
    if failure is None:
        return HttpResponse(render_to_string("500.html"), status=500)
    is_full = failure is Failure.FULL
    page = render_to_string("web/site/failed.html", {"is_full": is_full})
    response = HttpResponse(page, status=507 if is_full else 503)
    response["Retry-After"] = str(RETRY_AFTER[failure])
    response["Cache-Control"] = "no-store"
    return response


_FIRST_WORDS = {words.split()[0] for words in BY_WORD}
# Words in capitals are to be filled in, and 123 is any board.
_TO_FILL_IN = re.compile(r"\b(?:[A-Z]{4,}[0-9]?|123)\b")


@dataclass(frozen=True)
class Hint:
    """A hint in the parts a page shows.

    Attributes:
        line: A command line that can be typed; "" where the hint is advice.
        is_form: Words of the line are still to be filled in.
        advice: The hint where it is no line.
    """

    line: str
    is_form: bool
    advice: str


def read_hint(text: str, speaker: str) -> Hint:
    """Sort a hint into a command line, for this userid or "" for nobody, or advice."""
    is_line = _is_line(text, speaker)
    return Hint(
        line=text if is_line else "",
        is_form=is_line and _TO_FILL_IN.search(text) is not None,
        advice="" if is_line else text,
    )


def _is_line(text: str, speaker: str) -> bool:
    first = text.lower().split()[:1]
    if not first or (first[0] not in known_names() and first[0] not in _FIRST_WORDS):
        return False
    try:
        read_line(text, Context(known_names(), speaker=speaker))
    except UserError:
        return False
    return True
