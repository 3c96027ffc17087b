"""Write and answer mail in the browser, as if a mail program had sent it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from csp.decorators import csp_update
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from sarsen.doors.web.frame.context import main_address
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.posted_forms import TOKEN, new_token
from sarsen.doors.web.site.caught_mail import (
    ADDRESS,
    MAX_MAILBOXES,
    link_own_pages,
    nearby_only,
    read_letter,
)
from sarsen.language.translating import N_, _
from sarsen.services.mail.deliveries import Caught, find_caught, mailboxes, newest_caught
from sarsen.services.mail.incoming import Delivery, store

MAX_SUBJECT_LENGTH = 500  # characters: a command may stand in it, but one line is enough
MAX_TEXT_LENGTH = 20_000  # characters, as of the text of a command (`grammar.MAX_BODY`)
# The HTML of a mail is shown in a frame.
_with_a_frame = csp_update({"frame-src": ["'self'"]})
_COMMANDS = {"autocapitalize": "off", "spellcheck": "false"}


def _check_one_line(text: str) -> None:
    if not text.isprintable():
        raise ValidationError(_("A subject is one line of printable characters."))


def _check_ours(address: str) -> None:
    domain = address.rpartition("@")[2].lower()
    if domain != settings.SARSEN_DOMAIN.lower():
        text = _("Mail from this page goes to this server only: an address that ends in @{domain}.")
        raise ValidationError(text.format(domain=settings.SARSEN_DOMAIN))


def _check_address(address: str) -> None:
    if not ADDRESS.fullmatch(address):
        raise ValidationError(_("A mail address looks like ann@example.org."))


def _check_token(token: str) -> None:
    if not TOKEN.fullmatch(token):
        raise ValidationError(_("This form is damaged: load the page again."))


class ReplyForm(forms.Form):
    """An answer: its text, and the token of this form."""

    token = forms.CharField(max_length=40, validators=[_check_token], widget=forms.HiddenInput)
    text = forms.CharField(
        label=N_("Your answer"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, **_COMMANDS}),
    )


class MailForm(forms.Form):
    """A whole mail; the command may stand in its subject or its text."""

    token = forms.CharField(max_length=40, validators=[_check_token], widget=forms.HiddenInput)
    sender = forms.CharField(
        label=N_("From"),
        max_length=254,
        validators=[_check_address],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    to = forms.CharField(
        label=N_("To"),
        max_length=254,
        validators=[_check_address, _check_ours],
        widget=forms.EmailInput,
    )
    subject = forms.CharField(
        label=N_("Subject"),
        required=False,
        max_length=MAX_SUBJECT_LENGTH,
        validators=[_check_one_line],
        widget=forms.TextInput(attrs=_COMMANDS),
    )
    text = forms.CharField(
        label=N_("Text"),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6, **_COMMANDS}),
    )


@dataclass(frozen=True)
class Draft:
    """A mail to send.

    Attributes:
        token: Names this form: sent twice it makes the very same mail.
        in_reply_to, references: Message ids, "" when it answers nothing.
    """

    token: str
    sender: str
    to: str
    subject: str
    text: str
    in_reply_to: str = ""
    references: str = ""

    def write(self) -> bytes:
        """Write the message.

        A second press of the button must make the same bytes, or the server would think two
        mails share a Message-ID: so the time is that of the form.

        Raises:
            ValueError: A line break in what becomes a header; forms refuse it before.
        """
        seconds = int(self.token.partition("-")[0], 16)
        message = EmailMessage(policy=SMTP)
        message["From"] = self.sender
        message["To"] = self.to
        message["Subject"] = self.subject
        message["Date"] = format_datetime(datetime.fromtimestamp(seconds, UTC))
        message["Message-ID"] = f"<{self.token}@browser.invalid>"
        if self.in_reply_to:
            message["In-Reply-To"] = self.in_reply_to
            message["References"] = self.references
        message.set_content(self.text)
        return message.as_bytes()


@nearby_only
def write_new_mail(request: HttpRequest) -> HttpResponse:
    """Show a form for a mail; a POST hands the mail in."""
    initial = {
        "token": new_token(timezone.now()),
        "sender": request.GET.get("from", "")[:254],
        "to": main_address(),
        "subject": request.GET.get("subject", "")[:MAX_SUBJECT_LENGTH],
    }
    form = MailForm(request.POST) if request.method == "POST" else MailForm(initial=initial)
    if form.is_valid():
        return _hand_in(Draft(**form.cleaned_data))
    status = 400 if form.errors else 200
    return render(request, "web/site/write_mail.html", {"form": form}, status=status)


@_with_a_frame
@nearby_only
@with_refusal_pages
def show_mail(request: HttpRequest, number: int) -> HttpResponse:
    """Show one caught mail, and a form to answer it."""
    form = ReplyForm(initial={"token": new_token(timezone.now())})
    return _show(request, find_caught(number), form, status=200)


@_with_a_frame
@require_POST
@nearby_only
@with_refusal_pages
def reply_to_mail(request: HttpRequest, number: int) -> HttpResponse:
    """Answer a caught mail as its recipient."""
    caught, form = find_caught(number), ReplyForm(request.POST)
    if not form.is_valid():
        return _show(request, caught, form, status=400)
    letter = read_letter(caught.raw)
    is_answer = letter.subject.lower().startswith("re:")
    fields: dict[str, Any] = form.cleaned_data
    return _hand_in(
        Draft(
            **fields,
            sender=caught.address,
            to=letter.answer_to,
            subject=letter.subject if is_answer else f"Re: {letter.subject}",
            in_reply_to=letter.message_id,
            references=letter.references,
        )
    )


def _show(request: HttpRequest, caught: Caught, form: ReplyForm, *, status: int) -> HttpResponse:
    letter = read_letter(caught.raw)
    facts = {
        "caught": caught,
        "letter": letter,
        "text": link_own_pages(letter.text),
        "form": form,
        "mailboxes": mailboxes(most=MAX_MAILBOXES),
        "address": caught.address,
    }
    return render(request, "web/site/caught_mail.html", facts, status=status)


def _hand_in(draft: Draft) -> HttpResponse:
    """Store a mail as the SMTP door would, and go where its answer will appear."""
    newest = newest_caught(draft.sender)
    store([Delivery(draft.sender, draft.to, draft.write())], timezone.now())
    query = urlencode({"to": draft.sender, "after": str(newest)})
    return redirect(f"{reverse('mailbox')}?{query}")
