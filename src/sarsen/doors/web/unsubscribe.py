"""Switch one kind of letter off and on by the signed address in every letter."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from sarsen.doors.web.refusals import explains_refusals
from sarsen.language.wording.notices import event_words
from sarsen.services.preferences import mail_preference, set_mails


# RFC 8058: a mail program posts here without a cookie, and only that switches;
# scanners that follow links with GET change nothing. The token is the proof.
@csrf_exempt
@explains_refusals
def show_unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the bearer wants; a POST switches these letters off."""
    if request.method == "POST":
        preference = set_mails(token, timezone.now(), wanted=False)
    else:
        preference = mail_preference(token)
    facts = {
        "preference": preference,
        "what": event_words(preference.event),
        "token": token,
        "is_done": request.method == "POST",
    }
    return _private(render(request, "web/unsubscribe.html", facts))


@require_POST
@explains_refusals
def switch_on(request: HttpRequest, token: str) -> HttpResponse:
    """Switch these letters on again."""
    set_mails(token, timezone.now(), wanted=True)
    return redirect("unsubscribe", token=token)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
