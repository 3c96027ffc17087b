"""A player's account: its settings, tokens, devices and notices, and what was sent to it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from sarsen.core.errors import UserError
from sarsen.doors.web.account import colours
from sarsen.doors.web.account.preferences import EVENTS, tabs
from sarsen.doors.web.frame.colour_choice import ColourChoice, colours_of
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.middleware import LANGUAGE_COOKIE, language_of
from sarsen.doors.web.frame.replies import render_reply
from sarsen.doors.web.frame.visitors import (
    REVALIDATED,
    actor,
    keep_preference,
    local_path,
    needs_account,
    number_in,
    owner,
    render_private,
    speaker,
)
from sarsen.language.command import Scope
from sarsen.language.commands import ChangeLanguage, Deliveries
from sarsen.language.notices import event_words
from sarsen.language.translating import LANGUAGES, _, use_language
from sarsen.services import players
from sarsen.services.accounts import tokens
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.passkeys import are_possible, passkeys_of
from sarsen.services.accounts.preferences import mail_preference, set_mails
from sarsen.services.accounts.sessions import end_others, open_sessions
from sarsen.services.accounts.tokens import MEANINGS, NewToken
from sarsen.services.dispatch import perform
from sarsen.services.notices import push
from sarsen.services.notices.channels import CHOSEN, wanted_on_devices
from sarsen.services.notices.notice_preferences import feed_addresses
from sarsen.services.notices.push import (
    add_device,
    devices_of,
    end_device,
    end_other_devices,
    renew_device,
)
from sarsen.services.request import Player

USUAL_SCOPES = (Scope.READ, Scope.PLAY, Scope.CHAT)
DEVICE = "device"  # the key under which a session keeps its device's number
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
_BROWSERS = ("Firefox", "Edg", "OPR", "Chrome", "Safari")


@needs_account
def show_security(request: HttpRequest) -> HttpResponse:
    """Show how the player logs in, and where."""
    player = owner(request)
    facts = {
        "player": player,
        "passkeys": passkeys_of(player),
        "takes_passkeys": are_possible(),
        "sessions": open_sessions(player, request.session.session_key or "", timezone.now()),
        "tabs": tabs("account-security"),
    }
    return render(request, "web/account/security.html", facts)


@needs_account
def show_advanced(request: HttpRequest) -> HttpResponse:
    """Show the advanced settings: feeds, a webhook, words to everybody, and how to leave."""
    player = owner(request)
    facts = {"player": player, "feeds": feed_addresses(player), "tabs": tabs("")}
    return render(request, "web/account/advanced.html", facts)


@needs_account
def show_deliveries(request: HttpRequest) -> HttpResponse:
    """Show what was sent to the player lately, and how it went."""
    answer = render_reply(
        perform(Deliveries(), actor(request), "", timezone.now()), speaker(request)
    )
    return render(
        request, "web/site/report.html", {"title": _("What was sent to you"), "answer": answer}
    )


@require_POST
@needs_account
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Send all that is kept of the player, as a file."""
    player = owner(request)
    lines = (f"{line}\n".encode() for line in export_lines(player))
    name = f'attachment; filename="sarsen-{player.userid}.jsonl"'
    return StreamingHttpResponse(
        lines, content_type="application/jsonl", headers={"Content-Disposition": name}
    )


@require_POST
@needs_account
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Log the player out in all other browsers."""
    ended = end_others(owner(request), request.session.session_key or "")
    end_other_devices(owner(request), request.session.get("device"))
    messages.success(request, _("Logged out elsewhere: {count}.").format(count=ended))
    return redirect("account-security")


def show_languages(request: HttpRequest) -> HttpResponse:
    """Show which languages there are; a POST chooses one, here and for the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    code = request.POST.get("language", "")
    if request.method != "POST" or code not in LANGUAGES:
        facts = {"languages": LANGUAGES, "chosen": language_of(request), "back": back}
        response = render(request, "web/account/languages.html", facts)
        response["Cache-Control"] = REVALIDATED
        return response
    if speaker(request) is not None:
        try:
            perform(ChangeLanguage(code), actor(request), "", timezone.now())
        except UserError as refusal:
            refused = {"refusal": refusal, "languages": LANGUAGES, "back": back}
            return render(request, "web/account/languages.html", refused, status=422)
    response = redirect(back or reverse("home"))
    keep_preference(request, response, LANGUAGE_COOKIE, code)
    return response


@needs_account
def show_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens there are; a POST makes one, and shows it this once."""
    new_token, refusal = None, None
    if request.method == "POST":
        try:
            new_token = _make(request)
        except UserError as refused:
            refusal = refused
    facts = {
        "tokens": tokens.tokens_of(owner(request), timezone.now()),
        "made": new_token,
        "refusal": refusal,
        "scopes": [(str(scope), MEANINGS[scope], scope in USUAL_SCOPES) for scope in Scope],
        "is_program": owner(request).is_bot,
        "longest_label": tokens.MAX_LABEL,
        "longest_days": tokens.MAX_DAYS,
    }
    return render(request, "web/account/tokens.html", facts, status=422 if refusal else 200)


@require_POST
@needs_account
@with_refusal_pages
def end_token(request: HttpRequest) -> HttpResponse:
    """End a token."""
    tokens.revoke(owner(request), number_in(request.POST.get("number", "")) or 0)
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")


@require_POST
@needs_account
def mark_program(request: HttpRequest) -> HttpResponse:
    """Set whether a program plays for the player."""
    is_program = request.POST.get("is_program") == "on"
    players.mark(owner(request), is_program)
    text = (
        _("Everyone can now see that a program plays this account.")
        if is_program
        else _("You play this account yourself now.")
    )
    messages.success(request, text)
    return redirect("tokens")


def _make(request: HttpRequest) -> NewToken:
    days = request.POST.get("days", "").strip()
    return tokens.make(
        owner(request),
        request.POST.get("label", "")[:200],
        request.POST.getlist("scope")[: len(Scope)],
        timezone.now(),
        (number_in(days) or 0) if days else None,  # 0 is refused: it is no number of days
    )


@needs_account
def show_devices(request: HttpRequest) -> HttpResponse:
    """Show on which devices notices appear, and which."""
    return _devices_page(request, owner(request))


@require_POST
@needs_account
def subscribe_device(request: HttpRequest) -> HttpResponse:
    """Subscribe the device of this browser to notices."""
    player, post = owner(request), request.POST
    try:
        number = add_device(
            player,
            post.get("endpoint", ""),
            post.get("public", ""),
            post.get("secret", ""),
            _label(request.headers.get("User-Agent", "")),
            timezone.now(),
        )
    except UserError as refusal:
        return _devices_page(request, player, refusal)
    request.session[DEVICE] = number
    messages.success(request, _("This device now shows notifications."))
    return redirect("devices")


@csrf_exempt
@require_POST
def renew_subscription(request: HttpRequest) -> HttpResponse:
    """Store the new endpoint of a subscribed browser.

    Its service worker asks, perhaps without a login: the proof is the secret of the former
    endpoint, which no other page knows.
    """
    words = ("former", "former_secret", "endpoint", "public", "secret")
    try:
        renew_device(*(request.POST.get(word, "")[:2000] for word in words))
    except UserError as refusal:
        return JsonResponse({"text": refusal.text}, status=404)
    return HttpResponse(status=204)


@require_POST
@needs_account
def unsubscribe_device(request: HttpRequest) -> HttpResponse:
    """Unsubscribe a device from notices."""
    number = number_in(request.POST.get("number", ""))
    if number is not None:
        end_device(owner(request), number)
        messages.success(request, _("That device no longer shows notifications."))
    return redirect("devices")


def forget_device(request: HttpRequest) -> None:
    """End the notices of a browser in which somebody logs out."""
    player, number = speaker(request), request.session.get(DEVICE)
    if player is not None and number is not None:
        end_device(player, number)


def _devices_page(
    request: HttpRequest, player: Player, refusal: UserError | None = None
) -> HttpResponse:
    chosen = wanted_on_devices(player)
    facts = {
        "key": push.public_key(),
        "devices": devices_of(player, request.session.get(DEVICE)),
        "events": [(str(event), _(EVENTS[event]), event in chosen) for event in CHOSEN],
        "refusal": refusal,
    }
    return render(request, "web/account/devices.html", facts, status=422 if refusal else 200)


def _label(agent: str) -> str:
    """Name a device for people: `Chrome, Android`."""
    browser = next((name for name in _BROWSERS if name in agent), "A browser")
    kind = next((name for name in _KINDS if name in agent), "")
    browser = {"Edg": "Edge", "OPR": "Opera"}.get(browser, browser)
    kind = {"Macintosh": "Mac", "CrOS": "Chromebook"}.get(kind, kind)
    return ", ".join(filter(None, (browser, kind)))


# RFC 8058: a mail program posts here without a cookie, and only that switches;
# scanners that follow links with GET change nothing. The token is the proof.
@csrf_exempt
@with_refusal_pages
def show_unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Show which letters a token switches; a POST switches them off."""
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
    return render_private(request, "web/account/unsubscribe.html", facts)


@require_POST
@with_refusal_pages
def switch_on(request: HttpRequest, token: str) -> HttpResponse:
    """Switch these letters on again."""
    set_mails(token, timezone.now(), wanted=True)
    return redirect("unsubscribe", token=token)


@needs_account
def show_look(request: HttpRequest) -> HttpResponse:
    """Show language and colours; a POST changes them, here and for the account."""
    current = {"language": language_of(request), **colours_of(request).fields()}
    chosen, refusal = current, None
    if request.method == "POST":
        # A page that lay open for long changes nothing back.
        posted = {name: request.POST.get(name, "") for name in current}
        previous = {name: request.POST.get(f"was-{name}") for name in current}
        chosen = {
            name: current[name] if posted[name] == previous[name] else posted[name]
            for name in current
        }
        response = redirect("account-look")
        try:
            _choose_language(request, response, chosen["language"])
        except UserError as refused:
            refusal = refused
        else:
            colours.save_colours(request, response, ColourChoice.of(chosen))
            with use_language(language_of(request)):
                messages.success(request, _("Saved."))
            return response
    facts = {
        **colours.facts_to_choose(ColourChoice.of(chosen)),
        "languages": LANGUAGES,
        "language": chosen["language"],
        "previous": current,
        "refusal": refusal,
        "tabs": tabs("account-look"),
    }
    return render(request, "web/account/colours.html", facts, status=422 if refusal else 200)


def _choose_language(request: HttpRequest, response: HttpResponse, code: str) -> None:
    # An account without a language reads pages as its browser asks, and mails in English.
    if code in LANGUAGES and code != owner(request).language:
        perform(ChangeLanguage(code), actor(request), "", timezone.now())
        keep_preference(request, response, LANGUAGE_COOKIE, code)
