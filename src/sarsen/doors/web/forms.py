"""What a mail written in the browser may hold."""

from __future__ import annotations

from typing import Self

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone

from sarsen.doors.web.writing import ADDRESS, TOKEN, new_token

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
