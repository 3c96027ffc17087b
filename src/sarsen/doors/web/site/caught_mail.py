"""Caught mail: a mailbox for each address, and each mail as its reader sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from functools import wraps
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from sarsen.core.errors import UserError
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.mail_forms import ADDRESS, ReplyForm
from sarsen.services.mail.catcher import Caught, caught_lines, find_caught, is_catching, mailboxes


@dataclass(frozen=True)
class MailPicture:
    """A picture inside a mail: what the HTML part calls it, or "", its bytes, and their type."""

    name: str
    content: bytes
    type: str


@dataclass(frozen=True)
class CaughtLetter:
    """The parts of a mail that a mail program shows, and that it needs to answer it.

    Attributes:
        answer_to: The bare address that answers go to.
        references: The message ids before this one in its thread, and its own.
        html: "" when there is no such part.
        pictures: Those inside the mail.
    """

    sender: str
    to: str
    subject: str
    date: str
    answer_to: str
    message_id: str
    references: str
    text: str
    html: str
    pictures: tuple[MailPicture, ...]


def read_letter(raw: bytes) -> CaughtLetter:
    """Read a mail that this server wrote."""
    message = message_from_bytes(raw, policy=policy.default)
    message_id = _header(message, "Message-ID")
    return CaughtLetter(
        sender=_header(message, "From"),
        to=_header(message, "To"),
        subject=_header(message, "Subject"),
        date=_header(message, "Date"),
        answer_to=parseaddr(_header(message, "Reply-To") or _header(message, "From"))[1],
        message_id=message_id,
        references=f"{_header(message, 'References')} {message_id}".strip(),
        text=_text(message, "plain"),
        html=_text(message, "html"),
        pictures=tuple(_pictures(message)),
    )


def link_own_pages(text: str) -> SafeString:
    """Turn addresses of this server's pages into links; every other one stays a text."""
    own = re.compile(re.escape(settings.SARSEN_URL) + r"(/[A-Za-z0-9/_-]*)")
    # By the path alone: the browser may know this server by another name.
    pieces = own.split(text)
    links = (
        format_html('<a href="{}">{}{}</a>', path, settings.SARSEN_URL, path)
        for path in pieces[1::2]
    )
    rest = ((escape(piece),) for piece in pieces[2::2])
    pairs = ((link, *piece) for link, piece in zip(links, rest, strict=True))
    return escape(pieces[0]) + format_html_join("", "{}{}", pairs)


def _header(message: EmailMessage, name: str) -> str:
    return str(message.get(name, ""))


def _text(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""


def _pictures(message: EmailMessage) -> Iterator[MailPicture]:
    for part in message.walk():
        kind = part.get_content_type()
        if isinstance(part, EmailMessage) and kind in ("image/png", "image/jpeg"):
            name = _header(part, "Content-ID").strip("<>")
            yield MailPicture(name, part.get_content(), kind)


View = Callable[..., HttpResponse]

# A proxy sets one of these: then the visitor is somewhere else, whatever address we see.
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_REAL_IP",
)


def may_read_mail(request: HttpRequest) -> bool:
    """Return whether mail is caught and shown, and the visitor sits at this machine."""
    return is_catching() and settings.SARSEN_SHOW_MAIL and is_nearby(request)


def is_nearby(request: HttpRequest) -> bool:
    """Return whether a request comes from this machine, to a name of this machine."""
    if any(request.META.get(header) for header in FORWARDED):
        return False
    try:
        is_loopback = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
        return is_loopback and _is_own_name(request.get_host())
    except (ValueError, DisallowedHost):  # the page that refuses such a name asks, too
        return False


def nearby_only(view: View) -> View:
    """Answer 404, with the reason, to anyone who may not read caught mail."""

    @wraps(view)
    def guarded(request: HttpRequest, **address: object) -> HttpResponse:
        if not may_read_mail(request):
            facts = {"is_catching": is_catching(), "is_shown": settings.SARSEN_SHOW_MAIL}
            return render(request, "web/site/no_mail.html", facts, status=404)
        response = view(request, **address)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


def _is_own_name(host: str) -> bool:
    """Refuse a foreign name that was made to point at this machine (DNS rebinding)."""
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    own = {"localhost", settings.SARSEN_DOMAIN, urlsplit(settings.SARSEN_URL).hostname}
    if name in own or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


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
    return render(request, "web/site/caught_mails.html", facts)


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
    return render(request, "web/site/caught_mail.html", facts, status=status)


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
