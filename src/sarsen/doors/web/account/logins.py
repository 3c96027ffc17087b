"""Join by a letter; log in by a letter, a password or a passkey; log out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.account.settings import forget_device
from sarsen.doors.web.frame.drafts import EMPTY, has_draft, keep_draft, kept_draft
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.posted_forms import read_post
from sarsen.doors.web.frame.visitors import (
    PRIVATE,
    guest,
    local_path,
    needs_account,
    number_in,
    owner,
    render_private,
    speaker,
    store_in_session,
    zone_of,
)
from sarsen.doors.web.learning.kept_progress import COOKIE as LESSONS
from sarsen.doors.web.learning.kept_progress import kept_in
from sarsen.language.commands import ConfirmSignup
from sarsen.language.grammar.time_zones import zone_names
from sarsen.language.grammar.tokens import Credentials
from sarsen.language.replies import AddressConfirmed
from sarsen.language.translating import _
from sarsen.services.accounts import attempts, login_letters, passkeys, signups
from sarsen.services.accounts.passwords import prove
from sarsen.services.accounts.preferences import keep_language
from sarsen.services.accounts.sessions import BEGAN
from sarsen.services.accounts.signups import find_signup
from sarsen.services.dispatch import perform
from sarsen.services.learning.offers import are_offered
from sarsen.services.learning.progress import carry_over
from sarsen.services.players import find_player
from sarsen.services.request import NOBODY, Player

_BACKEND = "sarsen.services.accounts.login_methods.PlayerBackend"
MAX_NAME = 254  # characters, as a mail address may have (RFC 5321)
MAX_PASSWORD = 200  # characters: far above any password; longer text only costs time
_KEY = "passkeys"  # in the session
_JOINING_KEY = "joining"
MAX_USERID = 60  # of what is shown again; what is too long for one is refused in words
MAX_ADDRESS = 254  # characters (RFC 5321)
MAX_ZONE = 60  # characters; the longest name of a time zone has about 30
MAX_CODE = 40  # characters; codes have 20, and what is typed around them is cut off
# As the other cookies; see the settings.
BROWSER_COOKIE = "__Host-browser" if settings.SESSION_COOKIE_SECURE else "browser"
BROWSER_KNOWN_FOR = timedelta(days=400)  # the most that browsers keep a cookie
MAX_OF_BROWSER = 5  # players: a family; a cookie has no room for many
# That wait in one browser, in its session: each open page asks one (decision 0025).
MAX_QUESTIONS = 4


@sensitive_post_parameters("password")
def show_login(request: HttpRequest) -> HttpResponse:
    """Ask for a name; with a password log in, without one send a letter."""
    if request.method != "POST":
        return login_page(request, name=request.GET.get("name", "")[:MAX_NAME])
    name = request.POST.get("name", "").strip()[:MAX_NAME]
    password = request.POST.get("password", "")[:MAX_PASSWORD]
    path, client_address, now = (
        _path(request),
        attempts.client_address_of(request.META),
        timezone.now(),
    )
    try:
        attempts.count("login", client_address, now)
        login_letters.read_name(name)
        if password:
            player = prove(Credentials(name, password), now)
            return enter(request, player, path)
    except UserError as refusal:
        return login_page(request, name=name, refusal=refusal)
    login_letters.ask(name, path, client_address, now, known=_players_of_browser(request))
    return _code_page(request, name)


@require_POST
def take_code(request: HttpRequest) -> HttpResponse:
    """Log in by the code of a letter."""
    name, code = request.POST.get("name", "")[:MAX_NAME], request.POST.get("code", "")[:40]
    client_address, now = attempts.client_address_of(request.META), timezone.now()
    try:
        attempts.count("login", client_address, now)
        entry = login_letters.use_code(name, code, client_address, now)
    except UserError as refusal:
        return _code_page(request, name, refusal)
    return enter(request, entry.player, entry.path)


@with_refusal_pages
def take_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button; a POST logs in. Programs that open links in mails use nothing up."""
    now = timezone.now()
    if request.method == "POST":
        entry = login_letters.use_link(token, now)
        return enter(request, entry.player, entry.path)
    facts = {"userid": login_letters.player_of_link(token, now).userid}
    return render_private(request, "web/account/login_link.html", facts)


def show_stale_login(request: HttpRequest) -> HttpResponse:
    """Show a form that was too old again, with the name in it."""
    refusal = UserError(
        _("This form was too old, or came from another page, so nothing was done."),
        code="stale-form",
        hint="Press the button once more. Your browser must accept cookies from this server.",
    )
    name = request.POST.get("name", "")[:MAX_NAME]
    return login_page(request, name=name, refusal=refusal, status=403)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Log out."""
    forget_device(request)
    logout(request)
    response = redirect("home")
    # Messages to this player are not for the next one.
    response.delete_cookie(CookieStorage.cookie_name, samesite="Lax")
    response.delete_cookie(LESSONS, samesite="Lax")
    return response


def enter(request: HttpRequest, player: Player, path: str = "") -> HttpResponse:
    """Begin a session, and go where the player was going."""
    begin_session(request, player)
    if has_draft(request):
        messages.info(request, _("What you typed is still here; send it when you like."))
        return remember(request, redirect("do"), player)
    return remember(request, redirect(local_path(path) or reverse("my")), player)


def remember(request: HttpRequest, response: HttpResponse, player: Player) -> HttpResponse:
    """Let this browser, and its address on the net, be known as the player's; see `login_letters`.

    The cookie lets nobody in: it keeps some letters of the day for who has it.
    """
    attempts.note_login(player.pk, attempts.client_address_of(request.META), timezone.now())
    others = [key for key in _players_of_browser(request) if key != player.pk]
    response.set_signed_cookie(
        BROWSER_COOKIE,
        "-".join(map(str, [player.pk, *others][:MAX_OF_BROWSER])),
        salt="browser",
        max_age=BROWSER_KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _players_of_browser(request: HttpRequest) -> list[int]:
    """Return the ids of players that this browser has been logged in as."""
    value = request.get_signed_cookie(BROWSER_COOKIE, "", salt="browser", max_age=BROWSER_KNOWN_FOR)
    return [int(key) for key in str(value).split("-") if key.isdecimal()]


def begin_session(request: HttpRequest, player: Player) -> None:
    """Log a player in; the language of the page is kept where none was chosen."""
    keep_language(player)
    login(request, player, backend=_BACKEND)
    request.session.set_expiry(None)  # the usual one, also after a draft's
    now = timezone.now()
    request.session[BEGAN] = now.isoformat()
    carry_over(player, kept_in(request).games, now)


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
    return render_private(request, "web/account/login.html", facts, status if refusal else 200)


def _path(request: HttpRequest) -> str:
    return local_path(request.POST.get("next", request.GET.get("next", "")))


def _code_page(request: HttpRequest, name: str, refusal: UserError | None = None) -> HttpResponse:
    facts = {"name": name, "refusal": refusal, "minutes": login_letters.LASTS.seconds // 60}
    return render_private(request, "web/account/login_code.html", facts, 422 if refusal else 200)


@require_POST
def ask_who(request: HttpRequest) -> HttpResponse:
    """Return the question to a device that logs in."""
    return _question(request, passkeys.ask_who(timezone.now()))


@require_POST
def take_login(request: HttpRequest) -> HttpResponse:
    """Log in with the answer of a device."""
    now = timezone.now()
    try:
        attempts.count("login", attempts.client_address_of(request.META), now)
        player = passkeys.player_of_device(_state(request), request.POST.get("answer", ""), now)
    except UserError as refusal:
        return login_page(request, name="", refusal=refusal)
    return enter(request, player, request.POST.get("next", ""))


@require_POST
@needs_account
def ask_for_new(request: HttpRequest) -> HttpResponse:
    """Return the question to a device that shall make a key."""
    return _question(request, passkeys.ask_for_new(owner(request), timezone.now()))


@require_POST
@needs_account
@with_refusal_pages
def add(request: HttpRequest) -> HttpResponse:
    """Keep the key that a device has made."""
    state, answer = _state(request), request.POST.get("answer", "")
    label = request.POST.get("label", "")
    passkeys.add(owner(request), state, answer, label, timezone.now())
    messages.success(request, _("The passkey is added; you can log in with it from now on."))
    return redirect(f"{reverse('account-security')}#passkeys")


@require_POST
@needs_account
@with_refusal_pages
def remove(request: HttpRequest) -> HttpResponse:
    """Remove a passkey."""
    number = number_in(request.POST.get("number", "")) or 0
    passkeys.remove(owner(request), number, timezone.now())
    messages.success(request, _("The passkey is removed."))
    return redirect(f"{reverse('account-security')}#passkeys")


def _question(request: HttpRequest, challenge: passkeys.PasskeyChallenge) -> HttpResponse:
    pending: dict[str, Any] = dict(request.session.get(_KEY, {}))
    pending[challenge.state["challenge"]] = challenge.state
    store_in_session(request, _KEY, dict(list(pending.items())[-MAX_QUESTIONS:]))
    return JsonResponse(challenge.options, headers={"Cache-Control": PRIVATE})


def _state(request: HttpRequest) -> dict[str, Any]:
    """Return the kept state of the challenge that is answered, and delete it: it counts once."""
    pending: dict[str, Any] = dict(request.session.get(_KEY, {}))
    state: dict[str, Any] = pending.pop(request.POST.get("challenge", ""), {})
    request.session[_KEY] = pending
    # Before the answer is looked at, and whatever becomes of it.
    request.session.save()
    return state


def show_join(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST sends the letter."""
    if request.method != "POST":
        return _form(request, status=200)
    form = signups.JoinForm(
        userid=request.POST.get("userid", "").strip(),
        address=request.POST.get("address", "").strip(),
        zone=request.POST.get("zone", "").strip(),
        key=read_post(request).token,
    )
    try:
        name = signups.ask(
            form, attempts.client_address_of(request.META), timezone.now(), guest(request)
        )
    except UserError as refusal:
        return _form(request, refusal=refusal, status=422)
    joining = [name, form.address, _path(request)]
    store_in_session(request, _JOINING_KEY, joining, is_bounded=True)
    return redirect("join-code")


def show_stale_join(request: HttpRequest) -> HttpResponse:
    """Show a form that was too old again, with what was typed into it."""
    return _form(request, is_stale=True, status=403)


def take_digits(request: HttpRequest) -> HttpResponse:
    """Ask for the digits of the letter; with them the account is made."""
    name, address, _path = _joining(request)
    if not name:
        return redirect("my" if speaker(request) else "join")
    if request.method != "POST":
        return _digits_page(request, address)
    now = timezone.now()
    try:
        code = signups.confirming_code(name, request.POST.get("digits", "")[:40], now)
        response = confirm(request, code, now)
    except UserError as refusal:
        return _digits_page(request, address, refusal)
    request.session.pop(_JOINING_KEY, None)
    return response


def _joining(request: HttpRequest) -> tuple[str, str, str]:
    """Return the userid and the address of whoever joins here, and the page they came from."""
    kept = request.session.get(_JOINING_KEY, ())
    name, address, path = (*kept, "", "", "")[:3]
    return name, address, path


def _form(
    request: HttpRequest,
    *,
    refusal: UserError | None = None,
    is_stale: bool = False,
    status: int,
) -> HttpResponse:
    facts = {
        "refusal": refusal,
        "is_stale": is_stale,
        "userid": request.POST.get("userid", "")[:MAX_USERID],
        "address": request.POST.get("address", "")[:MAX_ADDRESS],
        "zone": request.POST.get("zone", zone_of(request))[:MAX_ZONE],
        "zones": zone_names(),
        "already": speaker(request),
        "next": _path(request),
    }
    return render_private(request, "web/account/join.html", facts, status)


def _digits_page(
    request: HttpRequest, address: str, refusal: UserError | None = None
) -> HttpResponse:
    minutes = signups.DIGITS_LAST.seconds // 60
    facts = {"address": address, "refusal": refusal, "minutes": minutes}
    return render_private(request, "web/account/join_code.html", facts, 422 if refusal else 200)


@with_refusal_pages
def show_welcome(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether the sign-up is meant; a POST confirms it."""
    code = code.lower()[:MAX_CODE]
    now = timezone.now()
    if request.method == "POST":
        return confirm(request, code, now)
    facts = {"signup": find_signup(code, now)}
    return render_private(request, "web/account/confirm_join.html", facts)


def confirm(request: HttpRequest, code: str, now: datetime) -> HttpResponse:
    """Confirm a sign-up, log its player in, and say welcome.

    Raises:
        UserError: No sign-up waits with this code.
    """
    is_fresh = _is_pending(code, now)
    kept = kept_draft(request) if is_fresh else EMPTY
    came_from = _joining(request)[2] if is_fresh else ""
    # The code names the request: a double click confirms once and is answered twice.
    reply = perform(ConfirmSignup(code), NOBODY, f"web:welcome:{code}", now)
    player = None
    if is_fresh and isinstance(reply, AddressConfirmed) and reply.is_new:
        # Once: an old mail that is found later logs nobody in.
        player = find_player(reply.userid)
        begin_session(request, player)
        if kept != EMPTY:  # the session of a guest is not carried over
            keep_draft(request, kept, reply.userid)
    facts = {
        "reply": reply,
        "kept": kept if not kept.body else EMPTY,
        "came_from": came_from,
        "offers_lessons": player is not None and are_offered(player),
    }
    page = render_private(request, "web/account/joined.html", facts)
    return page if player is None else remember(request, page, player)


def _is_pending(code: str, now: datetime) -> bool:
    try:
        find_signup(code, now)
    except UserError:
        return False
    return True
