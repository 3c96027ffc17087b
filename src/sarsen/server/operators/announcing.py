"""The page on which an operator writes to everybody."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.server.operators.deeds import log
from sarsen.services.messages import LONGEST_TEXT
from sarsen.services.operating.announcing import announce
from sarsen.storage.models import Player


def show_announce(request: HttpRequest) -> HttpResponse:
    """Ask for words, show them as they go out, and announce them after a yes."""
    text = request.POST.get("text", "")
    refusal: UserError | None = None
    if request.method == "POST" and "send" in request.POST:
        try:
            _announce(request, text)
            messages.success(request, "Everybody who wants broadcasts is told, by and by.")
            return redirect("admin:index")
        except UserError as refused:
            refusal = refused
    facts = {
        "title": "Write to everybody",
        "site_header": "sarsen: operators",
        "has_permission": True,
        "text": text,
        "is_preview": request.method == "POST" and bool(text.strip()) and refusal is None,
        "refusal": refusal,
        "longest": LONGEST_TEXT,
    }
    status = 422 if refusal else 200
    return TemplateResponse(request, "operators/announce.html", facts, status=status)


@transaction.atomic
def _announce(request: HttpRequest, text: str) -> None:
    operator = request.user
    assert isinstance(operator, Player)  # of this site
    told = announce(operator, text, timezone.now())
    log(request, None, f"Wrote to everybody: {told}")
