"""The site of the operators' pages: who gets in, and which addresses there are."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone, translation
from django.utils.http import urlencode

from sarsen.core.errors import UserError
from sarsen.language.chat import MAX_MESSAGE
from sarsen.language.translating import ENGLISH, use_language
from sarsen.server.operators.actions import log
from sarsen.server.operators.contests import show_contests
from sarsen.server.operators.mail import ShownLetters, ShownMails
from sarsen.server.operators.news import ShownNews
from sarsen.server.operators.players import ShownPlayers
from sarsen.server.operators.reports import ShownPuzzleReports, ShownReports, ShownWishes
from sarsen.server.operators.tables import ShownBoards, ShownLog
from sarsen.services.accounts.sessions import BEGAN
from sarsen.services.admin.actions import announce
from sarsen.services.admin.overview import overview
from sarsen.services.admin.roles import has_proved_lately, is_operator
from sarsen.storage.models import (
    AbuseReport,
    GameWish,
    InboundMail,
    Match,
    News,
    OutgoingMail,
    Player,
    PuzzleReport,
)

# There is one log-in here, and passwords are changed on the account page; the rest edits.
_NOT_HERE = {"login", "logout", "password_change", "password_change_done", "autocomplete"}
_NEWEST = 10  # actions on the first page; a list has all


class OperatorSite(AdminSite):
    """Show operators who logged in lately what there is, in English; others find no page."""

    site_title = site_header = "sarsen: operators"
    index_title = "What needs attention"
    index_template = "operators/index.html"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether an operator looks."""
        user = getattr(request, "user", None)
        return is_operator(user if isinstance(user, Player) else None)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Answer 404 to others, and ask an operator whose log-in is old for a new one."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def guarded(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponseBase:
            if not self.has_permission(request):
                raise Http404
            if not has_proved_lately(request.session.get(BEGAN, ""), timezone.now()):
                text = "Your access to these pages has expired. Please log in again."
                messages.info(request, text)
                return _to_login(request.get_full_path())
            with use_language(ENGLISH), translation.override(ENGLISH), timezone.override("UTC"):
                response: HttpResponseBase = inner(request, *arguments, **keywords)
                if isinstance(response, SimpleTemplateResponse):
                    response.render()
            response["Cache-Control"] = "private, no-store"
            return response

        return guarded

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Return the addresses: those of the admin that only show, contests, announcements."""
        patterns = [
            pattern
            for pattern in super().get_urls()
            if getattr(pattern, "name", "") not in _NOT_HERE
        ]
        return [
            path("announce/", self.admin_view(show_announce), name="announce"),
            path("contests/", self.admin_view(show_contests), name="contests"),
            *patterns,
        ]

    def to_index(self, request: HttpRequest) -> HttpResponse:
        """Lead operators who leave the stroke at the end out, and nobody else, to the index."""
        if not self.has_permission(request):
            raise Http404
        return redirect("admin:index")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show what needs an eye, and what operators have done lately."""
        now = timezone.now()
        newest = LogEntry.objects.select_related("user", "content_type")
        facts = {
            "overview": overview(now),
            "admin_actions": newest.order_by("-pk")[:_NEWEST],
            "now": now,
        }
        return super().index(request, {**facts, **(extra_context or {})})


def _to_login(path: str) -> HttpResponse:
    return redirect(f"{reverse('login')}?{urlencode({'next': path})}")


def show_announce(request: HttpRequest) -> HttpResponse:
    """Ask for words, show them as they go out, and announce them after a yes."""
    text = request.POST.get("text", "")
    refusal: UserError | None = None
    if request.method == "POST" and "send" in request.POST:
        try:
            _announce(request, text)
            messages.success(
                request, "Your message is being sent to everyone who accepts broadcasts."
            )
            return redirect("admin:index")
        except UserError as refused:
            refusal = refused
    facts = {
        "title": "Write to everyone",
        "site_header": "sarsen: operators",
        "has_permission": True,
        "text": text,
        "is_preview": request.method == "POST" and bool(text.strip()) and refusal is None,
        "refusal": refusal,
        "longest": MAX_MESSAGE,
    }
    status = 422 if refusal else 200
    return TemplateResponse(request, "operators/announce.html", facts, status=status)


@transaction.atomic
def _announce(request: HttpRequest, text: str) -> None:
    operator = request.user
    assert isinstance(operator, Player)  # of this site
    count = announce(operator, text, timezone.now())
    log(request, None, f"Wrote to everyone: {count}")


site = OperatorSite(name="admin")
site.register(Player, ShownPlayers)
site.register(Match, ShownBoards)
site.register(OutgoingMail, ShownLetters)
site.register(InboundMail, ShownMails)
site.register(News, ShownNews)
site.register(AbuseReport, ShownReports)
site.register(PuzzleReport, ShownPuzzleReports)
site.register(GameWish, ShownWishes)
site.register(LogEntry, ShownLog)
