"""Caught mail: a mailbox for each address, and each mail as its reader sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_sameorigin

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import may_read_mail, number_in
from sarsen.services.mail.deliveries import caught_lines, find_caught, is_catching, mailboxes

MAX_LINES = 200  # mails of one list, the newest: a try-out server keeps them all
MAX_MAILBOXES = 50  # addresses of one list, for the same reason
# By itself for an answer, every two seconds: after 40 seconds something else is wrong.
MAX_LOOKS = 20
# A letter's own styles work, as in a mail program; nothing else of it does.
LETTER_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'; "
    "sandbox allow-same-origin allow-top-navigation-by-user-activation"
)
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}")
View = Callable[..., HttpResponse]


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
    texts = ((escape(piece),) for piece in pieces[2::2])
    pairs = ((link, *piece) for link, piece in zip(links, texts, strict=True))
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


@nearby_only
def show_mailbox(request: HttpRequest) -> HttpResponse:
    """Show the mail of one address, or all; while an answer is awaited, look again."""
    address = request.GET.get("to", "")
    address = address if ADDRESS.fullmatch(address) else ""
    after = number_in(request.GET.get("after", ""))
    lines = caught_lines(address, most=MAX_LINES)
    has_come = after is None or any(line.number > after for line in lines)
    looks = number_in(request.GET.get("look", "")) or 0
    next_look = ""
    if not has_come and looks < MAX_LOOKS:
        query = urlencode({"to": address, "after": str(after), "look": str(looks + 1)})
        next_look = f"{reverse('mailbox')}?{query}"
    facts = {
        "address": address,
        "lines": lines,
        "mailboxes": mailboxes(most=MAX_MAILBOXES),
        "after": after,
        "has_come": has_come,
        "refresh_link": next_look,
    }
    return render(request, "web/site/caught_mails.html", facts)


@nearby_only
@with_refusal_pages
def send_raw(request: HttpRequest, number: int) -> HttpResponse:
    """Send a mail as it would have gone out."""
    return HttpResponse(find_caught(number).raw, "text/plain; charset=utf-8")


@xframe_options_sameorigin
@nearby_only
@with_refusal_pages
def send_html(request: HttpRequest, number: int) -> HttpResponse:
    """Send the HTML part of a mail, its pictures in place."""
    letter = read_letter(find_caught(number).raw)
    if not letter.html:
        raise _no_such_part(number, Phrase("HTML"))
    # Its links lead out of the frame that it is shown in.
    html = letter.html.replace("<head>", '<head><base target="_top">', 1)
    for at, picture in enumerate(letter.pictures):
        if picture.name:
            html = html.replace(f'"cid:{picture.name}"', f'"{picture_path(number, at)}"')
            html = html.replace(f"'cid:{picture.name}'", f"'{picture_path(number, at)}'")
    return HttpResponse(
        html, "text/html; charset=utf-8", headers={"Content-Security-Policy": LETTER_POLICY}
    )


@nearby_only
@with_refusal_pages
def send_picture(request: HttpRequest, number: int, at: int = 0) -> HttpResponse:
    """Send a picture inside a mail, the first one or another."""
    letter = read_letter(find_caught(number).raw)
    if at >= len(letter.pictures):
        raise _no_such_part(number, Phrase("picture"))
    return HttpResponse(letter.pictures[at].content, letter.pictures[at].type)


def picture_path(number: int, at: int) -> str:
    """Return the address of a picture inside a mail."""
    if not at:
        return reverse("mail-picture", args=[number])
    return reverse("mail-picture-further", args=[number, at])


def _no_such_part(number: int, part: Phrase) -> UserError:
    return UserError(
        "Mail {number} has no {part}.",
        code="no-such-part",
        hint=reverse("mail", args=[number]),
        number=number,
        part=part,
    )
