"""Caught mail: a mailbox for each address, and each mail as its reader sees it."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from sarsen.core.errors import UserError
from sarsen.doors.web.forms import ReplyForm
from sarsen.doors.web.letters import link_own_pages, read_letter
from sarsen.doors.web.nearby import nearby_only
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.writing import ADDRESS
from sarsen.services.catching import Caught, caught_lines, find_caught, mailboxes

MOST_LINES = 200
MOST_MAILBOXES = 50
MOST_LOOKS = 20  # by itself for an answer, every two seconds
# A letter's own styles work, as in a mail program; nothing else of it does.
LETTER_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'; sandbox allow-same-origin"
)
_NUMBER = re.compile("[0-9]{1,9}")


@nearby_only
def show_mailbox(request: HttpRequest) -> HttpResponse:
    """Show the mail of one address, or all; while an answer is awaited, look again."""
    address = request.GET.get("to", "")
    address = address if ADDRESS.fullmatch(address) else ""
    after = _number(request, "after")
    lines = caught_lines(address, most=MOST_LINES)
    has_come = after is None or any(line.number > after for line in lines)
    looks = _number(request, "look") or 0
    again = ""
    if not has_come and looks < MOST_LOOKS:
        query = urlencode({"to": address, "after": str(after), "look": str(looks + 1)})
        again = f"{reverse('mailbox')}?{query}"
    facts = {
        "address": address,
        "lines": lines,
        "mailboxes": mailboxes(most=MOST_MAILBOXES),
        "after": after,
        "has_come": has_come,
        "again": again,
    }
    return render(request, "web/mailbox.html", facts)


@nearby_only
@explains_refusals
def show_mail(request: HttpRequest, number: int) -> HttpResponse:
    """Show one mail, and a form to answer it."""
    return show_letter(request, find_caught(number), ReplyForm.blank(), status=200)


def show_letter(
    request: HttpRequest, caught: Caught, form: ReplyForm, *, status: int
) -> HttpResponse:
    """Show a caught mail above a form to answer it."""
    letter = read_letter(caught.raw)
    facts = {
        "caught": caught,
        "letter": letter,
        "pictures": [_picture_path(caught.number, at) for at in range(len(letter.pictures))],
        "text": link_own_pages(letter.text),
        "form": form,
        "mailboxes": mailboxes(most=MOST_MAILBOXES),
        "address": caught.address,
    }
    return render(request, "web/mail.html", facts, status=status)


@nearby_only
@explains_refusals
def send_raw(request: HttpRequest, number: int) -> HttpResponse:
    """Send a mail as it would have gone out."""
    return HttpResponse(find_caught(number).raw, "text/plain; charset=utf-8")


@nearby_only
@explains_refusals
def send_html(request: HttpRequest, number: int) -> HttpResponse:
    """Send the HTML part of a mail, its pictures in place."""
    letter = read_letter(find_caught(number).raw)
    if not letter.html:
        raise _no_such_part(number, "HTML")
    html = letter.html
    for at, picture in enumerate(letter.pictures):
        if picture.name:
            html = html.replace(f'"cid:{picture.name}"', f'"{_picture_path(number, at)}"')
            html = html.replace(f"'cid:{picture.name}'", f"'{_picture_path(number, at)}'")
    return HttpResponse(
        html, "text/html; charset=utf-8", headers={"Content-Security-Policy": LETTER_POLICY}
    )


@nearby_only
@explains_refusals
def send_picture(request: HttpRequest, number: int, at: int = 0) -> HttpResponse:
    """Send a picture inside a mail, the first one or another."""
    letter = read_letter(find_caught(number).raw)
    if at >= len(letter.pictures):
        raise _no_such_part(number, "picture")
    return HttpResponse(letter.pictures[at].content, letter.pictures[at].type)


def _picture_path(number: int, at: int) -> str:
    if not at:
        return reverse("mail-picture", args=[number])
    return reverse("mail-picture-further", args=[number, at])


def _no_such_part(number: int, part: str) -> UserError:
    return UserError(
        f"Mail {number} has no {part}.", code="no-such-part", hint=reverse("mail", args=[number])
    )


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if _NUMBER.fullmatch(text) else None
