"""What a mail written in the browser may hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from secrets import token_hex
from typing import Self

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone

LONGEST_SUBJECT = 500
LONGEST_TEXT = 20_000


def _check_one_line(text: str) -> None:
    if not text.isprintable():
        raise ValidationError("A subject is one line of letters that can be printed.")


def _check_ours(address: str) -> None:
    domain = address.rpartition("@")[2].lower()
    if domain != settings.SARSEN_DOMAIN.lower():
        raise ValidationError(
            f"From here mail goes to this server alone: an address that ends in "
            f"@{settings.SARSEN_DOMAIN}."
        )


def _check_address(address: str) -> None:
    if not ADDRESS.fullmatch(address):
        raise ValidationError("A mail address looks like ann@example.org.")


def _check_token(token: str) -> None:
    if not TOKEN.fullmatch(token):
        raise ValidationError("This form is damaged: load the page again.")


class ReplyForm(forms.Form):
    """An answer: its text, and the token of this form."""

    token = forms.CharField(max_length=40, validators=[_check_token], widget=forms.HiddenInput)
    text = forms.CharField(
        label="Your answer",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "autocapitalize": "off", "spellcheck": "false"}),
    )

    @classmethod
    def blank(cls) -> Self:
        """Return an empty form with a fresh token."""
        return cls(initial={"token": new_token(timezone.now())})


class MailForm(forms.Form):
    """A whole mail; the command may stand in its subject or its text."""

    token = forms.CharField(max_length=40, validators=[_check_token], widget=forms.HiddenInput)
    sender = forms.CharField(
        label="From",
        max_length=254,
        validators=[_check_address],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    to = forms.CharField(
        label="To",
        max_length=254,
        validators=[_check_address, _check_ours],
        widget=forms.EmailInput,
    )
    subject = forms.CharField(
        label="Subject",
        required=False,
        max_length=LONGEST_SUBJECT,
        validators=[_check_one_line],
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
    )
    text = forms.CharField(
        label="Text",
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 6, "autocapitalize": "off", "spellcheck": "false"}),
    )


ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}")
TOKEN = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


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


def new_token(now: datetime) -> str:
    """Name a fresh form."""
    return f"{int(now.timestamp()):08x}-{token_hex(8)}"


def write_mail(draft: Draft) -> bytes:
    """Write the message.

    A second press of the button must make the same bytes, or the server would
    think two mails share a Message-ID: so the time is that of the form.

    Raises:
        ValueError: A line break in what becomes a header; forms refuse it before.
    """
    seconds = int(draft.token.partition("-")[0], 16)
    message = EmailMessage(policy=SMTP)
    message["From"] = draft.sender
    message["To"] = draft.to
    message["Subject"] = draft.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(seconds, UTC))
    message["Message-ID"] = f"<{draft.token}@browser.invalid>"
    if draft.in_reply_to:
        message["In-Reply-To"] = draft.in_reply_to
        message["References"] = draft.references
    message.set_content(draft.text)
    return message.as_bytes()
