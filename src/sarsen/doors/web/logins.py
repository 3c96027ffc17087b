"""Log in by a letter or a password; log out."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.devices import forget_device
from sarsen.doors.web.drafts import has_draft
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import local_path, speaker
from sarsen.language.sentence import Credentials
from sarsen.language.translating import _
from sarsen.services import attempts, logins, passkeys
from sarsen.services.call import Player
from sarsen.services.passwords import prove
from sarsen.services.web_sessions import BEGAN

_BACKEND = "django.contrib.auth.backends.ModelBackend"
LONGEST_NAME = 254
LONGEST_PASSWORD = 200


@sensitive_post_parameters("password")
def show_login(request: HttpRequest) -> HttpResponse:
    """Ask who it is; with a password log in, without one send a letter."""
    if request.method != "POST":
        return login_page(request, name=request.GET.get("name", "")[:LONGEST_NAME])
    name = request.POST.get("name", "").strip()[:LONGEST_NAME]
    password = request.POST.get("password", "")[:LONGEST_PASSWORD]
    path, place, now = _path(request), attempts.place_of(request.META), timezone.now()
    try:
        attempts.count("login", place, now)
        if not name or len(name.split()) > 1:
            raise UserError(
                "A userid or a mail address is one word.", code="login-name", hint="ann@example.org"
            )
        if password:
            player = prove(Credentials(name, password), now)
            return enter(request, player, path)
    except UserError as refusal:
        return login_page(request, name=name, refusal=refusal)
    logins.ask(name, path, place, now)
    return _code_page(request, name)


@require_POST
def take_code(request: HttpRequest) -> HttpResponse:
    """Log in by the code of a letter."""
    name, code = request.POST.get("name", "")[:LONGEST_NAME], request.POST.get("code", "")[:40]
    place, now = attempts.place_of(request.META), timezone.now()
    try:
        attempts.count("login", place, now)
        entering = logins.use_code(name, code, place, now)
    except UserError as refusal:
        return _code_page(request, name, refusal)
    return enter(request, entering.player, entering.path)


@explains_refusals
def take_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button; a POST logs in. Programs that open links in mails use nothing up."""
    now = timezone.now()
    if request.method == "POST":
        entering = logins.use_link(token, now)
        return enter(request, entering.player, entering.path)
    facts = {"userid": logins.bearer(token, now).userid}
    return _private(render(request, "web/login_link.html", facts))


def show_stale(request: HttpRequest) -> HttpResponse:
    """Show a form that was too old again, with the name in it."""
    refusal = UserError(
        _("This form was too old, or came from another page, so nothing was done."),
        code="stale-form",
        hint="Press the button once more. Your browser has to accept cookies of this server.",
    )
    name = request.POST.get("name", "")[:LONGEST_NAME]
    return login_page(request, name=name, refusal=refusal, status=403)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Log out."""
    forget_device(request)
    logout(request)
    return redirect("home")


def enter(request: HttpRequest, player: Player, path: str = "") -> HttpResponse:
    """Begin a session, and go where the player was going."""
    begin_session(request, player)
    if has_draft(request):
        messages.info(request, _("What you typed before is kept here; send it when you like."))
        return redirect("do")
    return redirect(local_path(path) or reverse("my"))


def begin_session(request: HttpRequest, player: Player) -> None:
    """Log a player in."""
    login(request, player, backend=_BACKEND)
    request.session.set_expiry(None)  # the usual one, also after a draft's
    request.session[BEGAN] = timezone.now().isoformat()


def login_page(
    request: HttpRequest, *, name: str, refusal: UserError | None = None, status: int = 422
) -> HttpResponse:
    """Show the form to log in with, and what was refused."""
    facts = {
        "name": name,
        "refusal": refusal,
        "next": _path(request),
        "already": speaker(request),
        "takes_passkeys": passkeys.are_possible(),
    }
    page = render(request, "web/login.html", facts, status=status if refusal else 200)
    return _private(page)


def _path(request: HttpRequest) -> str:
    return local_path(request.POST.get("next", request.GET.get("next", "")))


def _code_page(request: HttpRequest, name: str, refusal: UserError | None = None) -> HttpResponse:
    facts = {"name": name, "refusal": refusal, "minutes": logins.LASTS.seconds // 60}
    return _private(render(request, "web/login_code.html", facts, status=422 if refusal else 200))


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
